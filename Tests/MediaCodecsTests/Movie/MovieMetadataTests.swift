import Foundation
import MediaStorage
import MediaTypes
import XCTest

@testable import MediaCodecs

final class MovieMetadataTests: XCTestCase {
    private let metadata = MovieMetadata(
        creationSecondsSince1970: 1_795_000_000, creationDate: "2026-11-18T07:06:40+0100", make: "Obscura",
        model: "SimPhone é", software: "1.0", location: "+48.8577+002.2950+035.000/",
        custom: [
            .init(key: "com.example.take", value: "7"), .init(key: "com.example.count", value: .integer(-12)),
            .init(key: "com.example.far", value: .integer(1 << 40)), .init(key: "com.example.gain", value: .real(0.5)),
            .init(key: "com.example.bytes", value: .data(Data([1, 2]), type: 0)),
        ])

    private func tags(_ container: MovieContainer) throws -> [String: String] {
        let folder = try TemporaryFolder()
        let url = folder.file("a.\(container)")
        let writer = try SampleScript(seconds: 1).makeWriter(
            url, DiskStorage(), container: container, interval: .invalid)
        let script = SampleScript(seconds: 1)
        for item in script.items {
            try writer.append(item.sample, to: item.isVideo ? script.videoTrack : script.audioTrack)
        }
        // Metadata can be set during the recording.
        writer.metadata = metadata
        try writer.finish()
        let result = try MediaTools.run(
            "ffprobe", ["-v", "quiet", "-show_entries", "format_tags", "-of", "json", url.path])
        let object = try JSONSerialization.jsonObject(with: result.output) as? [String: Any]
        return (object?["format"] as? [String: Any])?["tags"] as? [String: String] ?? [:]
    }

    func testQuickTimeMetadataIsReadBack() throws {
        let tags = try tags(.mov)
        XCTAssertEqual(tags["com.apple.quicktime.make"], "Obscura")
        XCTAssertEqual(tags["com.apple.quicktime.model"], "SimPhone é")
        XCTAssertEqual(tags["com.apple.quicktime.software"], "1.0")
        XCTAssertEqual(tags["com.apple.quicktime.location.ISO6709"], "+48.8577+002.2950+035.000/")
        XCTAssertEqual(tags["com.apple.quicktime.creationdate"], "2026-11-18T07:06:40+0100")
        XCTAssertEqual(tags["com.example.take"], "7")
        XCTAssertEqual(tags["creation_time"], "2026-11-18T11:06:40.000000Z")
    }

    func testMPEG4MetadataIsReadBack() throws {
        let tags = try tags(.mp4)
        XCTAssertEqual(tags["make"], "Obscura")
        XCTAssertEqual(tags["model"], "SimPhone é")
        XCTAssertEqual(tags["location"], "+48.8577+002.2950+035.000/")
        XCTAssertEqual(tags["date"], "2026-11-18T07:06:40+0100")
        XCTAssertEqual(tags["com.example.take"], "7")
        XCTAssertEqual(tags["creation_time"], "2026-11-18T11:06:40.000000Z")
    }

    func testValuesKeepTheirTypes() throws {
        for container in [MovieContainer.mov, .mp4] {
            var builder = BoxBuilder()
            MetadataBoxes(metadata: MovieMetadata(custom: metadata.custom), container: container).append(to: &builder)
            let bytes = Data(builder.bytes)
            let values: [(UInt32, [UInt8])] = [
                (1, Array("7".utf8)), (67, [255, 255, 255, 244]), (74, [0, 0, 1, 0, 0, 0, 0, 0]),
                (24, [0x3f, 0xe0, 0, 0, 0, 0, 0, 0]), (0, [1, 2]),
            ]
            var last = 0
            for (type, value) in values {
                var data = BoxBuilder()
                data.box("data") { box in
                    box.unsigned32(type)
                    box.unsigned32(0)
                    box.data(value)
                }
                let range = try XCTUnwrap(bytes.range(of: Data(data.bytes)), "type \(type)")
                XCTAssertGreaterThan(range.lowerBound, last)
                last = range.lowerBound
            }
        }
    }

    func testAMovieWithoutMetadataHasNoMetadataBox() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("a.mov")
        try SampleScript(seconds: 1).write(to: url, interval: .invalid)
        let reader = try BoxReader(url)
        let moov = try XCTUnwrap(try reader.boxes().last)
        XCTAssertEqual(try reader.children(moov, "meta").count, 0)
        XCTAssertEqual(reader.u32(try reader.box(moov, "mvhd").body.lowerBound + 4), 0)
    }
}
