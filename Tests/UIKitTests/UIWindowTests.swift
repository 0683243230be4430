import CaptureHAL
import MediaTypes
import UIKit
import XCTest

final class UIWindowTests: XCTestCase {
    @MainActor
    private final class Controller: UIViewController {
        var log: [String] = []

        override func viewWillAppear(_ animated: Bool) { log.append("will appear \(view.window != nil)") }
        override func viewDidAppear(_ animated: Bool) {
            log.append("did appear \(view.window != nil) \(Int(view.bounds.width))")
        }
        override func viewDidDisappear(_ animated: Bool) { log.append("did disappear \(view.window != nil)") }
    }

    private static func makeSystem() -> CaptureSystem {
        CaptureSystem(hosts: [], clock: SimClock(), notificationCenter: NotificationCenter())
    }

    func testAWindowShowsItsRootViewController() {
        MainActor.assumeIsolated {
            Self.makeSystem().run {
                let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 200, height: 100))
                let (first, second) = (Controller(), Controller())
                window.rootViewController = first
                XCTAssertEqual(first.log, [])
                XCTAssertNil(UIApplication.shared.keyWindow)
                window.makeKeyAndVisible()
                XCTAssertEqual(first.log, ["will appear false", "did appear true 200"])
                XCTAssertTrue(UIApplication.shared.keyWindow === window)
                window.rootViewController = second
                XCTAssertEqual(first.log.last, "did disappear false")
                XCTAssertTrue(second.view.window === window)
                window.isHidden = true
                XCTAssertEqual(second.log.last, "did disappear false")
                XCTAssertEqual(UIApplication.shared.windows, [])
            }
        }
    }

    func testMakeKeyAndVisibleMovesAVisibleWindowToTheFront() {
        MainActor.assumeIsolated {
            Self.makeSystem().run {
                let (first, second) = (UIWindow(frame: .zero), UIWindow(frame: .zero))
                first.makeKeyAndVisible()
                second.makeKeyAndVisible()
                XCTAssertEqual(UIApplication.shared.windows, [first, second])
                first.makeKeyAndVisible()
                XCTAssertEqual(UIApplication.shared.windows, [second, first])
                XCTAssertTrue(UIApplication.shared.keyWindow === first)
            }
        }
    }

    func testTheSceneHasTheWindowsAndTheOrientation() throws {
        try MainActor.assumeIsolated {
            try Self.makeSystem().run {
                let scene = UIApplication.shared.connectedScenes.first as? UIWindowScene
                let window = scene.map { UIWindow(windowScene: $0) }
                window?.makeKeyAndVisible()
                XCTAssertEqual(scene?.windows, [try XCTUnwrap(window)])
                XCTAssertEqual(window?.frame, UIScreen.main.bounds)
                XCTAssertEqual(scene?.interfaceOrientation, .portrait)
                XCTAssertEqual(scene?.activationState, .foregroundActive)
            }
        }
    }

    func testASnapshotShowsTheView() throws {
        try MainActor.assumeIsolated {
            let view = UIView(frame: CGRect(x: 10, y: 10, width: 20, height: 30))
            view.backgroundColor = .red
            let snapshot = try XCTUnwrap(view.snapshotView(afterScreenUpdates: true) as? UIImageView)
            XCTAssertEqual(snapshot.image?.size, CGSize(width: 20, height: 30))
            XCTAssertNil(UIView().snapshotView(afterScreenUpdates: true))
        }
    }

    func testThePickerReportsThatNoCameraIsAvailable() {
        MainActor.assumeIsolated {
            Self.makeSystem().run {
                XCTAssertFalse(UIImagePickerController.isSourceTypeAvailable(.camera))
                XCTAssertFalse(UIImagePickerController.isCameraDeviceAvailable(.front))
                XCTAssertNil(UIImagePickerController.availableMediaTypes(for: .camera))
            }
        }
    }
}
