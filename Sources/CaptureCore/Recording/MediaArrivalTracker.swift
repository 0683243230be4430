import CaptureHAL
import MediaTypes

/// Tracks the last media of each connection of an output, and their latency.
struct MediaArrivalTracker: Sendable {
    /// The last media of a connection.
    struct Arrival: Sendable {
        /// The end time of the last frame or audio chunk.
        var end: CMTime
        /// The time from capture to arrival: for audio from the end of the chunk, for video from the frame's timestamp.
        var latency: CMTime
        /// The duration of the last frame or chunk; zero if unknown.
        var duration: CMTime
    }

    private var arrivals: [ObjectIdentifier: Arrival] = [:]
    /// The last audio chunk. A recording that starts inside this chunk must include it.
    private(set) var lastAudio: (media: CapturedMedia, connection: AVCaptureConnection, end: CMTime)?

    subscript(connection: AVCaptureConnection) -> Arrival? { arrivals[ObjectIdentifier(connection)] }

    /// Records the arrival of media.
    mutating func record(_ media: CapturedMedia, from connection: AVCaptureConnection, at now: CMTime) {
        let arrival =
            switch media {
            case .video(let frame):
                Arrival(
                    end: frame.duration.isNumeric ? frame.presentationTime + frame.duration : frame.presentationTime,
                    latency: now - frame.presentationTime,
                    duration: frame.duration.isNumeric ? frame.duration : .zero)
            case .audio(let chunk):
                Arrival(
                    end: chunk.presentationTime + chunk.duration,
                    latency: now - chunk.presentationTime - chunk.duration, duration: chunk.duration)
            }
        arrivals[ObjectIdentifier(connection)] = arrival
        if case .audio = media { lastAudio = (media, connection, arrival.end) }
    }

    /// Records that a frame of a connection will arrive after a delay, which may be longer than for earlier frames.
    mutating func expect(
        _ frame: CapturedFrame, from connection: AVCaptureConnection, at now: CMTime, after delay: CMTime
    ) {
        let duration = frame.duration.isNumeric ? frame.duration : .zero
        var arrival = self[connection] ?? Arrival(end: frame.presentationTime, latency: .zero, duration: duration)
        arrival.latency = max(arrival.latency, now + delay - frame.presentationTime)
        arrivals[ObjectIdentifier(connection)] = arrival
    }

    /// Discards all arrivals.
    mutating func reset() { self = MediaArrivalTracker() }
}
