import Foundation
import MediaStorage
import MediaTypes
import TestSupport
import XCTest

@testable import AssetTypes
@testable import MediaAssets

/// Tests the file that remains after a storage operation fails.
final class AVAssetWriterFaultTests: XCTestCase {
    private struct Outcome {
        let status: AVAssetWriter.Status
        let error: AVError?
        let movie: DecodedMovie?
        let operationCount: Int
    }

    private func write(
        _ name: String, _ type: AVFileType, hasVideo: Bool, sound: AudioFormatID, _ injectFaults: (SimStorage) -> Void
    ) throws -> Outcome {
        let storage = SimStorage()
        injectFaults(storage)
        let fixture = try AssetWriterFixture(storage: storage)
        let writer = try fixture.makeWriter(name, type)
        let audio = fixture.makeAudioInput(sound)
        let video = hasVideo ? fixture.makeVideoInput() : nil
        writer.movieFragmentInterval = CMTime(value: 1, timescale: 4)
        for input in [video, audio].compactMap({ $0 }) { writer.add(input) }
        if writer.startWriting() {
            writer.startSession(atSourceTime: AssetWriterFixture.start)
            for frame in 0..<30 {
                if let video, writer.status == .writing {
                    video.append(
                        try AssetWriterFixture.videoSample(frame, at: CMTime(value: Int64(frame), timescale: 30)))
                }
                if writer.status == .writing {
                    audio.append(try AssetWriterFixture.audioSample(frame * 1600..<(frame + 1) * 1600))
                }
            }
        }
        let completionCount = Lock(0)
        writer.finishWriting { completionCount.withLock { $0 += 1 } }
        fixture.settle()
        XCTAssertEqual(completionCount.withLock { $0 }, 1)
        fixture.assertNoMisuse()
        let movie = fixture.fileExists(name) ? try? DecodedMovie(fixture.url(name)) : nil
        return Outcome(
            status: writer.status, error: writer.error as? AVError, movie: movie,
            operationCount: storage.operations.count)
    }

    func testEveryStorageFailureIsReportedAndLeavesAPlayableFile() throws {
        for (name, type, hasVideo, sound) in [
            ("a.mov", AVFileType.mov, true, kAudioFormatMPEG4AAC), ("a.caf", .caf, false, kAudioFormatLinearPCM),
            ("a.caf", .caf, false, kAudioFormatMPEG4AAC), ("a.wav", .wav, false, kAudioFormatLinearPCM),
        ] {
            let count = try write(name, type, hasVideo: hasVideo, sound: sound) { _ in }.operationCount
            XCTAssertGreaterThan(count, 8)
            var sampleCounts: [Int] = []
            for operation in CaseSample.of(1...count, count: 12) {
                let outcome = try write(name, type, hasVideo: hasVideo, sound: sound) { storage in
                    for later in operation..<operation + 100 { storage.inject(.fail(.diskFull), atOperation: later) }
                }
                let what = "\(name) \(sound), operation \(operation) of \(count)"
                XCTAssertEqual(outcome.status, .failed, what)
                XCTAssertEqual(outcome.error?.code, .diskFull, what)
                if hasVideo, let movie = outcome.movie {
                    XCTAssertEqual(movie.counters, (0..<movie.frames.count).map { UInt32($0) }, what)
                }
                sampleCounts.append((hasVideo ? outcome.movie?.frames.count : outcome.movie?.audioSamples.count) ?? 0)
            }
            XCTAssertEqual(sampleCounts, sampleCounts.sorted(), "\(name) \(sound)")
            XCTAssertGreaterThan(sampleCounts.last ?? 0, hasVideo ? 20 : 36000, "\(name) \(sound)")
        }
    }
}
