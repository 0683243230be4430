import CaptureHAL
import MediaCodecs
import MediaTypes

/// The sound of a file in chunks of one size.
///
/// Samples follow one another by their count. Times in the container that differ by less than `tolerance` are taken for
/// imprecise and left out of account; a larger step makes a gap, or cuts off what would sound twice.
final class AudioItems: RecordedItems {
    private let source: MediaSource
    private let reader: MediaFileReader
    private let track: MediaTrack
    private let format: AudioStreamFormat
    private let rate: Int64
    private let chunkFrameCount: Int
    private var decoder: AudioDecoder

    /// Samples that wait for a whole chunk.
    private var pending: [UInt8] = []
    /// The position of the first pending sample, counted at `rate` from the file's beginning; nil before the first.
    private var pendingPosition: Int64?
    private var isDiscontinuous = false
    /// After damage the container's word counts, however close it is to the count of samples.
    private var mustSynchronize = false
    private var ready: [RecordedItem] = []
    private var loopPlace: Int64 = 0
    private var hasSoundInLoop = false
    private var isOver = false

    /// A fiftieth of a second: less than a packet, more than what careless multiplexers are off by.
    private static let toleranceDivisor: Int64 = 50

    init(
        _ source: MediaSource, _ track: MediaTrack, _ format: AudioStreamFormat, chunkDuration: CMTime
    ) throws(DeviceError) {
        do throws(MediaFileError) {
            reader = try MediaFileReader(path: source.path)
            reader.select([track.index])
            decoder = try AudioDecoder(reader: reader, track: track, sample: format.sample)
        } catch {
            throw DeviceError(error)
        }
        self.source = source
        self.track = track
        self.format = format
        rate = Int64(format.sampleRate)
        let wish = chunkDuration.isNumeric && chunkDuration.value > 0 ? chunkDuration.seconds : 0
        let count = Int(min(wish * format.sampleRate, format.sampleRate).rounded())
        chunkFrameCount = count >= 64 ? count : 1024
    }

    var end: Int64 { place(ofPosition: (pendingPosition ?? 0) + Int64(pendingFrameCount)) }

    private var pendingFrameCount: Int { pending.count / format.bytesPerFrame }

    func next() throws(DeviceError) -> RecordedItem? {
        do throws(MediaFileError) {
            while ready.isEmpty {
                guard try advance() else { return nil }
            }
        } catch {
            throw DeviceError(error)
        }
        return ready.removeFirst()
    }

    private func advance() throws(MediaFileError) -> Bool {
        if isOver { return false }
        switch try reader.next() {
        case .packet(let packet):
            take(try decoder.decode(packet))
        case .damaged(let message):
            report(message)
        case .end:
            take(try decoder.decode(nil))
            flush()
            if source.atEnd == .loop && hasSoundInLoop {
                try reader.rewind()
                decoder = try AudioDecoder(reader: reader, track: track, sample: format.sample)
                loopPlace += source.lengthNanoseconds
                hasSoundInLoop = false
                mustSynchronize = true
            } else {
                isOver = true
                return !ready.isEmpty
            }
        }
        return true
    }

    private func take(_ output: AudioDecoder.Output) {
        for chunk in output.chunks { append(chunk) }
        if let damage = output.damage { report(damage) }
    }

    private func report(_ message: String) {
        flush()
        // Where the sound breaks off; how much is missing shows in the position of what follows.
        ready.append(RecordedItem(content: .damaged(message), place: end, length: 0))
        mustSynchronize = true
    }

    // MARK: Positions

    private func place(ofTime time: CMTime) -> Int64 {
        time.nanoseconds - source.startNanoseconds + loopPlace
    }

    /// Nanoseconds for a count of samples, rounded down.
    private func place(ofPosition position: Int64) -> Int64 {
        position / rate * 1_000_000_000 + position % rate * 1_000_000_000 / rate
    }

    /// The count of samples next to a place.
    private func position(ofPlace place: Int64) -> Int64 {
        let seconds = place / 1_000_000_000
        let rest = place % 1_000_000_000
        return seconds * rate + (rest * rate + 500_000_000) / 1_000_000_000
    }

    private func append(_ chunk: AudioDecoder.Chunk) {
        let expected = (pendingPosition ?? 0) + Int64(pendingFrameCount)
        var bytes = chunk.bytes[...]
        if chunk.time.isValid {
            let told = position(ofPlace: place(ofTime: chunk.time))
            let isOff = abs(told - expected) > rate / Self.toleranceDivisor
            if pendingPosition == nil {
                // Sound from before the file's beginning is padding.
                bytes = bytes.dropFirst(max(0, Int(clamping: -told)) * format.bytesPerFrame)
                pendingPosition = max(0, told)
            } else if isOff || mustSynchronize, told > expected {
                flush()
                pendingPosition = told
                isDiscontinuous = true
            } else if isOff, told < expected {
                bytes = bytes.dropFirst(Int(clamping: expected - told) * format.bytesPerFrame)
            }
        } else if pendingPosition == nil {
            pendingPosition = position(ofPlace: loopPlace)
        }
        guard !bytes.isEmpty else { return }
        mustSynchronize = false
        hasSoundInLoop = true
        pending += bytes
        while pendingFrameCount >= chunkFrameCount { emit(chunkFrameCount) }
    }

    /// Brings out what is pending, shorter than other chunks.
    private func flush() {
        if pendingFrameCount > 0 { emit(pendingFrameCount) }
    }

    private func emit(_ frameCount: Int) {
        let position = pendingPosition ?? 0
        let byteCount = frameCount * format.bytesPerFrame
        let data = pending.withUnsafeBytes { bytes in
            CMBlockBuffer(copying: UnsafeRawBufferPointer(rebasing: bytes[..<byteCount]))
        }
        pending.removeFirst(byteCount)
        pendingPosition = position + Int64(frameCount)
        let begin = place(ofPosition: position)
        ready.append(
            RecordedItem(
                content: .sound(
                    RecordedItem.Sound(
                        data: data, format: format, frameCount: frameCount, position: position,
                        followsDiscontinuity: isDiscontinuous)),
                place: begin, length: place(ofPosition: position + Int64(frameCount)) - begin))
        isDiscontinuous = false
    }
}
