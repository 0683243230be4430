import CaptureHAL
import MediaCodecs
import MediaFiles
import MediaTypes

/// A decoder of a file's audio track into chunks of equal size. The last chunk before a gap or the end may be shorter.
///
/// Chunk times are computed from the sample count. Differences to the container's timestamps below 1/50 s are treated
/// as imprecision and ignored. A larger difference creates a gap, or drops the samples that overlap with earlier ones,
/// if the timestamp after it confirms it; a single wrong timestamp is ignored.
final class AudioItemDecoder: RecordedItemDecoder {
    private let source: MediaSource
    private let reader: MediaFileReader
    private let track: MediaTrack
    private let format: AudioStreamFormat
    private let rate: Int64
    private let chunkFrameCount: Int
    private var decoder: AudioDecoder

    /// Samples that do not fill a chunk yet.
    private var pending: [UInt8] = []
    /// The position of the first pending sample in sample frames from the file's beginning; nil before the first
    /// sample.
    private var pendingPosition: Int64?
    /// Whether the next chunk follows a gap.
    private var isDiscontinuous = false
    /// Whether a later timestamp of the container is used even if the difference is below the tolerance: after damage,
    /// and when a loop begins.
    private var mustSynchronize = false
    /// The chunk before the next one to append if its timestamp differs from the expected one and is not confirmed yet.
    private var unconfirmed: AudioDecoder.Chunk?
    /// The items that are decoded but not returned yet.
    private var ready: [RecordedItem] = []
    /// The media time at which the current loop through the file began, in nanoseconds.
    private var loopStart: Int64 = 0
    private var hasSamplesInLoop = false
    private var isOver = false

    /// The tolerance is 1/50 s: shorter than a packet, but longer than the usual timestamp errors of multiplexers.
    private static let toleranceDivisor: Int64 = 50

    init(
        _ source: MediaSource, _ track: MediaTrack, _ format: AudioStreamFormat, chunkDuration: CMTime
    ) throws(DeviceError) {
        do throws(MediaFileError) {
            reader = try MediaFileReader(path: source.path)
            reader.select([track.index], timingTracks: source.trackIndexes)
            decoder = try AudioDecoder(reader: reader, track: track, sample: format.sample)
        } catch {
            throw DeviceError(error)
        }
        self.source = source
        self.track = track
        self.format = format
        rate = Int64(format.sampleRate)
        let seconds = chunkDuration.isNumeric && chunkDuration.value > 0 ? chunkDuration.seconds : 0
        let count = Int(min(seconds * format.sampleRate, format.sampleRate).rounded())
        // Very short chunks, and an invalid duration, are replaced with 1024 frames.
        chunkFrameCount = count >= 64 ? count : 1024
    }

    var endTime: Int64 { mediaTime(ofPosition: expectedPosition) }

    private var pendingFrameCount: Int { pending.count / format.bytesPerFrame }

    var jumps: [TimestampJump] { reader.jumps }

    func next() throws(DeviceError) -> RecordedItem? {
        do throws(MediaFileError) {
            while ready.isEmpty {
                guard try decodeNext() else { return nil }
            }
        } catch {
            throw DeviceError(error)
        }
        return ready.removeFirst()
    }

    /// Decodes the next packet. Returns false at the end of the track.
    private func decodeNext() throws(MediaFileError) -> Bool {
        if isOver { return false }
        switch try reader.next() {
        case .packet(let packet):
            append(try decoder.decode(packet))
        case .damaged(let message):
            report(message)
        case .end:
            append(try decoder.decode(nil))
            appendUnconfirmed(before: nil)
            flush()
            if source.atEnd == .loop && hasSamplesInLoop {
                try reader.rewind()
                decoder = try AudioDecoder(reader: reader, track: track, sample: format.sample)
                loopStart += source.lengthNanoseconds
                hasSamplesInLoop = false
                mustSynchronize = true
            } else {
                isOver = true
                return !ready.isEmpty
            }
        }
        return true
    }

    private func append(_ output: AudioDecoder.Output) {
        for chunk in output.chunks {
            appendUnconfirmed(before: chunk)
            if isExpected(chunk) { append(chunk, at: timestampPosition(of: chunk)) } else { unconfirmed = chunk }
        }
        if let damage = output.errorMessage { report(damage) }
    }

    private func report(_ message: String) {
        appendUnconfirmed(before: nil)
        flush()
        // The length of the gap is unknown until the next chunk is decoded. The position of that chunk indicates it.
        ready.append(RecordedItem(content: .damaged(message), mediaTime: endTime, duration: 0))
        mustSynchronize = true
    }

    // MARK: Times and positions

    /// Converts a timestamp of the file to a media time.
    private func mediaTime(of time: CMTime) -> Int64 {
        time.nanoseconds - source.startNanoseconds + loopStart
    }

