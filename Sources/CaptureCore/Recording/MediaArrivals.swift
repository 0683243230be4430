import CaptureHAL
import MediaTypes

/// How far the media of an output's connections have come, and how late they are.
struct MediaArrivals: Sendable {
    struct Arrival: Sendable {
        /// Where the last frame or chunk of sound ends.
        var end: CMTime
        /// How long after its capture it came: for sound counted from its end, for pictures from the frame's time.
        var latency: CMTime
        /// The length of the last frame or chunk; zero where unknown.
        var duration: CMTime
    }

    private var arrivals: [ObjectIdentifier: Arrival] = [:]
    /// The last chunk of sound: where it comes before it is heard, a recording that begins inside it wants it, too.
    private(set) var lastSound: (media: CapturedMedia, connection: AVCaptureConnection, end: CMTime)?

    subscript(connection: AVCaptureConnection) -> Arrival? { arrivals[ObjectIdentifier(connection)] }

    mutating func note(_ media: CapturedMedia, from connection: AVCaptureConnection, at now: CMTime) {
        let arrival =
            switch media.content {
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
        if case .audio = media.content { lastSound = (media, connection, arrival.end) }
    }

    mutating func forget() { self = MediaArrivals() }
}
