import CaptureHAL
import MediaCodecs
import MediaTypes

/// The frames of a file's video track.
final class VideoItems: RecordedItems {
    private let source: MediaSource
    private let reader: MediaFileReader
    private let track: MediaTrack
    private var decoder: VideoDecoder
    private let pictures: FramePictures

    /// A decoded frame that waits for the next one's time, which tells how long it lasts.
    private struct Held {
        var frame: VideoDecoder.Frame
        var place: Int64
        var complaints: [Complaint]
    }

    private struct Complaint {
        var place: Int64
        var message: String
    }

    private var held: Held?
    /// Decoded, in order, behind `held`.
    private var decoded: [VideoDecoder.Frame] = []
    private var complaints: [Complaint] = []
    private var ready: [RecordedItem] = []
    private var loopPlace: Int64 = 0
    private var lastPlace: Int64?
    private var lastLength: Int64
    private var isFlushed = false
    private var framesInLoop = 0
    private(set) var end: Int64 = 0

    /// So many wait for the next frame to tell their order; a stretch without any frame does not pile them up.
    private static let maximumComplaintCount = 32

    init(_ source: MediaSource, _ track: MediaTrack, _ configuration: StreamConfiguration) throws(DeviceError) {
        guard case .video(let format) = configuration.format, case .pixels(let pixelFormat) = format.encoding else {
            throw DeviceError(.unsupportedFormat, device: source.path, "\(source.fileName) gives uncompressed pictures")
        }
        do throws(MediaFileError) {
            reader = try MediaFileReader(path: source.path)
            reader.select([track.index])
            decoder = try VideoDecoder(reader: reader, track: track)
        } catch {
            throw DeviceError(error)
        }
        self.source = source
        self.track = track
        lastLength = source.nominalFrameNanoseconds
        pictures = FramePictures(
            width: Int(format.dimensions.width), height: Int(format.dimensions.height), pixelFormat: pixelFormat,
            maximumCount: max(1, configuration.bufferCount) + Playback.lookAhead)
    }

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

    /// Takes one step of the work; false where the track is over for good.
    private func advance() throws(MediaFileError) -> Bool {
        if !decoded.isEmpty {
            try take(decoded.removeFirst())
            return true
        }
        if isFlushed {
            try release(until: nil)
            return try beginAgain()
        }
        switch try reader.next() {
        case .packet(let packet):
            let output = try decoder.decode(packet)
            if let damage = output.damage {
                complaints.append(Complaint(place: place(packet.time) ?? lastPlace ?? loopPlace, message: damage))
            }
            decoded = output.frames
        case .damaged(let message):
            complaints.append(Complaint(place: lastPlace ?? loopPlace, message: message))
        case .end:
            decoded = try decoder.decode(nil).frames
            isFlushed = true
        }
        if complaints.count >= Self.maximumComplaintCount && decoded.isEmpty {
            try release(until: held.map { $0.place + max(1, lastLength) })
            report(complaints, between: lastPlace ?? loopPlace, and: lastPlace ?? loopPlace)
            complaints = []
        }
        return true
    }

    private func place(_ time: CMTime) -> Int64? {
        time.isValid ? time.nanoseconds - source.startNanoseconds + loopPlace : nil
    }

    /// Makes a frame the held one and releases the one before.
    private func take(_ frame: VideoDecoder.Frame) throws(MediaFileError) {
        let previous = held?.place ?? lastPlace
        let expected = previous.map { $0 + max(1, lastLength) } ?? loopPlace
        var place = place(frame.time) ?? expected
        // A time that does not lie behind the last one is wrong, as at the end of files whose presentation times are
        // decode times in truth.
        if let previous, place <= previous { place = expected }
        try release(until: place)
        held = Held(frame: frame, place: place, complaints: complaints)
        complaints = []
    }

    /// Brings out the held frame; `next` is the place of the one behind it, nil at the end of the track.
    private func release(until next: Int64?) throws(MediaFileError) {
        guard let frame = held else { return reportRest() }
        held = nil
        report(frame.complaints, between: lastPlace ?? loopPlace, and: frame.place)
        let own = frame.frame.duration.isValid ? frame.frame.duration.nanoseconds : 0
        let length = next.map { $0 - frame.place } ?? (own > 0 ? own : lastLength)
        lastLength = length
        lastPlace = frame.place
        end = frame.place + length
        framesInLoop += 1
        let pixels = try pictures.make(frame.frame, of: decoder)
        ready.append(RecordedItem(content: .frame(pixels), place: frame.place, length: length))
        if next == nil { reportRest() }
    }

    private func reportRest() {
        report(complaints, between: lastPlace ?? loopPlace, and: nil)
        complaints = []
    }

    /// Tells of damage, each at its own place as far as the order of the frames allows.
    private func report(_ complaints: [Complaint], between low: Int64, and high: Int64?) {
        for complaint in complaints {
            let place = min(max(complaint.place, low), high ?? .max)
            ready.append(RecordedItem(content: .damaged(complaint.message), place: place, length: 0))
        }
    }

    /// Starts the file over where it loops; false where it does not, or where it has no frame to show.
    private func beginAgain() throws(MediaFileError) -> Bool {
        guard ready.isEmpty else { return true }
        guard source.atEnd == .loop, framesInLoop > 0 else { return false }
        try reader.rewind()
        decoder = try VideoDecoder(reader: reader, track: track)
        loopPlace += source.lengthNanoseconds
        framesInLoop = 0
        isFlushed = false
        return true
    }
}