    /// Returns the media time in nanoseconds of a sample position, rounded down.
    private func mediaTime(ofPosition position: Int64) -> Int64 {
        position / rate * 1_000_000_000 + position % rate * 1_000_000_000 / rate
    }

    /// Returns the sample position nearest to a media time.
    private func position(atMediaTime mediaTime: Int64) -> Int64 {
        let seconds = mediaTime / 1_000_000_000
        let nanoseconds = mediaTime % 1_000_000_000
        return seconds * rate + (nanoseconds * rate + 500_000_000) / 1_000_000_000
    }

    /// The position after the last sample.
    private var expectedPosition: Int64 { (pendingPosition ?? 0) + Int64(pendingFrameCount) }

    private func timestampPosition(of chunk: AudioDecoder.Chunk) -> Int64? {
        chunk.time.isValid ? position(atMediaTime: mediaTime(of: chunk.time)) : nil
    }

    private func isWithinTolerance(_ position: Int64, _ expected: Int64) -> Bool {
        abs(position - expected) <= rate / Self.toleranceDivisor
    }

    /// Whether a chunk can be appended before the next one is known. A chunk after damage is expected at any time.
    private func isExpected(_ chunk: AudioDecoder.Chunk) -> Bool {
        guard let position = timestampPosition(of: chunk) else { return true }
        return mustSynchronize || isWithinTolerance(position, expectedPosition)
    }

    /// Appends the unconfirmed chunk: at its timestamp if the next chunk follows there, otherwise where the next chunk
    /// requires it.
    ///
    /// - Parameter next: The next chunk; nil at the end and before damage.
    private func appendUnconfirmed(before next: AudioDecoder.Chunk?) {
        guard let chunk = unconfirmed, let position = timestampPosition(of: chunk) else { return }
        unconfirmed = nil
        let count = Int64(chunk.frameCount)
        guard let next, let nextPosition = timestampPosition(of: next) else {
            // The last timestamp of a track is not confirmed by another one.
            return append(chunk, at: pendingPosition == nil ? position : nil)
        }
        if isWithinTolerance(nextPosition, position + count) { return append(chunk, at: position) }
        if pendingPosition == nil { return append(chunk, at: nextPosition - count) }
        append(chunk, at: isWithinTolerance(nextPosition, expectedPosition + count) ? nil : position)
    }

    /// Appends a chunk.
    ///
    /// - Parameter timestampPosition: The position that its timestamp specifies; nil if it follows the last one.
    private func append(_ chunk: AudioDecoder.Chunk, at timestampPosition: Int64?) {
        let expectedPosition = expectedPosition
        var bytes = chunk.bytes[...]
        if let timestampPosition {
            let exceedsTolerance = !isWithinTolerance(timestampPosition, expectedPosition)
            if pendingPosition == nil {
                // Samples before the file's beginning are encoder padding.
                bytes = bytes.dropFirst(max(0, Int(clamping: -timestampPosition)) * format.bytesPerFrame)
                pendingPosition = max(0, timestampPosition)
            } else if exceedsTolerance || mustSynchronize, timestampPosition > expectedPosition {
                flush()
                pendingPosition = timestampPosition
                isDiscontinuous = true
            } else if exceedsTolerance, timestampPosition < expectedPosition {
                bytes = bytes.dropFirst(Int(clamping: expectedPosition - timestampPosition) * format.bytesPerFrame)
            }
        } else if pendingPosition == nil {
            pendingPosition = position(atMediaTime: loopStart)
        }
        guard !bytes.isEmpty else { return }
        mustSynchronize = false
        hasSamplesInLoop = true
        pending += bytes
        while pendingFrameCount >= chunkFrameCount { emit(chunkFrameCount) }
    }

    /// Emits the pending samples as a shorter chunk.
    private func flush() {
        if pendingFrameCount > 0 { emit(pendingFrameCount) }
    }

    /// Emits the first `frameCount` pending sample frames as a chunk.
    private func emit(_ frameCount: Int) {
        let position = pendingPosition ?? 0
        let byteCount = frameCount * format.bytesPerFrame
        let data = pending.withUnsafeBytes { bytes in
            CMBlockBuffer(copying: UnsafeRawBufferPointer(rebasing: bytes[..<byteCount]))
        }
        pending.removeFirst(byteCount)
        pendingPosition = position + Int64(frameCount)
        let start = mediaTime(ofPosition: position)
        ready.append(
            RecordedItem(
                content: .audio(
                    RecordedItem.Audio(
                        data: data, format: format, frameCount: frameCount, position: position,
                        followsDiscontinuity: isDiscontinuous)),
                mediaTime: start, duration: mediaTime(ofPosition: position + Int64(frameCount)) - start))
        isDiscontinuous = false
    }
}
