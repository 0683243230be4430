import Foundation
import MediaStorage
import MediaTypes
import TestSupport
import XCTest

@testable import MediaAssets

/// What is left of a writer's file when the disk fails at any moment.
final class AVAssetWriterFaultTests: XCTestCase {
    private struct Outcome {
        let status: AVAssetWriter.Status
        let error: AVError?
        let movie: DecodedMovie?
        let operationCount: Int
    }

    private func write(
        _ name: String, _ type: AVFileType, hasVideo: Bool, sound: AudioFormatID, _ order: (SimStorage) -> Void
    ) throws -> Outcome {
        let storage = SimStorage()
        order(storage)
        let bench = try WriterBench(storage: storage)
        let writer = try bench.makeWriter(name, type)
        let audio = bench.makeAudio(sound)
        let video = hasVideo ? bench.makeVideo() : nil
        writer.movieFragmentInterval = CMTime(value: 1, timescale: 4)
        for input in [video, audio].compactMap({ $0 }) { writer.add(input) }
        if writer.startWriting() {
            writer.startSession(atSourceTime: WriterBench.start)
            for frame in 0..<30 {
                if let video, writer.status == .writing {
                    video.append(try WriterBench.frame(frame, at: CMTime(value: Int64(frame), timescale: 30)))
                }
                if writer.status == .writing { audio.append(try WriterBench.sound(frame * 1600..<(frame + 1) * 1600)) }
            }
        }
        let endCount = Lock(0)
        writer.finishWriting { endCount.withLock { $0 += 1 } }
        bench.settle()
        XCTAssertEqual(endCount.withLock { $0 }, 1)
        bench.assertNoMisuse()
        let movie = bench.fileExists(name) ? try? DecodedMovie(bench.url(name)) : nil
        return Outcome(
            status: writer.status, error: writer.error as? AVError, movie: movie,
            operationCount: storage.operations.count)
    }

    func testEveryStorageCallThatFailsIsToldAndLeavesWhatPlays() throws {
        for (name, type, hasVideo, sound) in [
            ("a.mov", AVFileType.mov, true, kAudioFormatMPEG4AAC), ("a.caf", .caf, false, kAudioFormatLinearPCM),
            ("a.caf", .caf, false, kAudioFormatMPEG4AAC), ("a.wav", .wav, false, kAudioFormatLinearPCM),
        ] {
            let count = try write(name, type, hasVideo: hasVideo, sound: sound) { _ in }.operationCount
            XCTAssertGreaterThan(count, 8)
            var amounts: [Int] = []
            for operation in 1...count {
                let outcome = try write(name, type, hasVideo: hasVideo, sound: sound) { storage in
                    for later in operation..<operation + 100 { storage.order(.fail(.diskFull), atOperation: later) }
                }
                let what = "\(name) \(sound), operation \(operation) of \(count)"
                XCTAssertEqual(outcome.status, .failed, what)
                XCTAssertEqual(outcome.error?.code, .diskFull, what)
                if hasVideo, let movie = outcome.movie {
                    XCTAssertEqual(movie.counters, (0..<movie.frames.count).map { UInt32($0) }, what)
                }
                amounts.append((hasVideo ? outcome.movie?.frames.count : outcome.movie?.sound.count) ?? 0)
            }
            XCTAssertEqual(amounts, amounts.sorted(), "\(name) \(sound)")
            XCTAssertGreaterThan(amounts.last ?? 0, hasVideo ? 20 : 36000, "\(name) \(sound)")
        }
    }
}
