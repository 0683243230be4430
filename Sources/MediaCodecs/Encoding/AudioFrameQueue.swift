import CLibAV

/// Splits audio into frames of the encoder's size, sample format, sample rate and channel count.
///
/// - Important: Confined to one thread at a time.
final class AudioFrameQueue {
    private let frameSize: Int
    private let sampleFormat: AVSampleFormat
    private let channelCount: Int
    private let inputRate: Int64
    private let outputRate: Int64
    private var resampler: OpaquePointer?
    private let frame: UnsafeMutablePointer<AVFrame>
    /// The samples that are not yet in a frame, one plane per channel.
    private var planes: [[Float]]
    /// The position of the first frame in `planes`, at the output's sample rate.
    private var position: Int64 = 0
    private var inputFrameCount: Int64 = 0

    /// - Parameters:
    ///   - frameSize: The number of audio frames in each frame of the encoder.
    ///   - sampleFormat: Planar floating point or integers, or interleaved floating point.
    init(
        _ settings: AudioEncoderSettings, frameSize: Int, sampleFormat: AVSampleFormat
    ) throws(EncodingError) {
        try LibAV.requireForEncoding()
        self.frameSize = frameSize
        self.sampleFormat = sampleFormat
        channelCount = settings.outputChannelCount
        inputRate = Int64(settings.input.sampleRate.rounded())
        outputRate = Int64(settings.outputSampleRate)
        planes = Array(repeating: [], count: channelCount)
        guard let frame = av_frame_alloc() else {
            throw EncodingError(.codecFailed, "memory ran out while allocating a frame")
        }
        self.frame = frame
        let format =
            switch settings.input.sample {
            case .int16: AV_SAMPLE_FMT_S16
            case .int32: AV_SAMPLE_FMT_S32
            case .float32: AV_SAMPLE_FMT_FLT
            }
        var inputLayout = AVChannelLayout()
        var outputLayout = AVChannelLayout()
        av_channel_layout_default(&inputLayout, Int32(settings.input.channelCount))
        av_channel_layout_default(&outputLayout, Int32(channelCount))
        var result = clibav_swr_alloc_set_opts2(
            &resampler, &outputLayout, AV_SAMPLE_FMT_FLTP, Int32(outputRate), &inputLayout, format, Int32(inputRate))
        if result >= 0 {
            result = AudioResampler.initialize(resampler, from: settings.input.channelCount, to: channelCount)
        }
        guard result >= 0 else {
            throw EncodingError(
                .invalidSettings, "\(settings.input) cannot be converted to \(outputRate) Hz", result: result)
        }
    }

