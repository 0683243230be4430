import Foundation
package import MediaTypes

extension MovieRecorder {
    /// Appends audio as delivered by a device.
    ///
    /// - Throws: As `append(_:at:duration:)`.
    package func append(_ chunk: AudioChunk) throws(MovieError) {
        guard let settings = configuration.audio else { return }
        guard chunk.format == settings.input else {
            throw MovieError(
                .invalidSample, "audio with \(chunk.format) does not match the recorder's input, \(settings.input)")
        }
        let result = chunk.data.withUnsafeBytes { bytes in
            Result { () throws(MovieError) in
                try appendAudio(bytes, frameCount: chunk.frameCount, at: chunk.presentationTime)
            }
        }
        try result.get()
    }

    /// Appends audio.
    ///
    /// - Parameters:
    ///   - bytes: Interleaved frames in the recorder's input format.
    ///   - time: The time of the first frame.
    /// - Throws: As `append(_:at:duration:)`; `.invalidSample` if there are too few bytes.
    package func appendAudio(
        _ bytes: UnsafeRawBufferPointer, frameCount: Int, at time: CMTime
    ) throws(MovieError) {
        guard let audioEncoder else { return }
        let frameByteCount = audioEncoder.settings.input.bytesPerFrame
        guard bytes.count >= frameCount * frameByteCount, frameCount >= 0, time.isNumeric else {
            throw MovieError(.invalidSample, "\(bytes.count) bytes do not contain \(frameCount) audio frames")
        }
        for span in timeline.spans {
            var position = audioPosition(span.movieTime(of: time))
            let expected = audioEncoder.inputFrameCount
            // Small deviations are jitter of the device's clock.
            if abs(position - expected) <= audioPosition(configuration.audioTolerance) { position = expected }
            let begin = max(position, expected, audioPosition(span.movieStart))
            let end = min(position + Int64(frameCount), span.movieEnd.map(audioPosition) ?? .max)
            guard begin < end else { continue }
            try appendSilence(until: begin)
            let range = Int(begin - position) * frameByteCount..<Int(end - position) * frameByteCount
            try encodeAudio(UnsafeRawBufferPointer(rebasing: bytes[range]), frameCount: Int(end - begin))
        }
    }

    /// The duration of the audio so far.
    var audioDuration: CMTime {
        guard let audioEncoder else { return .zero }
        return CMTime(value: audioEncoder.inputFrameCount, timescale: audioRate)
    }

    /// Replaces missing audio by silence up to two seconds before `time`: audio arrives at most two seconds late.
    func fillMissingAudio(before time: CMTime) throws(MovieError) {
        guard audioEncoder != nil else { return }
        try appendSilence(until: audioPosition(time - CMTime(value: 2, timescale: 1)))
    }

    /// Pads the audio to the movie's end and writes the last samples.
    ///
    /// - Returns: The number of frames presented, at the track's sample rate.
    func finishAudio(at end: CMTime) throws(MovieError) -> Int64 {
        guard let audioEncoder, let audioTrack else { return 0 }
        try appendSilence(until: audioPosition(end))
        let samples = try encoding { () throws(EncodingError) in try audioEncoder.finish() }
        try append(samples, to: audioTrack)
        // Some readers use the shortened duration of the last packet, others the edit list.
        writer.extendLastSample(of: audioTrack, until: end)
        writer.setPresentationEnd(end, of: audioTrack)
        return CMTimeConvertScale(
            end, timescale: audioEncoder.format.sampleRate, method: .roundHalfAwayFromZero
        ).value
    }

    /// The input's sample rate in hertz.
    private var audioRate: CMTimeScale {
        CMTimeScale(clamping: Int((audioEncoder?.settings.input.sampleRate ?? 1).rounded()))
    }

    /// Converts a time of the movie to a position in frames at the input's sample rate.
    private func audioPosition(_ time: CMTime) -> Int64 {
        CMTimeConvertScale(time, timescale: audioRate, method: .roundHalfAwayFromZero).value
    }

    /// Encodes silence up to a position in frames at the input's sample rate.
    private func appendSilence(until position: Int64) throws(MovieError) {
        guard let audioEncoder else { return }
        let frameByteCount = audioEncoder.settings.input.bytesPerFrame
        while audioEncoder.inputFrameCount < position {
            let count = Int(min(4096, position - audioEncoder.inputFrameCount))
            // Zero is silence in all sample types.
            let silence = [UInt8](repeating: 0, count: count * frameByteCount)
            let result = silence.withUnsafeBytes { bytes in
                Result { () throws(MovieError) in try encodeAudio(bytes, frameCount: count) }
            }
            try result.get()
        }
    }

    private func encodeAudio(_ bytes: UnsafeRawBufferPointer, frameCount: Int) throws(MovieError) {
        guard let audioEncoder, let audioTrack else { return }
        let samples = try encoding { () throws(EncodingError) in
            try audioEncoder.encode(bytes, frameCount: frameCount)
        }
        try append(samples, to: audioTrack)
    }
}
