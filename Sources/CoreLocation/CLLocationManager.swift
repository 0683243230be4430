import CaptureHAL
import Dispatch
public import Foundation
import MediaTypes

/// Reports the position of the machine, which a test sets with `CaptureSystem.location`.
///
/// Updates are reported once per second, and after each change, if the machine has moved by at least `distanceFilter`.
/// - Important: Thread-safe. The delegate is called on the main queue.
open class CLLocationManager: NSObject, @unchecked Sendable {
    // SAFETY: all state is behind `state`; the other properties are constants.
    private struct State {
        weak var delegate: (any CLLocationManagerDelegate)?
        var isUpdating = false
        var isUpdatingHeading = false
        var hasScheduledCheck = false
        var location: CLLocation?
        var heading: CLHeading?
        var reportedAuthorization: CLAuthorizationStatus
        var distanceFilter = kCLDistanceFilterNone
        var headingFilter: CLLocationDegrees = 1
        var desiredAccuracy = kCLLocationAccuracyBest
        var activityType = CLActivityType.other
        var headingOrientation = CLDeviceOrientation.portrait
        var pausesAutomatically = true
        var allowsBackground = false
        var showsBackgroundIndicator = false
        var observations: [ObserverToken] = []
    }

    private let sensor: LocationSensor
    private let clock: any CaptureClock
    private let system: SystemReference
    private let background: BackgroundExecution
    private let state: Lock<State>

    public override init() {
        let current = CaptureSystem.current
        sensor = current.location
        clock = current.clock
        system = current.reference
        background = .of(current)
        state = Lock(State(reportedAuthorization: sensor.authorization))
        super.init()
        let observations = [
            sensor.observe { [weak self] in self?.sensorDidChange() },
            background.observeTransitions { [weak self] isInBackground in
                if !isInBackground { self?.sensorDidChange() }
            },
        ]
        state.withLock { $0.observations = observations }
        // As on Apple's systems, the initial status is reported to the delegate.
        system.deliver(on: .main) { [weak self] in self?.reportAuthorization() }
    }

