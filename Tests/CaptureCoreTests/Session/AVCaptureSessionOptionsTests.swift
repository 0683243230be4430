import AssetTypes
import Foundation
import MediaTypes
import XCTest

@testable import CaptureCore

final class AVCaptureSessionOptionsTests: XCTestCase {
    func testOptionsHaveApplesDefaultsAndAreStored() throws {
        let session = try CaptureFixture().inSystem { AVCaptureSession() }
        let options: [(WritableKeyPath<AVCaptureSession, Bool>, Bool)] = [
            (\.usesApplicationAudioSession, true), (\.automaticallyConfiguresApplicationAudioSession, true),
            (\.configuresApplicationAudioSessionToMixWithOthers, false),
            (\.automaticallyConfiguresCaptureDeviceForWideColor, true),
            (\.isMultitaskingCameraAccessEnabled, false),
        ]
        for (option, defaultValue) in options {
            var session = session
            XCTAssertEqual(session[keyPath: option], defaultValue)
            session[keyPath: option] = !defaultValue
            XCTAssertEqual(session[keyPath: option], !defaultValue)
        }
    }

    func testNotificationsHaveApplesNamesInBothSpellings() {
        let names: [(Notification.Name, Notification.Name, String)] = [
            (.AVCaptureSessionDidStartRunning, AVCaptureSession.didStartRunningNotification, "SessionDidStartRunning"),
            (.AVCaptureSessionDidStopRunning, AVCaptureSession.didStopRunningNotification, "SessionDidStopRunning"),
            (.AVCaptureSessionRuntimeError, AVCaptureSession.runtimeErrorNotification, "SessionRuntimeError"),
            (.AVCaptureSessionWasInterrupted, AVCaptureSession.wasInterruptedNotification, "SessionWasInterrupted"),
            (
                .AVCaptureSessionInterruptionEnded, AVCaptureSession.interruptionEndedNotification,
                "SessionInterruptionEnded"
            ),
            (.AVCaptureDeviceWasConnected, AVCaptureDevice.wasConnectedNotification, "DeviceWasConnected"),
            (.AVCaptureDeviceWasDisconnected, AVCaptureDevice.wasDisconnectedNotification, "DeviceWasDisconnected"),
            (
                .AVCaptureDeviceSubjectAreaDidChange, AVCaptureDevice.subjectAreaDidChangeNotification,
                "DeviceSubjectAreaDidChange"
            ),
            (
                .AVCaptureInputPortFormatDescriptionDidChange,
                AVCaptureInput.Port.formatDescriptionDidChangeNotification, "InputPortFormatDescriptionDidChange"
            ),
        ]
        for (old, new, text) in names {
            XCTAssertEqual(old, new)
            XCTAssertEqual(old.rawValue, "AVCapture\(text)Notification")
        }
    }

    func testAPortNotifiesOfAChangedFormat() throws {
        let fixture = try CaptureFixture()
        let session = try fixture.makeSession([])
        fixture.clock.settle()
        let ports = session.inputs.flatMap(\.ports)
        let reported = Lock<[Int32]>([], order: .client)
        let token = fixture.center.addObserver(
            forName: .AVCaptureInputPortFormatDescriptionDidChange, object: nil, queue: nil
        ) { notification in
            let port = notification.object as? AVCaptureInput.Port
            XCTAssertTrue(port === ports[0])
            reported.withLock { $0.append(port?.formatDescription?.dimensions.width ?? 0) }
        }
        for preset in [AVCaptureSession.Preset.hd1280x720, .iFrame1280x720, .vga640x480] {
            session.sessionPreset = preset
            fixture.clock.settle()
        }
        XCTAssertEqual(reported.withLock { $0 }, [1280, 640])
        fixture.center.removeObserver(token)
    }

    func testIsActiveOfAConnectionCanBeObserved() throws {
        let fixture = try CaptureFixture()
        let output = fixture.inSystem { AVCaptureVideoDataOutput() }
        let session = try fixture.makeSession([output])
        let connection = try XCTUnwrap(output.connection(with: .video))
        let values = Lock<[Bool]>([], order: .client)
        let observation = connection.observe(\.isActive) { connection, _ in
            values.withLock { $0.append(connection.isActive) }
        }
        XCTAssertTrue(connection.isActive)
        try fixture.host.disconnect(uniqueID: CaptureFixture.camera)
        fixture.clock.settle()
        XCTAssertEqual(values.withLock { $0 }, [false])
        session.removeOutput(output)
        XCTAssertFalse(connection.isActive)
        observation.invalidate()
    }
}
