package import Foundation
package import MediaStorage
package import MediaTypes

/// Writes sound into a CAF or WAV file that plays up to the last checkpoint whenever the writing stops.
///
/// The same samples in the same order give the same bytes.
///
/// - Important: Confined.
package final class SoundFileWriter: TrackWriter, RecordedFile {
    package struct Configuration: Sendable {
        package var container: SoundFileContainer
        /// How much a crash costs at most; invalid for everything.
        package var checkpointInterval: CMTime
        /// For how long compressed sound is safe from a crash in CAF, whose table of packets needs room in front.
        package var protectedDuration: CMTime

        package init(
            container: SoundFileContainer, checkpointInterval: CMTime = CMTime(value: 10, timescale: 1),
            protectedDuration: CMTime = CMTime(value: 3600, timescale: 1)
        ) {
            self.container = container
            self.checkpointInterval = checkpointInterval
            self.protectedDuration = protectedDuration
        }
    }

    package let url: URL
    private let configuration: Configuration
    private let storage: any CaptureStorage
    private let file: any StorageFile
    private var state = TrackWriterState.writing
    private var format: AudioSampleFormat?
    private var layout: (any SoundFileLayout)?
    /// What waits to be written.
    private var pendingBytes: [UInt8] = []
    private var pendingSizes: [UInt32] = []
    /// What is in the file.
    private var byteCountInFile: Int64 = 0
    private var packetSizes: [UInt32] = []
    /// Bytes that the file tells of.
    private var shownByteCount: Int64 = 0
    /// The first frame's place on the timeline, in frames.
    private var origin: Int64?
    private var nextPosition: Int64 = 0
    private var presentationStart: Int64 = 0
    private var presentationEnd: Int64?
    private var checkpointCount: Int32 = 0

    /// Creates the file.
    ///
    /// - Throws: `.storage`; a file that is there already stays as it is.
    package init(url: URL, storage: any CaptureStorage, configuration: Configuration) throws(MovieError) {
        self.url = url
        self.storage = storage
        self.configuration = configuration
        do {
            file = try storage.create(url)
        } catch {
            throw MovieError(error)
        }
    }

    package func addTrack(_ track: MovieTrackConfiguration) throws(MovieError) -> MovieTrackID {
        try state.requireWriting("the sound file")
        if let reason = configuration.container.refusal(of: track.format) {
            throw MovieError(.unsupportedFormat, reason)
        }
        guard case .audio(let audio) = track.format, format == nil else {
            throw MovieError(.invalidState, "a sound file has one track")
        }
        format = audio
        switch (configuration.container, audio.codec) {
        case (.wav, .pcm(let pcm)): layout = WaveLayout(audio, pcm)
        default:
            let isProtected = configuration.checkpointInterval.isNumeric
            let frames = isProtected ? configuration.protectedDuration.seconds * Double(audio.sampleRate) : 0
            layout = CoreAudioLayout(audio, packetRoom: Int(frames) / max(1, audio.framesPerPacket))
        }
        return MovieTrackID(index: 0)
    }

    package func append(_ sample: EncodedSample, to id: MovieTrackID) throws(MovieError) {
        try state.requireWriting("the sound file")
        guard let format, let layout else { throw MovieError(.invalidState, "the file has no track yet") }
        let position = frames(sample.presentationTime, format)
        if origin != nil, position != nextPosition {
            throw MovieError(
                .invalidSample,
                "sound at frame \(position) does not follow frame \(nextPosition); a sound file has no gaps")
        }
        try attempt { () throws(StorageError) in
            if origin == nil {
                origin = position
                try write(layout.header, at: 0)
            }
            if checkpointIsDue(at: sample.presentationTime) {
                try writePending()
                try checkpoint()
            } else if pendingBytes.count >= 1 << 16 {
                try writePending()
            }
            sample.data.withUnsafeBytes { pendingBytes.append(contentsOf: $0) }
            if !format.isPCM { pendingSizes.append(UInt32(sample.data.count)) }
        }
        nextPosition = position + Int64(format.isPCM ? sample.sampleCount : format.framesPerPacket)
    }

    /// Does nothing: in a sound file frames follow each other.
    package func extendLastSample(of id: MovieTrackID, until time: CMTime) {}

    package func setPresentationStart(_ time: CMTime, of id: MovieTrackID) {
        guard let format, time.isNumeric else { return }
        presentationStart = max(0, frames(time, format))
    }

    package func setPresentationEnd(_ time: CMTime, of id: MovieTrackID) {
        guard let format else { return }
        presentationEnd = time.isNumeric ? frames(time, format) : nil
    }

    package func finish() throws(MovieError) {
        try state.requireWriting("the sound file")
        guard origin != nil else {
            cancel()
            throw MovieError(.empty, "\(url.path): nothing was recorded")
        }
        try attempt { () throws(StorageError) in
            try writePending()
            try cutPCM()
            guard var layout else { return }
            for patch in layout.completion(extent) { try write(patch.bytes, at: patch.offset) }
            self.layout = layout
            shownByteCount = byteCountInFile
            try file.flush()
            try file.close()
            try storage.flushDirectory(url.deletingLastPathComponent())
        }
        state = .finished
    }

    package func cancel() {
        switch state {
        case .finished, .cancelled: return
        case .writing, .failed:
            state = .cancelled
            removeFile()
        }
    }

    /// Kept, and not written: these files have no place for what a movie says.
    package var metadata = MovieMetadata()

    /// Zero: the header is there from the first sound on.
    package var nextFragmentByteCount: Int64 { 0 }

    /// Whether what is in the file now plays, at least in part.
    package var hasPlayableContent: Bool { state.hasPlayableContent(whileWriting: showsSound) }

    /// The bytes of the file so far, those that wait in memory included.
    package var byteCount: Int64 { Int64(layout?.header.count ?? 0) + byteCountInFile + Int64(pendingBytes.count) }

    private var showsSound: Bool { shownByteCount > 0 || (showsAllSound && byteCountInFile > 0) }

    /// Whether all sound in the file plays, whatever its header has been told.
    private var showsAllSound: Bool { configuration.container == .caf && format?.isPCM == true }

    private var extent: SoundExtent {
        guard let format, let origin else {
            return SoundExtent(
                byteCount: 0, packetSizes: [], primingFrameCount: 0, validFrameCount: 0, remainderFrameCount: 0)
        }
        let count: Int64
        if case .pcm(let pcm) = format.codec {
            count = byteCountInFile / Int64(pcm.byteCount * format.channelCount)
        } else {
            count = Int64(packetSizes.count * format.framesPerPacket)
        }
        let priming = min(max(0, presentationStart - origin), count)
        let end = min(presentationEnd ?? .max, origin + count)
        let valid = min(max(0, end - origin - priming), count - priming)
        return SoundExtent(
            byteCount: byteCountInFile, packetSizes: packetSizes, primingFrameCount: priming,
            validFrameCount: valid, remainderFrameCount: count - priming - valid)
    }

    private func checkpointIsDue(at time: CMTime) -> Bool {
        let interval = configuration.checkpointInterval
        guard interval.isNumeric, interval > .zero else { return false }
        guard time >= CMTimeMultiply(interval, multiplier: checkpointCount + 1) else { return false }
        while CMTimeMultiply(interval, multiplier: checkpointCount + 1) <= time { checkpointCount += 1 }
        return true
    }

    private func writePending() throws(StorageError) {
        guard let layout, !pendingBytes.isEmpty else { return }
        try write(pendingBytes, at: layout.soundOffset + byteCountInFile)
        byteCountInFile += Int64(pendingBytes.count)
        packetSizes += pendingSizes
        discardPending()
    }

    private func discardPending() {
        pendingBytes.removeAll(keepingCapacity: true)
        pendingSizes.removeAll(keepingCapacity: true)
    }

    /// Brings what is in the file to light.
    private func checkpoint() throws(StorageError) {
        guard var layout else { return }
        try file.flush()
        for patch in layout.checkpoint(extent) { try write(patch.bytes, at: patch.offset) }
        self.layout = layout
        let isFirst = shownByteCount == 0
        shownByteCount = byteCountInFile
        try file.flush()
        if isFirst { try storage.flushDirectory(url.deletingLastPathComponent()) }
    }

    /// Takes PCM behind the presentation's end out of the file; no table could tell of it.
    private func cutPCM() throws(StorageError) {
        guard let format, case .pcm(let pcm) = format.codec, let layout, let origin, let presentationEnd else { return }
        let wanted = max(0, presentationEnd - origin) * Int64(pcm.byteCount * format.channelCount)
        guard wanted < byteCountInFile else { return }
        byteCountInFile = wanted
        try file.truncate(to: layout.soundOffset + wanted)
    }

    /// After a storage error: brings what was written to light as far as the storage still works.
    private func salvage(after error: StorageError) -> MovieError {
        discardPending()
        // Each step is worth trying by itself, and the first error is the one to report.
        if let layout { try? file.truncate(to: layout.soundOffset + byteCountInFile) }
        if byteCountInFile > 0 { try? checkpoint() }
        let isPlayable = showsSound
        let result = MovieError(error, hasPlayableContent: isPlayable)
        state = .failed(result)
        if isPlayable { try? file.close() } else { removeFile() }
        return result
    }

    /// Closes and removes a file that nobody could play.
    private func removeFile() {
        // The error that led here, or the wish to cancel, is what counts.
        try? file.close()
        try? storage.remove(url)
    }

    private func attempt(_ step: () throws(StorageError) -> Void) throws(MovieError) {
        do {
            try step()
        } catch {
            throw salvage(after: error)
        }
    }

    private func frames(_ time: CMTime, _ format: AudioSampleFormat) -> Int64 {
        CMTimeConvertScale(time, timescale: format.sampleRate, method: .roundHalfAwayFromZero).value
    }

    private func write(_ bytes: [UInt8], at offset: Int64) throws(StorageError) {
        guard !bytes.isEmpty else { return }
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(StorageError) in try file.write(bytes, at: offset) }
        }
        try result.get()
    }
}