    deinit {
        swr_free(&resampler)
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&frame)
    }

    /// Appends interleaved audio in the input's format.
    func append(_ bytes: UnsafeRawBufferPointer, frameCount: Int) throws(EncodingError) {
        inputFrameCount += Int64(frameCount)
        try convert(bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), frameCount: frameCount)
    }

    /// Flushes the resampler, and trims or pads the output to the input's duration.
    func flush() throws(EncodingError) {
        try convert(nil, frameCount: 0)
        let total = (inputFrameCount * outputRate + inputRate / 2) / inputRate
        let remaining = Int(total - position)
        for channel in planes.indices {
            let missing = remaining - planes[channel].count
            if missing > 0 {
                planes[channel].append(contentsOf: repeatElement(0, count: missing))
            } else {
                planes[channel].removeLast(-missing)
            }
        }
    }

    /// Returns the next complete frame, or the remaining samples if `isLast`; nil if there is none.
    ///
    /// The frame is valid until the next call.
    func nextFrame(isLast: Bool) throws(EncodingError) -> UnsafeMutablePointer<AVFrame>? {
        let available = planes.first?.count ?? 0
        guard available >= frameSize || (isLast && available > 0) else { return nil }
        let count = min(available, frameSize)
        av_frame_unref(frame)
        frame.pointee.format = sampleFormat.rawValue
        frame.pointee.nb_samples = Int32(count)
        frame.pointee.sample_rate = Int32(outputRate)
        av_channel_layout_default(&frame.pointee.ch_layout, Int32(channelCount))
        let result = av_frame_get_buffer(frame, 0)
        guard result >= 0, let data = frame.pointee.extended_data else {
            throw EncodingError(.codecFailed, "memory ran out while allocating an audio frame", result: result)
        }
        if sampleFormat == AV_SAMPLE_FMT_FLT {
            interleaved(count).withUnsafeBytes { source in
                guard let target = data[0], let base = source.baseAddress else { return }
                UnsafeMutableRawPointer(target).copyMemory(from: base, byteCount: source.count)
            }
        } else {
            for channel in planes.indices {
                guard let target = data[channel] else { continue }
                fill(UnsafeMutableRawPointer(target), from: planes[channel].prefix(count))
            }
        }
        frame.pointee.pts = position
        remove(count)
        return frame
    }

    /// Returns the next complete frame, or the remaining samples if `isLast`, interleaved; nil if there is none.
    func nextInterleaved(isLast: Bool) -> (frames: [Float], count: Int)? {
        let available = planes.first?.count ?? 0
        guard available >= frameSize || (isLast && available > 0) else { return nil }
        let count = min(available, frameSize)
        defer { remove(count) }
        return (interleaved(count), count)
    }

    private func interleaved(_ count: Int) -> [Float] {
        var result = [Float](repeating: 0, count: count * channelCount)
        for (channel, plane) in planes.enumerated() {
            for index in 0..<count { result[index * channelCount + channel] = plane[index] }
        }
        return result
    }

    private func remove(_ count: Int) {
        for channel in planes.indices { planes[channel].removeFirst(count) }
        position += Int64(count)
    }

    /// Writes the samples of one channel. 16-bit and 24-bit integers pass through floating point without loss.
    private func fill(_ target: UnsafeMutableRawPointer, from samples: ArraySlice<Float>) {
        switch sampleFormat {
        case AV_SAMPLE_FMT_S16P:
            let values = target.assumingMemoryBound(to: Int16.self)
            for (index, sample) in samples.enumerated() {
                values[index] = Int16(min(max((sample * 0x1p15).rounded(), -0x1p15), 0x1p15 - 1))
            }
        case AV_SAMPLE_FMT_S32P:
            // The encoder expects 24-bit samples in the upper bits.
            let values = target.assumingMemoryBound(to: Int32.self)
            for (index, sample) in samples.enumerated() {
                values[index] = Int32(min(max((sample * 0x1p23).rounded(), -0x1p23), 0x1p23 - 1)) << 8
            }
        default:
            samples.withUnsafeBytes { source in
                guard let base = source.baseAddress else { return }
                target.copyMemory(from: base, byteCount: source.count)
            }
        }
    }

    private func convert(_ input: UnsafePointer<UInt8>?, frameCount: Int) throws(EncodingError) {
        let capacity = Int(swr_get_out_samples(resampler, Int32(frameCount)))
        guard capacity > 0 else { return }
        var output = [Float](repeating: 0, count: capacity * channelCount)
        let result = output.withUnsafeMutableBytes { output -> Int32 in
            guard let base = output.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return 0 }
            var targets = (0..<channelCount).map { Optional(base + $0 * capacity * 4) }
            var sources = [input]
            // Without input, libswresample returns its remaining samples.
            guard input != nil else { return clibav_swr_convert(resampler, &targets, Int32(capacity), nil, 0) }
            return clibav_swr_convert(resampler, &targets, Int32(capacity), &sources, Int32(frameCount))
        }
        guard result >= 0 else {
            throw EncodingError(.codecFailed, "the audio cannot be converted", result: result)
        }
        for channel in planes.indices {
            let start = channel * capacity
            planes[channel].append(contentsOf: output[start..<start + Int(result)])
        }
    }
}
