#if Everything || Scenarios
/// The options of an exploration of an app with generated scenarios.
public struct ExplorationOptions: Sendable {
    /// The seed of the random number generators. The same seed generates the same scenarios.
    public var seed: UInt64
    /// The number of generated scenarios.
    public var scenarioCount: Int
    /// The largest number of steps of a scenario.
    public var stepCount: Int
    /// The parts of the environment that act.
    public var events: ExplorationEvents
    /// The conditions that must hold.
    public var invariants: StandardInvariants
    /// The longest wait of the main thread in virtual time.
    public var mainThreadLimit: Duration
    /// The virtual time in which the app must be usable again after the environment is normal.
    public var recoveryLimit: Duration
    /// The name of a device profile.
    public var profile: String
    /// The name of a built-in scene.
    public var scene: String
    /// The folder of found scenarios, which are played first; nil for a folder beside the reports of failed tests.
    public var folder: String?

    /// Creates options.
    ///
    /// - Parameters:
    ///   - seed: The seed of the random number generators.
    ///   - scenarioCount: The number of generated scenarios.
    ///   - stepCount: The largest number of steps of a scenario, at least 1.
    ///   - events: The parts of the environment that act.
    ///   - invariants: The conditions that must hold.
    ///   - mainThreadLimit: The longest wait of the main thread in virtual time.
    ///   - recoveryLimit: The virtual time in which the app must be usable again after the environment is normal.
    ///   - profile: The name of a device profile.
    ///   - scene: The name of a built-in scene.
    ///   - folder: The folder of found scenarios, which are played first; nil for a folder beside the reports.
    public init(
        seed: UInt64 = 1, scenarioCount: Int = 300, stepCount: Int = 8, events: ExplorationEvents = .all,
        invariants: StandardInvariants = .all, mainThreadLimit: Duration = .seconds(1),
        recoveryLimit: Duration = .seconds(5), profile: String = "phone", scene: String = "grey",
        folder: String? = nil
    ) {
        (self.seed, self.scenarioCount, self.stepCount) = (seed, scenarioCount, stepCount)
        (self.events, self.invariants) = (events, invariants)
        (self.mainThreadLimit, self.recoveryLimit) = (mainThreadLimit, recoveryLimit)
        (self.profile, self.scene, self.folder) = (profile, scene, folder)
    }
}
#endif
