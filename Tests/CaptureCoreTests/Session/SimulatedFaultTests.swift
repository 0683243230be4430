import CaptureHAL
import Foundation
import MediaTypes
import SimDevices
import TestSupport
import XCTest

@testable import AssetTypes
@testable import CaptureCore

/// Tests the reaction of a session to each fault of a simulated device.
final class SimulatedFaultTests: XCTestCase {
    /// The events that a client received.
    private struct Outcome: Equatable {
        /// The numbers in the markers of the first 15 frames; nil if a marker is unreadable.
        var counters: [UInt32?]
        /// The times of the frames in milliseconds.
        var frameMilliseconds: [Int64]
        /// The widths of the frames.
        var widths: Set<Int>
        /// Reason and time in milliseconds of each dropped frame.
        var drops: [String]
        /// The times of the audio chunks in milliseconds.
        var audioMilliseconds: [Int64]
        var notifications: [String]
        /// The number of frames in the movie.
        var movieFrames: Int
        /// The code of the recording's error and whether the file is playable; `good` without an error.
        var movieEnd: String
        var checksums: [UInt64?]
    }

    /// Runs a session with data outputs and a movie output for 500 ms, and returns what a client received.
    private func run(
        _ fault: SimFault, _ trigger: SimFault.Trigger, on device: String = CaptureFixture.camera, seed: UInt64 = 1
    ) throws -> Outcome {
        let profile = try DeviceProfile.builtIn(CaptureFixture.webcam)
        let capture = try CaptureFixture { clock in
            [try SimHost(profiles: [profile], scene: .grey, hasMarker: true, seed: seed, clock: clock)]
        }
        let (frames, audioListener) = (RecordingFrames(), RecordingAudio())
        let notifications = RecordingNotifications(capture)
        let (video, audio) = capture.inSystem { (AVCaptureVideoDataOutput(), AVCaptureAudioDataOutput()) }
        video.setSampleBufferDelegate(frames, queue: frames.queue)
        audio.setSampleBufferDelegate(audioListener, queue: audioListener.queue)
        let fixture = try MovieRecordingFixture(capture, otherOutputs: [video, audio])
        try capture.host.schedule(fault, uniqueID: device, at: trigger)
        fixture.start()
        fixture.record()
        fixture.advance(milliseconds: 500)
        fixture.stopRecording()
        fixture.advance(milliseconds: 100)
        let end = try XCTUnwrap(fixture.movies.results.first, "the recording never ended")
        XCTAssertEqual(fixture.movies.results.count, 1)
        if end.error == nil {
            XCTAssertEqual(try fixture.decode().frames.count, fixture.movie.recordingStatistics.videoFrameCount)
        }
        fixture.session.stopRunning()
        capture.assertNoMisuse()
        return Outcome(
            counters: frames.frames.prefix(15).map(\.counter),
            frameMilliseconds: frames.frames.map { $0.time.nanoseconds / 1_000_000 },
            widths: Set(frames.frames.map(\.width)),
            drops: frames.drops.map { "\($0.reason) \($0.time.nanoseconds / 1_000_000)" },
            audioMilliseconds: audioListener.chunks.map { $0.time.nanoseconds / 1_000_000 },
            notifications: notifications.events,
            movieFrames: fixture.movie.recordingStatistics.videoFrameCount,
            movieEnd: end.error.map { "\($0.code) \(end.isPlayable ?? false)" } ?? "good",
            checksums: frames.frames.map(\.checksum))
    }

    /// Calls `run` twice, and asserts that both outcomes are equal.
    private func runTwice(
        _ fault: SimFault, _ trigger: SimFault.Trigger, on device: String = CaptureFixture.camera,
        line: UInt = #line
    ) throws -> Outcome {
        let first = try run(fault, trigger, on: device)
        XCTAssertEqual(try run(fault, trigger, on: device), first, line: line)
        return first
    }

    private let all: [UInt32?] = Array(0..<15)
    private let discontinuity = kCMSampleBufferDroppedFrameReason_Discontinuity as String

    /// Returns the numbers of the first 15 delivered frames if some frames are lost.
    private func without(_ lost: UInt32...) -> [UInt32?] {
        (0..<20).filter { !lost.contains($0) }.prefix(15).map { $0 }
    }

    func testDroppedFramesAreReported() throws {
        let outcome = try runTwice(.dropFrames(count: 2), .frame(4))
        XCTAssertEqual(outcome.counters, without(4, 5))
        XCTAssertEqual(outcome.drops, ["\(discontinuity) 133", "\(discontinuity) 166"])
        XCTAssertEqual(outcome.movieFrames, 13)
        XCTAssertEqual(outcome.movieEnd, "good")
    }

