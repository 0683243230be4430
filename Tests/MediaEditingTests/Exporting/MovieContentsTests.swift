import Foundation
import MediaCodecs
import MediaFiles
import MediaTypes
import TestSupport
import XCTest

@testable import AssetTypes
@testable import MediaAssets
@testable import MediaEditing

/// The boxes of a movie that exports keep.
final class MovieContentsTests: XCTestCase {
    /// Writes two seconds of video with user data of the movie, a list of chapters in it, and a box of the file.
    private func movie(_ name: String, _ fixture: AssetWriterFixture) throws -> AVAsset {
        let chapters = ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=2000\ntitle=First\n"
        try Data(chapters.utf8).write(to: fixture.url("chapters.txt"))
        try fixture.ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=160x120:r=30:d=2", "-i", "@chapters.txt", "-map", "0", "-map_metadata",
            "1", "-c:v", "libx264", "-g", "15", "-metadata", "comment=Harbor", "-metadata",
            "creation_time=2024-05-06T07:08:09Z", "@\(name)")
        var data = try Data(contentsOf: fixture.url(name))
        // The user data is the last box of the movie, which is the last box of the file.
        let telemetry = box("GPMF", Data("telemetry".utf8))
        for type in ["moov", "udta"] {
            let start = try XCTUnwrap(data.range(of: Data(type.utf8), options: .backwards)).lowerBound - 4
            let size = data[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } + telemetry.count
            XCTAssertEqual(start + size - telemetry.count, data.count, type)
            data.replaceSubrange(start..<start + 4, with: bigEndian(UInt32(size)))
        }
        data += telemetry + box("uuid", Data((0..<24).map { UInt8($0) }))
        try data.write(to: fixture.url(name))
        return fixture.asset(name)
    }

    private func bigEndian(_ number: UInt32) -> Data { withUnsafeBytes(of: number.bigEndian) { Data($0) } }

    private func box(_ type: String, _ body: Data) -> Data {
        bigEndian(UInt32(body.count + 8)) + Data(type.utf8) + body
    }

    /// Returns the boxes of the movie and the file.
    private func boxes(_ asset: AVAsset) throws -> [Data] {
        var omissions: [String] = []
        let boxes = try XCTUnwrap(try asset.open().file).copiedBoxes(omissions: &omissions)
        XCTAssertEqual(omissions, [])
        return boxes.movieBoxes + boxes.fileBoxes
    }

    func testAMovieOfTheSameFamilyKeepsTheBoxesOfItsSource() throws {
        let fixture = try AssetWriterFixture()
        for (name, type) in [("a.mp4", AVFileType.mp4), ("b.mov", .mov)] {
            let source = try movie(name, fixture)
            let expected = try boxes(source)
            XCTAssertEqual(expected.count, 2)
            for preset in [AVAssetExportPresetPassthrough, AVAssetExportPresetHighestQuality] {
                let session = try fixture.export(source, preset, "\(preset)-\(name)", type)
                XCTAssertEqual(session.status, .completed, "\(String(describing: session.error))")
                let copy = fixture.asset("\(preset)-\(name)")
                XCTAssertEqual(try boxes(copy), expected, "\(preset) \(name)")
                XCTAssertEqual(copy.headerCreationSeconds, source.headerCreationSeconds)
                XCTAssertEqual(copy.metadata.map(\.identifier), source.metadata.map(\.identifier))
                try MovieInspection.assertNoProblems(fixture.url("\(preset)-\(name)"))
            }
        }
    }

    func testBoxesThatReferToOffsetsOfTheFileAreNamed() throws {
        let fixture = try AssetWriterFixture()
        _ = try movie("a.mp4", fixture)
        var data = try Data(contentsOf: fixture.url("a.mp4"))
        // A box with item locations without items (ISO/IEC 14496-12, 8.11).
        let handler = box("hdlr", Data(count: 8) + Data("null".utf8) + Data(count: 13))
        data += box("meta", Data(count: 4) + handler + box("iloc", Data(count: 8)))
        try data.write(to: fixture.url("a.mp4"))
        for preset in [AVAssetExportPresetPassthrough, AVAssetExportPresetHighestQuality] {
            let session = try fixture.export(fixture.asset("a.mp4"), preset, "\(preset).mp4", .mp4)
            XCTAssertEqual(session.status, .completed, "\(String(describing: session.error))")
            XCTAssertEqual(session.omittedBoxes.count, 1)
            XCTAssertTrue(try XCTUnwrap(session.omittedBoxes.first).hasPrefix("the 'meta' box at byte"))
        }
    }

    func testACutDoesNotKeepTheListOfChapters() throws {
        let fixture = try AssetWriterFixture()
        let source = try movie("a.mp4", fixture)
        let (list, telemetry) = (Data("chpl".utf8), Data("telemetry".utf8))
        XCTAssertTrue(try boxes(source).contains { $0.range(of: list) != nil })
        let session = try fixture.export(source, AVAssetExportPresetPassthrough, "cut.mp4", .mp4) {
            $0.timeRange = CMTimeRange(
                start: CMTime(value: 1, timescale: 2), duration: CMTime(value: 1, timescale: 1))
        }
        XCTAssertEqual(session.status, .completed, "\(String(describing: session.error))")
        let copied = try boxes(fixture.asset("cut.mp4"))
        XCTAssertFalse(copied.contains { $0.range(of: list) != nil })
        XCTAssertTrue(copied.contains { $0.range(of: telemetry) != nil })
        try MovieInspection.assertNoProblems(fixture.url("cut.mp4"))
    }

    func testMetadataOfTheClientReplacesThatOfTheSource() throws {
        let fixture = try AssetWriterFixture()
        let source = try movie("a.mp4", fixture)
        let session = try fixture.export(source, AVAssetExportPresetPassthrough, "out.mp4", .mp4) { $0.metadata = [] }
        XCTAssertEqual(session.status, .completed, "\(String(describing: session.error))")
        XCTAssertEqual(try boxes(fixture.asset("out.mp4")), [])
        XCTAssertEqual(fixture.asset("out.mp4").metadata, [])
    }

    func testTheOtherFamilyReceivesTheMetadataThatItCanContain() throws {
        let fixture = try AssetWriterFixture()
        let source = try movie("a.mp4", fixture)
        let session = try fixture.export(source, AVAssetExportPresetPassthrough, "out.mov")
        XCTAssertEqual(session.status, .completed, "\(String(describing: session.error))")
        XCTAssertFalse(try boxes(fixture.asset("out.mov")).contains { $0.range(of: Data("telemetry".utf8)) != nil })
        XCTAssertEqual(fixture.asset("out.mov").headerCreationSeconds, source.headerCreationSeconds)
    }
}
