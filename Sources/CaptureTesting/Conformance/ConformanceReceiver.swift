import CaptureHAL
import MediaTypes
import PixelKernels

/// Receives, validates and records the events of one run of a stream. Thread-safe.
final class ConformanceReceiver: Sendable {
    /// An event without its payload.
    struct ReceivedEvent: Sendable {
        enum Kind: Sendable, Hashable {
            case video, audio
            case dropped(DroppedFrame.Reason)
            case failed(DeviceError)
            case ended
        }

        var kind: Kind
        /// The timestamp of the event.
        var time: CMTime
        /// The clock time of its arrival.
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
        var events: [ReceivedEvent] = []
        var problems: [String] = []
        var retained: [(payload: VideoFrame.Payload, checksum: PixelChecksum?)] = []
        /// The maximum number of frames to retain.
        var retainLimit: Int
        /// Whether an event is being delivered.
        var isReceiving = false
        /// Whether further events are errors.
        var isClosed = false
    }

    private let format: StreamFormat
    private let clock: any CaptureClock
    private let onEvent: (@Sendable (_ count: Int) -> Void)?
    private let state: Lock<State>

    /// Creates a receiver for events of a format.
    ///
    /// - Parameters:
    ///   - retaining: The number of frames to retain.
    ///   - onEvent: Called during each event with the number of events so far.
    init(
        _ format: StreamFormat, _ clock: any CaptureClock, retaining: Int = 0,
        onEvent: (@Sendable (_ count: Int) -> Void)? = nil
    ) {
        self.format = format
        self.clock = clock
        self.onEvent = onEvent
        state = Lock(State(retainLimit: retaining))
    }

    var events: [ReceivedEvent] { state.withLock { $0.events } }
    /// The frames and audio chunks, without drops.
    var payloads: [ReceivedEvent] { events.filter(\.isPayload) }
    var payloadCount: Int { state.withLock { state in state.events.count { $0.isPayload } } }
    var isOver: Bool { state.withLock { $0.events.last?.isLast ?? false } }
    var drops: [DroppedFrame.Reason] {
        events.compactMap { if case .dropped(let reason) = $0.kind { reason } else { nil } }
    }
    /// The violations of the contract in the events.
    var problems: [String] { state.withLock { $0.problems } }
    /// Whether an event is being delivered.
    var isReceiving: Bool { state.withLock { $0.isReceiving } }
    var retainedCount: Int { state.withLock { $0.retained.count } }

    /// Treats further events as errors.
    func close() { state.withLock { $0.isClosed = true } }

    /// Releases the retained frames, and retains no more.
    func release() {
        let retained = state.withLock { state in
            defer {
                state.retained = []
                state.retainLimit = 0
            }
            return state.retained
        }
        withExtendedLifetime(retained) {}
    }

    /// The indices of the retained frames with bytes that have changed since their arrival.
    var changedRetainedFrames: [Int] {
        let retained = state.withLock { $0.retained }
        return retained.indices.filter { Self.checksum(of: retained[$0].payload) != retained[$0].checksum }
    }

