import CaptureHAL
import MediaTypes
import PixelKernels

/// Takes the events of one run of a stream, looks into each, and keeps what is known of them.
///
/// - Important: Thread-safe.
final class ConformanceReceiver: Sendable {
    /// An event without its payload.
    struct Seen: Sendable {
        enum Kind: Sendable, Hashable {
            case video, audio
            case dropped(DroppedFrame.Reason)
            case failed(DeviceError)
            case ended
        }

        var kind: Kind
        /// Its own time, and that of the clock when it came.
        var time: CMTime
        var arrival: CMTime
        var duration = CMTime.invalid
        var sequenceNumber: UInt64?
        var samplePosition: Int64 = 0
        var frameCount = 0
        var followsDiscontinuity = false
        var isSilent = false
        var settings = FrameSettings()

        var isPayload: Bool { kind == .video || kind == .audio }
        var isLast: Bool {
            switch kind {
            case .failed, .ended: true
            case .video, .audio, .dropped: false
            }
        }
    }

    private struct State {
        var seen: [Seen] = []
        var problems: [String] = []
        var held: [(payload: VideoFrame.Payload, checksum: PixelChecksum?)] = []
        var heldLimit: Int
        var isInside = false
        /// Nothing may come any more.
        var isClosed = false
    }

    private let format: StreamFormat
    private let clock: any CaptureClock
    private let onEvent: (@Sendable (_ count: Int) -> Void)?
    private let state: Lock<State>

    /// - Parameters:
    ///   - holding: So many frames are kept.
    ///   - onEvent: Runs inside each event, with the number of events so far.
    init(
        _ format: StreamFormat, _ clock: any CaptureClock, holding: Int = 0,
        onEvent: (@Sendable (_ count: Int) -> Void)? = nil
    ) {
        self.format = format
        self.clock = clock
        self.onEvent = onEvent
        state = Lock(State(heldLimit: holding))
    }

    var seen: [Seen] { state.withLock { $0.seen } }
    /// Frames and chunks, without what was dropped.
    var payloads: [Seen] { seen.filter(\.isPayload) }
    var payloadCount: Int { state.withLock { state in state.seen.count { $0.isPayload } } }
    var isOver: Bool { state.withLock { $0.seen.last?.isLast ?? false } }
    var drops: [DroppedFrame.Reason] {
        seen.compactMap { if case .dropped(let reason) = $0.kind { reason } else { nil } }
    }
    /// What is wrong with the events themselves.
    var problems: [String] { state.withLock { $0.problems } }
    /// Whether an event is under way.
    var isInside: Bool { state.withLock { $0.isInside } }
    var heldCount: Int { state.withLock { $0.held.count } }

    /// From now on every event is one too many.
    func close() { state.withLock { $0.isClosed = true } }

    /// Lets go of the frames that are held, and holds no more.
    func release() {
        let held = state.withLock { state in
            defer {
                state.held = []
                state.heldLimit = 0
            }
            return state.held
        }
        withExtendedLifetime(held) {}
    }

    /// Which of the held frames have changed since they came, counted from 0.
    var changedHeldFrames: [Int] {
        let held = state.withLock { $0.held }
        return held.indices.filter { Self.checksum(of: held[$0].payload) != held[$0].checksum }
    }

    func receive(_ event: StreamEvent) {
        let mustHold = state.withLock { state in
            if state.isInside { state.problems.append("an event came while another was under way") }
            if state.isClosed {
                state.problems.append("an event came after the stream was stopped: \(Self.name(event))")
            }
            if state.seen.last?.isLast == true {
                state.problems.append("an event came after the stream was over: \(Self.name(event))")
            }
            state.isInside = true
            return state.held.count < state.heldLimit
        }
        var seen = Seen(kind: .ended, time: .invalid, arrival: clock.now)
        var problem: String?
        var held: (VideoFrame.Payload, PixelChecksum?)?
        switch event {
        case .video(let frame):
            (seen.kind, seen.time, seen.duration) = (.video, frame.presentationTime, frame.duration)
            (seen.sequenceNumber, seen.settings) = (frame.sequenceNumber, frame.settings)
            problem = self.problem(with: frame)
            if mustHold { held = (frame.payload, Self.checksum(of: frame.payload)) }
        case .audio(let chunk):
            (seen.kind, seen.time) = (.audio, chunk.presentationTime)
            (seen.samplePosition, seen.frameCount) = (chunk.samplePosition, chunk.frameCount)
            seen.followsDiscontinuity = chunk.followsDiscontinuity
            seen.isSilent = chunk.data.withUnsafeBytes { $0.allSatisfy { $0 == 0 } }
            problem = self.problem(with: chunk)
        case .dropped(let drop):
            (seen.kind, seen.time) = (.dropped(drop.reason), drop.presentationTime)
            seen.sequenceNumber = drop.sequenceNumber
        case .failed(let error, let time): (seen.kind, seen.time) = (.failed(error), time)
        case .ended(let time): (seen.kind, seen.time) = (.ended, time)
        }
        let count = state.withLock { state in
            state.seen.append(seen)
            if let problem { state.problems.append(problem) }
            if let held { state.held.append(held) }
            return state.seen.count
        }
        onEvent?(count)
        state.withLock { $0.isInside = false }
    }

