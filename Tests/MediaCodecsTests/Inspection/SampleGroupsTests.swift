import Foundation
import MediaStorage
import TestSupport
import XCTest

@testable import MediaCodecs
@testable import MediaFiles

/// Sample groups in fragments become those of one sample table.
final class SampleGroupsTests: XCTestCase {
    private static let roll: UInt32 = 0x726f_6c6c
    /// A type that ffmpeg does not write.
    private static let other: UInt32 = 0x7a7a_7a7a

    private func box(_ type: String, version: UInt8 = 0, _ numbers: [UInt32], _ bytes: [UInt8] = []) -> Data {
        var builder = BoxBuilder()
        builder.fullBox(type, version: version) { box in
            for number in numbers { box.unsigned32(number) }
            box.data(bytes)
        }
        return Data(builder.bytes)
    }

    private func memory(_ boxes: Data...) -> [MemoryBox] { boxes.flatMap { ByteReader([UInt8]($0)).boxes() } }

    func testDescriptionsOfFragmentsAreNumberedAfterThoseOfTheMovie() {
        // The movie has one description of two bytes, the fragments have one of their own each.
        var groups = SampleGroups([
            box("sgpd", version: 1, [Self.roll, 2, 1], [0xff, 0xff]), box("sbgp", [Self.roll, 1, 3, 1]),
        ])
        groups.add(
            memory(
                box("sgpd", version: 1, [Self.roll, 2, 2], [0, 5, 0xff, 0xff]),
                box("sbgp", [Self.roll, 3, 2, 0x1_0001, 1, 0x1_0002, 9, 1])), ofSamples: 3..<8)
        // The next fragment has no groups.
        groups.add(memory(box("sbgp", [Self.roll, 1, 4, 1])), ofSamples: 10..<14)
        XCTAssertEqual(groups.rejectedTypes, [])
        XCTAssertEqual(
            groups.boxes,
            [
                box("sgpd", version: 1, [Self.roll, 2, 2], [0xff, 0xff, 0, 5]),
                box("sbgp", [Self.roll, 5, 3, 1, 2, 2, 3, 1, 2, 0, 4, 1]),
            ])
    }

    func testDescriptionsOfDifferentLengthsHaveTheirLengths() {
        var groups = SampleGroups([])
        groups.add(
            memory(
                box("sgpd", version: 1, [Self.roll, 0, 2, 1], [7, 0, 0, 0, 2, 8, 9]),
                box("sbgp", version: 1, [Self.roll, 6, 1, 2, 0x1_0002])), ofSamples: 0..<2)
        XCTAssertEqual(
            groups.boxes,
            [
                box("sgpd", version: 1, [Self.roll, 0, 2, 1], [7, 0, 0, 0, 2, 8, 9]),
                box("sbgp", version: 1, [Self.roll, 6, 1, 2, 2]),
            ])
    }

    func testGroupsThatCannotBeCollectedAreNamed() {
        for boxes in [
            memory(box("csgp", [Self.roll, 0, 0])), memory(box("sgpd", version: 2, [Self.roll, 1, 0])),
            memory(box("sbgp", [Self.roll, 2, 1, 1])), memory(box("sbgp", [Self.roll, 1, 1, 0x1_0004])),
            // Version 0 with billions of descriptions without bytes.
            memory(box("sgpd", [Self.roll, .max])),
        ] {
            var groups = SampleGroups([])
            groups.add(boxes, ofSamples: 0..<1)
            XCTAssertEqual(groups.rejectedTypes, ["roll"])
            XCTAssertEqual(groups.boxes, [])
        }
    }

    func testARepairedMovieHasTheGroupsOfItsFragments() throws {
        let folder = try MediaFixture.folder(self)
        let url = folder.appendingPathComponent("a.mp4")
        let result = try ExternalTool.run(
            "ffmpeg",
            ["-y", "-v", "error", "-f", "lavfi", "-i", "sine=f=440:r=48000:d=1", "-c:a", "aac"]
                + ["-movflags", "frag_keyframe+empty_moov+default_base_moof", "-frag_duration", "300000", url.path])
        XCTAssertEqual(result.status, 0, result.errors)
        var movie = MovieBytes(try Data(contentsOf: url))
        let parts = movie.boxes.filter { $0.type == "traf" }
        XCTAssertGreaterThan(parts.count, 1)
        // Each fragment begins with a sample of its own group.
        for part in parts.reversed() {
            let added =
                box("sgpd", version: 1, [Self.other, 2, 1], [0xff, 0xfe]) + box("sbgp", [Self.other, 1, 1, 0x1_0001])
            movie.replace(
                part.range.upperBound..<part.range.upperBound, with: added, in: part.parents + [part.range.lowerBound])
            let run = try XCTUnwrap(
                movie.boxes.first { $0.type == "trun" && $0.parents.last == part.range.lowerBound })
            movie[run, 16] += UInt32(added.count)
        }
        let source = folder.appendingPathComponent("b.mp4")
        try movie.data.write(to: source)
        let target = folder.appendingPathComponent("c.mp4")
        let summary = try MovieRepair.repair(source, to: target, in: DiskStorage())
        XCTAssertEqual(summary.omissions, [])
        XCTAssertEqual(try MovieBytes.packets(target), try MovieBytes.packets(source))
        let maps = try [source, target].map { try MovieMap(reading: DiskStorage().open($0, for: .reading)) }
        let counts = maps[0].fragments.flatMap { $0.tracks.map { UInt32($0.sampleCount) } }
        // The last samples are in no group.
        let groups = counts.flatMap { [1, 1, $0 - 1, 0] as [UInt32] }.dropLast(2)
        XCTAssertEqual(
            maps[1].tracks[0].storedBoxes?.sampleBoxes.last,
            box("sbgp", [Self.other, UInt32(groups.count / 2)] + groups))
    }
}
