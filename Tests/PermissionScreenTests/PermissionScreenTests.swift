import CaptureHAL
import CaptureTesting
import Photos
import UIKit
import XCTest

@testable import PermissionScreen

/// Tests the screen with each decision of the user.
final class PermissionScreenTests: XCTestCase {
    /// A screen in a simulated system; its appearance callbacks are called as by a container.
    @MainActor
    private final class Screen {
        let simulated: SimulatedSystem
        let controller: PermissionViewController
        /// Each decision: the permission, its status, and whether it was reported on the main thread.
        var decisions: [String] = []

        init(
            _ permissions: [Permission] = Permission.allCases,
            authorization: [ProtectedResource: AuthorizationState] = [:],
            answers: [ProtectedResource: PromptAnswer] = [:]
        ) throws {
            simulated = try SimulatedSystem(authorization: authorization, answers: answers)
            // The application exists before its screens.
            _ = UIApplication.shared
            controller = PermissionViewController(permissions)
            controller.decisionHandler = { [unowned self] permission, status in
                decisions.append("\(permission) \(status) \(Thread.isMainThread)")
            }
            controller.beginAppearanceTransition(true, animated: false)
            controller.endAppearanceTransition()
        }

        var alert: UIAlertController? { controller.presentedViewController as? UIAlertController }

        func wait(_ seconds: Double = 0.1) { simulated.advance(by: .seconds(seconds)) }

        /// Simulates that the user leaves the app, changes a decision in Settings, and returns.
        func change(_ resource: ProtectedResource, to state: AuthorizationState) {
            simulated.system.interruptions.begin(.notAvailableInBackground)
            wait()
            simulated.system.authorization.set(state, for: resource)
            simulated.system.interruptions.end(.notAvailableInBackground)
            wait()
        }
    }

    private static let undecided: [ProtectedResource: AuthorizationState] = [
        .video: .notDetermined, .audio: .notDetermined, .photoLibrary: .notDetermined,
    ]

    func testTheScreenRequestsOneAfterTheOtherAndShowsNoAlertIfAllAreAllowed() throws {
        try MainActor.assumeIsolated {
            let afterOneSecond = PromptAnswer(.authorized, after: .seconds(1))
            let screen = try Screen(
                authorization: Self.undecided,
                answers: [.video: afterOneSecond, .audio: afterOneSecond, .photoLibrary: afterOneSecond])
            screen.wait(0.9)
            XCTAssertEqual(screen.decisions, [])
            screen.wait(1)
            XCTAssertEqual(screen.decisions, ["camera authorized true"])
            screen.wait(2)
            XCTAssertEqual(
                screen.decisions,
                ["camera authorized true", "microphone authorized true", "photoLibrary authorized true"])
            XCTAssertNil(screen.alert)
        }
    }

    func testDecidedPermissionsAreNotRequestedAgain() throws {
        try MainActor.assumeIsolated {
            // A prompt would be denied.
            let screen = try Screen(answers: [.video: .deny, .audio: .deny, .photoLibrary: .deny])
            XCTAssertEqual(screen.decisions.count, 3)
            screen.wait()
            XCTAssertEqual(screen.controller.decisions.values.map { "\($0)" }, Array(repeating: "authorized", count: 3))
            XCTAssertNil(screen.alert)
        }
    }

    func testADeniedPermissionShowsAnAlertThatOpensSettings() throws {
        try MainActor.assumeIsolated {
            for (permission, resource) in Self.resources {
                let screen = try Screen(
                    [permission], authorization: [resource: .notDetermined], answers: [resource: .deny])
                screen.wait()
                let alert = try XCTUnwrap(screen.alert, "\(permission)")
                XCTAssertEqual(alert.title, "No access to the \(permission.name)")
                XCTAssertTrue(try XCTUnwrap(alert.message).hasSuffix("Allow it in Settings."))
                XCTAssertEqual(alert.actions.map(\.title), ["OK", "Settings"])
                XCTAssertTrue(alert.press("Settings"))
                XCTAssertEqual(
                    UIApplication.shared.openedURLs.map(\.absoluteString), [UIApplication.openSettingsURLString])
                XCTAssertNil(screen.alert)
            }
        }
    }

