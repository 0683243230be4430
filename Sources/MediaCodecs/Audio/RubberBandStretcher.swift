import CRubberBand
import MediaTypes

/// Changes the duration of audio without changing its pitch, with Rubber Band.
///
/// - Important: Confined to one thread at a time.
final class RubberBandStretcher {
    /// The maximum number of frames to process in one call.
    private static let blockFrameCount = 512

    private let channelCount: Int
    private let state: RubberBandState
    /// The number of output frames still to discard, because they precede the start of the input.
    private var excessCount = 0

    /// Creates a stretcher.
    ///
    /// - Parameters:
    ///   - format: The format of input and output: interleaved `float32`.
    ///   - timeRatio: The duration of the output divided by that of the input.
    ///   - hasShortWindows: Whether to use short analysis windows, which cost less and follow transients faster.
    ///   - path: The path of the audio's file, for errors.
    /// - Throws: `.unsupportedCodec` if the library is missing; `.outOfMemory`.
    init(
        _ format: AudioStreamFormat, timeRatio: Double, hasShortWindows: Bool, path: String
    ) throws(MediaFileError) {
        // Must come first: no other function works without the library.
        if let message = crubberband_load() {
            throw MediaFileError(
                .unsupportedCodec, path: path,
                "the audio of \(path) cannot be played faster or slower without changing its pitch: "
                    + String(cString: message))
        }
        channelCount = format.channelCount
        // If the library used threads of its own, the times of its output would differ in each run.
        var options =
            CRUBBERBAND_PROCESS_REAL_TIME | CRUBBERBAND_THREADING_NEVER | CRUBBERBAND_ENGINE_FINER
            | CRUBBERBAND_CHANNELS_TOGETHER
        if hasShortWindows { options |= CRUBBERBAND_WINDOW_SHORT }
        let state = crubberband_new(
            UInt32(format.sampleRate), UInt32(format.channelCount), Int32(options), timeRatio, 1)
        guard let state else {
            throw MediaFileError(.outOfMemory, path: path, "memory ran out while converting the audio of \(path)")
        }
        self.state = state
        crubberband_set_max_process_size(state, UInt32(Self.blockFrameCount))
        start()
    }

    deinit { crubberband_delete(state) }

    /// Discards all pending input and output, so that other input can follow.
    func reset() {
        crubberband_reset(state)
        start()
    }

    /// Fills the first half of the first window with silence, so that the first frame of the input is at its center.
    private func start() {
        let padding = Int(crubberband_get_preferred_start_pad(state))
        excessCount = Int(crubberband_get_start_delay(state))
        _ = convert([UInt8](repeating: 0, count: padding * channelCount * 4), frameCount: padding)
    }

    /// Converts interleaved samples; some of the output is delayed until later calls.
    func convert(_ bytes: [UInt8], frameCount: Int) -> [UInt8] {
        var result: [UInt8] = []
        bytes.withUnsafeBytes { bytes in
            let samples = bytes.bindMemory(to: Float.self)
            var first = 0
            while first < frameCount {
                let count = min(Self.blockFrameCount, frameCount - first)
                let end = (first + count) * channelCount
                process(samples[first * channelCount..<end], count)
                first += count
                retrieve(into: &result)
            }
        }
        return result
    }

    /// Converts a block of silence.
    func convertSilence() -> [UInt8] {
        let count = Self.blockFrameCount
        return convert([UInt8](repeating: 0, count: count * channelCount * 4), frameCount: count)
    }

    private func process(_ samples: Slice<UnsafeBufferPointer<Float>>, _ frameCount: Int) {
        var planes = [Float](repeating: 0, count: samples.count)
        for (index, sample) in samples.enumerated() {
            planes[index % channelCount * frameCount + index / channelCount] = sample
        }
        planes.withUnsafeBufferPointer { planes in
            guard let base = planes.baseAddress else { return }
            let channels = (0..<channelCount).map { channel -> UnsafePointer<Float>? in base + channel * frameCount }
            crubberband_process(state, channels, UInt32(frameCount), 0)
        }
    }

    private func retrieve(into result: inout [UInt8]) {
        while true {
            let available = Int(crubberband_available(state))
            guard available > 0 else { return }
            var planes = [Float](repeating: 0, count: available * channelCount)
            let count = planes.withUnsafeMutableBufferPointer { planes -> Int in
                guard let base = planes.baseAddress else { return 0 }
                let channels = (0..<channelCount).map { channel -> UnsafeMutablePointer<Float>? in
                    base + channel * available
                }
                return Int(crubberband_retrieve(state, channels, UInt32(available)))
            }
            guard count > 0 else { return }
            let skipped = min(count, excessCount)
            excessCount -= skipped
            var frames = [Float](repeating: 0, count: (count - skipped) * channelCount)
            for index in frames.indices {
                frames[index] = planes[index % channelCount * available + skipped + index / channelCount]
            }
            frames.withUnsafeBytes { result += $0 }
        }
    }
}
