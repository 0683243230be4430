import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import CoreLocation

final class CLLocationTests: XCTestCase {
    func testDistancesAreMeasuredOnTheSphere() {
        let timestamp = Date(timeIntervalSince1970: 0)
        func location(_ latitude: Double, _ longitude: Double) -> CLLocation {
            CLLocation(
                coordinate: CLLocationCoordinate2DMake(latitude, longitude), altitude: 0, horizontalAccuracy: 5,
                verticalAccuracy: -1, timestamp: timestamp)
        }
        // One degree of a great circle: 1/360 of the circumference.
        XCTAssertEqual(location(0, 0).distance(from: location(0, 1)), 2 * .pi * 6_371_008.8 / 360, accuracy: 1e-6)
        XCTAssertEqual(location(90, 0).distance(from: location(-90, 50)), .pi * 6_371_008.8, accuracy: 1e-3)
        // Paris to Berlin, 878 km.
        XCTAssertEqual(location(48.8566, 2.3522).distance(from: location(52.52, 13.405)), 878_000, accuracy: 3000)
        XCTAssertEqual(location(10, 20).distance(from: location(10, 20)), 0)
    }

    func testALocationHasTheTimeOfTheClockOfTheCaptureSystem() {
        let clock = SimClock()
        let system = CaptureSystem(hosts: [], clock: clock)
        clock.advance(by: .seconds(5))
        let location = system.run { CLLocation(latitude: 1, longitude: 2) }
        XCTAssertEqual(location.timestamp, clock.date(at: clock.now))
        XCTAssertEqual(location.speed, -1)
        XCTAssertLessThan(location.verticalAccuracy, 0)
        XCTAssertTrue(CLLocationCoordinate2DIsValid(location.coordinate))
        XCTAssertFalse(CLLocationCoordinate2DIsValid(CLLocationCoordinate2D(latitude: 91, longitude: 0)))
        XCTAssertFalse(CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
    }
}