    // MARK: Private

    private static func name(_ event: StreamEvent) -> String {
        switch event {
        case .video(let frame): "frame \(frame.sequenceNumber)"
        case .audio(let chunk): "sound at \(chunk.samplePosition)"
        case .dropped(let drop): "dropped frame \(drop.sequenceNumber)"
        case .failed(let error, _): "failed: \(error)"
        case .ended: "ended"
        }
    }

    /// Reads every byte of the picture; nil where it cannot be read.
    private static func checksum(of payload: VideoFrame.Payload) -> PixelChecksum? {
        switch payload {
        case .pixels(let pixels): checksum(of: pixels)
        case .compressed(let data, _): data.withUnsafeBytes { PixelChecksum($0) }
        }
    }

    /// Row by row, because kernels know the pixels of fewer formats than there are.
    private static func checksum(of pixels: CVPixelBuffer) -> PixelChecksum? {
        let layouts = pixels.format.planes
        guard !layouts.isEmpty else { return nil }
        var value: UInt64 = 0
        for (index, layout) in layouts.enumerated() {
            pixels.withPlane(index) { plane in
                let byteCount = layout.byteCount(ofColumns: plane.width)
                for row in 0..<plane.height {
                    let start = plane.baseAddress + row * plane.bytesPerRow
                    let bytes = UnsafeRawBufferPointer(start: start, count: byteCount)
                    // The multiplier of a 64-bit linear congruential generator (D. E. Knuth) keeps rows apart.
                    value = (value ^ PixelChecksum(bytes).value) &* 6_364_136_223_846_793_005 &+ 1
                }
            }
        }
        return PixelChecksum(value: value)
    }

    private func problem(with frame: VideoFrame) -> String? {
        guard case .video(let video) = format else { return "a picture came from a stream of sound" }
        switch (frame.payload, video.encoding) {
        case (.pixels(let pixels), .pixels(let code)):
            let size = "\(pixels.width)x\(pixels.height)"
            guard pixels.width == Int(video.dimensions.width), pixels.height == Int(video.dimensions.height) else {
                return "a picture is \(size), not of the format's size"
            }
            guard pixels.pixelFormat == code else { return "a picture has the pixel format \(pixels.pixelFormat)" }
            return Self.checksum(of: frame.payload) == nil ? "a picture's bytes cannot be read" : nil
        case (.compressed(let data, let codec), .compressed(let code)):
            guard codec == code else { return "a compressed picture has the codec \(codec)" }
            return data.isEmpty ? "a compressed picture has no bytes" : nil
        case (.pixels, .compressed): return "uncompressed pixels came in a compressed format"
        case (.compressed, .pixels): return "a compressed picture came in a format of pixels"
        }
    }

    private func problem(with chunk: AudioChunk) -> String? {
        guard case .audio(let audio) = format else { return "sound came from a stream of pictures" }
        guard chunk.format == audio else { return "sound came as \(StreamFormat.audio(chunk.format).summary)" }
        guard chunk.frameCount > 0 else { return "a chunk of sound has no frames" }
        let byteCount = chunk.frameCount * audio.bytesPerFrame
        guard chunk.data.dataLength == byteCount else {
            return "a chunk of \(chunk.frameCount) frames has \(chunk.data.dataLength) bytes, not \(byteCount)"
        }
        return nil
    }
}
