import CaptureHAL
public import Foundation
import MediaTypes

/// The orientation in which the device is held.
public enum UIDeviceOrientation: Int, Sendable, Hashable {
    case unknown = 0
    case portrait = 1
    case portraitUpsideDown = 2
    /// The top edge points left.
    case landscapeLeft = 3
    /// The top edge points right.
    case landscapeRight = 4
    case faceUp = 5
    case faceDown = 6

    public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }
    public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }
    public var isFlat: Bool { self == .faceUp || self == .faceDown }
    public var isValidInterfaceOrientation: Bool { isPortrait || isLandscape }

    init(_ orientation: DeviceOrientation) {
        self =
            switch orientation {
            case .unknown: .unknown
            case .portrait: .portrait
            case .portraitUpsideDown: .portraitUpsideDown
            case .landscapeLeft: .landscapeLeft
            case .landscapeRight: .landscapeRight
            case .faceUp: .faceUp
            case .faceDown: .faceDown
            }
    }
}

/// The orientation of the user interface. On a device in landscape left, the interface is in landscape right.
public enum UIInterfaceOrientation: Int, Sendable, Hashable {
    case unknown = 0
    case portrait = 1
    case portraitUpsideDown = 2
    case landscapeRight = 3
    case landscapeLeft = 4

    public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }
    public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }

    /// Creates the orientation of an upright interface, which is rotated opposite to the device. It is portrait if the
    /// device is flat or its orientation is unknown.
    init(_ device: DeviceOrientation) {
        self =
            switch device {
            case .portraitUpsideDown: .portraitUpsideDown
            case .landscapeLeft: .landscapeRight
            case .landscapeRight: .landscapeLeft
            case .unknown, .portrait, .faceUp, .faceDown: .portrait
            }
    }
}

/// The kind of user interface.
public enum UIUserInterfaceIdiom: Int, Sendable, Hashable {
    case unspecified = -1
    case phone = 0
    case pad = 1
    case tv = 2
    case carPlay = 3
    case mac = 5
    case vision = 6
}

/// The orientations of the user interface that a view controller supports.
public struct UIInterfaceOrientationMask: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    private init(_ orientation: UIInterfaceOrientation) { self.init(rawValue: 1 << UInt(orientation.rawValue)) }

    public static let portrait = UIInterfaceOrientationMask(.portrait)
    public static let landscapeLeft = UIInterfaceOrientationMask(.landscapeLeft)
    public static let landscapeRight = UIInterfaceOrientationMask(.landscapeRight)
    public static let portraitUpsideDown = UIInterfaceOrientationMask(.portraitUpsideDown)
    public static let landscape: UIInterfaceOrientationMask = [.landscapeLeft, .landscapeRight]
    public static let all: UIInterfaceOrientationMask = [.portrait, .landscape, .portraitUpsideDown]
    public static let allButUpsideDown: UIInterfaceOrientationMask = [.portrait, .landscape]
}

/// The device on which the app runs. Its orientation is that of the capture system's orientation sensor.
public final class UIDevice: NSObject, Sendable {
    /// Posted on the main queue when the orientation changes, while notifications are generated; the object is the
    /// device.
    public static let orientationDidChangeNotification = Notification.Name("UIDeviceOrientationDidChangeNotification")

    private struct State {
        /// The number of calls to begin notifications that have no call to end them.
        var beginCount = 0
        /// The observation of the sensor; nil if `beginCount` is 0.
        var observation: ObserverToken?
    }

    private let form: MachineDescriptor.Form
    private let sensor: OrientationSensor
    private let system: SystemReference
    private let center: NotificationCenter
    private let state = Lock(State())

    /// The device of the caller's capture system.
    public static var current: UIDevice {
        let system = CaptureSystem.current
        return system.component(UIDevice.self) {
            UIDevice(system.machine.form, system.orientation, system.reference, system.notificationCenter)
        }
    }

    private init(
        _ form: MachineDescriptor.Form, _ sensor: OrientationSensor, _ system: SystemReference,
        _ center: NotificationCenter
    ) {
        self.form = form
        self.sensor = sensor
        self.system = system
        self.center = center
    }

    public var orientation: UIDeviceOrientation { UIDeviceOrientation(sensor.current) }

    /// The host name of the machine.
    public var name: String { ProcessInfo.processInfo.hostName }
    /// `iPhone` or `iPad`, by the form of the simulated machine; on a computer `iPad`, as in Mac Catalyst.
    public var model: String {
        switch form {
        case .phone: "iPhone"
        case .tablet, .computer: "iPad"
        }
    }
    public var localizedModel: String { model }
    public var userInterfaceIdiom: UIUserInterfaceIdiom {
        switch form {
        case .phone: .phone
        case .tablet: .pad
        case .computer: .mac
        }
    }
    /// The system whose API this package implements, for apps that compare versions.
    public var systemName: String { "iOS" }
    public var systemVersion: String { "26.0" }
    /// Nil: the machine has no such identifier.
    public var identifierForVendor: UUID? { nil }

    /// Whether apps run in the background.
    public var isMultitaskingSupported: Bool { true }

    public var isGeneratingDeviceOrientationNotifications: Bool { state.withLock { $0.beginCount > 0 } }

    /// Starts posting notifications of changes. Calls can be nested.
    public func beginGeneratingDeviceOrientationNotifications() {
        let isFirst = state.withLock { state in
            state.beginCount += 1
            return state.beginCount == 1
        }
        guard isFirst else { return }
        let last = Lock(sensor.current)
        let observation = sensor.observe { [weak self] in
            guard let self else { return }
            let held = sensor.current
            let hasChanged = last.withLock { last in
                defer { last = held }
                return last != held
            }
            if hasChanged { system.deliver(on: .main) { self.postOrientationChange() } }
        }
        state.withLock { $0.observation = observation }
    }

    public func endGeneratingDeviceOrientationNotifications() {
        state.withLock { state in
            guard state.beginCount > 0 else { return }
            state.beginCount -= 1
            if state.beginCount == 0 { state.observation = nil }
        }
    }

    private func postOrientationChange() { center.post(name: Self.orientationDidChangeNotification, object: self) }
}