    /// Receives an event of the stream.
    func receive(_ event: StreamEvent) {
        let retainsFrame = state.withLock { state in
            if state.isReceiving { state.problems.append("an event arrived during another event") }
            if state.isClosed {
                state.problems.append("an event arrived after the stream was stopped: \(Self.name(event))")
            }
            if state.events.last?.isLast == true {
                state.problems.append("an event arrived after the last event: \(Self.name(event))")
            }
            state.isReceiving = true
            return state.retained.count < state.retainLimit
        }
        var received = ReceivedEvent(kind: .ended, time: .invalid, arrival: clock.now)
        var problem: String?
        var retained: (VideoFrame.Payload, PixelChecksum?)?
        switch event {
        case .video(let frame):
            (received.kind, received.time, received.duration) = (.video, frame.presentationTime, frame.duration)
            (received.sequenceNumber, received.settings) = (frame.sequenceNumber, frame.settings)
            problem = self.problem(with: frame)
            if retainsFrame { retained = (frame.payload, Self.checksum(of: frame.payload)) }
        case .audio(let chunk):
            (received.kind, received.time) = (.audio, chunk.presentationTime)
            (received.samplePosition, received.frameCount) = (chunk.samplePosition, chunk.frameCount)
            received.followsDiscontinuity = chunk.followsDiscontinuity
            received.isSilent = chunk.data.withUnsafeBytes { $0.allSatisfy { $0 == 0 } }
            problem = self.problem(with: chunk)
        case .dropped(let drop):
            (received.kind, received.time) = (.dropped(drop.reason), drop.presentationTime)
            received.sequenceNumber = drop.sequenceNumber
        case .failed(let error, let time): (received.kind, received.time) = (.failed(error), time)
        case .ended(let time): (received.kind, received.time) = (.ended, time)
        }
        let count = state.withLock { state in
            state.events.append(received)
            if let problem { state.problems.append(problem) }
            if let retained { state.retained.append(retained) }
            return state.events.count
        }
        onEvent?(count)
        state.withLock { $0.isReceiving = false }
    }

    // MARK: Private

    private static func name(_ event: StreamEvent) -> String {
        switch event {
        case .video(let frame): "frame \(frame.sequenceNumber)"
        case .audio(let chunk): "audio at \(chunk.samplePosition)"
        case .dropped(let drop): "dropped frame \(drop.sequenceNumber)"
        case .failed(let error, _): "failed: \(error)"
        case .ended: "ended"
        }
    }

    /// Returns a checksum of all bytes of a frame; nil if they cannot be read.
    private static func checksum(of payload: VideoFrame.Payload) -> PixelChecksum? {
        switch payload {
        case .pixels(let pixels): checksum(of: pixels)
        case .compressed(let data, _): data.withUnsafeBytes { PixelChecksum($0) }
        }
    }

    /// Computes the checksum row by row, because `PixelChecksum` does not support all pixel formats.
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
                    // Mixes the order of rows into the checksum: multiplier of a 64-bit LCG (D. E. Knuth).
                    value = (value ^ PixelChecksum(bytes).value) &* 6_364_136_223_846_793_005 &+ 1
                }
            }
        }
        return PixelChecksum(value: value)
    }

    private func problem(with frame: VideoFrame) -> String? {
        guard case .video(let video) = format else { return "a frame arrived from an audio stream" }
        switch (frame.payload, video.encoding) {
        case (.pixels(let pixels), .pixels(let code)):
            let size = "\(pixels.width)x\(pixels.height)"
            guard pixels.width == Int(video.dimensions.width), pixels.height == Int(video.dimensions.height) else {
                return "a frame has the size \(size), which is not that of the format"
            }
            guard pixels.pixelFormat == code else { return "a frame has the pixel format \(pixels.pixelFormat)" }
            return Self.checksum(of: frame.payload) == nil ? "the bytes of a frame cannot be read" : nil
        case (.compressed(let data, let codec), .compressed(let code)):
            guard codec == code else { return "a compressed frame has the codec \(codec)" }
            return data.isEmpty ? "a compressed frame has no bytes" : nil
        case (.pixels, .compressed): return "an uncompressed frame arrived in a compressed format"
        case (.compressed, .pixels): return "a compressed frame arrived in an uncompressed format"
        }
    }

    private func problem(with chunk: AudioChunk) -> String? {
        guard case .audio(let audio) = format else { return "audio arrived from a video stream" }
        guard chunk.format == audio else { return "audio arrived as \(StreamFormat.audio(chunk.format).summary)" }
        guard chunk.frameCount > 0 else { return "an audio chunk has no frames" }
        let byteCount = chunk.frameCount * audio.bytesPerFrame
        guard chunk.data.dataLength == byteCount else {
            return "a chunk of \(chunk.frameCount) frames has \(chunk.data.dataLength) bytes, not \(byteCount)"
        }
        return nil
    }
}
