import Dispatch
import Foundation
import MediaCodecs
import MediaTypes

/// Copies the samples of an asset's tracks from a reader to a writer.
///
/// - Important: Confined.
final class AssetExport {
    private struct Track {
        let output: AVAssetReaderTrackOutput
        let input: AVAssetWriterInput
        /// A sample that was read but not yet appended.
        var next: CMSampleBuffer?
        var isFinished = false
    }

    private let reader: AVAssetReader
    private let writer: AVAssetWriter
    private let range: CMTimeRange
    private var tracks: [Track] = []

    /// Prepares an export.
    ///
    /// - Throws: An `AVError` if the asset cannot be read or the file cannot be created.
    init(_ asset: AVAsset, _ preset: ExportPreset, _ options: AVAssetExportSession.Options) throws(AVError) {
        guard let url = options.outputURL, let type = options.outputFileType else {
            throw AVError(.unknown, "an export needs an output URL and a file type")
        }
        range = options.timeRange.intersection(CMTimeRange(start: .zero, duration: asset.duration))
        guard range.isValid, range.duration > .zero else {
            throw AVError(.invalidSourceMedia, "\(asset.path) has no media in the time range to export")
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
            let copied = asset.system.run { Self.makeTrack(track, description, preset) }
            guard reader.canAdd(copied.output), writer.canAdd(copied.input) else {
                throw AVError(
                    .operationNotSupportedForAsset,
                    "track \(track.trackID) of \(asset.path) cannot be exported to a file "
                        + "of type \(type.rawValue)")
            }
            reader.add(copied.output)
            writer.add(copied.input)
            tracks.append(copied)
        }
        if preset.isPassthrough { try Self.checkPassthrough(preset.tracks(of: asset)) }
        guard !tracks.isEmpty else {
            throw AVError(.noSourceTrack, "\(asset.path) has no track to export")
        }
    }

    /// Throws if stored samples cannot present the edits of the tracks.
    private static func checkPassthrough(_ tracks: [AVAssetTrack]) throws(AVError) {
        for track in tracks where track.mediaType == .audio && track.timeline.contains(where: \.isScaled) {
            throw AVError(
                .operationNotSupportedForAsset,
                "\(track.path) plays audio at another speed, which stored samples cannot present; use a preset that encodes,"
                    + " or remove the audio track")
        }
    }

    private static func makeTrack(
        _ track: AVAssetTrack, _ description: CMFormatDescription, _ preset: ExportPreset
    ) -> Track {
        var (reading, writing): ([String: Any]?, [String: Any]?) = (nil, nil)
        switch (preset.video, track.mediaType) {
        case (.stored, _): break
        case (.transcoded(let codec, let limit), .video):
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
        return Track(output: AVAssetReaderTrackOutput(track: track, outputSettings: reading), input: input)
    }

    /// Exports all tracks.
    ///
    /// - Parameter report: Receives the progress from 0 to 1; returns false to cancel the export and remove the file.
    func run(_ report: (Float) -> Bool) throws(AVError) {
        guard reader.startReading() else { throw failure(reader.error) }
        guard writer.startWriting() else { throw failure(writer.error) }
        writer.startSession(atSourceTime: range.start)
        let readiness = DispatchSemaphore(value: 0)
        let observations =
            tracks.map { track in track.input.observe(\.isReadyForMoreMediaData) { _, _ in readiness.signal() } }
            + [writer.observe(\.status) { _, _ in readiness.signal() }]
        defer { for observation in observations { observation.invalidate() } }
        while tracks.contains(where: { !$0.isFinished }) {
            guard report(progress) else {
                reader.cancelReading()
                return writer.cancelWriting()
            }
            guard writer.status == .writing else { throw failure(writer.error) }
            var hasAdvanced = false
            for index in tracks.indices where !tracks[index].isFinished {
                hasAdvanced = try advance(index) || hasAdvanced
            }
            // In real time, wait until the writer catches up. In virtual time, the writer is always ready.
            if !hasAdvanced { readiness.wait() }
        }
        guard report(progress) else { return writer.cancelWriting() }
        writer.endSession(atSourceTime: range.end)
        let isDone = DispatchSemaphore(value: 0)
        writer.finishWriting { isDone.signal() }
        // In virtual time the writer has already finished, and the handler waits for the clock.
        if writer.status == .writing { isDone.wait() }
        guard writer.status == .completed else { throw failure(writer.error) }
    }

    private var progress: Float {
        let times = tracks.filter { !$0.isFinished }.compactMap { $0.next?.presentationTimeStamp }
        guard let time = times.min(), time.isNumeric else { return 0 }
        return Float(min(1, max(0, (time - range.start).seconds / range.duration.seconds)))
    }

    /// Appends a track's next sample; false if the writer is not ready for it.
    private func advance(_ index: Int) throws(AVError) -> Bool {
        if tracks[index].next == nil { tracks[index].next = tracks[index].output.copyNextSampleBuffer() }
        guard let sample = tracks[index].next else {
            if reader.status == .failed {
                writer.cancelWriting()
                throw failure(reader.error)
            }
            tracks[index].input.markAsFinished()
            tracks[index].isFinished = true
            return true
        }
        guard tracks[index].input.isReadyForMoreMediaData else { return false }
        tracks[index].next = nil
        guard tracks[index].input.append(sample) else { throw failure(writer.error) }
        return true
    }

    private func failure(_ error: (any Error)?) -> AVError {
        error as? AVError ?? AVError(.exportFailed, "the export failed")
    }
}
