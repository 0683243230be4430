public import CaptureHAL
import Foundation

/// A host that is to be checked, with all that the checks need beside it.
///
/// Every check gets a new one, so that none sees what another left behind.
public struct ConformanceSubject: Sendable {
    public var host: any HardwareHost
    public var time: ConformanceTime
    /// What goes wrong at a word; empty where nothing can be told to.
    public var levers: HostLevers
    public var traits: HostTraits
    /// What the host must give back, counted now, by name; the process's file descriptors where nobody says otherwise.
    public var resources: @Sendable () -> [String: Int]
    /// Called once, when the check is over; what it throws is a failure of the check.
    public var tearDown: @Sendable () throws -> Void

    public init(
        host: any HardwareHost, time: ConformanceTime, levers: HostLevers = HostLevers(),
        traits: HostTraits = HostTraits(),
        resources: @escaping @Sendable () -> [String: Int] = { ["file descriptors": Self.fileDescriptorCount] },
        tearDown: @escaping @Sendable () throws -> Void = {}
    ) {
        self.host = host
        self.time = time
        self.levers = levers
        self.traits = traits
        self.resources = resources
        self.tearDown = tearDown
    }

    /// How many file descriptors the process has open.
    public static var fileDescriptorCount: Int {
        // The listing itself has one open; where there is no /proc, nothing is counted.
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }
}

/// What is particular about a host, so that it is held to no more than it can do.
public struct HostTraits: Sendable {
    /// How far a frame may lie from its place behind the first one, as a share of the frame duration.
    public var frameTolerance = 0.02
    /// How far sound may lie from its time, in seconds.
    public var soundTolerance = 0.001
    /// Whether frames come as far apart as was asked; false where the source has its own times, as a movie.
    public var followsFrameDuration = true
    /// Whether the source is over at some time, as a file that does not loop.
    public var endsByItself = false
    /// The most formats of one device that are streamed; the first and the last are among them.
    public var formatLimit = 6
    /// How long the first frame, or an answer of the hardware's, may take on the host's clock.
    public var patience: Duration = .seconds(5)
    /// How long a check may take in real time before it counts as hanging.
    public var checkLimit: Duration = .seconds(120)
    /// Checks that make no sense on this host, and why.
    public var exemptions: [HostCheck: String] = [:]

    public init() {}

    /// Tolerances for hardware in real time on a machine that does other things too.
    public static var hardware: HostTraits {
        var traits = HostTraits()
        traits.frameTolerance = 1
        traits.soundTolerance = 0.02
        return traits
    }
}

/// What can be done to a host from outside; nil is what cannot, and the checks that need it are skipped by name.
///
/// Each gets the `uniqueID` of the device. One that cannot be moved for this device throws `ConformanceSkip`.
public struct HostLevers: Sendable {
    public typealias Lever = @Sendable (_ uniqueID: String) throws -> Void

    /// Pulls the device's plug.
    public var unplug: Lever?
    /// Plugs it in again.
    public var plug: Lever?
    /// Lets a client outside this process hold the device.
    public var takeAway: Lever?
    /// Lets that client go.
    public var giveBack: Lever?
    /// Takes the right to open the device from this process.
    public var deny: Lever?
    /// Gives the right back.
    public var allow: Lever?
    /// Loses so many frames or, of sound, chunks while the device streams.
    public var loseFrames: (@Sendable (_ uniqueID: String, _ count: Int) throws -> Void)?
    /// Damages the next frame.
    public var damageFrame: Lever?
    /// Lets the stream fail, and tells by which code; the device stays connected.
    public var failStream: (@Sendable (_ uniqueID: String) throws -> DeviceError.Code)?
    /// Lets the device itself change a control, as an automatic loop does, and tells which.
    public var changeControl: (@Sendable (_ uniqueID: String, _ device: any OpenDevice) throws -> DeviceControl)?

    public init() {}
}

/// Thrown by a check or a lever where a device cannot take the check.
public struct ConformanceSkip: Error, Sendable, Hashable {
    public let reason: String

    public init(_ reason: String) { self.reason = reason }
}
