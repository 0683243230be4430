/// A kind of work that an app declares for the background, with the values of the key `UIBackgroundModes` of iOS.
public enum BackgroundMode: String, Sendable, Hashable, CaseIterable {
    /// Players continue to play sound.
    case audio
}
