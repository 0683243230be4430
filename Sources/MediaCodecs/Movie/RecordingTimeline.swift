import MediaTypes

/// How the times of devices become times of the movie: zero at the start, without the spans in pause.
struct RecordingTimeline {
    /// A stretch of time that is recorded.
    struct Span {
        /// On the devices' clock.
        let start: CMTime
        /// On the devices' clock; nil while it lasts.
        var end: CMTime?
        /// Where it begins in the movie.
        let movieStart: CMTime

        /// Where a time falls, taken as if the span had no ends.
        func movieTime(of time: CMTime) -> CMTime { time - start + movieStart }

        var movieEnd: CMTime? { end.map(movieTime(of:)) }

        func contains(_ time: CMTime) -> Bool { time >= start && end.map { time < $0 } ?? true }
    }

    /// The last spans, in order: media may come late, yet not by more than a pause.
    private(set) var spans: [Span]

    init(start: CMTime) {
        spans = [Span(start: start, end: nil, movieStart: .zero)]
    }

    var isPaused: Bool { spans.last?.end != nil }

    /// Ends the span that lasts; nothing happens in a pause.
    mutating func pause(at time: CMTime) {
        guard let last = spans.last, last.end == nil else { return }
        spans[spans.count - 1].end = max(time, last.start)
    }

    /// Begins another span; nothing happens outside a pause.
    mutating func resume(at time: CMTime) {
        guard let last = spans.last, let end = last.end, let movieEnd = last.movieEnd else { return }
        spans.append(Span(start: max(time, end), end: nil, movieStart: movieEnd))
        if spans.count > 2 { spans.removeFirst() }
    }

    /// The time in the movie of something at `time`; nil where it falls before the start or into a pause.
    func movieTime(of time: CMTime) -> CMTime? {
        spans.last { $0.contains(time) }?.movieTime(of: time)
    }

    /// How long the movie is at `time`.
    func duration(at time: CMTime) -> CMTime {
        guard let last = spans.last else { return .zero }
        return last.movieEnd ?? last.movieTime(of: max(time, last.start))
    }
}
