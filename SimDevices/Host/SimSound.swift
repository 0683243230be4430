/// The sound that simulated microphones capture.
public enum SimSound: String, Sendable, Hashable, CaseIterable {
    /// The sound of the scene. Only the street has a sound, by day and at night. In other scenes, a microphone captures
    /// the tones of its profile.
    case scene
    /// The tones of the microphone's profile in every scene. `ToneProbe` measures audio timestamps with them.
    case tone
}
