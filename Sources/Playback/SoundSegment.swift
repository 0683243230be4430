import MediaTypes

/// What one player plays from a time of the clock on.
struct SoundSegment: Sendable {
    /// Nil for silence.
    var source: SoundSource?
    /// The time of the clock at which the segment starts.
    let hostStart: CMTime
    let gain: Float

    var isAudible: Bool { source?.isAudible == true && gain > 0 }

    /// Whether the sound would be the same if `other` did not end at the start of this segment.
    func continues(_ other: SoundSegment) -> Bool {
        guard isAudible || other.isAudible else { return true }
        guard let source, let previous = other.source, gain == other.gain else { return false }
        return source === previous
    }
}
