// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import CaptureHAL
public import Foundation
import MediaTypes

public typealias CLLocationDegrees = Double
/// Meters.
public typealias CLLocationDistance = Double
/// Meters.
public typealias CLLocationAccuracy = Double
/// Meters per second.
public typealias CLLocationSpeed = Double
/// Degrees from true north, clockwise.
public typealias CLLocationDirection = Double

/// A WGS 84 coordinate.
public struct CLLocationCoordinate2D: Sendable {
    /// Degrees north of the equator.
    public var latitude: CLLocationDegrees
    /// Degrees east of Greenwich.
    public var longitude: CLLocationDegrees

    public init() { self.init(latitude: 0, longitude: 0) }

    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

public func CLLocationCoordinate2DMake(
    _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// An invalid coordinate.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)

/// Whether the latitude is within 90 and the longitude within 180 degrees.
public func CLLocationCoordinate2DIsValid(_ coord: CLLocationCoordinate2D) -> Bool {
    abs(coord.latitude) <= 90 && abs(coord.longitude) <= 180
}

/// A location, and the time at which it was measured.
public final class CLLocation: NSObject, Sendable {
    public let coordinate: CLLocationCoordinate2D
    /// Meters above sea level.
    public let altitude: CLLocationDistance
    /// In meters; negative if the coordinate is not valid.
    public let horizontalAccuracy: CLLocationAccuracy
    /// In meters; negative if the altitude is not valid.
    public let verticalAccuracy: CLLocationAccuracy
    /// Negative if unknown.
    public let course: CLLocationDirection
    /// Negative if unknown.
    public let speed: CLLocationSpeed
    public let timestamp: Date

    /// Creates a location at the current time of the capture system's clock, without altitude, course and speed.
    public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        let clock = CaptureSystem.current.clock
        self.init(
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: 0,
            horizontalAccuracy: 0, verticalAccuracy: -1, timestamp: clock.date(at: clock.now))
    }

    public convenience init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
        verticalAccuracy: CLLocationAccuracy, timestamp: Date
    ) {
        self.init(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: verticalAccuracy, course: -1, speed: -1, timestamp: timestamp)
    }

    public init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
        verticalAccuracy: CLLocationAccuracy, course: CLLocationDirection, speed: CLLocationSpeed, timestamp: Date
    ) {
        self.coordinate = coordinate
        self.altitude = altitude
        self.horizontalAccuracy = horizontalAccuracy
        self.verticalAccuracy = verticalAccuracy
        self.course = course
        self.speed = speed
        self.timestamp = timestamp
    }

    /// Returns the distance in meters on a sphere.
    ///
    /// Uses the haversine formula and the earth's mean radius, 6371.0088 km (Moritz, Geodetic Reference System 1980);
    /// within 0.6 % of the distance on the ellipsoid.
    public func distance(from location: CLLocation) -> CLLocationDistance {
        let (here, there) = (coordinate, location.coordinate)
        let radians = Double.pi / 180
        let latitudeSine = sin((here.latitude - there.latitude) * radians / 2)
        let longitudeSine = sin((here.longitude - there.longitude) * radians / 2)
        let haversine =
            latitudeSine * latitudeSine
            + cos(here.latitude * radians) * cos(there.latitude * radians) * longitudeSine * longitudeSine
        return 2 * 6_371_008.8 * asin(min(1, haversine.squareRoot()))
    }
}
