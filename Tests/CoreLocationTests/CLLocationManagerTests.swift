import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import CoreLocation

final class CLLocationManagerTests: XCTestCase {
    /// Logs the calls of the delegate with raw values: authorization 2 is `denied` and 4 is `authorizedWhenInUse`;
    /// error 0 is `locationUnknown` and 1 is `denied`.
    private final class Log: CLLocationManagerDelegate, @unchecked Sendable {
        // SAFETY: called only on the main queue.
        var entries: [String] = []

        func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
            entries += locations.map { String(format: "%.5f %.5f", $0.coordinate.latitude, $0.coordinate.longitude) }
        }

        func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
            entries.append("error \((error as? CLError)?.code.rawValue ?? -1)")
        }

        func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
            entries.append("heading \(newHeading.trueHeading)")
        }

        func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
            entries.append("authorization \(manager.authorizationStatus.rawValue)")
        }
    }

    private let clock = SimClock()
    private let log = Log()

    private func makeManager() -> (CaptureSystem, CLLocationManager) {
        let system = CaptureSystem(hosts: [], clock: clock)
        let manager = system.run { CLLocationManager() }
        manager.delegate = log
        return (system, manager)
    }

    func testUpdatesFollowAMovingMachine() {
        let (system, manager) = makeManager()
        system.location.move(to: .init(latitude: 0, longitude: 10))
        manager.startUpdatingLocation()
        clock.advance(by: .milliseconds(2500))
        XCTAssertEqual(log.entries, ["authorization 4", "0.00000 10.00000"], "a machine that rests is reported once")
        // 111.195 m of latitude are a thousandth of a degree.
        system.location.travel(speed: 111.195, course: 0)
        clock.advance(by: .milliseconds(2000))
        XCTAssertEqual(log.entries.dropFirst(2), ["0.00050 10.00000", "0.00150 10.00000"])
        XCTAssertEqual(manager.location?.speed, 111.195)
        manager.distanceFilter = 1000
        clock.advance(by: .seconds(10))
        XCTAssertEqual(log.entries.dropFirst(4), ["0.01050 10.00000"])
        manager.stopUpdatingLocation()
        clock.advance(by: .seconds(60))
        XCTAssertEqual(log.entries.count, 5)
    }

    func testAnUnknownPositionAndAMissingAuthorizationAreErrors() {
        let (system, manager) = makeManager()
        manager.requestLocation()
        system.location.setAuthorization(.denied)
        clock.advance(by: .zero)
        manager.requestLocation()
        clock.advance(by: .zero)
        XCTAssertEqual(log.entries, ["authorization 2", "error 0", "authorization 2", "error 1"])
    }

    func testARequestIsAnsweredByTheUser() {
        let (system, manager) = makeManager()
        system.location.setAuthorization(.notDetermined)
        system.location.setAnswer(.denied)
        clock.advance(by: .zero)
        manager.requestWhenInUseAuthorization()
        clock.advance(by: .zero)
        XCTAssertEqual(manager.authorizationStatus, .denied)
        XCTAssertEqual(log.entries.last, "authorization 2")
    }

    func testHeadingsAreFiltered() {
        let (system, manager) = makeManager()
        clock.advance(by: .zero)
        manager.headingFilter = 5
        manager.startUpdatingHeading()
        for heading in [350.0, 352, 358, 4] {
            system.location.turn(toHeading: heading)
            clock.advance(by: .zero)
        }
        XCTAssertEqual(log.entries.dropFirst(), ["heading 350.0", "heading 358.0", "heading 4.0"])
    }

    func testUpdatesPauseInTheBackgroundUnlessTheyAreAllowedThere() {
        let (system, manager) = makeManager()
        system.location.move(to: .init(latitude: 0, longitude: 10))
        manager.startUpdatingLocation()
        clock.advance(by: .seconds(1))
        system.interruptions.begin(.notAvailableInBackground)
        clock.advance(by: .seconds(1))
        system.location.move(to: .init(latitude: 1, longitude: 10))
        clock.advance(by: .seconds(5))
        XCTAssertEqual(log.entries, ["authorization 4", "0.00000 10.00000"])
        system.interruptions.end(.notAvailableInBackground)
        clock.advance(by: .seconds(1))
        XCTAssertEqual(log.entries.dropFirst(2), ["1.00000 10.00000"])
        manager.allowsBackgroundLocationUpdates = true
        system.interruptions.begin(.notAvailableInBackground)
        clock.advance(by: .seconds(1))
        system.location.move(to: .init(latitude: 2, longitude: 10))
        clock.advance(by: .seconds(1))
        XCTAssertEqual(log.entries.dropFirst(3), ["2.00000 10.00000"])
    }
}
