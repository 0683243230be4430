import AssetTypes
import CaptureHAL
public import Dispatch
import Foundation
import MediaCodecs
public import MediaTypes

extension AVAssetWriterInput {
    /// Appends samples. `startSession(atSourceTime:)` sets the source time that is zero on the movie's timeline.
    ///
    /// With output settings, images and linear PCM are compressed; without them, samples are passed through. A buffer
    /// without data but with `kCMSampleBufferAttachmentKey_EndsPreviousSampleDuration` ends the previous sample.
    /// - Returns: False if writing has ended or failed; see the writer's `status`.
    @discardableResult
    public func append(_ sampleBuffer: CMSampleBuffer) -> Bool {
        let method = "AVAssetWriterInput appendSampleBuffer:"
        if let reason = reasonNotToAppend(sampleBuffer) {
            report(.invalidArgument, "appendSampleBuffer:", "Cannot append sample buffer: \(reason)")
            return false
        }
        let time = sampleBuffer.outputPresentationTimeStamp
        let duration = sampleBuffer.outputDuration
        return append(.buffer(sampleBuffer), end: duration.isNumeric ? time + duration : time, method: method)
    }

    /// Marks the input as finished, so that other inputs no longer wait for it. Calling it before the writer starts, or
    /// after it has ended or `finishWriting` was called, is misuse.
    public func markAsFinished() {
        let writer = attachment.withLock { $0.writer }
        let (status, isFinishing) = writer?.state.withLock { ($0.status, $0.isFinishing) } ?? (.unknown, false)
        guard status == .writing else {
            return report(
                .internalInconsistency, "markAsFinished", "Cannot call method when status is \(status.rawValue)")
        }
        guard !isFinishing else {
            return report(.internalInconsistency, "markAsFinished", "Cannot call method after finishWriting")
        }
        finishIfWriting()
    }

    /// Marks the input as finished; no effect unless the writer is writing.
    package func finishIfWriting() {
        let (writer, index) = attachment.withLock { ($0.writer, $0.index) }
        writer?.finishInput(at: index)
    }

    /// Calls a block whenever more media can be appended, until the input is marked as finished.
    ///
    /// The block appends until `isReadyForMoreMediaData` is false or no media is left. If the block returns without
    /// appending although the input is ready, it is called again after the writer has processed a sample, or after an
    /// input has been marked as finished. Calling this method before the writer starts, or again, is misuse.
    @preconcurrency
    public func requestMediaDataWhenReady(on queue: DispatchQueue, using block: @escaping @Sendable () -> Void) {
        let method = "requestMediaDataWhenReadyOnQueue:usingBlock:"
        let (writer, index, hadRequest) = attachment.withLock { attachment in
            defer { attachment.hasRequest = attachment.hasRequest || attachment.hasStarted }
            return (attachment.writer, attachment.index, attachment.hasRequest)
        }
        guard let writer, writer.status != .unknown else {
            return report(.internalInconsistency, method, "Cannot call method when status is 0")
        }
        guard !hadRequest else {
            return report(.internalInconsistency, method, "Cannot call method more than once")
        }
        writer.state.withLock { state in
            guard state.status == .writing else { return }
            state.setRequest(AssetWriterState.Request(queue: queue, block: block), of: index)
        }
        writer.stateDidChange()
    }

    /// Passes a sample to the writer. Calling it without a writer, or before the writer starts, is misuse.
    ///
    /// - Parameters:
    ///   - end: The end of the sample on the source's timeline.
    ///   - method: The class and the selector of the called method, for misuse reports.
    package func append(_ sample: WriterSample, end: CMTime, method: String) -> Bool {
        let (writer, index) = attachment.withLock { ($0.writer, $0.index) }
        guard let writer else {
            system.misuse.report(.internalInconsistency, "-[\(method)] Cannot call method when status is 0")
            return false
        }
        return writer.append(sample, at: index, end: end, method: method)
    }

