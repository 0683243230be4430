import Foundation
import MediaCodecs
import MediaFiles
import MediaTypes
import StrictYAML

/// A movie file with frames that are decoded on demand.
///
/// - Important: Thread-safe. The frame of a time does not depend on the order of calls.
final class SceneMovie: @unchecked Sendable, Hashable {
    // SAFETY: the state is only accessed under `lock`.

    /// A decoded frame.
    struct Frame {
        /// From 0, in presentation order.
        var index: Int
        /// 32BGRA.
        var pixels: CVPixelBuffer
    }

    /// Invariant: `current` is the frame of the last requested time; `upcoming` contains the decoded frames after it.
    private struct State {
        let reader: MediaFileReader
        var decoder: VideoDecoder
        // Start times are in nanoseconds since the start of the movie.
        var current: (index: Int, start: Int64, frame: VideoDecoder.Frame)
        var upcoming: [(start: Int64, frame: VideoDecoder.Frame)] = []
        var isAtEnd = false
        /// Total duration in nanoseconds; nil until the end has been reached once.
        var length: Int64?
        /// The last returned frame. It is retained because several cameras request the same one.
        var rendered: Frame?
    }

    let width: Int
    let height: Int
    private let loops: Bool
    private let lock: Lock<State>
    /// Duration in nanoseconds of frames without one.
    private let defaultDuration: Int64

    /// Opens a movie and decodes its first frame.
    ///
    /// - Parameter loops: Whether to repeat the movie; if not, its last frame remains visible.
    /// - Throws: `YAMLError` at the file's name if it does not exist or cannot be decoded.
    init(_ value: YAMLValue, loops: Bool) throws(YAMLError) {
        let path = try value.siblingPath()
        do throws(MediaFileError) {
            let reader = try MediaFileReader(path: path)
            guard let track = reader.tracks.first(where: \.isVideo), case .video(let video) = track.content else {
                throw MediaFileError(.noMedia, path: path, "\(path) has no video track")
            }
            reader.select([track.index])
            defaultDuration = max(1, video.frameDuration.isNumeric ? video.frameDuration.nanoseconds : 33_333_333)
            self.loops = loops
            let decoder = try VideoDecoder(reader: reader, track: track)
            let (frames, isAtEnd) = try Self.decodeSome(reader, decoder)
            guard let first = frames.first else {
                throw MediaFileError(.noMedia, path: path, "no frame of \(path) can be decoded")
            }
            (width, height) = (first.width, first.height)
            let origin = first.time.isNumeric ? first.time.nanoseconds : 0
            var state = State(reader: reader, decoder: decoder, current: (0, 0, first), isAtEnd: isAtEnd)
            Self.append(frames.dropFirst(), into: &state, origin: origin, defaultDuration: defaultDuration)
            lock = Lock(state)
            originNanoseconds = origin
        } catch {
            throw value.error(error.message, "name a movie that \"obscura inspect\" can play")
        }
    }

    /// Timestamp of the first frame in the file.
    private let originNanoseconds: Int64

    static func == (a: SceneMovie, b: SceneMovie) -> Bool { a === b }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// Returns the frame for a time since the start of the scene. If it cannot be rendered, returns the previously
    /// returned frame, or nil if there is none.
    func frame(at nanoseconds: Int64) -> Frame? {
        lock.withLock { state in
            // If frames cannot be decoded, the previous one remains visible.
            try? seek(&state, to: max(0, nanoseconds))
            if let rendered = state.rendered, rendered.index == state.current.index { return rendered }
            var pixels: CVPixelBuffer?
            CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_32BGRA, nil, &pixels)
            guard let pixels, (try? state.decoder.render(state.current.frame, into: pixels)) != nil else {
                return state.rendered
            }
            let rendered = Frame(index: state.current.index, pixels: pixels)
            state.rendered = rendered
            return rendered
        }
    }

    /// Makes the frame of a time the current one.
    private func seek(_ state: inout State, to nanoseconds: Int64) throws(MediaFileError) {
        var time = nanoseconds
        if loops, let length = state.length { time %= length }
        if time < state.current.start { try rewind(&state) }
        while true {
            while let next = state.upcoming.first, next.start <= time {
                state.current = (state.current.index + 1, next.start, next.frame)
                state.upcoming.removeFirst()
            }
            guard state.upcoming.isEmpty else { return }
            if state.isAtEnd {
                let duration = state.current.frame.duration
                let last = duration.isNumeric && duration.nanoseconds > 0 ? duration.nanoseconds : defaultDuration
                let length = state.current.start + last
                state.length = length
                guard loops, time >= length else { return }
                time %= length
                try rewind(&state)
                continue
            }
            let (frames, isAtEnd) = try Self.decodeSome(state.reader, state.decoder)
            state.isAtEnd = isAtEnd
            Self.append(frames[...], into: &state, origin: originNanoseconds, defaultDuration: defaultDuration)
        }
    }

    /// Makes the first frame the current one.
    private func rewind(_ state: inout State) throws(MediaFileError) {
        try state.reader.rewind()
        state.decoder.reset()
        let (frames, isAtEnd) = try Self.decodeSome(state.reader, state.decoder)
        guard let first = frames.first else {
            throw MediaFileError(.noMedia, path: state.reader.path, "\(state.reader.path) has changed")
        }
        state.current = (0, 0, first)
        state.upcoming = []
        state.isAtEnd = isAtEnd
        Self.append(frames.dropFirst(), into: &state, origin: originNanoseconds, defaultDuration: defaultDuration)
    }

    /// Appends frames to the upcoming ones. Start times that do not ascend in the file are corrected.
    private static func append(
        _ frames: ArraySlice<VideoDecoder.Frame>, into state: inout State, origin: Int64, defaultDuration: Int64
    ) {
        for frame in frames {
            let before = state.upcoming.last?.start ?? state.current.start
            let reported = frame.time.isNumeric ? frame.time.nanoseconds - origin : before + defaultDuration
            state.upcoming.append((max(reported, before + 1), frame))
        }
    }

    /// Reads until there is a frame, or the end is reached.
    private static func decodeSome(
        _ reader: MediaFileReader, _ decoder: VideoDecoder
    ) throws(MediaFileError) -> (frames: [VideoDecoder.Frame], isAtEnd: Bool) {
        while true {
            switch try reader.next() {
            case .packet(let packet):
                let frames = try decoder.decode(packet).frames
                if !frames.isEmpty { return (frames, false) }
            case .damaged: continue
            case .end: return (try decoder.decode(nil).frames, true)
            }
        }
    }
}
