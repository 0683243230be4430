import Foundation
import MediaStorage
import MediaTypes
import TestSupport
import XCTest

@testable import MediaCodecs
@testable import MediaFiles

final class StoredTrackTests: XCTestCase {
    /// Returns samples with decode times of 20 ticks distance and these composition offsets, as phones write them.
    private static func samples(offsets: [Int64], origin: Int64 = 0) -> [EncodedSample] {
        offsets.enumerated().map { index, offset in
            let decode = origin + Int64(index) * 20
            return EncodedSample(
                data: Data([0, 0, 0, 1, UInt8(index == 0 ? 0x65 : 0x41)]),
                presentationTime: CMTime(value: decode + offset, timescale: 600),
                decodeTime: CMTime(value: decode, timescale: 600), duration: CMTime(value: 20, timescale: 600),
                isKeyFrame: index == 0)
        }
    }

    private static var videoConfiguration: MovieTrackConfiguration {
        var configuration = SampleScript.videoConfiguration
        configuration.timescale = 600
        return configuration
    }

    /// Returns the presentation times of the packets in ticks.
    private static func packetTimes(_ url: URL) throws -> [Int64] {
        try FFprobe.lines(["-show_entries", "packet=pts"], url).compactMap { Int64($0[0]) }
    }

    func testSamplesCanBePresentedBeforeTheirDecodeTime() throws {
        let folder = try TemporaryFolder()
        let offsets: [Int64] = [0, 60, 0, -40, -20]
        for container in [MovieContainer.mov, .mp4] {
            let url = folder.file("a.\(container.rawValue)")
            let writer = try MovieFileWriter(
                url: url, storage: DiskStorage(), configuration: .init(container: container, fragmentInterval: .invalid)
            )
            let track = try writer.addTrack(Self.videoConfiguration)
            for sample in Self.samples(offsets: offsets) { try writer.append(sample, to: track) }
            try writer.finish()
            let file = try DiskStorage().open(url, for: .reading)
            let map = try MovieMap(reading: file)
            XCTAssertEqual(map.tracks[0].samples.runs.map { Int64($0.compositionOffset) }, offsets)
            XCTAssertEqual(try MovieChecker.problems(of: map, in: file).filter { $0.severity == .error }, [])
            XCTAssertEqual(try Self.packetTimes(url), [0, 80, 40, 20, 60])
            XCTAssertNotNil(try Data(contentsOf: url).range(of: Data("cslg".utf8)))
        }
    }

