package import Foundation
package import MediaStorage
package import MediaTypes

/// Writes audio to a CAF or WAV file that is playable up to the last checkpoint if writing is interrupted.
///
/// The same samples in the same order result in the same bytes.
///
/// - Important: Confined to one thread at a time.
package final class AudioFileWriter: TrackWriter, RecordedFile {
    /// The settings of a writer.
    package struct Configuration: Sendable {
        /// The file format.
        package var container: AudioFileContainer
        /// The maximum duration of audio that is lost in a crash; invalid if no checkpoints are written.
        package var checkpointInterval: CMTime
        /// The duration of compressed audio in CAF files for which checkpoints are written. It determines the space
        /// reserved for the packet table.
        package var protectedDuration: CMTime

        /// Creates a configuration.
        package init(
            container: AudioFileContainer, checkpointInterval: CMTime = CMTime(value: 10, timescale: 1),
            protectedDuration: CMTime = CMTime(value: 3600, timescale: 1)
        ) {
            self.container = container
            self.checkpointInterval = checkpointInterval
            self.protectedDuration = protectedDuration
        }
    }

    /// The URL of the file.
    package let url: URL
    private let configuration: Configuration
    private let storage: any CaptureStorage
    private let file: any StorageFile
    private var state = TrackWriterState.writing
    private var format: AudioSampleFormat?
    private var layout: (any AudioFileLayout)?
    /// The audio that is not yet written, and the sizes of its packets.
    private var pendingBytes: [UInt8] = []
    private var pendingSizes: [UInt32] = []
    /// The size of the audio in the file, and the sizes of its packets.
    private var byteCountInFile: Int64 = 0
    private var packetSizes: [UInt32] = []
    /// The size of the audio that the headers describe.
    private var describedByteCount: Int64 = 0
    /// The position of the first frame on the timeline, in frames; nil before the first sample.
    private var origin: Int64?
    /// The position of the next frame on the timeline, in frames.
    private var nextPosition: Int64 = 0
    /// The range to present on the timeline, in frames; a nil end is the end of the audio.
    private var presentationStart: Int64 = 0
    private var presentationEnd: Int64?
    /// The number of checkpoint intervals that have passed.
    private var checkpointCount: Int32 = 0

    /// Creates the file.
    ///
    /// - Throws: `.storage`; an existing file is not changed.
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

    /// Adds the file's only track.
    ///
    /// - Throws: `.unsupportedFormat` or `.invalidState`.
    package func addTrack(_ track: MovieTrackConfiguration) throws(MovieError) -> MovieTrackID {
        try state.requireWriting("the audio file")
        if let reason = configuration.container.rejectionReason(for: track.format) {
            throw MovieError(.unsupportedFormat, reason)
        }
        guard case .audio(let audio) = track.format, format == nil else {
            throw MovieError(.invalidState, "an audio file has exactly one track")
        }
        format = audio
        switch (configuration.container, audio.codec) {
        case (.wav, .pcm(let pcm)): layout = WaveLayout(audio, pcm)
        default:
            let isProtected = configuration.checkpointInterval.isNumeric
            let frames = isProtected ? configuration.protectedDuration.seconds * Double(audio.sampleRate) : 0
            layout = CoreAudioLayout(audio, packetCapacity: Int(frames) / max(1, audio.framesPerPacket))
        }
        return MovieTrackID(index: 0)
    }

    /// Appends the next sample.
    ///
    /// - Throws: `.invalidSample` if it does not follow the previous one without a gap, `.invalidState` or `.storage`.
    package func append(_ sample: EncodedSample, to id: MovieTrackID) throws(MovieError) {
        try state.requireWriting("the audio file")
        guard let format, let layout else { throw MovieError(.invalidState, "add a track before the first sample") }
        let position = framePosition(of: sample.presentationTime, format)
        if origin != nil, position != nextPosition {
            throw MovieError(
                .invalidSample,
                "audio at frame \(position) does not follow frame \(nextPosition); an audio file cannot have gaps")
        }
        try attempt { () throws(StorageError) in
            if origin == nil {
                origin = position
                try write(layout.header, at: 0)
            }
            if isCheckpointDue(at: sample.presentationTime) {
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

    /// Does nothing: the frames of an audio file are contiguous.
    package func extendLastSample(of id: MovieTrackID, until time: CMTime) {}

    /// Sets the time at which presentation starts; earlier frames are priming frames.
    package func setPresentationStart(_ time: CMTime, of id: MovieTrackID) {
        guard let format, time.isNumeric else { return }
        presentationStart = max(0, framePosition(of: time, format))
    }

    /// Sets the time at which presentation ends; invalid for the end of the audio.
    package func setPresentationEnd(_ time: CMTime, of id: MovieTrackID) {
        guard let format else { return }
        presentationEnd = time.isNumeric ? framePosition(of: time, format) : nil
    }

    /// Completes the file.
    ///
    /// - Throws: `.empty` if no sample was appended, `.invalidState` or `.storage`.
    package func finish() throws(MovieError) {
        try state.requireWriting("the audio file")
        guard origin != nil else {
            cancel()
            throw MovieError(.empty, "\(url.path): nothing was recorded")
        }
        try attempt { () throws(StorageError) in
            try writePending()
            try trimPCM()
            guard var layout else { return }
            for patch in layout.completion(extent) { try write(patch.bytes, at: patch.offset) }
            self.layout = layout
            describedByteCount = byteCountInFile
            try file.flush()
            try file.close()
            try storage.flushDirectory(url.deletingLastPathComponent())
        }
        state = .finished
    }

    /// Stops writing and removes the file; does nothing after `finish`.
    package func cancel() {
        switch state {
        case .finished, .cancelled: return
        case .writing, .failed:
            state = .cancelled
            removeFile()
        }
    }

    /// Not written: these formats have no equivalent of a movie's metadata.
    package var metadata = MovieMetadata()

    /// Zero: the header is written with the first sample.
    package var nextFragmentByteCount: Int64 { 0 }

    /// Whether the file in its current state is playable, at least in part.
    package var hasPlayableContent: Bool { state.hasPlayableContent(whileWriting: hasPlayableAudio) }

    /// The size of the file in bytes, including data that is not yet written.
    package var byteCount: Int64 { Int64(layout?.header.count ?? 0) + byteCountInFile + Int64(pendingBytes.count) }

    private var hasPlayableAudio: Bool { describedByteCount > 0 || (isAlwaysPlayable && byteCountInFile > 0) }

    /// Whether all audio in the file is playable regardless of its headers.
    private var isAlwaysPlayable: Bool { configuration.container == .caf && format?.isPCM == true }

    private var extent: AudioExtent {
        guard let format, let origin else {
            return AudioExtent(
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
        return AudioExtent(
            byteCount: byteCountInFile, packetSizes: packetSizes, primingFrameCount: priming,
            validFrameCount: valid, remainderFrameCount: count - priming - valid)
    }

    private func isCheckpointDue(at time: CMTime) -> Bool {
        let interval = configuration.checkpointInterval
        guard interval.isNumeric, interval > .zero else { return false }
        guard time >= CMTimeMultiply(interval, multiplier: checkpointCount + 1) else { return false }
        while CMTimeMultiply(interval, multiplier: checkpointCount + 1) <= time { checkpointCount += 1 }
        return true
    }

    private func writePending() throws(StorageError) {
        guard let layout, !pendingBytes.isEmpty else { return }
        try write(pendingBytes, at: layout.audioOffset + byteCountInFile)
        byteCountInFile += Int64(pendingBytes.count)
        packetSizes += pendingSizes
        discardPending()
    }

    private func discardPending() {
        pendingBytes.removeAll(keepingCapacity: true)
        pendingSizes.removeAll(keepingCapacity: true)
    }

    /// Updates the headers to describe the audio in the file.
    private func checkpoint() throws(StorageError) {
        guard var layout else { return }
        try file.flush()
        for patch in layout.checkpoint(extent) { try write(patch.bytes, at: patch.offset) }
        self.layout = layout
        let isFirst = describedByteCount == 0
        describedByteCount = byteCountInFile
        try file.flush()
        if isFirst { try storage.flushDirectory(url.deletingLastPathComponent()) }
    }

    /// Removes PCM after the end of presentation from the file, since the headers cannot exclude it.
    private func trimPCM() throws(StorageError) {
        guard let format, case .pcm(let pcm) = format.codec, let layout, let origin, let presentationEnd else { return }
        let endByteCount = max(0, presentationEnd - origin) * Int64(pcm.byteCount * format.channelCount)
        guard endByteCount < byteCountInFile else { return }
        byteCountInFile = endByteCount
        try file.truncate(to: layout.audioOffset + endByteCount)
    }

    /// After a storage error, makes as much of the file playable as the storage permits, and closes or removes it.
    private func closeAfterFailure(_ error: StorageError) -> MovieError {
        discardPending()
        // The steps are independent of each other, and `error` is the error to report.
        if let layout { try? file.truncate(to: layout.audioOffset + byteCountInFile) }
        if byteCountInFile > 0 { try? checkpoint() }
        let isPlayable = hasPlayableAudio
        let result = MovieError(error, hasPlayableContent: isPlayable)
        state = .failed(result)
        if isPlayable { try? file.close() } else { removeFile() }
        return result
    }

    /// Closes and removes an unplayable file.
    private func removeFile() {
        // Further errors are ignored: the file is discarded.
        try? file.close()
        try? storage.remove(url)
    }

    /// Runs a step; if the storage fails, makes the file playable as far as possible.
    private func attempt(_ step: () throws(StorageError) -> Void) throws(MovieError) {
        do {
            try step()
        } catch {
            throw closeAfterFailure(error)
        }
    }

    private func framePosition(of time: CMTime, _ format: AudioSampleFormat) -> Int64 {
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
