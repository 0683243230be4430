/// The frames of a video track in presentation order.
package struct FrameTimes: Sendable {
    /// One frame.
    package struct Frame: Sendable, Hashable {
        /// The presentation time, in ticks of the track's time scale.
        package var start: Int64
        /// The end of the presentation, in ticks of the track's time scale.
        package var end: Int64
        /// The index of the sample in decode order.
        package var sample: Int
    }

    /// The frames in ascending order; each frame ends at the start of the next.
    package let frames: [Frame]

    /// Creates the list from the samples of a track.
    package init(_ samples: SampleMap) {
        var frames = samples.runs.enumerated().map { index, run in
            Frame(start: run.presentationTime, end: run.presentationTime + Int64(run.duration), sample: index)
        }
        if samples.isReordered { frames.sort { ($0.start, $0.sample) < ($1.start, $1.sample) } }
        for index in frames.indices.dropLast() { frames[index].end = frames[index + 1].start }
        self.frames = frames
    }

    /// Returns the index of the frame presented at a tick: the last that begins at or before it; nil before the first.
    package func index(at tick: Int64) -> Int? {
        var (low, high) = (0, frames.count)
        while low < high {
            let middle = (low + high) / 2
            if frames[middle].start <= tick { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? low - 1 : nil
    }
}
