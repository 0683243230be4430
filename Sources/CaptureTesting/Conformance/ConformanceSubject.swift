public import CaptureHAL
import Foundation

/// A host under test, with the time, actions and traits that the checks need.
///
/// Each check gets a new subject, so that checks are independent.
public struct ConformanceSubject: Sendable {
    /// The host.
    public var host: any HardwareHost
    /// The clock of the host, and a function that advances it.
    public var time: ConformanceTime
    /// The actions that change the host from outside; by default none.
    public var actions: HostActions
    /// The properties of the host that the checks take into account.
    public var traits: HostTraits
    /// Returns the current counts of the resources that the host must release, by name; by default the file descriptors
    /// of the process.
    public var resources: @Sendable () -> [String: Int]
    /// Called once after the check. If it throws, the check fails.
    public var tearDown: @Sendable () throws -> Void

    /// Creates a subject.
    public init(
        host: any HardwareHost, time: ConformanceTime, actions: HostActions = HostActions(),
        traits: HostTraits = HostTraits(),
        resources: @escaping @Sendable () -> [String: Int] = { ["file descriptors": Self.fileDescriptorCount] },
        tearDown: @escaping @Sendable () throws -> Void = {}
    ) {
        self.host = host
        self.time = time
        self.actions = actions
        self.traits = traits
        self.resources = resources
        self.tearDown = tearDown
    }

    /// The number of open file descriptors of the process.
    public static var fileDescriptorCount: Int {
        // Each count includes the descriptor that lists the directory. Without /proc the count is 0.
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }
}

/// The properties of a host that the checks take into account.
public struct HostTraits: Sendable {
    /// Whether the time of each frame and audio chunk is exact, and none is lost. If false, the checks rely only on
    /// the order and the average rate: a busy machine can delay or lose any frame.
    public var hasExactTimes = true
    /// The tolerance of frame times (relative to the first frame) or of the average frame rate, and of frame durations,
    /// as a fraction of the frame duration.
    public var frameTolerance = 0.02
    /// The tolerance of the timestamps of audio chunks, if they are exact.
    public var audioToleranceSeconds = 0.001
    /// Whether frames have the requested duration; false for a source with its own timestamps, such as a movie.
    public var followsFrameDuration = true
    /// Whether streams end without a call to `stop()`, as for a file that does not loop.
    public var endsByItself = false
    /// The maximum number of formats to stream per device. A limit of 2 or more includes the first and last formats.
    public var formatLimit = 6
    /// The timeout for frames and for effects of actions, on the clock of the host.
    public var timeout: Duration = .seconds(5)
    /// The timeout of a check in real time.
    public var checkTimeout: Duration = .seconds(120)
    /// Checks that do not apply to the host, with the reasons.
    public var exemptions: [HostCheck: String] = [:]

    /// Creates the default traits, for a host with exact timestamps.
    public init() {}

    /// The default traits for real devices in real time, whose times are not exact.
    public static var hardware: HostTraits {
        var traits = HostTraits()
        traits.hasExactTimes = false
        traits.frameTolerance = 0.3
        return traits
    }
}

/// Actions that change a host from outside. A check that needs a missing action is skipped.
///
/// Each action receives the `uniqueID` of a device, and throws `ConformanceSkip` if it is impossible for that device.
public struct HostActions: Sendable {
    /// An action on a device.
    public typealias Action = @Sendable (_ uniqueID: String) throws -> Void

    /// Disconnects the device.
    public var disconnect: Action?
    /// Reconnects the device.
    public var reconnect: Action?
    /// Makes another application use the device.
    public var beginUseByAnotherApplication: Action?
    /// Makes the other application stop using the device.
    public var endUseByAnotherApplication: Action?
    /// Denies this process the permission to open the device.
    public var denyPermission: Action?
    /// Grants the permission again.
    public var grantPermission: Action?
    /// Causes the loss of a number of frames or audio chunks while the device streams.
    public var loseFrames: (@Sendable (_ uniqueID: String, _ count: Int) throws -> Void)?
    /// Corrupts the next frame.
    public var damageFrame: Action?
    /// Makes the stream fail and returns the error code. The device stays connected.
    public var failStream: (@Sendable (_ uniqueID: String) throws -> DeviceError.Code)?
    /// Makes the device change the value of a control by itself, as an automatic mode does. Returns the control.
    public var changeControl: (@Sendable (_ uniqueID: String, _ device: any OpenDevice) throws -> DeviceControl)?

    /// Creates an empty set of actions.
    public init() {}
}

/// Thrown by a check or an action if the check does not apply to a device.
public struct ConformanceSkip: Error, Sendable, Hashable {
    /// The reason, as the report states it.
    public let reason: String

    /// Creates a skip with a reason.
    public init(_ reason: String) { self.reason = reason }
}
