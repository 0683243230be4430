/// What the simulated microphones hear.
public enum SimSound: String, Sendable, Hashable, CaseIterable {
    /// The sound of the scene. All scenes but the street, by day and at night, have no sound of their own: there,
    /// microphones hear the tones of their profile.
    case scene
    /// The tones of the microphone's profile, whatever the scene. `ToneProbe` measures audio timestamps with them.
    case tone
}