    func testLateFramesAreDeliveredWithTheirTimes() throws {
        let outcome = try runTwice(.delayFrames(count: 1, by: .milliseconds(150)), .frame(4))
        XCTAssertEqual(outcome.counters, all)
        XCTAssertEqual(outcome.drops, [])
        XCTAssertEqual(outcome.frameMilliseconds.prefix(7), [0, 33, 66, 100, 133, 166, 200])
        XCTAssertEqual(outcome.movieFrames, 15)
    }

    func testTimestampsAlwaysIncrease() throws {
        let doubled = try runTwice(.duplicateFrames(count: 2), .frame(4))
        XCTAssertEqual(doubled.counters, all)
        XCTAssertEqual(doubled.drops, ["\(discontinuity) 133", "\(discontinuity) 166"])
        XCTAssertEqual(doubled.movieFrames, 15)
        let swapped = try runTwice(.swapTimes(count: 1), .frame(4))
        XCTAssertEqual(swapped.counters, without(5))
        XCTAssertEqual(swapped.drops, ["\(discontinuity) 133"])
        XCTAssertEqual(swapped.movieFrames, 14)
        for offset in [-100, -5000] as [Int64] {
            let jumped = try runTwice(.jumpClock(by: .milliseconds(offset)), .frame(4))
            XCTAssertEqual(jumped.frameMilliseconds, jumped.frameMilliseconds.sorted())
            XCTAssertEqual(Set(jumped.frameMilliseconds).count, jumped.frameMilliseconds.count)
            XCTAssertEqual(jumped.movieEnd, "good")
        }
        let smallJump = try run(.jumpClock(by: .milliseconds(-100)), .frame(4))
        XCTAssertEqual(smallJump.counters, without(4, 5, 6))
        let largeJump = try run(.jumpClock(by: .milliseconds(-5000)), .frame(4))
        XCTAssertEqual(largeJump.counters, all)
        XCTAssertEqual(largeJump.frameMilliseconds.prefix(7), [0, 33, 66, 100, 133, 166, 200])
        let forwardJump = try run(.jumpClock(by: .milliseconds(100)), .frame(4))
        XCTAssertEqual(forwardJump.frameMilliseconds.prefix(6), [0, 33, 66, 100, 233, 266])
        let duplicatedAudio = try runTwice(.duplicateFrames(count: 2), .frame(4), on: CaptureFixture.microphone)
        XCTAssertEqual(duplicatedAudio.audioMilliseconds, duplicatedAudio.audioMilliseconds.sorted())
        XCTAssertEqual(Set(duplicatedAudio.audioMilliseconds).count, duplicatedAudio.audioMilliseconds.count)
    }

    func testClockDriftIsVisibleInTheTimestamps() throws {
        let outcome = try runTwice(.driftClock(partsPerMillion: 50_000), .frame(0))
        XCTAssertEqual(outcome.frameMilliseconds.prefix(5), [0, 35, 70, 105, 140])
        XCTAssertEqual(outcome.movieEnd, "good")
    }

    func testDamagedFramesAreDeliveredAndLaterOnesAreIntact() throws {
        let clean = try run(.dropFrames(count: 1), .frame(1000))
        for (fault, counter) in [
            (SimFault.tearFrames(count: 1), 4), (.greenFrames(count: 1), nil), (.freezeFrames(count: 1), 3),
            (.noiseBurst(duration: .milliseconds(10)), 4),
        ] as [(SimFault, UInt32?)] {
            let outcome = try runTwice(fault, .frame(4))
            // Noise can damage the marker.
            if case .noiseBurst = fault {} else { XCTAssertEqual(outcome.counters[4], counter, "\(fault)") }
            XCTAssertEqual(outcome.counters[5], 5)
            XCTAssertNotEqual(outcome.checksums[4], clean.checksums[4], "\(fault)")
            XCTAssertEqual(outcome.checksums[3], clean.checksums[3], "\(fault)")
            XCTAssertEqual(outcome.checksums[6], clean.checksums[6], "\(fault)")
            XCTAssertEqual(outcome.frameMilliseconds.prefix(6), [0, 33, 66, 100, 133, 166])
            XCTAssertEqual(outcome.movieFrames, 15)
            XCTAssertEqual(outcome.movieEnd, "good")
        }
    }