    /// Why the input cannot accept a buffer; nil if it can.
    private func reasonNotToAppend(_ buffer: CMSampleBuffer) -> String? {
        guard buffer.isValid else { return "the buffer has been invalidated" }
        if let format = buffer.formatDescription, format.mediaType.rawValue != mediaType.code {
            return "Media type of sample buffer must match receiver's media type"
        }
        switch processing {
        case .video where buffer.imageBuffer == nil && !buffer.endsPreviousSampleDuration,
            .audio where buffer.formatDescription?.audioStreamBasicDescription?.mFormatID != kAudioFormatLinearPCM:
            return "Input buffer must be in an uncompressed format when outputSettings is not nil"
        case .passthrough where buffer.imageBuffer != nil:
            return "Input buffer must be in a compressed format when outputSettings is nil"
        default: return nil
        }
    }
}

/// Members for the input's writer.
extension AVAssetWriterInput {
    /// The writer to which the input was added; nil before.
    var writer: AVAssetWriter? { attachment.withLock { $0.writer } }

    /// Makes the input belong to a writer, which then sets the index.
    ///
    /// - Returns: False if it already belongs to a writer.
    func attach(to writer: AVAssetWriter) -> Bool {
        attachment.withLock { attachment in
            guard attachment.writer == nil else { return false }
            attachment.writer = writer
            return true
        }
    }

    /// Registers an adaptor of the input, or reports misuse if the input cannot have it.
    ///
    /// - Parameters:
    ///   - initializer: The class and the initializer of the adaptor in Objective-C.
    ///   - rejection: Why the adaptor does not support the input; nil if it does.
    package func registerAdaptor(_ initializer: String, rejection: String?) {
        func report(_ exception: Misuse.Exception, _ message: String) {
            system.misuse.report(exception, "-[\(initializer)] \(message)")
        }
        if let rejection { return report(.invalidArgument, rejection) }
        let (hasStarted, hadAdaptor) = attachment.withLock { attachment in
            defer { attachment.hasAdaptor = attachment.hasAdaptor || !attachment.hasStarted }
            return (attachment.hasStarted, attachment.hasAdaptor)
        }
        if hasStarted {
            report(.internalInconsistency, "the input's writer has already started")
        } else if hadAdaptor {
            report(.invalidArgument, "the input already has an adaptor")
        }
    }

    func writingDidStart() { attachment.withLock { $0.hasStarted = true } }

    /// Returns the initial state of the input for the writer's flow control.
    func flowState(_ durations: ProcessingDurations) -> AssetWriterState.InputState {
        var state = AssetWriterState.InputState(
            isRealTime: expectsMediaDataInRealTime,
            othersWait: (mediaType == .video || mediaType == .audio)
                && mediaDataLocation != .sparselyInterleavedWithMainMediaData)
        if case .video = processing { state.encodingDuration = durations.videoFrame }
        return state
    }

    func makeTrackProcessor(
        for kind: WriterFileKind, fragmentInterval: CMTime, segmentStart: CMTime
    ) throws(AVError) -> any TrackProcessor {
        let options = options.withLock { $0 }
        let track = TrackOptions(
            timescale: options.timescale, header: options.trackHeader, isRealTime: options.isRealTime,
            fragmentInterval: fragmentInterval, segmentStart: segmentStart, beginsAtZero: kind.hasNoTimeline)
        switch processing {
        case .video(let settings): return VideoTrackProcessor(settings, track)
        case .audio(let settings): return AudioTrackProcessor(settings, track)
        case .passthrough(let hint): return try PassthroughTrackProcessor(kind, hint: hint, track)
        case .metadata(let format): return TimedGroupTrackProcessor(metadata: format, track)
        case .captions(let format): return TimedGroupTrackProcessor(captions: format, track)
        case .unsupported(let reason): throw AVError(.unsupportedOutputSettings, reason)
        }
    }
}

extension AVAssetWriterInput.Options {
    /// The contents of the track's header.
    var trackHeader: TrackOptions.Header {
        var trackMetadata = MovieMetadata()
        trackMetadata.add(metadata)
        return TrackOptions.Header(
            transform: transform, language: languageCode ?? "und", extendedLanguageTag: extendedLanguageTag,
            isEnabled: isEnabled, volume: Double(volume),
            presentationSize: naturalSize == .zero ? nil : naturalSize, metadata: trackMetadata,
            alternateGroup: alternateGroup)
    }
}
