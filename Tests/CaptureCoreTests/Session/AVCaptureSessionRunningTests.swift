import CaptureHAL
import Dispatch
import Foundation
import MediaTypes
import SimDevices
import TestSupport
import XCTest

@testable import AssetTypes
@testable import CaptureCore

final class AVCaptureSessionRunningTests: XCTestCase {
    private func makeVideoSession(_ fixture: CaptureFixture, _ frames: RecordingFrames, microphone: String? = nil)
        throws
        -> AVCaptureSession
    {
        let video = fixture.inSystem { AVCaptureVideoDataOutput() }
        video.setSampleBufferDelegate(frames, queue: frames.queue)
        return try fixture.makeSession(microphone: microphone, [video])
    }

    func testEachStartAndStopNotifiesOnce() throws {
        let fixture = try CaptureFixture()
        let (notifications, frames) = (RecordingNotifications(fixture), RecordingFrames())
        let session = try makeVideoSession(fixture, frames)
        for _ in 0..<3 {
            session.startRunning()
            session.startRunning()
            XCTAssertTrue(session.isRunning)
            fixture.advance(milliseconds: 50)
            session.stopRunning()
            session.stopRunning()
            XCTAssertFalse(session.isRunning)
            fixture.advance(milliseconds: 50)
        }
        XCTAssertEqual(notifications.events, Array(repeating: ["start", "stop"], count: 3).flatMap { $0 })
        XCTAssertTrue(notifications.notifications.allSatisfy { $0.object as? AVCaptureSession === session })
        XCTAssertEqual(frames.counters, [0, 1, 0, 1, 0, 1])
    }

    func testStartingAndStoppingFromManyThreadsEndsInOneStateAndNotifiesInOrder() throws {
        let fixture = try CaptureFixture()
        let notifications = RecordingNotifications(fixture)
        let session = try makeVideoSession(fixture, RecordingFrames(), microphone: CaptureFixture.microphone)
        DispatchQueue.concurrentPerform(iterations: 8) { number in
            for _ in 0..<20 {
                if number % 2 == 0 { session.startRunning() } else { session.stopRunning() }
            }
        }
        session.stopRunning()
        XCTAssertFalse(session.isRunning)
        let events = notifications.events
        XCTAssertEqual(events.count % 2, 0)
        XCTAssertEqual(events, Array(repeating: ["start", "stop"], count: events.count / 2).flatMap { $0 })
        session.startRunning()
        XCTAssertTrue(session.isRunning)
        session.stopRunning()
    }

