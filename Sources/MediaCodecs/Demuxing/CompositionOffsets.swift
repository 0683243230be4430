package import MediaTypes

/// The composition offsets of a video track whose offsets can be negative and whose samples are in fragments.
///
/// libavformat adds the size of the largest negative offset that it has read so far to the presentation times of such a
/// track. Its video is then late relative to the sound, by an amount that can change between two fragments.
package struct CompositionOffsets {
    /// The time of the first presented sample.
    package let start: CMTime
    /// The offsets in ticks, by the position of the sample in the file.
    private let offsets: [Int64: Int32]
    /// The size of the largest negative offset in ticks.
    private let delay: Int64

    /// Collects the offsets of a track; nil if libavformat does not change its times.
    package init?(_ track: TrackMap, of movie: MovieMap) {
        guard movie.isFragmented, track.isVideo, let least = track.samples.runs.map(\.compositionOffset).min(),
            least < 0
        else { return nil }
        start = track.edits.isEmpty ? track.time(track.samples.presentationStart) : track.timeRange.start
        delay = -Int64(least)
        offsets = Dictionary(
            track.samples.runs.map { ($0.offset, $0.compositionOffset) }, uniquingKeysWith: { first, _ in first })
    }

    /// Replaces the presentation time of a packet with that of the file. The decode time moves as well, so that it is not
    /// later.
    package func apply(to packet: MediaPacket) {
        guard let position = packet.filePosition, let offset = offsets[position] else { return }
        packet.setTimes(offset: Int64(offset), delay: delay)
    }
}