    func testFragmentsContainNegativeCompositionOffsets() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("a.mov")
        let writer = try MovieFileWriter(
            url: url, storage: DiskStorage(),
            configuration: .init(container: .mov, fragmentInterval: CMTime(value: 80, timescale: 600)))
        let track = try writer.addTrack(Self.videoConfiguration)
        for sample in Self.samples(offsets: [0, 60, 0, -40, -20]) { try writer.append(sample, to: track) }
        var next = Self.samples(offsets: [0], origin: 100)
        next[0].isKeyFrame = true
        try writer.append(next[0], to: track)
        let map = try MovieMap(reading: DiskStorage().open(url, for: .reading))
        XCTAssertEqual(map.fragments.count, 1)
        XCTAssertEqual(map.tracks[0].samples.runs.map(\.compositionOffset), [0, 60, 0, -40, -20])
        writer.cancel()
    }

    func testAMovieKeepsSamplesThatArePresentedBeforeTheFirstDecodeTime() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("a.mov")
        let writer = try MovieFileWriter(
            url: url, storage: DiskStorage(), configuration: .init(container: .mov, fragmentInterval: .invalid))
        let track = try writer.addTrack(Self.videoConfiguration)
        for sample in Self.samples(offsets: [0, -40, -20], origin: 100) { try writer.append(sample, to: track) }
        try writer.finish()
        XCTAssertEqual(try Self.packetTimes(url), [100, 80, 120])
    }

    func testAStoredTrackIsWrittenByteForByte() throws {
        let folder = try TemporaryFolder()
        for container in [MovieContainer.mov, .mp4] {
            let url = folder.file("a.\(container.rawValue)")
            var entry = BoxBuilder()
            entry.box("zzzz") { box in
                box.zeros(6)
                box.unsigned16(1)
                box.data("unknown".utf8)
            }
            func box(_ type: String, _ text: String) -> Data {
                var builder = BoxBuilder()
                builder.box(type) { $0.data(text.utf8) }
                return Data(builder.bytes)
            }
            var handler = BoxBuilder()
            handler.fullBox("hdlr") { box in
                box.zeros(4)
                box.code("zzzh")
                box.zeros(12)
                box.data("Sensor\0".utf8)
            }
            var boxes = StoredTrackBoxes(isQuickTime: container == .mov)
            boxes.handler = Data(handler.bytes)
            boxes.mediaHeader = box("gmhd", "header")
            boxes.trackBoxes = [box("tapt", "aperture")]
            boxes.language = 3
            var configuration = MovieTrackConfiguration(
                format: .stored(
                    StoredSampleFormat(
                        code: "zzzz", handler: "zzzh", entry: Data(entry.bytes), isQuickTime: container == .mov,
                        isUncompressed: false)),
                timescale: 1000, transform: CGAffineTransform(a: -1, b: 0, c: 0, d: 1, tx: 64, ty: 0))
            configuration.storedBoxes = boxes
            (configuration.number, configuration.layer, configuration.volume) = (7, -2, 0.5)
            configuration.perspective = SIMD3(1, 2, 1 << 30)
            let writer = try MovieFileWriter(
                url: url, storage: DiskStorage(), configuration: .init(container: container, fragmentInterval: .invalid)
            )
            let id = try writer.addTrack(configuration)
            for (index, data) in [Data([1, 2, 3]), Data(), Data([4])].enumerated() {
                try writer.append(
                    EncodedSample(
                        data: data, presentationTime: CMTime(value: Int64(index), timescale: 1000),
                        duration: CMTime(value: 1, timescale: 1000)), to: id)
            }
            try writer.finish()
            let track = try XCTUnwrap(MovieMap(reading: DiskStorage().open(url, for: .reading)).tracks.first)
            XCTAssertEqual(track.number, 7)
            XCTAssertEqual(track.layer, -2)
            XCTAssertEqual(track.volume, 0.5)
            XCTAssertEqual(track.handler, "zzzh")
            XCTAssertEqual(track.transform, configuration.transform)
            XCTAssertEqual(track.perspective, configuration.perspective)
            XCTAssertEqual(track.sampleEntries.map(\.bytes), [Data(entry.bytes)])
            XCTAssertEqual(track.storedBoxes, boxes)
            XCTAssertEqual(track.samples.runs.map(\.size), [3, 0, 1])
        }
    }

    func testAStoredEntryOfTheOtherFamilyIsRejectedUnlessItIsValidInBoth() throws {
        func format(_ code: String, _ handler: String, isQuickTime: Bool) -> MovieSampleFormat {
            .stored(
                StoredSampleFormat(
                    code: code, handler: handler, entry: Data(count: 86), isQuickTime: isQuickTime,
                    isUncompressed: false))
        }
        XCTAssertNil(MovieContainer.mp4.rejectionReason(for: format("hev1", "vide", isQuickTime: true)))
        XCTAssertNil(MovieContainer.mov.rejectionReason(for: format("ac-3", "soun", isQuickTime: false)))
        XCTAssertNil(MovieContainer.mov.rejectionReason(for: format("zzzz", "zzzz", isQuickTime: true)))
        XCTAssertEqual(
            MovieContainer.mp4.rejectionReason(for: format("twos", "soun", isQuickTime: true)),
            "the description of 'twos' samples in a QuickTime file is not valid in an MPEG-4 file")
        XCTAssertNotNil(MovieContainer.m4a.rejectionReason(for: format("avc1", "vide", isQuickTime: false)))
    }
}
