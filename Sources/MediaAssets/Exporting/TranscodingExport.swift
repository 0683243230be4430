import Dispatch
import Foundation
import MediaCodecs
import MediaTypes

/// An export that runs once.
protocol AssetExportOperation {
    /// Exports all tracks.
    ///
    /// - Parameter report: Receives the progress from 0 to 1; returns false to cancel the export and remove the file.
    /// - Throws: The reason of the failure; then no file remains.
    func run(_ report: (Float) -> Bool) throws(AVError)
}

/// Decodes the tracks of an asset with a reader and encodes them with a writer.
///
/// - Important: Confined.
final class TranscodingExport: AssetExportOperation {
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
    init(
        _ asset: AVAsset, _ preset: ExportPreset, in range: CMTimeRange, to url: URL, as type: AVFileType,
        _ options: AVAssetExportSession.Options
    ) throws(AVError) {
        self.range = range
        do {
            reader = try AVAssetReader(asset: asset)
            writer = try asset.system.run { try AVAssetWriter(outputURL: url, fileType: type) }
        } catch {
            throw error as? AVError ?? AVError(.unknown, "\(error)")
        }
        reader.timeRange = range
        writer.shouldOptimizeForNetworkUse = options.shouldOptimizeForNetworkUse
        writer.metadata = options.metadata(of: asset)
        writer.options.withLock { $0.keepsPartialFile = false }
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
        guard !tracks.isEmpty else {
            throw AVError(.noSourceTrack, "\(asset.path) has no track to export")
        }
    }

    private static func makeTrack(
        _ track: AVAssetTrack, _ description: CMFormatDescription, _ preset: ExportPreset
    ) -> Track {
        let (reading, writing): ([String: Any], [String: Any])
        switch (preset.video, track.mediaType) {
        case (.transcoded(let codec, let limit), .video):
            let size = ExportPreset.size(CMVideoFormatDescriptionGetDimensions(description), within: limit)
            reading = [kCVPixelBufferWidthKey: Int(size.width), kCVPixelBufferHeightKey: Int(size.height)]
            writing = [
                AVVideoCodecKey: codec, AVVideoWidthKey: Int(size.width), AVVideoHeightKey: Int(size.height),
            ]
        default:
            let stream = description.audioStreamBasicDescription
            reading = ExportPreset.decodedAudioSettings(of: stream)
            writing = ExportPreset.encodedAudioSettings(of: stream)
        }
        let input = AVAssetWriterInput(
            mediaType: track.mediaType, outputSettings: writing, sourceFormatHint: nil)
        if track.mediaType == .video { input.transform = track.preferredTransform }
        input.languageCode = track.languageCode
        return Track(output: AVAssetReaderTrackOutput(track: track, outputSettings: reading), input: input)
    }

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
        writer.endSessionWhileWriting(atSourceTime: range.end)
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
