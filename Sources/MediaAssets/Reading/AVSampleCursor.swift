import CaptureHAL
public import Foundation
import MediaCodecs
import MediaFiles
public import MediaTypes

/// A position in the stored samples of a track, which can move in decode and in presentation order.
///
/// Times are on the timeline of the media, before edits.
/// - Important: Thread-safe.
public class AVSampleCursor: NSObject, NSCopying, @unchecked Sendable {
    // SAFETY: the position is behind a lock, the sequence is constant.
    private let sequence: SampleSequence
    /// The index of the sample in decode order.
    private let position: Lock<Int64>

    /// Creates a cursor at a sample.
    init(_ sequence: SampleSequence, at index: Int64) {
        self.sequence = sequence
        position = Lock(index)
    }

    public func copy(with zone: NSZone? = nil) -> Any { AVSampleCursor(sequence, at: index) }

    private var index: Int64 { position.withLock { $0 } }
    private var sample: SampleSequence.Sample { sequence.sample(index) }

    // MARK: Moving

    /// Moves by a number of samples in decode order, at most to the first or last sample.
    ///
    /// - Returns: The number of samples by which the cursor moved, negative for moving backward.
    @discardableResult
    public func stepInDecodeOrder(byCount stepCount: Int64) -> Int64 {
        position.withLock { index in
            let old = index
            index = sequence.clamped(old, plus: stepCount)
            return index - old
        }
    }

    /// Moves by a number of samples in presentation order, at most to the first or last sample.
    ///
    /// - Returns: The number of samples by which the cursor moved, negative for moving backward.
    @discardableResult
    public func stepInPresentationOrder(byCount stepCount: Int64) -> Int64 {
        position.withLock { index in
            let old = sequence.presentationPosition(of: index)
            let new = sequence.clamped(old, plus: stepCount)
            index = sequence.index(atPresentationPosition: new)
            return new - old
        }
    }

    /// Moves by a time difference to the last sample that is decoded at or before the resulting time, at most to the
    /// first or last sample.
    ///
    /// - Returns: The time difference by which the cursor moved.
    public func stepByDecodeTime(
        _ deltaDecodeTime: CMTime, wasPinned outWasPinned: UnsafeMutablePointer<ObjCBool>?
    ) -> CMTime {
        step(
            deltaDecodeTime, \.decodeTime, in: sequence.decodeRange, outWasPinned, index: sequence.index(atDecodeTick:))
    }

    /// Moves by a time difference to the last sample that is presented at or before the resulting time, at most to the
    /// first or last sample.
    ///
    /// - Returns: The time difference by which the cursor moved.
    public func stepByPresentationTime(
        _ deltaPresentationTime: CMTime, wasPinned outWasPinned: UnsafeMutablePointer<ObjCBool>?
    ) -> CMTime {
        step(
            deltaPresentationTime, \.presentationTime, in: sequence.presentationRange, outWasPinned,
            index: sequence.index(atPresentationTick:))
    }

    /// Moves by a time difference.
    ///
    /// - Parameters:
    ///   - delta: The time difference.
    ///   - tick: The time of a sample, in ticks of the media.
    ///   - range: The times of all samples. The cursor was pinned if the target is outside this range.
    ///   - index: Returns the index of the last sample at or before a tick.
    /// - Returns: The time difference by which the cursor moved.
    private func step(
        _ delta: CMTime, _ tick: KeyPath<SampleSequence.Sample, Int64>, in range: CMTimeRange,
        _ outWasPinned: UnsafeMutablePointer<ObjCBool>?, index: (Int64) -> Int64
    ) -> CMTime {
        position.withLock { position in
            let old = sequence.sample(position)[keyPath: tick]
            let target = sequence.time(old) + delta
            position = index(sequence.tick(at: target))
            outWasPinned?.pointee = ObjCBool(!range.containsTime(target))
            return sequence.time(sequence.sample(position)[keyPath: tick] - old)
        }
    }

    // MARK: Position

    public var presentationTimeStamp: CMTime { sequence.time(sample.presentationTime) }
    public var decodeTimeStamp: CMTime { sequence.time(sample.decodeTime) }

    /// Compares the positions of two cursors of one track.
    public func comparePositionInDecodeOrder(withPositionOf cursor: AVSampleCursor) -> ComparisonResult {
        let (own, other) = (index, cursor.index)
        return own < other ? .orderedAscending : own > other ? .orderedDescending : .orderedSame
    }

    /// Whether any sample that is decoded before this cursor's sample is presented after the other cursor's sample.
    public func samplesWithEarlierDecodeTimeStampsMayHaveLaterPresentationTimeStamps(
        than cursor: AVSampleCursor
    ) -> Bool {
        sequence.hasSample(before: index, presentedAfter: cursor.sample.presentationTime)
    }

