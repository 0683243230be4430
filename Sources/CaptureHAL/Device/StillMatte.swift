/// A matte that a camera delivers with a still: one value for each part of the image, from 0 outside to 255 inside.
public enum StillMatte: Sendable, Hashable, CaseIterable {
    /// The people in the foreground.
    case portraitEffects
    /// The skin of all people, without eyes and lips.
    case skin
    /// The hair of all people.
    case hair
    /// The teeth of all people.
    case teeth
    /// The glasses of all people.
    case glasses
}
