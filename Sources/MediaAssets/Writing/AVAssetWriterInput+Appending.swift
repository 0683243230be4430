public import Dispatch
import Foundation
import MediaCodecs
public import MediaTypes

extension AVAssetWriterInput {
    /// Appends samples; their times count from the session's start.
    ///
    /// With output settings pictures and linear PCM are compressed, without them samples pass through. A buffer without
    /// data and with `kCMSampleBufferAttachmentKey_EndsPreviousSampleDuration` ends the sample before it.
    /// - Returns: False where the writing is over or has failed: see the writer's `status`.
    @discardableResult
    public func append(_ sampleBuffer: CMSampleBuffer) -> Bool {
        let method = "AVAssetWriterInput appendSampleBuffer:"
        if let reason = mismatch(sampleBuffer) {
            report(.invalidArgument, "appendSampleBuffer:", "Cannot append sample buffer: \(reason)")
            return false
        }
        let time = sampleBuffer.outputPresentationTimeStamp
        let duration = sampleBuffer.outputDuration
        return append(.buffer(sampleBuffer), end: duration.isNumeric ? time + duration : time, method: method)
    }

    /// Nothing more will be appended; other inputs wait no longer for this one. Misuse before the writer's start.
    public func markAsFinished() {
        let (writer, index) = place.withLock { ($0.writer, $0.index) }
        guard let writer, writer.status != .unknown else {
            return report(.internalInconsistency, "markAsFinished", "Cannot call method when status is 0")
        }
        writer.finishInput(at: index)
    }

    /// Has a block called whenever more can be appended, until the input is marked as finished.
    ///
    /// The block appends until `isReadyForMoreMediaData` is false or nothing is left. Where it returns without having
    /// appended anything though it could, it is called again when another input has moved.
    /// Misuse before the writer's start, or when called again.
    public func requestMediaDataWhenReady(on queue: DispatchQueue, using block: @escaping @Sendable () -> Void) {
        let method = "requestMediaDataWhenReadyOnQueue:usingBlock:"
        let (writer, index, hadRequest) = place.withLock { place in
            defer { place.hasRequest = place.hasRequest || place.hasStarted }
            return (place.writer, place.index, place.hasRequest)
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

    /// Hands a sample to the writer; misuse where there is none or it has not started.
    func append(_ sample: WriterSample, end: CMTime, method: String) -> Bool {
        let (writer, index) = place.withLock { ($0.writer, $0.index) }
        guard let writer else {
            system.misuse.report(.internalInconsistency, "-[\(method)] Cannot call method when status is 0")
            return false
        }
        return writer.append(sample, at: index, end: end, method: method)
    }

    /// Why a buffer is not of the kind that the input takes.
    private func mismatch(_ buffer: CMSampleBuffer) -> String? {
        guard buffer.isValid else { return "it was invalidated" }
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

/// The input as its writer sees it.
extension AVAssetWriterInput {
    var writer: AVAssetWriter? { place.withLock { $0.writer } }

    func attach(to writer: AVAssetWriter, at index: Int) {
        place.withLock { place in
            place.writer = writer
            place.index = index
        }
    }

    /// Notes that an adaptor appends to the input; false where another one does.
    func claim() -> Bool {
        place.withLock { place in
            defer { place.hasAdaptor = true }
            return !place.hasAdaptor
        }
    }

    func writingDidStart() { place.withLock { $0.hasStarted = true } }

    var flow: AssetWriterState.Flow {
        AssetWriterState.Flow(
            isRealTime: expectsMediaDataInRealTime, holdsOthers: mediaType == .video || mediaType == .audio)
    }

    func makeFeed(
        for kind: WriterFileKind, fragmentInterval: CMTime, segmentStart: CMTime
    ) throws(AVError) -> any TrackFeed {
        let options = options.withLock { $0 }
        let track = TrackOptions(
            timescale: options.timescale, header: options.trackHeader, isRealTime: options.isRealTime,
            fragmentInterval: fragmentInterval, segmentStart: segmentStart, beginsAtZero: kind.hasNoTimeline)
        switch processing {
        case .video(let settings): return VideoTrackFeed(settings, track)
        case .audio(let settings): return AudioTrackFeed(settings, track)
        case .passthrough(let hint): return try PassthroughTrackFeed(kind, hint: hint, track)
        case .metadata(let format): return MetadataTrackFeed(format, track)
        case .refused(let reason): throw AVError(.unsupportedOutputSettings, reason)
        }
    }
}

extension AVAssetWriterInput.Options {
    /// What the track's header says.
    var trackHeader: TrackOptions.Header {
        var said = MovieMetadata()
        said.add(metadata)
        return TrackOptions.Header(
            transform: transform, language: languageCode ?? "und", isEnabled: isEnabled, volume: Double(volume),
            presentationSize: naturalSize == .zero ? nil : naturalSize, metadata: said)
    }
}
