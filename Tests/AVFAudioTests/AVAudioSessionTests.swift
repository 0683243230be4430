import CaptureHAL
import CaptureTesting
import Foundation
import MediaTypes
import SimDevices
import XCTest

@testable import AVFAudio

final class AVAudioSessionTests: XCTestCase {
    /// Logs the user info of notifications until the test ends.
    private func logNotifications(_ names: Notification.Name...) -> Lock<[[AnyHashable: Any]]> {
        let log = Lock<[[AnyHashable: Any]]>([], order: .client)
        for name in names {
            let observer = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) {
                let userInfo = $0.userInfo ?? [:]
                log.withLock { $0.append(userInfo) }
            }
            addTeardownBlock { NotificationCenter.default.removeObserver(observer) }
        }
        return log
    }

    func testEachSystemHasASharedSession() throws {
        let first = try SimulatedSystem()
        let firstSession = first.run { AVAudioSession.sharedInstance() }
        let second = try SimulatedSystem(profile: "webcam")
        XCTAssertFalse(firstSession === AVAudioSession.sharedInstance())
        XCTAssertTrue(firstSession === first.run { AVAudioSession.sharedInstance() })
        withExtendedLifetime(second) {}
    }

    func testAPhoneCallInterruptsAnActiveSession() throws {
        let simulated = try SimulatedSystem()
        let session = AVAudioSession.sharedInstance()
        let log = logNotifications(AVAudioSession.interruptionNotification)
        simulated.system.interruptions.begin(.audioInUseByAnotherClient)
        simulated.system.interruptions.end(.audioInUseByAnotherClient)
        simulated.advance(by: .zero)
        XCTAssertEqual(log.withLock { $0.count }, 0, "the session is not active")

        try session.setCategory(.playAndRecord, mode: .videoRecording, options: [.defaultToSpeaker])
        try session.setActive(true)
        simulated.system.interruptions.begin(.audioInUseByAnotherClient)
        simulated.advance(by: .zero)
        XCTAssertThrowsError(try session.setActive(true)) { error in
            XCTAssertEqual((error as NSError).code, AVAudioSession.ErrorCode.cannotInterruptOthers.rawValue)
        }
        XCTAssertTrue(session.isOtherAudioPlaying)
        simulated.system.interruptions.end(.audioInUseByAnotherClient)
        simulated.advance(by: .zero)
        let types = log.withLock { $0.map { $0[AVAudioSessionInterruptionTypeKey] as? UInt } }
        let expectedTypes: [AVAudioSession.InterruptionType] = [.began, .ended]
        XCTAssertEqual(types, expectedTypes.map(\.rawValue))
        XCTAssertEqual(
            log.withLock { $0.last?[AVAudioSessionInterruptionOptionKey] as? UInt },
            AVAudioSession.InterruptionOptions.shouldResume.rawValue)
        try session.setActive(true)
    }

    func testTheRouteFollowsTheCategoryAndTheMicrophones() throws {
        let clock = SimClock()
        let usb = try SimHost(profile: "usb-microphone", clock: clock)
        let usbID = try XCTUnwrap(usb.devices.first).descriptor.uniqueID
        let system = CaptureSystem(hosts: [try SimHost(profile: "phone", clock: clock), usb], clock: clock)
        try usb.disconnect(uniqueID: usbID)
        clock.advance(by: .zero)
        try system.run {
            let session = AVAudioSession.sharedInstance()
            XCTAssertNil(session.availableInputs, "the category does not record")
            XCTAssertEqual(session.currentRoute.outputs.map(\.portType), [.builtInSpeaker])
            let log = logNotifications(AVAudioSession.routeChangeNotification)
            try session.setCategory(.playAndRecord)
            XCTAssertEqual(session.currentRoute.inputs.map(\.portType), [.builtInMic])
            XCTAssertEqual(session.currentRoute.outputs.map(\.portType), [.builtInReceiver])
            try session.overrideOutputAudioPort(.speaker)
            XCTAssertEqual(session.currentRoute.outputs.map(\.portType), [.builtInSpeaker])
            try session.setPreferredSampleRate(44_100)
            XCTAssertEqual(session.sampleRate, 44_100)
            XCTAssertEqual(session.inputNumberOfChannels, 1)

            try usb.reconnect(uniqueID: usbID)
            clock.advance(by: .seconds(1))
            XCTAssertEqual(session.currentRoute.inputs.map(\.portType), [.usbAudio])
            let builtIn = try XCTUnwrap(session.availableInputs?.first)
            try session.setPreferredInput(builtIn)
            XCTAssertEqual(session.currentRoute.inputs, [builtIn])
            try session.setPreferredInput(nil)
            try usb.disconnect(uniqueID: usbID)
            clock.advance(by: .seconds(1))
            XCTAssertEqual(session.currentRoute.inputs, [builtIn])
            let reasons = log.withLock { $0.compactMap { $0[AVAudioSessionRouteChangeReasonKey] as? UInt } }
            let expectedReasons: [AVAudioSession.RouteChangeReason] = [
                .categoryChange, .override, .newDeviceAvailable, .override, .override, .oldDeviceUnavailable,
            ]
            XCTAssertEqual(reasons, expectedReasons.map(\.rawValue))
            let last = log.withLock { $0.last?[AVAudioSessionRouteChangePreviousRouteKey] }
            XCTAssertEqual((last as? AVAudioSessionRouteDescription)?.inputs.map(\.uid), [usbID])
        }
    }

    func testTheNotificationOfADisconnectionContainsThePreviousRoute() throws {
        let clock = SimClock()
        let usb = try SimHost(profile: "usb-microphone", clock: clock)
        let usbID = try XCTUnwrap(usb.devices.first).descriptor.uniqueID
        let system = CaptureSystem(hosts: [usb], clock: clock)
        try system.run {
            let session = AVAudioSession.sharedInstance()
            try session.setCategory(.record)
            clock.advance(by: .seconds(1))
            let log = logNotifications(AVAudioSession.routeChangeNotification)
            try usb.disconnect(uniqueID: usbID)
            clock.advance(by: .seconds(1))
            let change = try XCTUnwrap(log.withLock { $0.first }, "no change of the route was posted")
            XCTAssertEqual(
                change[AVAudioSessionRouteChangeReasonKey] as? UInt,
                AVAudioSession.RouteChangeReason.oldDeviceUnavailable.rawValue)
            let previous = change[AVAudioSessionRouteChangePreviousRouteKey] as? AVAudioSessionRouteDescription
            XCTAssertEqual(previous?.inputs.map(\.uid), [usbID])
        }
    }

    func testSessionsThatDuckOthersMixWithThem() throws {
        let simulated = try SimulatedSystem()
        let session = AVAudioSession.sharedInstance()
        try session.setCategory(.playback, options: .duckOthers)
        XCTAssertTrue(session.categoryOptions.contains(.mixWithOthers))
        try session.setCategory(.playback)
        XCTAssertFalse(session.categoryOptions.contains(.mixWithOthers))
        withExtendedLifetime(simulated) {}
    }

    func testUnsupportedSettingsAndActivationInTheBackgroundAreRejected() throws {
        let simulated = try SimulatedSystem(profile: "webcam")
        let session = AVAudioSession.sharedInstance()
        XCTAssertThrowsError(try session.setCategory(.playback, options: .defaultToSpeaker))
        XCTAssertThrowsError(try session.overrideOutputAudioPort(.speaker))
        XCTAssertThrowsError(try session.setInputGain(0.5))
        try session.setCategory(.record)
        simulated.system.interruptions.begin(.notAvailableInBackground)
        XCTAssertThrowsError(try session.setActive(true))
        XCTAssertEqual(session.currentRoute.outputs, [], "the machine has no speaker")
    }

    func testAResetOfTheMediaServicesRestoresTheDefaultCategory() throws {
        let simulated = try SimulatedSystem()
        let session = AVAudioSession.sharedInstance()
        try session.setCategory(.record)
        simulated.advance(by: .zero)
        let log = logNotifications(
            AVAudioSession.mediaServicesWereLostNotification, AVAudioSession.mediaServicesWereResetNotification)
        simulated.system.interruptions.resetMediaServices()
        simulated.advance(by: .zero)
        XCTAssertEqual(log.withLock { $0.count }, 2)
        XCTAssertEqual(session.category, .soloAmbient)
    }

    func testTheRecordPermissionIsThatOfTheMicrophone() async throws {
        let simulated = try SimulatedSystem(
            authorization: [.audio: .notDetermined], answers: [.audio: PromptAnswer(.denied, after: .seconds(3))])
        XCTAssertEqual(AVAudioSession.sharedInstance().recordPermission, .undetermined)
        let isGranted = await AVAudioApplication.requestRecordPermission()
        XCTAssertFalse(isGranted)
        XCTAssertEqual(simulated.clock.now.seconds, 3)
        XCTAssertEqual(AVAudioApplication.shared.recordPermission, .denied)
    }
}