    /// Whether any sample that is decoded after this cursor's sample is presented before the other cursor's sample.
    public func samplesWithLaterDecodeTimeStampsMayHaveEarlierPresentationTimeStamps(
        than cursor: AVSampleCursor
    ) -> Bool {
        sequence.hasSample(after: index, presentedBefore: cursor.sample.presentationTime)
    }

    // MARK: Sample

    /// The stored duration: the difference from the decode time of the sample to that of the next one.
    public var currentSampleDuration: CMTime { sequence.time(Int64(sample.run.duration)) }
    public func copyCurrentSampleFormatDescription() -> CMFormatDescription { sequence.description(of: sample.run) }

    public var currentSampleSyncInfo: AVSampleCursorSyncInfo {
        AVSampleCursorSyncInfo(
            sampleIsFullSync: ObjCBool(sequence.isSync(sample.run)), sampleIsPartialSync: false,
            sampleIsDroppable: ObjCBool(sample.run.isDroppable))
    }

    /// The dependencies that the file specifies: whether a sample is a sync sample or droppable.
    public var currentSampleDependencyInfo: AVSampleCursorDependencyInfo {
        let run = sample.run
        return AVSampleCursorDependencyInfo(
            sampleIndicatesWhetherItHasDependentSamples: ObjCBool(run.isDroppable), sampleHasDependentSamples: false,
            sampleIndicatesWhetherItDependsOnOthers: true,
            sampleDependsOnOthers: ObjCBool(!sequence.isSync(run)),
            sampleIndicatesWhetherItHasRedundantCoding: false, sampleHasRedundantCoding: false)
    }

    /// The attachments that the sample's buffer would have, by `kCMSampleAttachmentKey_…`; nil without any.
    public var currentSampleDependencyAttachments: [AnyHashable: Any]? {
        let run = sample.run
        var attachments: [AnyHashable: Any] = [:]
        if !sequence.isSync(run) {
            attachments[kCMSampleAttachmentKey_NotSync as String] = true
            attachments[kCMSampleAttachmentKey_DependsOnOthers as String] = true
        }
        if run.isDroppable { attachments[kCMSampleAttachmentKey_IsDependedOnByOthers as String] = false }
        return attachments.isEmpty ? nil : attachments
    }

    /// Whether audio decoding can start at the sample, and how many samples the decoder needs before its output is
    /// exact.
    public var currentSampleAudioDependencyInfo: AVSampleCursorAudioDependencyInfo {
        AVSampleCursorAudioDependencyInfo(
            audioSampleIsIndependentlyDecodable: ObjCBool(sequence.isAudio),
            audioSamplePacketRefreshCount: sequence.isAudio ? sequence.preRollCount : 0)
    }

    /// The number of samples before this one that a decoder needs: those from the last sync sample on, or for audio the
    /// codec's pre-roll.
    public var samplesRequiredForDecoderRefresh: Int {
        sequence.refreshCount(at: index)
    }

    // MARK: Storage

    /// The file.
    public var currentChunkStorageURL: URL? { sequence.media.file.url }
    /// The position of the chunk in the file. A chunk consists of adjacent samples with the same format.
    public var currentChunkStorageRange: AVSampleCursorStorageRange {
        let chunk = sequence.chunk(at: index)
        return AVSampleCursorStorageRange(
            offset: chunk.first.offset, length: chunk.last.end - chunk.first.offset)
    }
    public var currentChunkInfo: AVSampleCursorChunkInfo {
        let runs = sequence.chunk(at: index).runs
        return AVSampleCursorChunkInfo(
            chunkSampleCount: runs.reduce(0) { $0 + Int64($1.count) },
            chunkHasUniformSampleSizes: ObjCBool(runs.allSatisfy { $0.size == runs.first?.size }),
            chunkHasUniformSampleDurations: ObjCBool(runs.allSatisfy { $0.duration == runs.first?.duration }),
            chunkHasUniformFormatDescriptions: true)
    }
    public var currentSampleIndexInChunk: Int64 { index - sequence.chunk(at: index).firstIndex }
    /// The position of the sample in the file.
    public var currentSampleStorageRange: AVSampleCursorStorageRange {
        let sample = sample
        return AVSampleCursorStorageRange(
            offset: sample.run.offset + sample.offset * Int64(sample.run.size), length: Int64(sample.run.size))
    }
}

/// Whether decoding can start at a sample, and whether the sample is droppable.
public struct AVSampleCursorSyncInfo {
    public var sampleIsFullSync: ObjCBool
    public var sampleIsPartialSync: ObjCBool
    public var sampleIsDroppable: ObjCBool

