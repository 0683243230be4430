import AssetTypes
import Foundation
import MediaCodecs
import MediaFiles
import MediaTypes

/// Reads a track's samples as stored in the file, in decode order.
///
/// Times are on the track's timeline. Samples outside the time range that are needed to decode others are included:
/// video samples have the attachment `doNotDisplay`, and audio samples have trim durations. The times of timed metadata
/// and text are limited to their edits.
package final class StoredSampleReader: SampleReader {
    /// The maximum number of audio frames in one buffer.
    private static let maximumFrameCount: UInt32 = 8192

    private let isVideo: Bool
    private let isAudio: Bool
    /// Whether the time range of each sample is limited to that of its edits.
    private let isCutByEdits: Bool
    private var descriptions: [CMFormatDescription?] = []
    private let groups: [EditGroup]
    private var groupIndex = 0
    /// The indices of the remaining runs of the current edit group; nil at its start.
    private var remainingRuns: Range<Int>?
    /// The end of the presentation of each run of the current edit group's media, in ticks.
    private var presentationEnds: [Int64] = []
    /// The index of the next sample in the current run.
    private var runPosition: UInt32 = 0
    /// Whether the buffers contain the positions of samples instead of their data.
    private let isReference: Bool

    package init(_ track: AVAssetTrack, _ ranges: [CMTimeRange], asReferences isReference: Bool = false) {
        self.isReference = isReference
        isVideo = track.mediaType == .video
        isAudio = track.mediaType == .audio
        isCutByEdits = [.metadata, .subtitle, .text].contains(track.mediaType)
        groups = EditGroup.groups(of: track, in: ranges)
    }

    package func next() throws(AVError) -> CMSampleBuffer? {
        while groupIndex < groups.count {
            let group = groups[groupIndex]
            let track = group.media.map
            if remainingRuns == nil { begin(group) }
            guard let runs = remainingRuns, !runs.isEmpty else {
                groupIndex += 1
                remainingRuns = nil
                continue
            }
            let run = track.samples.runs[runs.lowerBound]
            if run.count > 1 || track.sampleEntries.first?.isLinearPCM == true {
                if let sample = try frames(of: run, group) { return sample }
                advance()
                continue
            }
            advance()
            return try sample(run, shownUntil: presentationEnds[runs.lowerBound], group)
        }
        return nil
    }

    private func advance() {
        runPosition = 0
        if let runs = remainingRuns { remainingRuns = runs.dropFirst().startIndex..<runs.upperBound }
    }

    /// Determines the runs that a group needs.
    private func begin(_ group: EditGroup) {
        descriptions = group.media.formatDescriptions
        presentationEnds = group.media.presentationEnds
        remainingRuns = group.runs
        runPosition = 0
    }

    /// Returns a sample.
    ///
    /// - Parameter presentationEnd: The end of its presentation, in ticks of the media.
    private func sample(
        _ run: SampleMap.Run, shownUntil presentationEnd: Int64, _ group: EditGroup
    ) throws(AVError) -> CMSampleBuffer {
        var presentation = group.trackTime(ofTick: run.presentationTime)
        var end = group.trackTime(ofTick: run.presentationTime + run.totalDuration)
        if isCutByEdits {
            presentation = max(presentation, group.editRange.start)
            end = min(end, group.editRange.end)
        }
        let timing = CMSampleTimingInfo(
            duration: end - presentation, presentationTimeStamp: presentation,
            decodeTimeStamp: group.media.map.samples.hasCompositionOffsets
                ? group.trackTime(ofTick: run.decodeTime) : .invalid)
        let buffer = try makeBuffer(run, of: group.media, from: 0, count: 1, timing)
        let isShown =
            presentation < group.range.end && group.trackTime(ofTick: presentationEnd) > group.range.start
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
        let head = min(length, max(.zero, group.range.start - presentation))
        let tail = min(length - head, max(.zero, end - group.range.end))
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

    /// Returns the next frames of a linear PCM run that the group presents; nil if there are none.
    private func frames(of run: SampleMap.Run, _ group: EditGroup) throws(AVError) -> CMSampleBuffer? {
        let frames = group.frames(of: run)
        let first = max(runPosition, frames.lowerBound)
        let count = min(frames.upperBound - min(first, frames.upperBound), Self.maximumFrameCount)
        guard count > 0 else { return nil }
        runPosition = first + count
        let duration = Int64(max(1, run.duration))
        let firstTick = run.presentationTime + Int64(first) * duration
        let presentation = group.trackTime(ofTick: firstTick)
        let timing = CMSampleTimingInfo(
            duration: group.trackTime(ofTick: firstTick + duration) - presentation,
            presentationTimeStamp: presentation, decodeTimeStamp: .invalid)
        return try makeBuffer(run, of: group.media, from: first, count: count, timing)
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
            throw AVError(readingSamples: error)
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
