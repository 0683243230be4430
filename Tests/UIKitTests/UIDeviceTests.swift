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
}
