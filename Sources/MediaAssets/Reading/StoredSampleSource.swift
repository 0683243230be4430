import Foundation
import MediaCodecs
import MediaTypes

/// Gives a track's samples as they are in the file, in decode order.
///
/// Times are those of the track's timeline. Samples that are needed to decode others, but are shown before or after
/// what is read, come too: video marked as not to be displayed, sound with the lengths to trim.
final class StoredSampleSource: SampleSource {
    private static let portion: UInt32 = 8192

    private let track: TrackMap
    private let file: MovieFile
    private let descriptions: [CMFormatDescription?]
    private let preRollCount: Int
    private let pieces: [TimelinePiece]
    private var pieceIndex = 0
    /// The samples of the piece that are still to come; nil at its begin.
    private var range: Range<Int>?
    private var runPosition: UInt32 = 0

    init(_ track: AVAssetTrack, _ ranges: [CMTimeRange]) {
        self.track = track.map
        file = track.file
        descriptions = track.map.sampleEntries.map {
            $0.makeDescription(handler: track.map.handler, timescale: track.map.timescale)
        }
        preRollCount =
            track.map.isAudio
            ? descriptions.first.flatMap { $0 }.flatMap(DecoderConfiguration.init)?.preRollCount ?? 0 : 0
        pieces = TimelinePiece.pieces(of: track.map, in: ranges)
    }

    func next() throws(AVError) -> CMSampleBuffer? {
        while pieceIndex < pieces.count {
            let piece = pieces[pieceIndex]
            if range == nil { begin(piece) }
            guard let present = range, !present.isEmpty else {
                pieceIndex += 1
                range = nil
                continue
            }
            let run = track.samples.runs[present.lowerBound]
            if run.count > 1 || track.sampleEntries.first?.isLinearPCM == true {
                if let sample = try frames(of: run, piece) { return sample }
                advance()
                continue
            }
            advance()
            return try sample(run, piece)
        }
        return nil
    }

    private func advance() {
        runPosition = 0
        if let present = range { range = present.dropFirst().startIndex..<present.upperBound }
    }

    /// Finds the samples that a piece needs.
    private func begin(_ piece: TimelinePiece) {
        let runs = track.samples.runs
        let (start, end) = (piece.tick(at: piece.range.start), piece.tickEnd(at: piece.range.end))
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

    private func sample(_ run: SampleMap.Run, _ piece: TimelinePiece) throws(AVError) -> CMSampleBuffer {
        let presentation = piece.trackTime(ofTick: run.presentationTime)
        let end = piece.trackTime(ofTick: run.presentationTime + run.totalDuration)
        let timing = CMSampleTimingInfo(
            duration: track.time(run.totalDuration), presentationTimeStamp: presentation,
            decodeTimeStamp: track.samples.hasCompositionOffsets ? piece.trackTime(ofTick: run.decodeTime) : .invalid)
        let buffer = try makeBuffer(run, from: 0, count: 1, timing)
        let isShown = presentation < piece.range.end && end > piece.range.start
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
        let head = min(length, max(.zero, piece.range.start - presentation))
        let tail = min(length - head, max(.zero, end - piece.range.end))
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

    /// The next frames of a run of linear PCM that lie in the piece.
    private func frames(of run: SampleMap.Run, _ piece: TimelinePiece) throws(AVError) -> CMSampleBuffer? {
        let duration = Int64(max(1, run.duration))
        let (start, end) = (piece.tick(at: piece.range.start), piece.tickEnd(at: piece.range.end))
        let low = UInt32(clamping: max(0, (start - run.presentationTime + duration - 1) / duration))
        let high = UInt32(clamping: max(0, (end - run.presentationTime + duration - 1) / duration))
        let first = max(runPosition, min(low, run.count))
        let count = min(min(high, run.count) - min(first, min(high, run.count)), Self.portion)
        guard count > 0 else { return nil }
        runPosition = first + count
        let timing = CMSampleTimingInfo(
            duration: track.time(duration),
            presentationTimeStamp: piece.trackTime(ofTick: run.presentationTime + Int64(first) * duration),
            decodeTimeStamp: .invalid)
        return try makeBuffer(run, from: first, count: count, timing)
    }

    private func makeBuffer(
        _ run: SampleMap.Run, from first: UInt32, count: UInt32, _ timing: CMSampleTimingInfo
    ) throws(AVError) -> CMSampleBuffer {
        let bytes: [UInt8]
        do throws(MediaFileError) {
            bytes = try file.bytes(of: run, from: first, count: count)
        } catch {
            throw AVError(.failedToLoadSampleData, error.message, cause: error)
        }
        let description = descriptions.indices.contains(Int(run.entry)) ? descriptions[Int(run.entry)] : nil
        var timing = timing
        var size = Int(run.size)
        var buffer: CMSampleBuffer?
        let status = CMSampleBufferCreateReady(
            allocator: nil, dataBuffer: CMBlockBuffer(copying: bytes), formatDescription: description,
            sampleCount: Int(count), sampleTimingEntryCount: 1, sampleTimingArray: &timing, sampleSizeEntryCount: 1,
            sampleSizeArray: &size, sampleBufferOut: &buffer)
        guard let buffer else {
            throw AVError(.failedToLoadSampleData, "a sample cannot be put into a buffer: status \(status)")
        }
        return buffer
    }
}
