#if Everything || Scenarios
/// Conditions that hold for every app in every scenario. An app adds its own with `ScenarioApp.invariant(_:within:_:)`.
public struct StandardInvariants: OptionSet, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The app makes no call that raises an exception on Apple's systems.
    public static let noMisuse = StandardInvariants(rawValue: 1 << 0)
    /// There are no warnings about faults that raise no exception, such as a delegate that no object retains.
    public static let noWarnings = StandardInvariants(rawValue: 1 << 1)
    /// At the end, no thread waits, and each action of the app has returned.
    public static let noEndlessWaits = StandardInvariants(rawValue: 1 << 2)
    /// Each recording that has started finishes exactly once, unless it is in progress at the end.
    public static let recordingsFinishOnce = StandardInvariants(rawValue: 1 << 3)
    /// Each photo finishes exactly once.
    public static let photosFinishOnce = StandardInvariants(rawValue: 1 << 4)
    /// A movie that was reported as good can be played, and is not longer than its recording.
    public static let goodMoviesPlay = StandardInvariants(rawValue: 1 << 5)
    /// Each movie that the app has added to the photo library can be played, and is a complete recording. Remove it for
    /// an app that edits movies.
    public static let savedMoviesAreComplete = StandardInvariants(rawValue: 1 << 6)
    /// No frames or sound arrive later than 0.2 s after a session has stopped.
    public static let nothingAfterStop = StandardInvariants(rawValue: 1 << 7)
    /// No frames arrive later than 1 s after the app has entered the background.
    public static let releasesDevicesInBackground = StandardInvariants(rawValue: 1 << 8)
    /// The main thread never waits longer than `ExplorationOptions.mainThreadLimit`.
    public static let mainThreadResponds = StandardInvariants(rawValue: 1 << 9)
    /// When the environment is normal again, the app can be used within `ExplorationOptions.recoveryLimit`. The app
    /// sets the condition with `ScenarioApp.usable(when:)`.
    public static let recovers = StandardInvariants(rawValue: 1 << 10)
    /// After the app is released, no object, file, thread or frame is left.
    public static let noLeaks = StandardInvariants(rawValue: 1 << 11)

    /// All conditions.
    public static let all = StandardInvariants(rawValue: (1 << 12) - 1)

    /// The name of a single condition in reports.
    var name: String {
        let names: [(StandardInvariants, String)] = [
            (.noMisuse, "no misuse"), (.noWarnings, "no warnings"), (.noEndlessWaits, "no endless waits"),
            (.recordingsFinishOnce, "recordings finish once"), (.photosFinishOnce, "photos finish once"),
            (.goodMoviesPlay, "good movies play"), (.savedMoviesAreComplete, "saved movies are complete"),
            (.nothingAfterStop, "nothing after a stop"),
            (.releasesDevicesInBackground, "no frames in the background"),
            (.mainThreadResponds, "the main thread responds"), (.recovers, "the app recovers"),
            (.noLeaks, "no leaks"),
        ]
        return names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
    }
}

/// An invariant that does not hold.
struct Violation: Sendable, Hashable {
    /// The name of the invariant.
    let invariant: String
    /// What happened.
    let detail: String
    /// Identifies violations with the same cause: the invariant, and for some of them a part of the detail.
    let key: String

    init(_ invariant: String, _ detail: String, kind: String = "") {
        self.invariant = invariant
        self.detail = detail
        key = invariant + "\n" + kind.filter { !$0.isNumber }
    }

    init(_ invariant: StandardInvariants, _ detail: String, kind: String = "") {
        self.init(invariant.name, detail, kind: kind)
    }
}
#endif
