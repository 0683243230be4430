public import CaptureHAL
import Foundation
import MediaTypes

/// The position of a simulated machine on the earth, which a test sets, and the user's authorization to use it.
///
/// Without a position, location managers report `locationUnknown`.
/// ```swift
/// simulated.system.location.move(to: .init(latitude: 52.52, longitude: 13.405))
/// simulated.system.location.travel(speed: 1.5, course: 90)
/// ```
/// - Important: Thread-safe. Observers are called on the thread of the change.
public final class LocationSensor: Sendable {
    /// A position in WGS 84.
    public struct Position: Sendable, Hashable {
        /// In degrees, positive north of the equator.
        public var latitude: Double
        /// In degrees, positive east of Greenwich.
        public var longitude: Double
        /// In meters above sea level.
        public var altitude: Double
        /// In meters.
        public var horizontalAccuracy: Double
        /// In meters.
        public var verticalAccuracy: Double

        /// Creates a position.
        public init(
            latitude: Double, longitude: Double, altitude: Double = 0, horizontalAccuracy: Double = 5,
            verticalAccuracy: Double = 3
        ) {
            self.latitude = latitude
            self.longitude = longitude
            self.altitude = altitude
            self.horizontalAccuracy = horizontalAccuracy
            self.verticalAccuracy = verticalAccuracy
        }
    }

    private struct State {
        /// The position at `time`.
        var start: Position?
        var time: CMTime
        /// In meters per second.
        var speed = 0.0
        var course: Double?
        var heading: Double?
        var authorization: CLAuthorizationStatus = .authorizedWhenInUse
        /// The user's answer to the next request for authorization.
        var answer = CLAuthorizationStatus.authorizedWhenInUse
    }

    private let clock: any CaptureClock
    private let state: Lock<State>
    private let observers = Observers<Void>()

    init(clock: any CaptureClock) {
        self.clock = clock
        state = Lock(State(time: clock.now))
    }

    /// The current position; nil if it is unknown.
    public var position: Position? {
        let now = clock.now
        return state.withLock { Self.position($0, at: now) }
    }

    /// In meters per second.
    public var speed: Double { state.withLock { $0.speed } }
    /// The direction of travel in degrees, clockwise from north; nil if the machine does not move.
    public var course: Double? { state.withLock { $0.course } }
    /// The direction of the upper edge in degrees, clockwise from north; nil without a compass.
    public var heading: Double? { state.withLock { $0.heading } }

    /// Moves the machine to a position immediately; nil for an unknown position.
    public func move(to position: Position?) {
        let now = clock.now
        change { ($0.start, $0.time) = (position, now) }
    }

    /// Starts moving the machine at a constant speed.
    ///
    /// - Parameters:
    ///   - speed: In meters per second; 0 stops.
    ///   - course: In degrees, clockwise from north.
    public func travel(speed: Double, course: Double) {
        let now = clock.now
        change { state in
            state.start = Self.position(state, at: now)
            state.time = now
            state.speed = max(0, speed)
            state.course = speed > 0 ? course : nil
        }
    }

    /// Turns the upper edge of the machine; nil removes the compass.
    public func turn(toHeading heading: Double?) { change { $0.heading = heading } }

    /// The user's decision; `authorizedWhenInUse` by default.
    public var authorization: CLAuthorizationStatus { state.withLock { $0.authorization } }

    /// Changes the user's decision, as in the settings.
    public func setAuthorization(_ status: CLAuthorizationStatus) { change { $0.authorization = status } }

    /// Sets the answer to the next request for authorization.
    public func setAnswer(_ status: CLAuthorizationStatus) { state.withLock { $0.answer = status } }

    /// Handles a request for authorization: sets an undetermined status to the answer, and extends
    /// `authorizedWhenInUse` to `authorizedAlways` if that is requested.
    ///
    /// - Parameter always: Whether the app requests the location also in the background.
    func request(always: Bool) {
        let answer = state.withLock { state -> CLAuthorizationStatus? in
            switch state.authorization {
            case .notDetermined:
                return always && state.answer == .authorizedWhenInUse ? .authorizedAlways : state.answer
            case .authorizedWhenInUse: return always ? .authorizedAlways : nil
            case .restricted, .denied, .authorizedAlways: return nil
            }
        }
        if let answer { setAuthorization(answer) }
    }

    /// Calls `handler` after each change until the token is cancelled or released. The movement after `travel` is not
    /// such a change.
    public func observe(_ handler: @escaping @Sendable () -> Void) -> ObserverToken { observers.add { handler() } }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { body(&$0) }
        observers.notify(())
    }

    /// Returns the position at a time: the start moved along the course, on a sphere with the earth's mean radius.
    private static func position(_ state: State, at now: CMTime) -> Position? {
        guard var position = state.start else { return nil }
        guard state.speed > 0, let course = state.course else { return position }
        let degrees = 180 / Double.pi
        let distance = state.speed * (now - state.time).seconds / 6_371_008.8 * degrees
        position.latitude += distance * cos(course / degrees)
        // The limit avoids a division by zero at the poles.
        position.longitude += distance * sin(course / degrees) / max(0.01, cos(position.latitude / degrees))
        return position
    }
}

extension CaptureSystem {
    /// The position of the machine; unknown until a test moves it.
    public var location: LocationSensor { component(LocationSensor.self) { LocationSensor(clock: clock) } }
}
