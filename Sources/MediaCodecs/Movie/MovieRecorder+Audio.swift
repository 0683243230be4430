import Foundation
package import MediaTypes

extension MovieRecorder {
    /// Takes the next sound as a device delivered it.
    ///
    /// - Throws: As `append(_:at:duration:)`.
    package func append(_ chunk: AudioChunk) throws(MovieError) {
        guard let settings = configuration.audio else { return }
        guard chunk.format == settings.input else {
            throw MovieError(
                .invalidSample, "sound of \(chunk.format) came to a recorder made for \(settings.input)")
        }
        let result = chunk.data.withUnsafeBytes { bytes in
            Result { () throws(MovieError) in
                try appendAudio(bytes, frameCount: chunk.frameCount, at: chunk.presentationTime)
            }
        }
        try result.get()
    }

    /// Takes the next sound.
    ///
    /// - Parameters:
    ///   - bytes: Interleaved frames of the input format that the recorder was made for.
    ///   - time: The moment of the first frame.
    /// - Throws: As `append(_:at:duration:)`; `.invalidSample` where the bytes are not as many.
    package func appendAudio(
        _ bytes: UnsafeRawBufferPointer, frameCount: Int, at time: CMTime
    ) throws(MovieError) {
        guard let audioEncoder else { return }
        let frameByteCount = audioEncoder.settings.input.bytesPerFrame
        guard bytes.count >= frameCount * frameByteCount, frameCount >= 0, time.isNumeric else {
            throw MovieError(.invalidSample, "\(bytes.count) bytes do not hold \(frameCount) frames of sound")
        }
        for span in timeline.spans {
            var position = audioPosition(span.movieTime(of: time))
            let expected = audioEncoder.inputFrameCount
            // A device's clock jitters: what is nearly in step is.
            if abs(position - expected) <= audioPosition(configuration.audioTolerance) { position = expected }
            let begin = max(position, expected, audioPosition(span.movieStart))
            let end = min(position + Int64(frameCount), span.movieEnd.map(audioPosition) ?? .max)
            guard begin < end else { continue }
            try appendSilence(until: begin)
            let range = Int(begin - position) * frameByteCount..<Int(end - position) * frameByteCount
            try encodeAudio(UnsafeRawBufferPointer(rebasing: bytes[range]), frameCount: Int(end - begin))
        }
    }

    /// The length of the sound so far.
    var audioDuration: CMTime {
        guard let audioEncoder else { return .zero }
        return CMTime(value: audioEncoder.inputFrameCount, timescale: audioRate)
    }

    /// Puts silence where no sound came while pictures went on for two seconds; sound does not come that late.
    func fillMissingAudio(before time: CMTime) throws(MovieError) {
        guard audioEncoder != nil else { return }
        try appendSilence(until: audioPosition(time - CMTime(value: 2, timescale: 1)))
    }

    /// Brings the sound to its length and the last samples into the file.
    ///
    /// - Returns: The number of frames presented, at the track's sample rate.
    func finishAudio(at end: CMTime) throws(MovieError) -> Int64 {
        guard let audioEncoder, let audioTrack else { return 0 }
        try appendSilence(until: audioPosition(end))
        let samples = try encoding { () throws(EncodingError) in try audioEncoder.finish() }
        try append(samples, to: audioTrack)
        // The last packet is shorter for readers that look at its duration, and the edit list says so for the others.
        writer.extendLastSample(of: audioTrack, until: end)
        writer.setPresentationEnd(end, of: audioTrack)
        return CMTimeConvertScale(
            end, timescale: audioEncoder.format.sampleRate, method: .roundHalfAwayFromZero
        ).value
    }

    /// Frames a second of the sound that comes in.
    private var audioRate: CMTimeScale {
        CMTimeScale(clamping: Int((audioEncoder?.settings.input.sampleRate ?? 1).rounded()))
    }

    /// The number of the sound frame at a time of the movie.
    private func audioPosition(_ time: CMTime) -> Int64 {
        CMTimeConvertScale(time, timescale: audioRate, method: .roundHalfAwayFromZero).value
    }

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
