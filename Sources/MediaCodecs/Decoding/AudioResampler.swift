import CLibAV
package import MediaTypes

/// Converts interleaved audio to another sample rate or channel count.
///
/// - Important: Confined to one thread at a time.
package final class AudioResampler {
    private let source: AudioStreamFormat
    private let destination: AudioStreamFormat
    private let path: String
    // Invariant: configured for `source` and `destination`, and initialized.
    private var context: OpaquePointer?

    /// Creates a resampler.
    ///
    /// - Throws: `.unsupportedCodec`.
    package init(
        from source: AudioStreamFormat, to destination: AudioStreamFormat, path: String
    ) throws(MediaFileError) {
        // Must come first: if `init` throws here, `deinit` does not run and there is nothing to free.
        try LibAV.requireForReading(path)
        self.source = source
        self.destination = destination
        self.path = path
        var input = AVChannelLayout()
        var output = AVChannelLayout()
        av_channel_layout_default(&input, Int32(source.channelCount))
        av_channel_layout_default(&output, Int32(destination.channelCount))
        defer {
            av_channel_layout_uninit(&input)
            av_channel_layout_uninit(&output)
        }
        let result = clibav_swr_alloc_set_opts2(
            &context, &output, Self.format(destination.sample), Int32(destination.sampleRate), &input,
            Self.format(source.sample), Int32(source.sampleRate))
        guard result >= 0, let context,
            Self.initialize(context, from: source.channelCount, to: destination.channelCount) >= 0
        else {
            swr_free(&self.context)
            throw MediaFileError(
                .unsupportedCodec, path: path,
                "the audio of \(path) cannot be converted from \(source) to \(destination)")
        }
    }

    deinit { swr_free(&context) }

    /// Initializes a resampler that is allocated and configured; returns a negative number for an error.
    ///
    /// A single channel is copied to both channels of stereo at its full level, as players do. libswresample lowers it
    /// by 3 dB.
    ///
    /// More than two channels are mixed with the coefficients of ITU-R BS.775-3, annex 4: center and surround channels
    /// at −3 dB. The sums are divided by the largest sum of coefficients, so that no channel clips, whatever the sample
    /// format is; by default, libswresample does so for integers only.
    static func initialize(_ context: OpaquePointer?, from sourceCount: Int, to count: Int) -> Int32 {
        if sourceCount > 2, sourceCount > count {
            let result = av_opt_set(context.map { UnsafeMutableRawPointer($0) }, "rematrix_maxval", "1", 0)
            if result < 0 { return result }
        }
        // Default layouts of two and three channels have no center: left, right and low frequencies.
        if sourceCount == 1, count == 2 || count == 3 {
            let result = swr_set_matrix(context, [1, 1, 0], 1)
            if result < 0 { return result }
        }
        return swr_init(context)
    }

    private static func format(_ sample: AudioStreamFormat.Sample) -> AVSampleFormat {
        switch sample {
        case .int16: AV_SAMPLE_FMT_S16
        case .int32: AV_SAMPLE_FMT_S32
        case .float32: AV_SAMPLE_FMT_FLT
        }
    }

    /// Discards the samples that are buffered in the resampler.
    package func reset() {
        if let context { swr_init(context) }
    }

    /// Converts samples; some of the output may be delayed until the next call.
    package func convert(_ bytes: [UInt8], frameCount: Int) throws(MediaFileError) -> [UInt8] {
        try run(bytes, Int32(clamping: frameCount))
    }

    /// Returns the remaining output.
    package func finish() throws(MediaFileError) -> [UInt8] { try run([], 0) }

    private func run(_ bytes: [UInt8], _ frameCount: Int32) throws(MediaFileError) -> [UInt8] {
        guard let context else { return [] }
        let capacity = swr_get_out_samples(context, frameCount)
        guard capacity > 0 else { return [] }
        var result = [UInt8](repeating: 0, count: Int(capacity) * destination.bytesPerFrame)
        let count = result.withUnsafeMutableBufferPointer { buffer -> Int32 in
            var target = buffer.baseAddress
            return bytes.withUnsafeBufferPointer { input in
                var source: UnsafePointer<UInt8>? = input.baseAddress
                return withUnsafeMutablePointer(to: &target) { target in
                    withUnsafeMutablePointer(to: &source) { source in
                        clibav_swr_convert(context, target, capacity, frameCount > 0 ? source : nil, frameCount)
                    }
                }
            }
        }
        guard count >= 0 else {
            throw MediaFileError(.unsupportedCodec, path: path, "the audio of \(path) cannot be converted")
        }
        result.removeLast((Int(capacity) - Int(count)) * destination.bytesPerFrame)
        return result
    }
}
