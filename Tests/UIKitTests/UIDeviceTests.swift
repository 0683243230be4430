import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import UIKit

final class UIDeviceTests: XCTestCase {
    func testOrientationChangesArePostedWhileRequested() {
        let (clock, center) = (SimClock(), NotificationCenter())
        let system = CaptureSystem(hosts: [], clock: clock, notificationCenter: center)
        let device = system.run { UIDevice.current }
        XCTAssertTrue(system.run { UIDevice.current } === device)
        XCTAssertEqual(device.orientation, .unknown)
        let posted = Lock<[UIDeviceOrientation]>([])
        let observer = center.addObserver(
            forName: UIDevice.orientationDidChangeNotification, object: nil, queue: nil
        ) { [weak device] _ in posted.withLock { $0.append(device?.orientation ?? .unknown) } }
        system.orientation.rotate(to: .portrait)
        clock.advance(by: .zero)
        device.beginGeneratingDeviceOrientationNotifications()
        XCTAssertTrue(device.isGeneratingDeviceOrientationNotifications)
        for orientation in [DeviceOrientation.landscapeLeft, .landscapeLeft, .faceUp] {
            system.orientation.rotate(to: orientation)
            clock.advance(by: .zero)
        }
        system.orientation.lockInterface(to: .portrait)
        clock.advance(by: .zero)
        device.endGeneratingDeviceOrientationNotifications()
        system.orientation.rotate(to: .landscapeRight)
        clock.advance(by: .zero)
        XCTAssertEqual(posted.withLock { $0 }, [.landscapeLeft, .faceUp])
        XCTAssertEqual(device.orientation, .landscapeRight)
        XCTAssertTrue(device.orientation.isLandscape)
        XCTAssertTrue(UIDeviceOrientation.faceDown.isFlat)
        center.removeObserver(observer)
    }

    func testFormAndScreenAreThoseOfTheMachine() {
        final class Host: HardwareHost {
            let name = "host"
            let devices: [any HardwareDevice] = []
            let machine: MachineDescriptor? = MachineDescriptor(
                form: .tablet, screen: MachineDescriptor.Screen(width: 820, height: 1180, scale: 2))

            func observeDevices(_ handler: @escaping @Sendable (DeviceChange) -> Void) -> ObserverToken {
                ObserverToken {}
            }
        }
        MainActor.assumeIsolated {
            for (hosts, model, idiom, pixels) in [
                ([Host()], "iPad", UIUserInterfaceIdiom.pad, CGSize(width: 1640, height: 2360)),
                ([], "iPhone", .phone, CGSize(width: 1170, height: 2532)),
            ] {
                let system = CaptureSystem(hosts: hosts, clock: SimClock())
                system.run {
                    XCTAssertEqual(UIDevice.current.model, model)
                    XCTAssertEqual(UIDevice.current.userInterfaceIdiom, idiom)
                    XCTAssertEqual(UIScreen.main.nativeBounds.size, pixels)
                }
            }
        }
    }
}
