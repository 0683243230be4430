import CaptureHAL
import Foundation
import MediaTypes
import SimDevices
import XCTest

@testable import CaptureCore
@testable import MediaAssets

/// Media that were captured before a recording's end and come after it.
final class LateMediaTests: XCTestCase {
    private func makeStage(camera: Int = 0, microphone: Int = 0, hasSound: Bool = true) throws -> MovieStage {
        let bench = try CaptureBench { machine in
            guard case .camera(var video) = machine.devices[0], case .microphone(var sound) = machine.devices[1] else {
                return
            }
            video.deliveryLatencyNanoseconds = Int64(camera) * 1_000_000
            sound.deliveryLatencyNanoseconds = Int64(microphone) * 1_000_000
            machine.devices[0] = .camera(video)
            machine.devices[1] = .microphone(sound)
        }
        return try MovieStage(bench, microphone: hasSound ? CaptureBench.microphone : nil)
    }

    func testStoppingWaitsForTheFramesOfALateCamera() throws {
        for latency in [30, 140, 600] {
            for hasSound in [true, false] {
                let stage = try makeStage(camera: latency, hasSound: hasSound)
                stage.start()
                stage.record()
                stage.play(1045 + latency)
                stage.movie.stopRecording()
                let end = Double(1045 + latency) / 1000
                stage.bench.clock.settle()
                XCTAssertEqual(stage.movies.story, ["start a.mov", "end a.mov"], "\(latency) ms late")
                XCTAssertFalse(stage.movie.isRecording)
                stage.play(latency + 40)
                try stage.assertEnd(nil, isGood: nil)
                XCTAssertEqual(stage.movies.story, ["start a.mov", "end a.mov", "finish a.mov"])
                let movie = try stage.decode()
                let count = Int((end * 30).rounded(.up))
                XCTAssertEqual(movie.counters, (0..<count).map { UInt32($0) }, "\(latency) ms late")
                XCTAssertEqual(stage.movie.recordedDuration.seconds, end, accuracy: 1e-6)
                if hasSound { XCTAssertEqual(movie.soundDuration, end, accuracy: 1024.0 / 48000) }
                XCTAssertEqual(stage.movie.recordingStatistics.videoFrameCount, count)
                stage.session.stopRunning()
            }
        }
    }

    func testALimitWaitsForTheFramesOfALateCamera() throws {
        for hasSound in [true, false] {
            let stage = try makeStage(hasSound: hasSound)
            try stage.bench.host.schedule(
                .delayFrames(count: 1, by: CMTime(value: 1, timescale: 1)), uniqueID: CaptureBench.camera, at: .rate(1))
            stage.movie.maxRecordedDuration = CMTime(value: 1, timescale: 1)
            stage.start()
            stage.record()
            stage.play(3500)
            try stage.assertEnd(.maximumDurationReached, isGood: true)
            XCTAssertEqual(try stage.decode().counters, (0..<30).map { UInt32($0) })
            XCTAssertEqual(stage.movie.recordingStatistics.videoFrameCount, 30)
            stage.session.stopRunning()
        }
    }

    func testTheFrameAtTheMomentOfTheStopIsNotInTheFile() throws {
        for (milliseconds, hasSound) in [(1000, true), (1000, false), (500, true), (100, false)] {
            let stage = try makeStage(hasSound: hasSound)
            stage.start()
            stage.record()
            stage.play(milliseconds)
            stage.stopRecording()
            stage.play(1000)
            try stage.assertEnd(nil, isGood: nil)
            let count = milliseconds * 30 / 1000
            XCTAssertEqual(stage.movie.recordingStatistics.videoFrameCount, count)
            XCTAssertEqual(try storedFrames(stage.bench.url("a.mov")), count, "\(milliseconds) ms")
            XCTAssertEqual(try stage.decode().counters, (0..<count).map { UInt32($0) })
            stage.session.stopRunning()
        }
    }

    /// The pictures in a movie's track, also those that its edit list does not show.
    private func storedFrames(_ url: URL) throws -> Int {
        let asset = AVURLAsset(url: url)
        let reader = try AVAssetReader(asset: asset)
        let track = try XCTUnwrap(asset.tracks(withMediaType: .video).first)
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
        reader.add(output)
        XCTAssertTrue(reader.startReading())
        var count = 0
        while output.copyNextSampleBuffer() != nil { count += 1 }
        return count
    }

    func testStoppingWaitsForTheSoundOfALateMicrophone() throws {
        let stage = try makeStage(microphone: 300)
        stage.start()
        stage.record()
        stage.play(1000)
        stage.movie.stopRecording()
        stage.play(400)
        try stage.assertEnd(nil, isGood: nil)
        let movie = try stage.decode()
        XCTAssertEqual(movie.frames.count, 30)
        XCTAssertEqual(movie.soundDuration, 1, accuracy: 1024.0 / 48000)
        // The end is heard, not filled with silence.
        XCTAssertGreaterThan(movie.sound[46000..<47900].map { abs($0) }.max() ?? 0, 0.08)
    }