    func testADamagedJPEGDoesNotAffectOtherFrames() throws {
        let capture = try CaptureFixture()
        let frames = RecordingFrames()
        let video = capture.inSystem { AVCaptureVideoDataOutput() }
        video.setSampleBufferDelegate(frames, queue: frames.queue)
        let session = try capture.makeSession(microphone: nil, [video])
        let device = try capture.device(CaptureFixture.camera)
        let format = try XCTUnwrap(
            device.formats.first { $0.video?.encoding == .compressed(kCMVideoCodecType_JPEG) })
        try device.lockForConfiguration()
        device.activeFormat = format
        device.unlockForConfiguration()
        for (fault, frame) in [
            (SimFault.greenFrames(count: 1), 2), (.noiseBurst(duration: .milliseconds(10)), 4),
            (.tearFrames(count: 1), 6),
        ] as [(SimFault, UInt64)] {
            try capture.host.schedule(fault, uniqueID: CaptureFixture.camera, at: .frame(frame))
        }
        session.startRunning()
        capture.advance(milliseconds: 280)
        session.stopRunning()
        // A damaged frame may be decoded partially; it is delivered or reported as dropped, with its time.
        XCTAssertEqual(frames.frames.count + frames.drops.count, 9)
        for intact in [0, 1, 3, 5, 7, 8] as [UInt32] { XCTAssertTrue(frames.counters.contains(intact), "\(intact)") }
        XCTAssertEqual(Set(frames.frames.map(\.width)), [640])
    }

    func testAFrameOfAnotherSizeIsDropped() throws {
        let outcome = try runTwice(.resizeFrames(count: 2), .frame(4))
        XCTAssertEqual(outcome.counters, without(4, 5))
        XCTAssertEqual(outcome.widths, [320])
        XCTAssertEqual(outcome.drops, ["\(discontinuity) 133", "\(discontinuity) 166"])
        XCTAssertEqual(outcome.movieEnd, "good")
    }

    func testAStalledStreamContinues() throws {
        let outcome = try runTwice(.stall(duration: .milliseconds(100)), .frame(4))
        XCTAssertEqual(outcome.counters, without(4, 5, 6))
        XCTAssertEqual(outcome.drops, [])
        XCTAssertEqual(outcome.movieEnd, "good")
    }

    func testAFailureEndsSessionAndRecording() throws {
        let outcome = try runTwice(.fail(.inputOutput), .frame(4))
        XCTAssertEqual(outcome.counters, Array(0..<4))
        XCTAssertEqual(outcome.notifications, ["start", "error unknown", "stop"])
        XCTAssertEqual(outcome.movieEnd, "unknown true")
    }

    func testDisconnectingBetweenOrDuringFramesLeavesAPlayableMovie() throws {
        for (fault, trigger) in [
            (SimFault.disconnect(inFrame: true), SimFault.Trigger.frame(4)),
            (.disconnect(inFrame: false), .time(.milliseconds(120))), (.disconnect(inFrame: false), .frame(4)),
        ] {
            let outcome = try runTwice(fault, trigger)
            XCTAssertEqual(outcome.counters, Array(0..<4))
            XCTAssertEqual(outcome.drops, fault == .disconnect(inFrame: true) ? ["\(discontinuity) 133"] : [])
            XCTAssertEqual(outcome.movieEnd, "deviceWasDisconnected true")
            XCTAssertTrue(outcome.notifications.contains("error deviceWasDisconnected"))
        }
    }

    func testAudioContinuesAfterGapsBurstsAndOverruns() throws {
        for fault in [
            SimFault.silence(duration: .milliseconds(55)), .noiseBurst(duration: .milliseconds(55)),
            .overrun(duration: .milliseconds(55)), .stall(duration: .milliseconds(55)), .dropFrames(count: 3),
            .delayFrames(count: 2, by: .milliseconds(100)), .swapTimes(count: 1), .jumpClock(by: .milliseconds(-20)),
            .driftClock(partsPerMillion: 500),
        ] {
            let outcome = try runTwice(fault, .frame(4), on: CaptureFixture.microphone)
            XCTAssertEqual(outcome.movieEnd, "good", "\(fault)")
            XCTAssertEqual(outcome.movieFrames, 15, "\(fault)")
            XCTAssertEqual(outcome.audioMilliseconds, outcome.audioMilliseconds.sorted(), "\(fault)")
            if case .overrun = fault {
                XCTAssertTrue(outcome.audioMilliseconds.contains(135), "\(outcome.audioMilliseconds)")
            }
        }
    }

