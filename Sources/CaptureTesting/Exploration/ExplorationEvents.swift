#if Everything || Scenarios
/// The parts of an app's environment that act in generated scenarios.
///
/// There are no actions for a low battery, changes of the audio route, memory warnings, changes of the system time, and
/// alarms other than as short calls. Slow queues are covered by the order of work, which differs between scenarios.
public struct ExplorationEvents: OptionSet, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Permissions that are not determined at the beginning, and the user's answers to the prompts.
    public static let prompts = ExplorationEvents(rawValue: 1 << 0)
    /// Permissions that the user changes in Settings, including a limited photo library.
    public static let settings = ExplorationEvents(rawValue: 1 << 1)
    /// Phone calls and alarms, which can end or continue.
    public static let calls = ExplorationEvents(rawValue: 1 << 2)
    /// The app enters the background and the foreground.
    public static let background = ExplorationEvents(rawValue: 1 << 3)
    /// Other apps that use the camera.
    public static let otherApps = ExplorationEvents(rawValue: 1 << 4)
    /// Cameras and microphones that are unplugged and plugged in. On a machine with built-in devices only, there are
    /// none.
    public static let unplugging = ExplorationEvents(rawValue: 1 << 5)
    /// Stalls and failures of devices, and failures of the media services.
    public static let failures = ExplorationEvents(rawValue: 1 << 6)
    /// System pressure.
    public static let heat = ExplorationEvents(rawValue: 1 << 7)
    /// A full disk.
    public static let storage = ExplorationEvents(rawValue: 1 << 8)
    /// A photo library that is not available.
    public static let photoLibrary = ExplorationEvents(rawValue: 1 << 9)
    /// Rotations of the phone.
    public static let rotation = ExplorationEvents(rawValue: 1 << 10)
    /// Changes of the light.
    public static let light = ExplorationEvents(rawValue: 1 << 11)
    /// Jumps of the clocks of devices.
    public static let clocks = ExplorationEvents(rawValue: 1 << 12)
    /// Random orders of the work that is ready at the same time. Without it, work runs in the order of submission.
    public static let orders = ExplorationEvents(rawValue: 1 << 13)

    /// All parts.
    public static let all = ExplorationEvents(rawValue: (1 << 14) - 1)
}
#endif