    func testARecordingThatIsStoppedBeforeItsFirstFrameComesHasTheFramesOfItsTime() throws {
        let stage = try makeStage(camera: 500)
        stage.start()
        stage.play(1000)
        stage.record()
        stage.play(300)
        stage.movie.stopRecording()
        stage.bench.clock.settle()
        XCTAssertEqual(stage.movies.story, [])
        stage.play(700)
        try stage.assertEnd(nil, isGood: nil)
        XCTAssertEqual(stage.movies.story, ["start a.mov", "end a.mov", "finish a.mov"])
        XCTAssertEqual(try stage.decode().counters, (30..<39).map { UInt32($0) })
    }

    func testStoppingTheSessionEndsTheWait() throws {
        let stage = try makeStage(camera: 300)
        stage.start()
        stage.record()
        stage.play(1000)
        stage.movie.stopRecording()
        stage.play(100)
        stage.session.stopRunning()
        stage.bench.clock.settle()
        try stage.assertEnd(nil, isGood: nil)
        XCTAssertEqual(stage.movies.announcements.map { $0?.code }, [nil])
        XCTAssertEqual(try stage.decode().frames.count, 25, accuracy: 1)
        stage.play(1000)
        XCTAssertEqual(stage.movies.ends.count, 1)
    }

    func testACameraThatStallsIsNotWaitedForLong() throws {
        let stage = try makeStage(camera: 200)
        try stage.bench.host.schedule(.stall(duration: nil), uniqueID: CaptureBench.camera, at: .frame(20))
        stage.start()
        stage.record()
        stage.play(1000)
        stage.movie.stopRecording()
        stage.play(200)
        XCTAssertEqual(stage.movies.ends.count, 0)
        stage.play(300)
        try stage.assertEnd(nil, isGood: nil)
        XCTAssertEqual(try stage.decode().frames.count, 20)
        XCTAssertEqual(stage.movie.recordedDuration.seconds, 1, accuracy: 1e-6)
    }

    func testSwitchingFilesLosesNeitherFramesNorSound() throws {
        for (camera, microphone) in [(0, 0), (250, 0), (0, 120), (70, 180)] {
            let stage = try makeStage(camera: camera, microphone: microphone)
            stage.start()
            stage.play(400)
            let names = ["a.mov", "b.mov", "c.mov"]
            for name in names {
                stage.record(name)
                stage.play(717)
            }
            stage.movie.stopRecording()
            stage.play(500)
            XCTAssertEqual(stage.movies.ends.map(\.name), names)
            XCTAssertEqual(stage.movies.ends.map { $0.error?.code }, [nil, nil, nil])
            let movies = try names.map { try stage.decode($0) }
            let counters = movies.flatMap(\.counters).compactMap { $0 }
            XCTAssertEqual(
                counters, (0..<UInt32(counters.count)).map { counters[0] + $0 }, "\(camera) ms, \(microphone) ms")
            XCTAssertEqual(movies.map { $0.counters.contains(nil) }, [false, false, false])
            // Each file's sound is as long as its pictures, and in step: so there is no gap between two files.
            for (movie, next) in zip(movies, movies.dropFirst()) {
                let length = Double(movie.frames.count) / 30
                XCTAssertEqual(movie.soundDuration, length, accuracy: 1024.0 / 48000, "\(camera) ms, \(microphone) ms")
                XCTAssertGreaterThan(movie.sound.suffix(1100).map { abs($0) }.max() ?? 0, 0.05)
                XCTAssertLessThan(abs(try next.soundOffsetNanoseconds()), 1e6)
                XCTAssertGreaterThan(next.sound[1100..<2000].map { abs($0) }.max() ?? 0, 0.05)
            }
            stage.session.stopRunning()
        }
    }

    func testSwitchingFilesWithoutPicturesCutsTheSoundAtTheMoment() throws {
        let stage = try MovieStage(CaptureBench(), camera: nil)
        stage.start()
        stage.record()
        stage.play(313)
        stage.record("b.mov")
        stage.play(400)
        stage.stopRecording()
        XCTAssertEqual(stage.movies.ends.map { $0.error?.code }, [nil, nil])
        XCTAssertEqual(try stage.decode().soundDuration, 0.313, accuracy: 1024.0 / 48000)
        XCTAssertEqual(try stage.decode("b.mov").soundDuration, 0.4, accuracy: 0.03)
        XCTAssertEqual(stage.movies.startTimes.map(\.seconds), [0, 0.313])
    }

    func testSwitchingFilesWithACameraThatStallsEndsTheFirst() throws {
        let stage = try makeStage()
        try stage.bench.host.schedule(.stall(duration: nil), uniqueID: CaptureBench.camera, at: .frame(10))
        stage.start()
        stage.record()
        stage.play(600)
        stage.record("b.mov")
        stage.play(1500)
        XCTAssertEqual(stage.movies.ends.map(\.name), ["a.mov"])
        XCTAssertNil(stage.movies.ends.first?.error)
        XCTAssertEqual(try stage.decode().frames.count, 10)
        stage.stopRecording()
        XCTAssertEqual(stage.movies.ends.last?.error?.code, .noDataCaptured)
    }
}
