import MediaTypes

/// What one player plays from a time of the clock on.
struct SoundSegment: Sendable {
    /// Nil for silence.
    var source: SoundSource?
    /// The time of the clock at which the segment starts.
    let hostStart: CMTime
    let gain: Float

    var isAudible: Bool { source?.isAudible == true && gain > 0 }

    /// Whether the segment would be played in the same way without its start.
    func continues(_ other: SoundSegment) -> Bool {
        guard isAudible || other.isAudible else { return true }
        guard let source, let previous = other.source, gain == other.gain else { return false }
        return source === previous
    }
}
