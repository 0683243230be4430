import Foundation
import MediaStorage
import MediaTypes
import XCTest

@testable import MediaCodecs

/// Samples of a synthetic recording: 30 frames per second with a key frame each second, and AAC-like audio.
struct SampleScript {
    struct Item {
        let isVideo: Bool
        let sample: EncodedSample
    }

    let items: [Item]
    let end: CMTime
    let videoTrack = MovieTrackID(index: 0)
    let audioTrack = MovieTrackID(index: 1)

    var video: [EncodedSample] { items.filter(\.isVideo).map(\.sample) }
    var audio: [EncodedSample] { items.filter { !$0.isVideo }.map(\.sample) }

    static let videoConfiguration = MovieTrackConfiguration(
        format: .video(
            VideoSampleFormat(
                codec: .h264, dimensions: CMVideoDimensions(width: 64, height: 48),
                configuration: Data([1, 66, 0, 10, 255, 225, 0, 0, 1, 0, 0]), color: .bt709(isFullRange: false))),
        timescale: 90000, expectedSampleRate: 30)

    static let audioConfiguration = MovieTrackConfiguration(
        format: .audio(
            AudioSampleFormat(codec: .aac(configuration: Data([0x11, 0x90])), sampleRate: 48000, channelCount: 2)),
        timescale: 48000, expectedSampleRate: 47)

    init(seconds: Int) {
        end = CMTime(value: Int64(seconds), timescale: 1)
        var items: [Item] = []
        var packet = 0
        for frame in 0..<30 * seconds {
            let time = CMTime(value: Int64(frame), timescale: 30)
            let size = frame % 30 == 0 ? 900 : 60 + frame % 13
            items.append(
                Item(
                    isVideo: true,
                    sample: EncodedSample(
                        data: Data((0..<size).map { UInt8(truncatingIfNeeded: $0 + frame) }), presentationTime: time,
                        duration: CMTime(value: 1, timescale: 30), isKeyFrame: frame % 30 == 0)))
            // The audio packets during a frame. One packet of priming precedes them.
            while Int64(packet - 1) * 1024 * 30 < Int64(frame + 1) * 48000, (packet - 1) * 1024 < seconds * 48000 {
                items.append(
                    Item(
                        isVideo: false,
                        sample: EncodedSample(
                            data: Data((0..<20 + packet % 5).map { UInt8(truncatingIfNeeded: $0 * 3 + packet) }),
                            presentationTime: CMTime(value: Int64(packet - 1) * 1024, timescale: 48000),
                            duration: CMTime(value: 1024, timescale: 48000))))
                packet += 1
            }
        }
        self.items = items
    }

    /// Creates a writer with a video track and an audio track.
    ///
    /// - Parameter reservedIndexByteCount: The bytes reserved for an index before the media; nil for one at the end.
    func makeWriter(
        _ url: URL, _ storage: any CaptureStorage, container: MovieContainer = .mov, interval: CMTime,
        reservedIndexByteCount: Int? = nil
    ) throws -> MovieFileWriter {
        let writer = try MovieFileWriter(
            url: url, storage: storage,
            configuration: .init(
                container: container, fragmentInterval: interval, putsIndexInFront: reservedIndexByteCount != nil,
                reservedIndexByteCount: reservedIndexByteCount ?? 0))
        _ = try writer.addTrack(Self.videoConfiguration)
        _ = try writer.addTrack(Self.audioConfiguration)
        writer.setPresentationEnd(end, of: audioTrack)
        return writer
    }

    /// Writes a movie of two H.264 frames, with NAL units of one byte each, followed by two JPEG frames, with markers
    /// only.
    static func writeTwoFormats(to url: URL) throws {
        let writer = try MovieFileWriter(
            url: url, storage: DiskStorage(), configuration: .init(container: .mov, fragmentInterval: .invalid))
        var configuration = videoConfiguration
        configuration.additionalFormats = [
            .video(
                VideoSampleFormat(
                    codec: .jpeg, dimensions: CMVideoDimensions(width: 64, height: 48), configuration: Data()))
        ]
        let track = try writer.addTrack(configuration)
        // The length of the unit and its type, a slice of an IDR picture; the start and the end of an image.
        let frames: [[UInt8]] = [[0, 0, 0, 1, 0x65], [0xff, 0xd8, 0xff, 0xd9]]
        for index in 0..<4 {
            var sample = EncodedSample(
                data: Data(frames[index / 2]), presentationTime: CMTime(value: Int64(index), timescale: 30),
                duration: CMTime(value: 1, timescale: 30))
            sample.formatIndex = index / 2
            try writer.append(sample, to: track)
        }
        try writer.finish()
    }

    func write(
        to url: URL, storage: any CaptureStorage = DiskStorage(), interval: CMTime, reservedIndexByteCount: Int? = nil
    ) throws {
        let writer = try makeWriter(url, storage, interval: interval, reservedIndexByteCount: reservedIndexByteCount)
        for item in items { try writer.append(item.sample, to: item.isVideo ? videoTrack : audioTrack) }
        try writer.finish()
    }

    /// Expects the samples of a movie to be the first ones of the script, with the same times.
    func assertContainsFirstSamples(
        _ movie: ParsedMovie, isFragmented: Bool, file: StaticString = #filePath, line: UInt = #line
    ) throws {
        for track in movie.tracks {
            let isVideo = track.kind == "vide"
            let all = isVideo ? video : audio
            XCTAssertLessThanOrEqual(track.samples.count, all.count, file: file, line: line)
            for (sample, expected) in zip(track.samples, all) {
                XCTAssertEqual(movie.sampleData(sample), expected.data, file: file, line: line)
                let shift = isVideo ? 0 : 1024
                XCTAssertEqual(
                    CMTime(value: sample.presentation - Int64(shift), timescale: CMTimeScale(track.timescale)),
                    expected.presentationTime, file: file, line: line)
                XCTAssertEqual(sample.isKeyFrame, expected.isKeyFrame, file: file, line: line)
            }
        }
    }
}
