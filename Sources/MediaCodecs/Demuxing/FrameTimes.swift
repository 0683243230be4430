/// The frames of a video track in the order in which they are shown.
package struct FrameTimes: Sendable {
    package struct Frame: Sendable, Hashable {
        /// Ticks of the track's media.
        package var start: Int64
        package var end: Int64
        /// Its place in decode order.
        package var sample: Int
    }

    /// Ascending, each ending where the next begins.
    package let frames: [Frame]

    package init(_ samples: SampleMap) {
        var frames = samples.runs.enumerated().map { index, run in
            Frame(start: run.presentationTime, end: run.presentationTime + Int64(run.duration), sample: index)
        }
        if samples.isReordered { frames.sort { ($0.start, $0.sample) < ($1.start, $1.sample) } }
        for index in frames.indices.dropLast() { frames[index].end = frames[index + 1].start }
        self.frames = frames
    }

    /// The frame that is shown at a tick: the last that begins by then; nil before the first.
    package func index(at tick: Int64) -> Int? {
        var (low, high) = (0, frames.count)
        while low < high {
            let middle = (low + high) / 2
            if frames[middle].start <= tick { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? low - 1 : nil
    }
}
