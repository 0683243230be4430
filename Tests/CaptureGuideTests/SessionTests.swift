import AVFoundation
import CaptureGuide
import CaptureTesting
import TestSupport
import XCTest

/// The number in the name of a test is that of its row in docs/tutorials.md: `testS1_1…` tests S1-1.
final class SessionTests: XCTestCase {
    func testS1_1ConnectionsAreFormedAndDisablingOneStopsOnlyItsFrames() throws {
        let simulated = try SimulatedSystem(scene: .grey)
        let times = Events<CMTime>()
        let otherTimes = Events<CMTime>()
        let receiver = FrameReceiver { times.add($0.presentationTimeStamp) }
        let otherReceiver = FrameReceiver { otherTimes.add($0.presentationTimeStamp) }
        let recorder = MovieRecorder { _ in }
        let session = try makeSession(hasMicrophone: true, recorder.output, receiver.output, otherReceiver.output)
        let connections = SessionConnections(of: session)
        XCTAssertEqual(
            connections.lines,
            [
                "vide: Back Camera -> AVCaptureMovieFileOutput",
                "soun: Built-in Microphone -> AVCaptureMovieFileOutput",
                "vide: Back Camera -> AVCaptureVideoDataOutput", "vide: Back Camera -> AVCaptureVideoDataOutput",
            ])
        session.startRunning()
        simulated.advance(by: .seconds(1))
        XCTAssertEqual(times.count, 30, accuracy: 3)

        connections.setEnabled(false, .video, to: receiver.output)
        simulated.advance(by: .milliseconds(100))
        let (count, otherCount) = (times.count, otherTimes.count)
        simulated.advance(by: .seconds(1))
        XCTAssertEqual(times.count, count)
        XCTAssertEqual(otherTimes.count - otherCount, 30, accuracy: 1)

        connections.setEnabled(true, .video, to: receiver.output)
        simulated.advance(by: .seconds(1))
        XCTAssertEqual(times.count - count, 30, accuracy: 3)
    }

    func testS1_2AnUnsupportedPresetIsRejected() throws {
        let simulated = try SimulatedSystem(profile: "webcam")
        let session = try makeSession(.hd1280x720)
        XCTAssertThrowsError(try session.usePreset(.hd4K3840x2160)) { error in
            XCTAssertEqual(error as? SetupError, .presetNotSupported(.hd4K3840x2160))
        }
        XCTAssertEqual(session.sessionPreset, .hd1280x720)
        for preset in [AVCaptureSession.Preset.high, .medium, .low, .vga640x480, .hd1280x720, .photo] {
            XCTAssertNoThrow(try session.usePreset(preset), preset.rawValue)
            XCTAssertEqual(session.sessionPreset, preset)
        }
        withExtendedLifetime(simulated) {}
    }

    func testS1_3ChangesTakeEffectOnlyAtTheOutermostCommit() throws {
        let simulated = try SimulatedSystem(scene: .grey)
        let sizes = Events<[Int]>()
        let receiver = FrameReceiver { sizes.add($0.size) }
        let session = try makeSession(.vga640x480, receiver.output)
        session.startRunning()
        simulated.advance(by: .milliseconds(300))
        try session.configure {
            try session.configure { try session.usePreset(.hd1280x720) }
            simulated.advance(by: .milliseconds(500))
            XCTAssertEqual(Set(sizes.all), [[640, 480]])
            sizes.removeAll()
        }
        simulated.advance(by: .milliseconds(500))
        XCTAssertEqual(sizes.last, [1280, 720])
        XCTAssertTrue(session.isRunning)
    }

    func testS1_4NotificationsOfTheSessionArriveOnTheMainThread() throws {
        let simulated = try SimulatedSystem(scene: .grey)
        let receiver = FrameReceiver { _ in }
        let session = try makeSession(hasMicrophone: true, receiver.output)
        let monitor = SessionMonitor()
        let events = Events<SessionMonitor.Event>()
        let threads = Events<Bool>()
        monitor.reportNotifications(of: session) { event in
            events.add(event)
            threads.add(Thread.isMainThread)
        }
        session.startRunning()
        simulated.advance(by: .milliseconds(300))
        simulated.system.interruptions.begin(.audioInUseByAnotherClient)
        simulated.advance(by: .milliseconds(300))
        simulated.system.interruptions.end(.audioInUseByAnotherClient)
        simulated.advance(by: .milliseconds(300))
        session.stopRunning()
        simulated.advance(by: .milliseconds(300))
        XCTAssertEqual(
            events.all,
            [
                .started, .interrupted(.audioDeviceInUseByAnotherClient), .stopped, .interruptionEnded, .started,
                .stopped,
            ])

        events.removeAll()
        session.startRunning()
        simulated.advance(by: .milliseconds(300))
        try simulated.host.disconnect(uniqueID: "phone.back-wide")
        simulated.advance(by: .milliseconds(300))
        XCTAssertTrue(events.all.contains(.failed(.deviceWasDisconnected)), "\(events.all)")
        XCTAssertFalse(threads.all.contains(false))
    }

    func testS1_5RunningAndInterruptedCanBeObserved() throws {
        let simulated = try SimulatedSystem(scene: .grey)
        let session = try makeSession(hasMicrophone: true)
        let monitor = SessionMonitor()
        let states = Events<[Bool]>()
        monitor.observeProperties(of: session) { states.add([$0, $1]) }
        session.startRunning()
        XCTAssertEqual(states.last, [true, false])
        simulated.advance(by: .milliseconds(300))
        simulated.system.interruptions.begin(.audioInUseByAnotherClient)
        simulated.advance(by: .milliseconds(300))
        XCTAssertEqual(states.last, [false, true])
        simulated.system.interruptions.end(.audioInUseByAnotherClient)
        simulated.advance(by: .milliseconds(300))
        XCTAssertEqual(states.last, [true, false])
        session.stopRunning()
        XCTAssertEqual(states.last, [false, false])
    }
}