    func testNotificationsArriveOnTheMainThreadAndPropertyChangesOnTheChangingThread() throws {
        let fixture = try CaptureFixture()
        let session = try fixture.makeSession(microphone: nil, [fixture.inSystem { AVCaptureVideoDataOutput() }])
        let (posted, changed) = (Lock<[Bool]>([]), Lock<[Bool]>([]))
        let notifications = RecordingNotifications(fixture) { _ in posted.withLock { $0.append(Thread.isMainThread) } }
        let observation = session.observe(\.isRunning) { _, _ in changed.withLock { $0.append(Thread.isMainThread) } }
        let hasStarted = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            session.startRunning()
            hasStarted.signal()
        }
        // The main thread is blocked while the session starts.
        hasStarted.wait()
        XCTAssertEqual(changed.withLock { $0 }, [false])
        XCTAssertEqual(notifications.events, ["start"])
        let host = try fixture.host
        performConcurrently(iterations: 1) { _ in
            fixture.advance(milliseconds: 50)
            do {
                try host.disconnect(uniqueID: CaptureFixture.camera)
            } catch {
                XCTFail("\(error)")
            }
            fixture.advance(milliseconds: 50)
        }
        XCTAssertEqual(
            Array(notifications.events.dropFirst()).sorted(),
            ["disconnected webcam.camera", "error deviceWasDisconnected", "stop"])
        XCTAssertEqual(posted.withLock { $0 }, [true, true, true, true])
        XCTAssertEqual(changed.withLock { $0 }, [false, false])
        observation.invalidate()
        fixture.assertNoMisuse()
    }

    func testASessionCanBeStoppedAndStartedFromItsOwnCallbacks() throws {
        let fixture = try CaptureFixture()
        let reference = Lock<AVCaptureSession?>(nil)
        let count = Lock(0)
        let frames = RecordingFrames { _ in
            let isThird = count.withLock { count in
                count += 1
                return count == 3
            }
            if isThird { reference.withLock { $0 }?.stopRunning() }
        }
        let notifications = RecordingNotifications(fixture) { event in
            if event == "stop" { reference.withLock { $0 }?.startRunning() }
        }
        let session = try makeVideoSession(fixture, frames)
        reference.withLock { $0 = session }
        session.startRunning()
        fixture.advance(milliseconds: 100)
        XCTAssertEqual(notifications.events, ["start", "stop", "start"])
        // The new stream's first frame has the time of the old one's last frame, so it is dropped.
        XCTAssertEqual(frames.counters, [0, 1, 2, 1])
        XCTAssertTrue(session.isRunning)
        reference.withLock { $0 = nil }
        session.stopRunning()
    }

    func testAStoppedSessionDeliversNothing() throws {
        let fixture = try CaptureFixture()
        let frames = RecordingFrames()
        let session = try makeVideoSession(fixture, frames)
        fixture.advance(milliseconds: 200)
        XCTAssertEqual(frames.counters, [])
        session.startRunning()
        fixture.advance(milliseconds: 40)
        session.stopRunning()
        fixture.advance(milliseconds: 200)
        XCTAssertEqual(frames.counters, [0, 1])
    }

    func testADeviceThatFailsToOpenFailsTheStart() throws {
        let fixture = try CaptureFixture()
        let (notifications, frames) = (RecordingNotifications(fixture), RecordingFrames())
        let session = try makeVideoSession(fixture, frames)
        try fixture.host.schedule(.refuseOpen(count: 1), uniqueID: CaptureFixture.camera, at: .time(.zero))
        session.startRunning()
        XCTAssertFalse(session.isRunning)
        XCTAssertEqual(notifications.events, ["error deviceInUseByAnotherApplication"])
        fixture.advance(milliseconds: 100)
        XCTAssertEqual(frames.counters, [])
        session.startRunning()
        XCTAssertTrue(session.isRunning)
        fixture.advance(milliseconds: 10)
        XCTAssertEqual(frames.counters, [0])
        session.stopRunning()
    }

    func testAFailureOfTheSecondDeviceClosesTheFirst() throws {
        let fixture = try CaptureFixture()
        let (video, audio) = fixture.inSystem { (AVCaptureVideoDataOutput(), AVCaptureAudioDataOutput()) }
        let session = try fixture.makeSession([video, audio])
        try fixture.host.schedule(.refuseOpen(count: 1), uniqueID: CaptureFixture.microphone, at: .time(.zero))
        session.startRunning()
        XCTAssertFalse(session.isRunning)
        for device in try fixture.host.devices { XCTAssertNoThrow(try device.open().close()) }
    }

    // MARK: Interruptions

    func testAnInterruptionBeforeTheStartDelaysTheStart() throws {
        let fixture = try CaptureFixture()
        let (notifications, frames) = (RecordingNotifications(fixture), RecordingFrames())
        let session = try makeVideoSession(fixture, frames)
        fixture.system.interruptions.begin(.notAvailableInBackground)
        XCTAssertFalse(session.isInterrupted)
        session.startRunning()
        XCTAssertFalse(session.isRunning)
        XCTAssertTrue(session.isInterrupted)
        fixture.advance(milliseconds: 100)
        fixture.system.interruptions.end(.notAvailableInBackground)
        XCTAssertTrue(session.isRunning)
        XCTAssertFalse(session.isInterrupted)
        XCTAssertEqual(notifications.events, ["interrupted 1", "interruption ended", "start"])
        fixture.advance(milliseconds: 10)
        XCTAssertEqual(frames.counters, [0])
        session.stopRunning()
    }

    func testAnInterruptedSessionResumesAutomatically() throws {
        let fixture = try CaptureFixture()
        let (notifications, frames) = (RecordingNotifications(fixture), RecordingFrames())
        let session = try makeVideoSession(fixture, frames)
        session.startRunning()
        fixture.advance(milliseconds: 50)
        fixture.system.interruptions.begin(.videoInUseByAnotherClient)
        XCTAssertFalse(session.isRunning)
        XCTAssertTrue(session.isInterrupted)
        fixture.advance(milliseconds: 200)
        XCTAssertEqual(frames.counters, [0, 1])
        fixture.system.interruptions.end(.videoInUseByAnotherClient)
        fixture.advance(milliseconds: 40)
        XCTAssertEqual(frames.counters, [0, 1, 0, 1])
        XCTAssertEqual(notifications.events, ["start", "interrupted 3", "stop", "interruption ended", "start"])
        session.stopRunning()
    }

    func testOverlappingInterruptionsLastUntilAllHaveEnded() throws {
        let fixture = try CaptureFixture()
        let notifications = RecordingNotifications(fixture)
        let session = try makeVideoSession(fixture, RecordingFrames())
        session.startRunning()
        fixture.system.interruptions.begin(.notAvailableInBackground)
        fixture.system.interruptions.begin(.notAvailableDueToSystemPressure)
        fixture.system.interruptions.end(.notAvailableInBackground)
        XCTAssertFalse(session.isRunning)
        fixture.system.interruptions.end(.notAvailableDueToSystemPressure)
        XCTAssertTrue(session.isRunning)
        XCTAssertEqual(notifications.events, ["start", "interrupted 1", "stop", "interruption ended", "start"])
        session.stopRunning()
    }

    func testAnInterruptionOfTheMicrophoneDoesNotAffectAVideoSession() throws {
        let fixture = try CaptureFixture()
        let session = try makeVideoSession(fixture, RecordingFrames())
        session.startRunning()
        fixture.system.interruptions.begin(.audioInUseByAnotherClient)
        XCTAssertTrue(session.isRunning)
        fixture.system.interruptions.end(.audioInUseByAnotherClient)
        session.stopRunning()
    }

    func testRemovingTheInterruptedInputEndsTheInterruption() throws {
        let fixture = try CaptureFixture()
        let session = try makeVideoSession(fixture, RecordingFrames(), microphone: CaptureFixture.microphone)
        session.startRunning()
        fixture.system.interruptions.begin(.audioInUseByAnotherClient)
        XCTAssertFalse(session.isRunning)
        session.removeInput(try XCTUnwrap(session.inputs.last))
        XCTAssertTrue(session.isRunning)
        XCTAssertFalse(session.isInterrupted)
        session.stopRunning()
    }

    func testASessionStoppedDuringAnInterruptionStaysStopped() throws {
        let fixture = try CaptureFixture()
        let session = try makeVideoSession(fixture, RecordingFrames())
        session.startRunning()
        fixture.system.interruptions.begin(.notAvailableInBackground)
        session.stopRunning()
        fixture.system.interruptions.end(.notAvailableInBackground)
        fixture.advance(milliseconds: 100)
        XCTAssertFalse(session.isRunning)
        XCTAssertFalse(session.isInterrupted)
    }

    // MARK: Failures

    func testADisconnectedDeviceDoesNotStopTheOthers() throws {
        let fixture = try CaptureFixture()
        let (notifications, frames, recordedAudio) = (
            RecordingNotifications(fixture), RecordingFrames(), RecordingAudio()
        )
        let session = try makeVideoSession(fixture, frames, microphone: CaptureFixture.microphone)
        let audio = fixture.inSystem { AVCaptureAudioDataOutput() }
        audio.setSampleBufferDelegate(recordedAudio, queue: recordedAudio.queue)
        session.addOutput(audio)
        session.startRunning()
        fixture.advance(milliseconds: 50)
        try fixture.host.disconnect(uniqueID: CaptureFixture.camera)
        fixture.clock.settle()
        XCTAssertEqual(
            notifications.events, ["start", "disconnected webcam.camera", "error deviceWasDisconnected"])
        XCTAssertTrue(session.isRunning)
        let (frameCount, chunkCount) = (frames.frames.count, recordedAudio.chunks.count)
        fixture.advance(milliseconds: 200)
        XCTAssertEqual(frames.frames.count, frameCount)
        XCTAssertEqual(recordedAudio.chunks.count, chunkCount + 10)
        XCTAssertEqual(session.outputs.first?.connection(with: .video)?.isActive, false)
        // The input of the disconnected device does not prevent other changes.
        session.addOutput(fixture.inSystem { AVCaptureMovieFileOutput() })
        fixture.advance(milliseconds: 100)
        XCTAssertEqual(recordedAudio.chunks.count, chunkCount + 15)
        // After reconnecting it is a new device, which replaces the old one.
        try fixture.host.reconnect(uniqueID: CaptureFixture.camera)
        fixture.clock.settle()
        session.beginConfiguration()
        session.removeInput(session.inputs[0])
        session.addInput(try fixture.input(CaptureFixture.camera))
        session.commitConfiguration()
        frames.clear()
        fixture.advance(milliseconds: 50)
        XCTAssertEqual(frames.counters, [0, 1])
        XCTAssertEqual(recordedAudio.chunks.count, chunkCount + 18)
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testDisconnectingTheOnlyDeviceStopsTheSession() throws {
        let fixture = try CaptureFixture()
        let notifications = RecordingNotifications(fixture)
        let session = try makeVideoSession(fixture, RecordingFrames())
        session.startRunning()
        fixture.advance(milliseconds: 50)
        try fixture.host.disconnect(uniqueID: CaptureFixture.camera)
        fixture.clock.settle()
        XCTAssertFalse(session.isRunning)
        XCTAssertEqual(
            notifications.events, ["start", "disconnected webcam.camera", "error deviceWasDisconnected", "stop"])
        notifications.clear()
        session.startRunning()
        XCTAssertFalse(session.isRunning)
        XCTAssertEqual(notifications.events, ["error deviceWasDisconnected"])
    }

    func testAStreamThatFailsEndsTheSessionAndItCanBeStartedAgain() throws {
        let codes: [(DeviceError.Code, AVError.Code)] = [
            (.inputOutput, .unknown), (.outOfResources, .outOfMemory), (.busy, .deviceInUseByAnotherApplication),
        ]
        for (code, expected) in codes {
            let fixture = try CaptureFixture()
            let (notifications, frames) = (RecordingNotifications(fixture), RecordingFrames())
            let session = try makeVideoSession(fixture, frames, microphone: CaptureFixture.microphone)
            let audio = fixture.inSystem { AVCaptureAudioDataOutput() }
            session.addOutput(audio)
            try fixture.host.schedule(.fail(code), uniqueID: CaptureFixture.camera, at: .frame(2))
            session.startRunning()
            fixture.advance(milliseconds: 200)
            XCTAssertEqual(frames.counters, [0, 1])
            XCTAssertFalse(session.isRunning)
            XCTAssertEqual(notifications.events, ["start", "error \(expected)", "stop"])
            session.startRunning()
            fixture.advance(milliseconds: 40)
            XCTAssertEqual(frames.counters, [0, 1, 0, 1])
            session.stopRunning()
        }
    }

    func testAFailureOfADisabledPortIsReported() throws {
        let fixture = try CaptureFixture()
        let notifications = RecordingNotifications(fixture)
        let session = try makeVideoSession(fixture, RecordingFrames())
        session.inputs[0].ports[0].isEnabled = false
        session.startRunning()
        fixture.advance(milliseconds: 50)
        try fixture.host.disconnect(uniqueID: CaptureFixture.camera)
        fixture.clock.settle()
        XCTAssertFalse(session.isRunning)
        XCTAssertEqual(notifications.events.last, "stop")
    }

    func testAFailureOfAReplacedStreamHasNoEffect() throws {
        let fixture = try CaptureFixture()
        let frames = RecordingFrames()
        let session = try makeVideoSession(fixture, frames)
        session.startRunning()
        fixture.advance(milliseconds: 50)
        let runner = try XCTUnwrap(session.devices.withLock { $0.runners.first })
        let failure = DeviceError(.inputOutput, device: "camera", "gone")
        try XCTUnwrap(runner.feeds.first).receive(.failed(failure, time: fixture.clock.now))
        session.stopRunning()
        session.startRunning()
        frames.clear()
        fixture.advance(milliseconds: 40)
        XCTAssertTrue(session.isRunning)
        XCTAssertEqual(frames.counters, [0, 1])
        session.stopRunning()
    }

    func testLostFramesAreReportedAndLaterOnesDelivered() throws {
        let fixture = try CaptureFixture()
        let frames = RecordingFrames()
        let session = try makeVideoSession(fixture, frames)
        try fixture.host.schedule(.dropFrames(count: 2), uniqueID: CaptureFixture.camera, at: .frame(1))
        session.startRunning()
        fixture.advance(milliseconds: 140)
        XCTAssertEqual(frames.counters, [0, 3, 4])
        XCTAssertEqual(frames.events, "fddff")
        XCTAssertEqual(Set(frames.drops.map(\.reason)), [kCMSampleBufferDroppedFrameReason_Discontinuity])
        session.stopRunning()
    }
}
