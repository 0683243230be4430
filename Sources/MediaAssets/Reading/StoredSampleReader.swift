import Foundation
import MediaCodecs
import MediaTypes

/// Reads a track's samples as stored in the file, in decode order.
///
/// Times are on the track's timeline. Samples outside the time range that are needed to decode others are included:
/// video is marked as not to be displayed, audio has trim durations.
final class StoredSampleReader: SampleReader {
    /// The maximum number of audio frames in one buffer.
    private static let maximumFrameCount: UInt32 = 8192

    /// Segments that present consecutive parts of the same media, each at its own speed. Their samples are delivered
    /// without repetition.
    private struct Passage {
        var segments: [TimelineSegment]

        var media: MediaSource { segments[0].media }
        var range: CMTimeRange {
            CMTimeRangeFromTimeToTime(start: segments[0].range.start, end: segments[segments.count - 1].range.end)
        }
        var startTick: Int64 { segments[0].tick(at: segments[0].range.start) }
        var endTick: Int64 { segments[segments.count - 1].tickEnd(at: range.end) }

        func trackTime(ofTick tick: Int64) -> CMTime {
            let time = CMTime(value: tick, timescale: media.map.timescale)
            let segment = segments.last { $0.source.start <= time } ?? segments[0]
            return segment.trackTime(ofTick: tick)
        }

        func continues(with next: TimelineSegment) -> Bool {
            guard let last = segments.last else { return false }
            return last.media === next.media && last.range.end == last.target.end
                && next.range.start == next.target.start
                && last.target.end == next.target.start && last.source.end == next.source.start
        }
    }

    private let isVideo: Bool
    private let isAudio: Bool
    private var descriptions: [CMFormatDescription?] = []
    private var preRollCount = 0
    private let passages: [Passage]
    private var passageIndex = 0
    /// The remaining samples of the segment; nil at its start.
    private var range: Range<Int>?
    private var runPosition: UInt32 = 0
    /// Whether only the positions of samples are read.
    private let isReference: Bool

    init(_ track: AVAssetTrack, _ ranges: [CMTimeRange], asReferences isReference: Bool = false) {
        self.isReference = isReference
        isVideo = track.mediaType == .video
        isAudio = track.mediaType == .audio
        passages = TimelineSegment.segments(of: track, in: ranges).reduce(into: []) { passages, segment in
            if passages.last?.continues(with: segment) == true {
                passages[passages.count - 1].segments.append(segment)
            } else {
                passages.append(Passage(segments: [segment]))
            }
        }
    }

    func next() throws(AVError) -> CMSampleBuffer? {
        while passageIndex < passages.count {
            let passage = passages[passageIndex]
            let track = passage.media.map
            if range == nil { begin(passage) }
            guard let remaining = range, !remaining.isEmpty else {
                passageIndex += 1
                range = nil
                continue
            }
            let run = track.samples.runs[remaining.lowerBound]
            if run.count > 1 || track.sampleEntries.first?.isLinearPCM == true {
                if let sample = try frames(of: run, passage) { return sample }
                advance()
                continue
            }
            advance()
            return try sample(run, passage)
        }
        return nil
    }

    private func advance() {
        runPosition = 0
        if let remaining = range { range = remaining.dropFirst().startIndex..<remaining.upperBound }
    }

    /// Determines the samples that a passage needs.
    private func begin(_ passage: Passage) {
        let media = passage.media.map
        descriptions = media.sampleEntries.map {
            $0.makeDescription(handler: media.handler, timescale: media.timescale)
        }
        preRollCount =
            isAudio ? descriptions.first.flatMap { $0 }.flatMap(DecoderConfiguration.init)?.preRollCount ?? 0 : 0
        let runs = media.samples.runs
        let (start, end) = (passage.startTick, passage.endTick)
        var first = runs.count
        var last = -1
        for (index, run) in runs.enumerated()
        where run.presentationTime < end && run.presentationTime + max(1, run.totalDuration) > start {
            first = min(first, index)
            last = max(last, index)
        }
        if isVideo {
            while first > 0, first < runs.count, !runs[first].isSync { first -= 1 }
        } else {
            first = max(0, first - preRollCount)
        }
        range = first <= last ? first..<last + 1 : 0..<0
        runPosition = 0
    }

