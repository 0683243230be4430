import MediaTypes

/// Converts times on the devices' clock to times on the movie's timeline, which is zero at the start of the recording
/// and excludes pauses.
struct RecordingTimeline {
    /// A time span that is recorded: from the start of the recording, or the end of a pause, to the next pause.
    struct Span {
        /// The start on the devices' clock.
        let start: CMTime
        /// The end on the devices' clock; nil for the current span.
        var end: CMTime?
        /// The start on the movie's timeline.
        let movieStart: CMTime

        /// Converts a time of the devices to a time of the movie, also outside the span.
        func movieTime(of time: CMTime) -> CMTime { time - start + movieStart }

        var movieEnd: CMTime? { end.map(movieTime(of:)) }

        func contains(_ time: CMTime) -> Bool { time >= start && end.map { time < $0 } ?? true }
    }

    /// The last two spans in order: media of the span before a pause may arrive after the pause.
    private(set) var spans: [Span]

    init(start: CMTime) {
        spans = [Span(start: start, end: nil, movieStart: .zero)]
    }

    var isPaused: Bool { spans.last?.end != nil }

    /// Ends the current span; does nothing during a pause.
    mutating func pause(at time: CMTime) {
        guard let last = spans.last, last.end == nil else { return }
        spans[spans.count - 1].end = max(time, last.start)
    }

    /// Begins another span; does nothing outside a pause.
    mutating func resume(at time: CMTime) {
        guard let last = spans.last, let end = last.end, let movieEnd = last.movieEnd else { return }
        spans.append(Span(start: max(time, end), end: nil, movieStart: movieEnd))
        if spans.count > 2 { spans.removeFirst() }
    }

    /// Returns the movie time of `time`; nil before the start or during a pause.
    func movieTime(of time: CMTime) -> CMTime? {
        spans.last { $0.contains(time) }?.movieTime(of: time)
    }

    /// Returns the duration of the movie at `time`.
    func duration(at time: CMTime) -> CMTime {
        guard let last = spans.last else { return .zero }
        return last.movieEnd ?? last.movieTime(of: max(time, last.start))
    }
}