    open weak var delegate: (any CLLocationManagerDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    // MARK: Authorization

    open var authorizationStatus: CLAuthorizationStatus { sensor.authorization }
    open class func authorizationStatus() -> CLAuthorizationStatus { CaptureSystem.current.location.authorization }
    open var accuracyAuthorization: CLAccuracyAuthorization { .fullAccuracy }
    open class func locationServicesEnabled() -> Bool { true }
    open class func headingAvailable() -> Bool { CaptureSystem.current.location.heading != nil }
    open class func significantLocationChangeMonitoringAvailable() -> Bool { false }

    open func requestWhenInUseAuthorization() { sensor.request(always: false) }
    open func requestAlwaysAuthorization() { sensor.request(always: true) }

    /// Whether no updates are reported, because the app is suspended in the background.
    private var isSuspended: Bool { background.isSuspended && !allowsBackgroundLocationUpdates }

    private var isAuthorized: Bool {
        let status = sensor.authorization
        return status == .authorizedAlways || status == .authorizedWhenInUse
    }

    private func reportAuthorization() {
        guard let delegate else { return }
        delegate.locationManagerDidChangeAuthorization(self)
        delegate.locationManager(self, didChangeAuthorization: authorizationStatus)
    }

    // MARK: Settings

    /// In meters; `kCLDistanceFilterNone` reports each movement.
    open var distanceFilter: CLLocationDistance {
        get { state.withLock { $0.distanceFilter } }
        set { state.withLock { $0.distanceFilter = newValue } }
    }

    /// In degrees.
    open var headingFilter: CLLocationDegrees {
        get { state.withLock { $0.headingFilter } }
        set { state.withLock { $0.headingFilter = newValue } }
    }

    /// Has no effect, like the other settings without a comment.
    open var desiredAccuracy: CLLocationAccuracy {
        get { state.withLock { $0.desiredAccuracy } }
        set { state.withLock { $0.desiredAccuracy = newValue } }
    }

    open var activityType: CLActivityType {
        get { state.withLock { $0.activityType } }
        set { state.withLock { $0.activityType = newValue } }
    }

    open var headingOrientation: CLDeviceOrientation {
        get { state.withLock { $0.headingOrientation } }
        set { state.withLock { $0.headingOrientation = newValue } }
    }

    open var pausesLocationUpdatesAutomatically: Bool {
        get { state.withLock { $0.pausesAutomatically } }
        set { state.withLock { $0.pausesAutomatically = newValue } }
    }

    /// Whether updates are reported in the background; false by default. Without it, they are reported there only while
    /// a background task is active.
    ///
    /// - Note: Unlike on Apple's systems, the app needs no declaration of the background mode `location`.
    open var allowsBackgroundLocationUpdates: Bool {
        get { state.withLock { $0.allowsBackground } }
        set { state.withLock { $0.allowsBackground = newValue } }
    }

    open var showsBackgroundLocationIndicator: Bool {
        get { state.withLock { $0.showsBackgroundIndicator } }
        set { state.withLock { $0.showsBackgroundIndicator = newValue } }
    }

    // MARK: Updates

    /// The last reported location.
    open var location: CLLocation? { state.withLock { $0.location } }
    /// The last reported heading.
    open var heading: CLHeading? { state.withLock { $0.heading } }

    open func startUpdatingLocation() {
        let isFirst = state.withLock { state in
            defer { state.isUpdating = true }
            return !state.isUpdating
        }
        guard isFirst else { return }
        reportLocation(isRequested: true)
        scheduleCheck()
    }

    open func stopUpdatingLocation() { state.withLock { $0.isUpdating = false } }

    /// Reports one location, or an error if it is unknown.
    open func requestLocation() { reportLocation(isRequested: true) }

    open func startUpdatingHeading() {
        state.withLock { $0.isUpdatingHeading = true }
        reportHeading(isFirst: true)
    }

    open func stopUpdatingHeading() { state.withLock { $0.isUpdatingHeading = false } }

    private func sensorDidChange() {
        let authorization = sensor.authorization
        let (isUpdating, isUpdatingHeading, isNewStatus) = state.withLock { state in
            defer { state.reportedAuthorization = authorization }
            return (state.isUpdating, state.isUpdatingHeading, state.reportedAuthorization != authorization)
        }
        if isNewStatus { system.deliver(on: .main) { [weak self] in self?.reportAuthorization() } }
        if isUpdating { reportLocation(isRequested: isNewStatus) }
        if isUpdatingHeading { reportHeading(isFirst: false) }
    }

    /// Schedules a check of the position each second while locations are updated.
    private func scheduleCheck() {
        let isStarting = state.withLock { state in
            guard state.isUpdating, !state.hasScheduledCheck else { return false }
            state.hasScheduledCheck = true
            return true
        }
        guard isStarting else { return }
        clock.schedule(at: clock.now + CMTime(value: 1, timescale: 1)) { [weak self] in
            guard let self else { return }
            let isUpdating = state.withLock { state in
                state.hasScheduledCheck = false
                return state.isUpdating
            }
            guard isUpdating else { return }
            reportLocation(isRequested: false)
            scheduleCheck()
        }
    }

    /// Reports the position.
    ///
    /// - Parameter isRequested: Whether an unchanged position is reported too, and an error if the position is unknown.
    private func reportLocation(isRequested: Bool) {
        guard !isSuspended else { return }
        guard isAuthorized else {
            if isRequested, sensor.authorization != .notDetermined { report(CLError(.denied)) }
            return
        }
        guard let position = sensor.position else {
            if isRequested { report(CLError(.locationUnknown)) }
            return
        }
        let location = CLLocation(
            coordinate: CLLocationCoordinate2D(latitude: position.latitude, longitude: position.longitude),
            altitude: position.altitude, horizontalAccuracy: position.horizontalAccuracy,
            verticalAccuracy: position.verticalAccuracy, course: sensor.course ?? -1, speed: sensor.speed,
            timestamp: clock.date(at: clock.now))
        let isDue = state.withLock { state in
            if !isRequested, let last = state.location {
                let distance = location.distance(from: last)
                guard distance > 0, distance >= state.distanceFilter else { return false }
            }
            state.location = location
            return true
        }
        guard isDue else { return }
        system.deliver(on: .main) { [weak self] in
            guard let self else { return }
            delegate?.locationManager(self, didUpdateLocations: [location])
        }
    }

    private func report(_ error: CLError) {
        system.deliver(on: .main) { [weak self] in
            guard let self else { return }
            delegate?.locationManager(self, didFailWithError: error)
        }
    }

    private func reportHeading(isFirst: Bool) {
        guard !isSuspended, let degrees = sensor.heading else { return }
        let heading = CLHeading(degrees, clock.date(at: clock.now))
        let isDue = state.withLock { state in
            if !isFirst, let last = state.heading?.trueHeading {
                let difference = abs(degrees - last).truncatingRemainder(dividingBy: 360)
                guard difference > 0, min(difference, 360 - difference) >= state.headingFilter else { return false }
            }
            state.heading = heading
            return true
        }
        guard isDue else { return }
        system.deliver(on: .main) { [weak self] in
            guard let self else { return }
            delegate?.locationManager(self, didUpdateHeading: heading)
        }
    }
}