    private func sample(_ run: SampleMap.Run, _ passage: Passage) throws(AVError) -> CMSampleBuffer {
        let presentation = passage.trackTime(ofTick: run.presentationTime)
        let end = passage.trackTime(ofTick: run.presentationTime + run.totalDuration)
        let timing = CMSampleTimingInfo(
            duration: end - presentation, presentationTimeStamp: presentation,
            decodeTimeStamp: passage.media.map.samples.hasCompositionOffsets
                ? passage.trackTime(ofTick: run.decodeTime) : .invalid)
        let buffer = try makeBuffer(run, of: passage.media, from: 0, count: 1, timing)
        let isShown = presentation < passage.range.end && end > passage.range.start
        if var attachments = buffer.sampleAttachments.first {
            if isVideo {
                if !run.isSync {
                    attachments[.notSync] = true
                    attachments[.dependsOnOthers] = true
                }
                if run.isDroppable { attachments[.isDependedOnByOthers] = false }
                if !isShown { attachments[.doNotDisplay] = true }
            }
            if !attachments.isEmpty { buffer.sampleAttachments[0] = attachments }
        }
        guard isAudio else { return buffer }
        let length = end - presentation
        let head = min(length, max(.zero, passage.range.start - presentation))
        let tail = min(length - head, max(.zero, end - passage.range.end))
        attach(head, kCMSampleBufferAttachmentKey_TrimDurationAtStart, buffer)
        attach(tail, kCMSampleBufferAttachmentKey_TrimDurationAtEnd, buffer)
        return buffer
    }

    private func attach(_ length: CMTime, _ key: CFString, _ buffer: CMSampleBuffer) {
        guard length > .zero else { return }
        CMSetAttachment(
            buffer, key: key, value: CMTimeCopyAsDictionary(length, allocator: nil) as Any,
            attachmentMode: kCMAttachmentMode_ShouldPropagate)
    }

    /// Returns the next frames of a linear PCM run that are in the segment.
    private func frames(of run: SampleMap.Run, _ passage: Passage) throws(AVError) -> CMSampleBuffer? {
        let duration = Int64(max(1, run.duration))
        let (start, end) = (passage.startTick, passage.endTick)
        let low = UInt32(clamping: max(0, (start - run.presentationTime + duration - 1) / duration))
        let high = UInt32(clamping: max(0, (end - run.presentationTime + duration - 1) / duration))
        let first = max(runPosition, min(low, run.count))
        let count = min(min(high, run.count) - min(first, min(high, run.count)), Self.maximumFrameCount)
        guard count > 0 else { return nil }
        runPosition = first + count
        let firstTick = run.presentationTime + Int64(first) * duration
        let presentation = passage.trackTime(ofTick: firstTick)
        let timing = CMSampleTimingInfo(
            duration: passage.trackTime(ofTick: firstTick + duration) - presentation,
            presentationTimeStamp: presentation, decodeTimeStamp: .invalid)
        return try makeBuffer(run, of: passage.media, from: first, count: count, timing)
    }

    private func makeBuffer(
        _ run: SampleMap.Run, of media: MediaSource, from first: UInt32, count: UInt32, _ timing: CMSampleTimingInfo
    ) throws(AVError) -> CMSampleBuffer {
        if isReference {
            return try makeReference(to: media.file.url, run, from: first, count: count, timing)
        }
        let bytes: [UInt8]
        do throws(MediaFileError) {
            bytes = try media.file.bytes(of: run, from: first, count: count)
        } catch {
            throw AVError(.failedToLoadSampleData, error.message, cause: error)
        }
        var timing = timing
        var size = Int(run.size)
        var buffer: CMSampleBuffer?
        let status = CMSampleBufferCreateReady(
            allocator: nil, dataBuffer: CMBlockBuffer(copying: bytes), formatDescription: description(of: run),
            sampleCount: Int(count), sampleTimingEntryCount: 1, sampleTimingArray: &timing, sampleSizeEntryCount: 1,
            sampleSizeArray: &size, sampleBufferOut: &buffer)
        guard let buffer else {
            throw AVError(.failedToLoadSampleData, "cannot create a sample buffer: status \(status)")
        }
        return buffer
    }

    private func description(of run: SampleMap.Run) -> CMFormatDescription? {
        descriptions.indices.contains(Int(run.entry)) ? descriptions[Int(run.entry)] : nil
    }

    /// Creates a buffer without data with the position of the samples in the file.
    private func makeReference(
        to url: URL, _ run: SampleMap.Run, from first: UInt32, count: UInt32, _ timing: CMSampleTimingInfo
    ) throws(AVError) -> CMSampleBuffer {
        var (timing, size) = (timing, Int(run.size))
        var buffer: CMSampleBuffer?
        let status = CMSampleBufferCreate(
            allocator: nil, dataBuffer: nil, dataReady: true, makeDataReadyCallback: nil, refcon: nil,
            formatDescription: description(of: run), sampleCount: Int(count), sampleTimingEntryCount: 1,
            sampleTimingArray: &timing, sampleSizeEntryCount: 1, sampleSizeArray: &size, sampleBufferOut: &buffer)
        guard let buffer else {
            throw AVError(.failedToLoadSampleData, "cannot create a sample buffer: status \(status)")
        }
        let offset = run.offset + Int64(first) * Int64(run.size)
        CMSetAttachment(
            buffer, key: kCMSampleBufferAttachmentKey_SampleReferenceURL, value: url,
            attachmentMode: kCMAttachmentMode_ShouldPropagate)
        CMSetAttachment(
            buffer, key: kCMSampleBufferAttachmentKey_SampleReferenceByteOffset, value: NSNumber(value: offset),
            attachmentMode: kCMAttachmentMode_ShouldPropagate)
        return buffer
    }
}