    public init(
        sampleIsFullSync: ObjCBool = false, sampleIsPartialSync: ObjCBool = false,
        sampleIsDroppable: ObjCBool = false
    ) {
        self.sampleIsFullSync = sampleIsFullSync
        self.sampleIsPartialSync = sampleIsPartialSync
        self.sampleIsDroppable = sampleIsDroppable
    }
}

/// Dependencies between a sample and others, as far as they are known.
public struct AVSampleCursorDependencyInfo {
    public var sampleIndicatesWhetherItHasDependentSamples: ObjCBool
    public var sampleHasDependentSamples: ObjCBool
    public var sampleIndicatesWhetherItDependsOnOthers: ObjCBool
    public var sampleDependsOnOthers: ObjCBool
    public var sampleIndicatesWhetherItHasRedundantCoding: ObjCBool
    public var sampleHasRedundantCoding: ObjCBool

    public init(
        sampleIndicatesWhetherItHasDependentSamples: ObjCBool = false, sampleHasDependentSamples: ObjCBool = false,
        sampleIndicatesWhetherItDependsOnOthers: ObjCBool = false, sampleDependsOnOthers: ObjCBool = false,
        sampleIndicatesWhetherItHasRedundantCoding: ObjCBool = false, sampleHasRedundantCoding: ObjCBool = false
    ) {
        self.sampleIndicatesWhetherItHasDependentSamples = sampleIndicatesWhetherItHasDependentSamples
        self.sampleHasDependentSamples = sampleHasDependentSamples
        self.sampleIndicatesWhetherItDependsOnOthers = sampleIndicatesWhetherItDependsOnOthers
        self.sampleDependsOnOthers = sampleDependsOnOthers
        self.sampleIndicatesWhetherItHasRedundantCoding = sampleIndicatesWhetherItHasRedundantCoding
        self.sampleHasRedundantCoding = sampleHasRedundantCoding
    }
}

/// Whether audio decoding can start at a sample.
public struct AVSampleCursorAudioDependencyInfo {
    public var audioSampleIsIndependentlyDecodable: ObjCBool
    public var audioSamplePacketRefreshCount: Int

    public init(audioSampleIsIndependentlyDecodable: ObjCBool = false, audioSamplePacketRefreshCount: Int = 0) {
        self.audioSampleIsIndependentlyDecodable = audioSampleIsIndependentlyDecodable
        self.audioSamplePacketRefreshCount = audioSamplePacketRefreshCount
    }
}

/// A part of a file, in bytes.
public struct AVSampleCursorStorageRange: Sendable {
    public var offset: Int64
    public var length: Int64

    public init(offset: Int64 = 0, length: Int64 = 0) {
        self.offset = offset
        self.length = length
    }
}

/// Properties of a chunk of samples.
public struct AVSampleCursorChunkInfo {
    public var chunkSampleCount: Int64
    public var chunkHasUniformSampleSizes: ObjCBool
    public var chunkHasUniformSampleDurations: ObjCBool
    public var chunkHasUniformFormatDescriptions: ObjCBool

    public init(
        chunkSampleCount: Int64 = 0, chunkHasUniformSampleSizes: ObjCBool = false,
        chunkHasUniformSampleDurations: ObjCBool = false, chunkHasUniformFormatDescriptions: ObjCBool = false
    ) {
        self.chunkSampleCount = chunkSampleCount
        self.chunkHasUniformSampleSizes = chunkHasUniformSampleSizes
        self.chunkHasUniformSampleDurations = chunkHasUniformSampleDurations
        self.chunkHasUniformFormatDescriptions = chunkHasUniformFormatDescriptions
    }
}

extension AVAssetTrack {
    /// Whether the track has samples in a file; false for a track of a composition.
    public var canProvideSampleCursors: Bool { sampleSequence != nil }

    /// Returns a cursor at the last sample that is presented at or before a time on the timeline of the media, or at
    /// the first one; nil if `canProvideSampleCursors` is false.
    public func makeSampleCursor(presentationTimeStamp: CMTime) -> AVSampleCursor? {
        sampleSequence.map { sequence in
            let tick = sequence.tick(at: presentationTimeStamp)
            return AVSampleCursor(sequence, at: sequence.index(atPresentationTick: tick))
        }
    }

    public func makeSampleCursorAtFirstSampleInDecodeOrder() -> AVSampleCursor? {
        sampleSequence.map { AVSampleCursor($0, at: 0) }
    }

    public func makeSampleCursorAtLastSampleInDecodeOrder() -> AVSampleCursor? {
        sampleSequence.map { AVSampleCursor($0, at: $0.count - 1) }
    }

    private var sampleSequence: SampleSequence? {
        isSelfContained ? mediaSources.first.flatMap(SampleSequence.init) : nil
    }
}
