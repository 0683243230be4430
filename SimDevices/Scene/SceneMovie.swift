import Foundation
import MediaCodecs
import MediaTypes
import StrictYAML

/// A movie file whose frames are decoded when they are asked for.
///
/// - Important: Thread-safe. The same time gives the same frame, in any order of asking.
final class SceneMovie: @unchecked Sendable, Hashable {
    // SAFETY: the state is used under `lock` alone.
    /// A decoded frame.
    struct Frame {
        /// From 0, in the order of presentation.
        var index: Int
        /// 32BGRA.
        var pixels: CVPixelBuffer
    }

    /// Invariant: `present` is the frame whose time is reached, `upcoming` holds those after it that are decoded.
    private struct State {
        let reader: MediaFileReader
        var decoder: VideoDecoder
        var present: (index: Int, start: Int64, frame: VideoDecoder.Frame)
        var upcoming: [(start: Int64, frame: VideoDecoder.Frame)] = []
        var isSpent = false
        /// Nanoseconds of the whole; nil until the end was seen.
        var length: Int64?
        /// What was asked for last, as several cameras ask for the same.
        var rendered: Frame?
    }

    let width: Int
    let height: Int
    private let loops: Bool
    private let lock: Lock<State>
    /// What a frame lasts where nothing is said, in nanoseconds.
    private let usualDuration: Int64

    /// Opens a movie and decodes its first frame.
    ///
    /// - Parameter loops: Whether it begins anew at its end; else its last frame stays.
    /// - Throws: `YAMLError` at the file's name where it is missing or cannot be used.
    init(_ value: YAMLValue, loops: Bool) throws(YAMLError) {
        let path = try value.neighbour()
        do throws(MediaFileError) {
            let reader = try MediaFileReader(path: path)
            guard let track = reader.tracks.first(where: \.isVideo), case .video(let video) = track.content else {
                throw MediaFileError(.noMedia, path: path, "\(path) has no picture")
            }
            reader.select([track.index])
            usualDuration = max(1, video.frameDuration.isNumeric ? video.frameDuration.nanoseconds : 33_333_333)
            self.loops = loops
            let decoder = try VideoDecoder(reader: reader, track: track)
            let (frames, isSpent) = try Self.decodeSome(reader, decoder)
            guard let first = frames.first else {
                throw MediaFileError(.noMedia, path: path, "no picture of \(path) can be decoded")
            }
            (width, height) = (first.width, first.height)
            let origin = first.time.isNumeric ? first.time.nanoseconds : 0
            var state = State(reader: reader, decoder: decoder, present: (0, 0, first), isSpent: isSpent)
            Self.queue(frames.dropFirst(), into: &state, origin: origin, usual: usualDuration)
            lock = Lock(state)
            originNanoseconds = origin
        } catch {
            throw value.error(error.message, "name a movie that \"obscura inspect\" can play")
        }
    }

    /// Of the first frame in the file.
    private let originNanoseconds: Int64

    static func == (a: SceneMovie, b: SceneMovie) -> Bool { a === b }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// The frame that is seen at a time since the scene began; nil where the file cannot be read any more.
    func frame(at nanoseconds: Int64) -> Frame? {
        lock.withLock { state in
            // What cannot be decoded is not there: the frame before it stays.
            try? seek(&state, to: max(0, nanoseconds))
            if let rendered = state.rendered, rendered.index == state.present.index { return rendered }
            var pixels: CVPixelBuffer?
            CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_32BGRA, nil, &pixels)
            guard let pixels, (try? state.decoder.render(state.present.frame, into: pixels)) != nil else {
                return state.rendered
            }
            let rendered = Frame(index: state.present.index, pixels: pixels)
            state.rendered = rendered
            return rendered
        }
    }

    private func seek(_ state: inout State, to nanoseconds: Int64) throws(MediaFileError) {
        var time = nanoseconds
        if loops, let length = state.length { time %= length }
        if time < state.present.start { try rewind(&state) }
        while true {
            while let next = state.upcoming.first, next.start <= time {
                state.present = (state.present.index + 1, next.start, next.frame)
                state.upcoming.removeFirst()
            }
            guard state.upcoming.isEmpty else { return }
            if state.isSpent {
                let duration = state.present.frame.duration
                let last = duration.isNumeric && duration.nanoseconds > 0 ? duration.nanoseconds : usualDuration
                let length = state.present.start + last
                state.length = length
                guard loops, time >= length else { return }
                time %= length
                try rewind(&state)
                continue
            }
            let (frames, isSpent) = try Self.decodeSome(state.reader, state.decoder)
            state.isSpent = isSpent
            Self.queue(frames[...], into: &state, origin: originNanoseconds, usual: usualDuration)
        }
    }

    private func rewind(_ state: inout State) throws(MediaFileError) {
        try state.reader.rewind()
        state.decoder.reset()
        let (frames, isSpent) = try Self.decodeSome(state.reader, state.decoder)
        guard let first = frames.first else {
            throw MediaFileError(.noMedia, path: state.reader.path, "\(state.reader.path) has changed")
        }
        state.present = (0, 0, first)
        state.upcoming = []
        state.isSpent = isSpent
        Self.queue(frames.dropFirst(), into: &state, origin: originNanoseconds, usual: usualDuration)
    }

    /// Appends frames at their times, which ascend whatever the file says.
    private static func queue(
        _ frames: ArraySlice<VideoDecoder.Frame>, into state: inout State, origin: Int64, usual: Int64
    ) {
        for frame in frames {
            let before = state.upcoming.last?.start ?? state.present.start
            let told = frame.time.isNumeric ? frame.time.nanoseconds - origin : before + usual
            state.upcoming.append((max(told, before + 1), frame))
        }
    }

    /// Reads on until there is a frame or the end.
    private static func decodeSome(
        _ reader: MediaFileReader, _ decoder: VideoDecoder
    ) throws(MediaFileError) -> (frames: [VideoDecoder.Frame], isSpent: Bool) {
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