    func testADismissedAlertIsNotShownAgain() throws {
        try MainActor.assumeIsolated {
            let screen = try Screen([.camera], authorization: [.video: .denied])
            XCTAssertTrue(try XCTUnwrap(screen.alert).press("OK"))
            screen.change(.audio, to: .authorized)
            XCTAssertNil(screen.alert)
            XCTAssertEqual(UIApplication.shared.openedURLs, [])
        }
    }

    func testRestrictedPermissionsOfferNoSettings() throws {
        try MainActor.assumeIsolated {
            for (permission, resource) in Self.resources {
                let screen = try Screen([permission], authorization: [resource: .restricted])
                let alert = try XCTUnwrap(screen.alert, "\(permission)")
                XCTAssertEqual(alert.actions.map(\.title), ["OK"])
                XCTAssertFalse(try XCTUnwrap(alert.message).contains("Settings"))
                XCTAssertEqual(screen.decisions, ["\(permission) restricted true"])
            }
        }
    }

    func testTheAlertsOfSeveralPermissionsAreShownOneAfterAnother() throws {
        try MainActor.assumeIsolated {
            let screen = try Screen(authorization: [.video: .denied, .audio: .restricted, .photoLibrary: .denied])
            for permission in Permission.allCases {
                let alert = try XCTUnwrap(screen.alert, "\(permission)")
                XCTAssertEqual(alert.title, "No access to the \(permission.name)")
                XCTAssertTrue(alert.press("OK"))
            }
            XCTAssertNil(screen.alert)
        }
    }

    func testALateAnswerIsUsed() throws {
        try MainActor.assumeIsolated {
            let screen = try Screen(
                [.camera, .microphone], authorization: Self.undecided,
                answers: [.video: PromptAnswer(.denied, after: .seconds(300)), .audio: .grant])
            screen.wait(299)
            // Returning to the app shows no second prompt.
            screen.change(.photoLibrary, to: .denied)
            XCTAssertEqual(screen.decisions, [])
            XCTAssertNil(screen.alert)
            screen.wait(2)
            XCTAssertEqual(screen.decisions, ["camera denied true", "microphone authorized true"])
            XCTAssertEqual(screen.alert?.title, "No access to the camera")
        }
    }

    func testAPromptThatIsNeverAnsweredShowsNoAlert() throws {
        try MainActor.assumeIsolated {
            let screen = try Screen([.microphone], authorization: Self.undecided, answers: [.audio: .never])
            screen.wait(3600)
            XCTAssertEqual(screen.decisions, [])
            XCTAssertNil(screen.alert)
        }
    }

    func testAPermissionThatIsAllowedLaterInSettingsIsUsed() throws {
        try MainActor.assumeIsolated {
            for (permission, resource) in Self.resources {
                let screen = try Screen([permission], authorization: [resource: .denied])
                XCTAssertTrue(try XCTUnwrap(screen.alert).press("Settings"))
                screen.change(resource, to: .authorized)
                XCTAssertEqual(screen.decisions, ["\(permission) denied true", "\(permission) authorized true"])
                XCTAssertNil(screen.alert)
                screen.change(resource, to: .denied)
                XCTAssertEqual(screen.alert?.title, "No access to the \(permission.name)", "a new decision")
            }
        }
    }

    func testAScreenThatHasDisappearedShowsNoAlert() throws {
        try MainActor.assumeIsolated {
            let screen = try Screen([.camera])
            screen.controller.beginAppearanceTransition(false, animated: false)
            screen.controller.endAppearanceTransition()
            screen.change(.video, to: .denied)
            XCTAssertNil(screen.alert)
        }
    }

    func testALimitedLibraryIsUsableAndCanBeExtendedInSettings() throws {
        XCTAssertEqual(Permission.Status(PHAuthorizationStatus.limited), .limited)
        let message = try XCTUnwrap(PermissionMessage(for: .photoLibrary, .limited))
        XCTAssertEqual(message.title, "Selected photos")
        XCTAssertTrue(message.offersSettings)
    }

    private static let resources: [(Permission, ProtectedResource)] = [
        (.camera, .video), (.microphone, .audio), (.photoLibrary, .photoLibrary),
    ]
}