    func testASlowStartDelaysTheFramesAndAFailedStartIsReported() throws {
        let slow = try runTwice(.slowStart(by: .milliseconds(200), count: 1), .time(.zero))
        XCTAssertEqual(slow.frameMilliseconds.first, 200)
        XCTAssertEqual(slow.movieEnd, "good")
        let capture = try CaptureFixture()
        let notifications = RecordingNotifications(capture)
        let session = try capture.makeSession(microphone: nil, [capture.inSystem { AVCaptureVideoDataOutput() }])
        try capture.host.schedule(.refuseStart(.busy, count: 1), uniqueID: CaptureFixture.camera, at: .time(.zero))
        session.startRunning()
        XCTAssertFalse(session.isRunning)
        XCTAssertEqual(notifications.events, ["error deviceInUseByAnotherApplication"])
        session.startRunning()
        XCTAssertTrue(session.isRunning)
        session.stopRunning()
    }

    func testAControlKeepsItsValueIfSettingItFailsAndReturnsAnAlteredValue() throws {
        let capture = try CaptureFixture()
        let device = try capture.device(CaptureFixture.camera)
        try device.lockForConfiguration()
        defer { device.unlockForConfiguration() }
        try capture.host.schedule(
            .failControl(.zoomFactor, count: 1), uniqueID: CaptureFixture.camera, at: .time(.zero))
        device.videoZoomFactor = 2
        XCTAssertEqual(device.videoZoomFactor, 1)
        try capture.host.schedule(
            .alterControl(.zoomFactor, to: .number(1.5), count: 1), uniqueID: CaptureFixture.camera, at: .time(.zero))
        device.videoZoomFactor = 2
        XCTAssertEqual(device.videoZoomFactor, 1.5)
        capture.assertNoMisuse()
    }

    func testPressureInterruptsTheSessionUntilTheDeviceHasCooled() throws {
        let capture = try CaptureFixture(profile: "phone")
        let (frames, notifications) = (RecordingFrames(), RecordingNotifications(capture))
        let video = capture.inSystem { AVCaptureVideoDataOutput() }
        video.setSampleBufferDelegate(frames, queue: frames.queue)
        let id = "phone.back-wide"
        let session = try capture.makeSession(camera: id, microphone: nil, preset: .vga640x480, [video])
        let device = try capture.device(id)
        for (level, milliseconds) in [
            (SystemPressure.Level.serious, 100), (.critical, 300), (.shutdown, 600), (.fair, 1000),
        ] {
            try capture.host.schedule(.pressure(level), uniqueID: id, at: .time(.milliseconds(Int64(milliseconds))))
        }
        session.startRunning()
        try device.lockForConfiguration()
        try device.setTorchModeOn(level: 1)
        capture.advance(milliseconds: 200)
        XCTAssertEqual(device.systemPressureState.level, .serious)
        XCTAssertEqual(device.torchLevel, 0.5)
        XCTAssertThrowsError(try device.setTorchModeOn(level: 1)) {
            XCTAssertEqual(($0 as? AVError)?.code, .torchLevelUnavailable)
        }
        capture.advance(milliseconds: 390)
        XCTAssertEqual(device.systemPressureState.level, .critical)
        let times = frames.frames.map { $0.time.nanoseconds / 1_000_000 }.filter { $0 >= 300 }
        for (earlier, later) in zip(times, times.dropFirst()) { XCTAssertGreaterThanOrEqual(later - earlier, 66) }
        capture.advance(milliseconds: 30)
        XCTAssertTrue(session.isInterrupted)
        let count = frames.frames.count
        capture.advance(milliseconds: 370)
        XCTAssertEqual(frames.frames.count, count)
        capture.advance(milliseconds: 200)
        XCTAssertTrue(session.isRunning)
        XCTAssertGreaterThan(frames.frames.count, count)
        // Reason 5 is `videoDeviceNotAvailableDueToSystemPressure`.
        XCTAssertEqual(notifications.events, ["start", "interrupted 5", "stop", "interruption ended", "start"])
        device.unlockForConfiguration()
        session.stopRunning()
    }

    func testRandomFaultsDependOnTheSeedOnly() throws {
        // Each frame is dropped with a probability of 0.3.
        let outcome = try runTwice(.dropFrames(count: 1), .rate(0.3))
        XCTAssertFalse(outcome.drops.isEmpty)
        XCTAssertNotEqual(try run(.dropFrames(count: 1), .rate(0.3), seed: 2).counters, outcome.counters)
    }
}
