import CaptureHAL
import Foundation
import MediaTypes
import SimDevices
import XCTest

@testable import AssetTypes
@testable import CaptureCore
@testable import MediaAssets

/// Tests recordings of media that were captured before the end of the recording and arrive after it.
final class LateMediaTests: XCTestCase {
    /// Creates a fixture with devices that deliver late.
    ///
    /// - Parameters:
    ///   - camera: The delivery latency of the camera in milliseconds.
    ///   - microphone: The delivery latency of the microphone in milliseconds.
    private func makeFixture(camera: Int = 0, microphone: Int = 0, hasAudio: Bool = true) throws
        -> MovieRecordingFixture
    {
        let capture = try CaptureFixture { machine in
            guard case .camera(var video) = machine.devices[0], case .microphone(var audio) = machine.devices[1] else {
                return
            }
            video.deliveryLatencyNanoseconds = Int64(camera) * 1_000_000
            audio.deliveryLatencyNanoseconds = Int64(microphone) * 1_000_000
            machine.devices[0] = .camera(video)
            machine.devices[1] = .microphone(audio)
        }
        return try MovieRecordingFixture(capture, microphone: hasAudio ? CaptureFixture.microphone : nil)
    }

    func testStoppingWaitsForTheFramesOfALateCamera() throws {
        for latency in [30, 140, 600] {
            for hasAudio in [true, false] {
                let fixture = try makeFixture(camera: latency, hasAudio: hasAudio)
                fixture.start()
                fixture.record()
                fixture.advance(milliseconds: 1045 + latency)
                fixture.movie.stopRecording()
                let end = Double(1045 + latency) / 1000
                fixture.capture.clock.settle()
                XCTAssertEqual(fixture.movies.events, ["start a.mov", "end a.mov"], "\(latency) ms late")
                XCTAssertFalse(fixture.movie.isRecording)
                fixture.advance(milliseconds: latency + 40)
                try fixture.assertEnd(nil, isPlayable: nil)
                XCTAssertEqual(fixture.movies.events, ["start a.mov", "end a.mov", "finish a.mov"])
                let movie = try fixture.decode()
                let count = Int((end * 30).rounded(.up))
                XCTAssertEqual(movie.counters, (0..<count).map { UInt32($0) }, "\(latency) ms late")
                XCTAssertEqual(fixture.movie.recordedDuration.seconds, end, accuracy: 1e-6)
                if hasAudio { XCTAssertEqual(movie.audioDuration, end, accuracy: 1024.0 / 48000) }
                XCTAssertEqual(fixture.movie.recordingStatistics.videoFrameCount, count)
                fixture.session.stopRunning()
            }
        }
    }

    func testALimitWaitsForTheFramesOfALateCamera() throws {
        for hasAudio in [true, false] {
            let fixture = try makeFixture(hasAudio: hasAudio)
            try fixture.capture.host.schedule(
                .delayFrames(count: 1, by: CMTime(value: 1, timescale: 1)), uniqueID: CaptureFixture.camera,
                at: .rate(1))
            fixture.movie.maxRecordedDuration = CMTime(value: 1, timescale: 1)
            fixture.start()
            fixture.record()
            fixture.advance(milliseconds: 3500)
            try fixture.assertEnd(.maximumDurationReached, isPlayable: true)
            XCTAssertEqual(try fixture.decode().counters, (0..<30).map { UInt32($0) })
            XCTAssertEqual(fixture.movie.recordingStatistics.videoFrameCount, 30)
            fixture.session.stopRunning()
        }
    }

    func testTheFrameAtTheTimeOfTheStopIsNotRecorded() throws {
        for (milliseconds, hasAudio) in [(1000, true), (1000, false), (500, true), (100, false)] {
            let fixture = try makeFixture(hasAudio: hasAudio)
            fixture.start()
            fixture.record()
            fixture.advance(milliseconds: milliseconds)
            fixture.stopRecording()
            fixture.advance(milliseconds: 1000)
            try fixture.assertEnd(nil, isPlayable: nil)
            let count = milliseconds * 30 / 1000
            XCTAssertEqual(fixture.movie.recordingStatistics.videoFrameCount, count)
            XCTAssertEqual(try storedFrameCount(fixture.capture.url("a.mov")), count, "\(milliseconds) ms")
            XCTAssertEqual(try fixture.decode().counters, (0..<count).map { UInt32($0) })
            fixture.session.stopRunning()
        }
    }

