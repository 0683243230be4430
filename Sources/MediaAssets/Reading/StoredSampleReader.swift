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

    private let track: TrackMap
    private let file: MovieFile
    private let descriptions: [CMFormatDescription?]
    private let preRollCount: Int
    private let segments: [TimelineSegment]
    private var segmentIndex = 0
    /// The remaining samples of the segment; nil at its start.
    private var range: Range<Int>?
    private var runPosition: UInt32 = 0
    /// The file, if only the positions of samples are read.
    private let referencedURL: URL?

    init(_ track: AVAssetTrack, _ ranges: [CMTimeRange], referencesTo referencedURL: URL? = nil) {
        self.referencedURL = referencedURL
        self.track = track.map
        file = track.file
        descriptions = track.map.sampleEntries.map {
            $0.makeDescription(handler: track.map.handler, timescale: track.map.timescale)
        }
        preRollCount =
            track.map.isAudio
            ? descriptions.first.flatMap { $0 }.flatMap(DecoderConfiguration.init)?.preRollCount ?? 0 : 0
        segments = TimelineSegment.segments(of: track.map, in: ranges)
    }

    func next() throws(AVError) -> CMSampleBuffer? {
        while segmentIndex < segments.count {
            let segment = segments[segmentIndex]
            if range == nil { begin(segment) }
            guard let remaining = range, !remaining.isEmpty else {
                segmentIndex += 1
                range = nil
                continue
            }
            let run = track.samples.runs[remaining.lowerBound]
            if run.count > 1 || track.sampleEntries.first?.isLinearPCM == true {
                if let sample = try frames(of: run, segment) { return sample }
                advance()
                continue
            }
            advance()
            return try sample(run, segment)
        }
        return nil
    }

    private func advance() {
        runPosition = 0
        if let remaining = range { range = remaining.dropFirst().startIndex..<remaining.upperBound }
    }

    /// Determines the samples that a segment needs.
    private func begin(_ segment: TimelineSegment) {
        let runs = track.samples.runs
        let (start, end) = (segment.tick(at: segment.range.start), segment.tickEnd(at: segment.range.end))
        var first = runs.count
        var last = -1
        for (index, run) in runs.enumerated()
        where run.presentationTime < end && run.presentationTime + max(1, run.totalDuration) > start {
            first = min(first, index)
            last = max(last, index)
        }
        if track.isVideo {
            while first > 0, first < runs.count, !runs[first].isSync { first -= 1 }
        } else {
            first = max(0, first - preRollCount)
        }
        range = first <= last ? first..<last + 1 : 0..<0
        runPosition = 0
    }

    private func sample(_ run: SampleMap.Run, _ segment: TimelineSegment) throws(AVError) -> CMSampleBuffer {
        let presentation = segment.trackTime(ofTick: run.presentationTime)
        let end = segment.trackTime(ofTick: run.presentationTime + run.totalDuration)
        let timing = CMSampleTimingInfo(
            duration: track.time(run.totalDuration), presentationTimeStamp: presentation,
            decodeTimeStamp: track.samples.hasCompositionOffsets ? segment.trackTime(ofTick: run.decodeTime) : .invalid)
        let buffer = try makeBuffer(run, from: 0, count: 1, timing)
        let isShown = presentation < segment.range.end && end > segment.range.start
        if var attachments = buffer.sampleAttachments.first {
            if track.isVideo {
                if !run.isSync {
                    attachments[.notSync] = true
                    attachments[.dependsOnOthers] = true
                }
                if run.isDroppable { attachments[.isDependedOnByOthers] = false }
                if !isShown { attachments[.doNotDisplay] = true }
            }
            if !attachments.isEmpty { buffer.sampleAttachments[0] = attachments }
        }
        guard track.isAudio else { return buffer }
        let length = end - presentation
        let head = min(length, max(.zero, segment.range.start - presentation))
        let tail = min(length - head, max(.zero, end - segment.range.end))
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
    private func frames(of run: SampleMap.Run, _ segment: TimelineSegment) throws(AVError) -> CMSampleBuffer? {
        let duration = Int64(max(1, run.duration))
        let (start, end) = (segment.tick(at: segment.range.start), segment.tickEnd(at: segment.range.end))
        let low = UInt32(clamping: max(0, (start - run.presentationTime + duration - 1) / duration))
        let high = UInt32(clamping: max(0, (end - run.presentationTime + duration - 1) / duration))
        let first = max(runPosition, min(low, run.count))
        let count = min(min(high, run.count) - min(first, min(high, run.count)), Self.maximumFrameCount)
        guard count > 0 else { return nil }
        runPosition = first + count
        let timing = CMSampleTimingInfo(
            duration: track.time(duration),
            presentationTimeStamp: segment.trackTime(ofTick: run.presentationTime + Int64(first) * duration),
            decodeTimeStamp: .invalid)
        return try makeBuffer(run, from: first, count: count, timing)
    }

    private func makeBuffer(
        _ run: SampleMap.Run, from first: UInt32, count: UInt32, _ timing: CMSampleTimingInfo
    ) throws(AVError) -> CMSampleBuffer {
        if let referencedURL { return try makeReference(to: referencedURL, run, from: first, count: count, timing) }
        let bytes: [UInt8]
        do throws(MediaFileError) {
            bytes = try file.bytes(of: run, from: first, count: count)
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
