import CaptureHAL
import MediaTypes
import UIKit
import XCTest

final class UIFeedbackGeneratorTests: XCTestCase {
    func testFeedbackIsLoggedInTheSystemOfTheApp() {
        let clock = SimClock()
        let system = CaptureSystem(hosts: [], clock: clock)
        let other = CaptureSystem(hosts: [], clock: clock)
        clock.advance(by: .seconds(3))
        MainActor.assumeIsolated {
            system.run {
                let notification = UINotificationFeedbackGenerator()
                notification.prepare()
                XCTAssertEqual(system.hapticFeedback.entries, [])
                notification.notificationOccurred(.warning)
                UIImpactFeedbackGenerator(style: .rigid).impactOccurred(intensity: 2)
                UIImpactFeedbackGenerator().impactOccurred()
                UISelectionFeedbackGenerator().selectionChanged()
            }
        }
        XCTAssertEqual(
            system.hapticFeedback.entries.map(\.kind),
            [
                .notification(.warning), .impact(.rigid, intensity: 1), .impact(.medium, intensity: 1), .selection,
            ])
        XCTAssertEqual(system.hapticFeedback.entries.first?.time, clock.now)
        XCTAssertEqual(other.hapticFeedback.entries, [])
    }
}