    /// Returns the number of frames in the video track of a movie, including those hidden by its edit list.
    private func storedFrameCount(_ url: URL) throws -> Int {
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

    func testStoppingWaitsForTheAudioOfALateMicrophone() throws {
        let fixture = try makeFixture(microphone: 300)
        fixture.start()
        fixture.record()
        fixture.advance(milliseconds: 1000)
        fixture.movie.stopRecording()
        fixture.advance(milliseconds: 400)
        try fixture.assertEnd(nil, isPlayable: nil)
        let movie = try fixture.decode()
        XCTAssertEqual(movie.frames.count, 30)
        XCTAssertEqual(movie.audioDuration, 1, accuracy: 1024.0 / 48000)
        // The end contains audio and is not padded with silence.
        XCTAssertGreaterThan(movie.audioSamples[46000..<47900].map { abs($0) }.max() ?? 0, 0.08)
    }

    func testARecordingStoppedBeforeItsFirstFrameArrivesContainsItsFrames() throws {
        let fixture = try makeFixture(camera: 500)
        fixture.start()
        fixture.advance(milliseconds: 1000)
        fixture.record()
        fixture.advance(milliseconds: 300)
        fixture.movie.stopRecording()
        fixture.capture.clock.settle()
        XCTAssertEqual(fixture.movies.events, [])
        fixture.advance(milliseconds: 700)
        try fixture.assertEnd(nil, isPlayable: nil)
        XCTAssertEqual(fixture.movies.events, ["start a.mov", "end a.mov", "finish a.mov"])
        XCTAssertEqual(try fixture.decode().counters, (30..<39).map { UInt32($0) })
    }

    func testStoppingTheSessionEndsTheWaitForLateFrames() throws {
        let fixture = try makeFixture(camera: 300)
        fixture.start()
        fixture.record()
        fixture.advance(milliseconds: 1000)
        fixture.movie.stopRecording()
        fixture.advance(milliseconds: 100)
        fixture.session.stopRunning()
        fixture.capture.clock.settle()
        try fixture.assertEnd(nil, isPlayable: nil)
        XCTAssertEqual(fixture.movies.willFinishErrors.map { $0?.code }, [nil])
        XCTAssertEqual(try fixture.decode().frames.count, 25, accuracy: 1)
        fixture.advance(milliseconds: 1000)
        XCTAssertEqual(fixture.movies.results.count, 1)
    }

    func testTheWaitForAStalledCameraIsLimited() throws {
        let fixture = try makeFixture(camera: 200)
        try fixture.capture.host.schedule(.stall(duration: nil), uniqueID: CaptureFixture.camera, at: .frame(20))
        fixture.start()
        fixture.record()
        fixture.advance(milliseconds: 1000)
        fixture.movie.stopRecording()
        fixture.advance(milliseconds: 200)
        XCTAssertEqual(fixture.movies.results.count, 0)
        fixture.advance(milliseconds: 300)
        try fixture.assertEnd(nil, isPlayable: nil)
        XCTAssertEqual(try fixture.decode().frames.count, 20)
        XCTAssertEqual(fixture.movie.recordedDuration.seconds, 1, accuracy: 1e-6)
    }

    func testSwitchingFilesLosesNeitherFramesNorAudio() throws {
        for (camera, microphone) in [(0, 0), (250, 0), (0, 120), (70, 180)] {
            let fixture = try makeFixture(camera: camera, microphone: microphone)
            fixture.start()
            fixture.advance(milliseconds: 400)
            let names = ["a.mov", "b.mov", "c.mov"]
            for name in names {
                fixture.record(name)
                fixture.advance(milliseconds: 717)
            }
            fixture.movie.stopRecording()
            fixture.advance(milliseconds: 500)
            XCTAssertEqual(fixture.movies.results.map(\.name), names)
            XCTAssertEqual(fixture.movies.results.map { $0.error?.code }, [nil, nil, nil])
            let movies = try names.map { try fixture.decode($0) }
            let counters = movies.flatMap(\.counters).compactMap { $0 }
            XCTAssertEqual(
                counters, (0..<UInt32(counters.count)).map { counters[0] + $0 }, "\(camera) ms, \(microphone) ms")
            XCTAssertEqual(movies.map { $0.counters.contains(nil) }, [false, false, false])
            // The audio of each file is as long as its video, and in sync, so there is no gap between two files.
            for (movie, next) in zip(movies, movies.dropFirst()) {
                let length = Double(movie.frames.count) / 30
                XCTAssertEqual(movie.audioDuration, length, accuracy: 1024.0 / 48000, "\(camera) ms, \(microphone) ms")
                XCTAssertGreaterThan(movie.audioSamples.suffix(1100).map { abs($0) }.max() ?? 0, 0.05)
                XCTAssertLessThan(abs(try next.audioOffsetNanoseconds()), 1e6)
                XCTAssertGreaterThan(next.audioSamples[1100..<2000].map { abs($0) }.max() ?? 0, 0.05)
            }
            fixture.session.stopRunning()
        }
    }

    func testSwitchingAudioOnlyFilesCutsAtTheExactTime() throws {
        let fixture = try MovieRecordingFixture(CaptureFixture(), camera: nil)
        fixture.start()
        fixture.record()
        fixture.advance(milliseconds: 313)
        fixture.record("b.mov")
        fixture.advance(milliseconds: 400)
        fixture.stopRecording()
        XCTAssertEqual(fixture.movies.results.map { $0.error?.code }, [nil, nil])
        XCTAssertEqual(try fixture.decode().audioDuration, 0.313, accuracy: 1024.0 / 48000)
        XCTAssertEqual(try fixture.decode("b.mov").audioDuration, 0.4, accuracy: 0.03)
        XCTAssertEqual(fixture.movies.startTimes.map(\.seconds), [0, 0.313])
    }

    func testSwitchingFilesWithAStalledCameraEndsTheFirstFile() throws {
        let fixture = try makeFixture()
        try fixture.capture.host.schedule(.stall(duration: nil), uniqueID: CaptureFixture.camera, at: .frame(10))
        fixture.start()
        fixture.record()
        fixture.advance(milliseconds: 600)
        fixture.record("b.mov")
        fixture.advance(milliseconds: 1500)
        XCTAssertEqual(fixture.movies.results.map(\.name), ["a.mov"])
        XCTAssertNil(fixture.movies.results.first?.error)
        XCTAssertEqual(try fixture.decode().frames.count, 10)
        fixture.stopRecording()
        XCTAssertEqual(fixture.movies.results.last?.error?.code, .noDataCaptured)
    }
}
