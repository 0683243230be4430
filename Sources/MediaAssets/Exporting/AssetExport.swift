import Dispatch
import Foundation
import MediaCodecs
import MediaTypes

/// Brings the samples of an asset's tracks from a reader into a writer.
///
/// - Important: Confined.
final class AssetExport {
    private struct Lane {
        let output: AVAssetReaderTrackOutput
        let input: AVAssetWriterInput
        /// Read, and not appended yet.
        var next: CMSampleBuffer?
        var isFinished = false
    }

    private let reader: AVAssetReader
    private let writer: AVAssetWriter
    private let range: CMTimeRange
    private var lanes: [Lane] = []

    /// - Throws: An `AVError` where the asset cannot be read or the file cannot be made.
    init(_ asset: AVAsset, _ preset: ExportPreset, _ options: AVAssetExportSession.Options) throws(AVError) {
        guard let url = options.outputURL, let type = options.outputFileType else {
            throw AVError(.unknown, "an export needs a place and a type for its file")
        }
        range = options.timeRange.intersection(CMTimeRange(start: .zero, duration: asset.duration))
        guard range.isValid, range.duration > .zero else {
            throw AVError(.invalidSourceMedia, "\(asset.fileURL.path) shows nothing in the time range to export")
        }
        do {
            reader = try AVAssetReader(asset: asset)
            writer = try asset.system.run { try AVAssetWriter(outputURL: url, fileType: type) }
        } catch {
            throw error as? AVError ?? AVError(.unknown, "\(error)")
        }
        reader.timeRange = range
        writer.shouldOptimizeForNetworkUse = options.shouldOptimizeForNetworkUse
        let metadata = options.metadata ?? asset.metadata
        writer.metadata = options.metadataItemFilter.map { filter in metadata.filter(filter.passes) } ?? metadata
        for track in preset.tracks(of: asset) {
            guard let description = track.typedFormatDescriptions.first else { continue }
            let lane = asset.system.run { Self.lane(track, description, preset) }
            guard reader.canAdd(lane.output), writer.canAdd(lane.input) else {
                throw AVError(
                    .operationNotSupportedForAsset,
                    "track \(track.trackID) of \(asset.fileURL.path) cannot go into a file of type \(type.rawValue)")
            }
            reader.add(lane.output)
            writer.add(lane.input)
            lanes.append(lane)
        }
        guard !lanes.isEmpty else {
            throw AVError(.noSourceTrack, "\(asset.fileURL.path) has no track to export")
        }
    }

    private static func lane(
        _ track: AVAssetTrack, _ description: CMFormatDescription, _ preset: ExportPreset
    ) -> Lane {
        var (reading, writing): ([String: Any]?, [String: Any]?) = (nil, nil)
        switch (preset.video, track.mediaType) {
        case (.stored, _): break
        case (.coded(let codec, let limit), .video):
            let size = ExportPreset.size(CMVideoFormatDescriptionGetDimensions(description), within: limit)
            reading = [kCVPixelBufferWidthKey: Int(size.width), kCVPixelBufferHeightKey: Int(size.height)]
            writing = [
                AVVideoCodecKey: codec, AVVideoWidthKey: Int(size.width), AVVideoHeightKey: Int(size.height),
            ]
        default:
            let channels = min(2, Int(description.audioStreamBasicDescription?.mChannelsPerFrame ?? 2))
            let rate = description.audioStreamBasicDescription.map { min(48_000, $0.mSampleRate) } ?? 48_000
            reading = [
                AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: 16, AVSampleRateKey: rate,
                AVNumberOfChannelsKey: channels,
            ]
            writing = [AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: rate, AVNumberOfChannelsKey: channels]
        }
        let input = AVAssetWriterInput(
            mediaType: track.mediaType, outputSettings: writing,
            sourceFormatHint: writing == nil ? description : nil)
        if track.mediaType == .video { input.transform = track.preferredTransform }
        input.languageCode = track.languageCode
        return Lane(output: AVAssetReaderTrackOutput(track: track, outputSettings: reading), input: input)
    }

    /// Exports all.
    ///
    /// - Parameter goesOn: Told how far it is, from 0 to 1; false ends the export and removes the file.
    func run(_ goesOn: (Float) -> Bool) throws(AVError) {
        guard reader.startReading() else { throw failure(reader.error) }
        guard writer.startWriting() else { throw failure(writer.error) }
        writer.startSession(atSourceTime: range.start)
        let readiness = DispatchSemaphore(value: 0)
        let watches =
            lanes.map { lane in lane.input.observe(\.isReadyForMoreMediaData) { _, _ in readiness.signal() } }
            + [writer.observe(\.status) { _, _ in readiness.signal() }]
        defer { for watch in watches { watch.invalidate() } }
        while lanes.contains(where: { !$0.isFinished }) {
            guard goesOn(progress) else {
                reader.cancelReading()
                return writer.cancelWriting()
            }
            guard writer.status == .writing else { throw failure(writer.error) }
            var hasMoved = false
            for index in lanes.indices where !lanes[index].isFinished { hasMoved = try move(index) || hasMoved }
            // In real time the writer is behind; in virtual time it never is, and an input is always ready.
            if !hasMoved { readiness.wait() }
        }
        writer.endSession(atSourceTime: range.end)
        let isDone = DispatchSemaphore(value: 0)
        writer.finishWriting { isDone.signal() }
        // In virtual time it has ended by now, and the handler waits for the clock.
        if writer.status == .writing { isDone.wait() }
        guard writer.status == .completed else { throw failure(writer.error) }
    }

    private var progress: Float {
        let times = lanes.filter { !$0.isFinished }.compactMap { $0.next?.presentationTimeStamp }
        guard let time = times.min(), time.isNumeric else { return 0 }
        return Float(min(1, max(0, (time - range.start).seconds / range.duration.seconds)))
    }

    /// Appends a track's next sample, where there is one and the writer takes it; false where it does not.
    private func move(_ index: Int) throws(AVError) -> Bool {
        if lanes[index].next == nil { lanes[index].next = lanes[index].output.copyNextSampleBuffer() }
        guard let sample = lanes[index].next else {
            if reader.status == .failed {
                writer.cancelWriting()
                throw failure(reader.error)
            }
            lanes[index].input.markAsFinished()
            lanes[index].isFinished = true
            return true
        }
        guard lanes[index].input.isReadyForMoreMediaData else { return false }
        lanes[index].next = nil
        guard lanes[index].input.append(sample) else { throw failure(writer.error) }
        return true
    }

    private func failure(_ error: (any Error)?) -> AVError {
        error as? AVError ?? AVError(.exportFailed, "the export failed")
    }
}
