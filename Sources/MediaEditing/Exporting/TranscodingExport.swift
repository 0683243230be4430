import AssetTypes
import Dispatch
import Foundation
import MediaAssets
import MediaCodecs
import MediaTypes

/// An export that runs once.
protocol AssetExportOperation {
    /// The selected tracks of the asset that the file will not contain.
    var omittedTracks: [OmittedTrack] { get }
    /// Descriptions of boxes of the source that the file will not contain.
    var omittedBoxes: [String] { get }

    /// Exports all tracks.
    ///
    /// - Parameter report: Receives the progress from 0 to 1; returns false to cancel the export.
    /// - Returns: Whether the file is complete; false if the export was canceled, then no file remains.
    /// - Throws: An `AVError` if the export fails; no file remains, and an existing file is not changed.
    func run(_ report: (Float) -> Bool) throws(AVError) -> Bool
}

/// Decodes the video and the sound of an asset with a reader and encodes them with a writer. The other tracks are copied.
///
/// - Important: Confined to one thread at a time.
final class TranscodingExport: AssetExportOperation {
    private struct Track {
        let output: AVAssetReaderOutput
        let input: AVAssetWriterInput
        /// The tracks of the asset that the input encodes.
        let sources: [AVAssetTrack]
        /// The alternate group of the source track; 0 for none.
        var alternateGroup = 0
        /// Converts HDR frames for an encoder with 8 bits; nil for other frames.
        var converter: StandardRangeConverter?
        /// A sample that was read but not yet appended.
        var next: CMSampleBuffer?
        /// The latest presentation time of the samples read so far; invalid before the first sample.
        var position = CMTime.invalid
        var isFinished = false
    }

    private let reader: AVAssetReader
    private let writer: AVAssetWriter
    private let range: CMTimeRange
    private var tracks: [Track] = []
    private(set) var omittedTracks: [OmittedTrack]
    private(set) var omittedBoxes: [String] = []

    /// Prepares an export.
    ///
    /// - Throws: An `AVError` if the asset cannot be read or the file cannot be created.
    init(
        _ asset: AVAsset, _ preset: ExportPreset, in range: CMTimeRange, to url: URL, as type: AVFileType,
        _ options: AVAssetExportSession.Options
    ) throws(AVError) {
        self.range = range
        omittedTracks = options.omittedTracks(of: asset, preset)
        do {
            reader = try AVAssetReader(asset: asset)
            writer = try asset.system.run { try AVAssetWriter(outputURL: url, fileType: type) }
        } catch {
            throw error as? AVError ?? AVError(.unknown, "\(error)")
        }
        reader.timeRange = range
        writer.shouldOptimizeForNetworkUse = options.shouldOptimizeForNetworkUse
        writer.options.withLock { $0.keepsPartialFile = false }
        let sources = options.tracks(of: asset, preset)
        for track in asset.system.run({ Self.makeTracks(sources.filter { preset.encodes($0) }, preset, options) }) {
            guard reader.canAdd(track.output), writer.canAdd(track.input) else {
                throw AVError(
                    .operationNotSupportedForAsset,
                    "the \(track.input.mediaType == .video ? "video" : "audio") of \(asset.path) cannot be exported to a "
                        + "file of type \(type.rawValue)")
            }
            reader.add(track.output)
            writer.add(track.input)
            tracks.append(track)
        }
        guard !tracks.isEmpty else {
            throw AVError(.noSourceTrack, "\(asset.path) has no track to export")
        }
        if options.audioTrackGroupHandling.contains(.preserveAlternateTracks) { addGroups() }
        guard case .movie(let container) = WriterFileKind(type) else { return }
        let copies = copies(of: sources.filter { !preset.encodes($0) }, to: container)
        var contents = try options.movieContents(of: asset, in: range, to: container)
        // The numbers of the tracks change.
        contents.boxes.header = nil
        omittedBoxes = contents.omissions + copies.omittedBoxes
        writer.options.withLock { $0.export = AVAssetWriter.Export(copies: copies, contents: contents) }
    }

    /// Returns the tracks that are copied, and adds the others to `omittedTracks`.
    private func copies(of sources: [AVAssetTrack], to container: MovieContainer) -> ExportTracks {
        let encoded = tracks.enumerated().flatMap { input, track in
            track.sources.map { (assetTrack: $0, input: input) }
        }
        let copies = ExportTracks(encoded: encoded)
        for track in sources {
            do throws(AVError) {
                if let reason = track.rejectionReason(in: container) {
                    omittedTracks.append(OmittedTrack(track, reason))
                } else if let source = try StoredTrack(track, in: range, to: container) {
                    copies.append(track, source)
                } else {
                    omittedTracks.append(OmittedTrack(track, OmittedTrack.noMediaReason))
                }
            } catch {
                omittedTracks.append(OmittedTrack(track, error.localizedDescription))
            }
        }
        return copies
    }

    /// Adds an input group for each alternate group of the source tracks.
    private func addGroups() {
        let grouped = Dictionary(grouping: tracks.filter { $0.alternateGroup != 0 }, by: \.alternateGroup)
        for (_, members) in grouped.sorted(by: { $0.key < $1.key }) {
            let group = AVAssetWriterInputGroup(inputs: members.map(\.input), defaultInput: nil)
            if writer.canAdd(group) { writer.add(group) }
        }
    }

    /// Returns the encoded tracks of the movie. A video composition results in one video track, and an audio mix in one
    /// audio track; otherwise, each source track results in one track.
    private static func makeTracks(
        _ sources: [AVAssetTrack], _ preset: ExportPreset, _ options: AVAssetExportSession.Options
    ) -> [Track] {
        var tracks: [Track] = []
        let video = sources.filter { $0.mediaType == .video }
        if case .transcoded(let codec, let limit) = preset.video {
            if let composition = options.videoComposition, !video.isEmpty {
                let source = SourceVideoFormat(of: video[0])
                let (reading, input) = makeVideo(
                    codec, ExportPreset.size(composition.renderDimensions, within: limit),
                    source.pixelFormat(for: codec))
                let output = AVAssetReaderVideoCompositionOutput(videoTracks: video, videoSettings: reading)
                output.setComposition(composition, options.videoCompositor)
                tracks.append(
                    Track(
                        output: output, input: input, sources: video,
                        converter: source.standardRangeConverter(for: codec)))
            } else {
                tracks += video.map { track in
                    let (source, description) = (SourceVideoFormat(of: track), track.typedFormatDescriptions[0])
                    let (reading, input) = makeVideo(
                        codec, ExportPreset.size(description.dimensions, within: limit), source.pixelFormat(for: codec),
                        of: description)
                    input.transform = track.preferredTransform
                    input.languageCode = track.languageCode
                    input.extendedLanguageTag = track.extendedLanguageTag
                    return Track(
                        output: AVAssetReaderTrackOutput(track: track, outputSettings: reading), input: input,
                        sources: [track], converter: source.standardRangeConverter(for: codec))
                }
            }
        }
        let audio = sources.filter { $0.mediaType == .audio }
        if let mix = options.audioMix, let first = audio.first {
            let (reading, input) = makeAudio(first, preset)
            let output = AVAssetReaderAudioMixOutput(audioTracks: audio, audioSettings: reading)
            output.audioMix = mix
            output.audioTimePitchAlgorithm = options.audioTimePitchAlgorithm
            return tracks + [Track(output: output, input: input, sources: audio)]
        }
        return tracks
            + audio.map { track in
                let (reading, input) = makeAudio(track, preset)
                input.marksOutputTrackAsEnabled = track.isEnabled
                input.languageCode = track.languageCode
                input.extendedLanguageTag = track.extendedLanguageTag
                let output = AVAssetReaderTrackOutput(track: track, outputSettings: reading)
                output.audioTimePitchAlgorithm = options.audioTimePitchAlgorithm
                return Track(
                    output: output, input: input, sources: [track], alternateGroup: Int(track.map.alternateGroup))
            }
    }

    /// Returns the settings of decoded frames and the input that encodes them.
    ///
    /// - Parameter description: The format of the frames before they are scaled to the size, which has the pixel aspect
    ///   ratio and, if the size is not changed, the clean aperture; nil for composed frames, which have neither.
    private static func makeVideo(
        _ codec: AVVideoCodecType, _ size: CMVideoDimensions, _ format: OSType,
        of description: CMFormatDescription? = nil
    ) -> ([String: Any], AVAssetWriterInput) {
        let (width, height) = (Int(size.width), Int(size.height))
        var settings: [String: Any] = [AVVideoCodecKey: codec, AVVideoWidthKey: width, AVVideoHeightKey: height]
        if let description {
            settings[AVVideoPixelAspectRatioKey] = CMFormatDescriptionGetExtension(
                description, extensionKey: kCMFormatDescriptionExtension_PixelAspectRatio)
            if size.pixelSize == description.dimensions.pixelSize {
                settings[AVVideoCleanApertureKey] = CMFormatDescriptionGetExtension(
                    description, extensionKey: kCMFormatDescriptionExtension_CleanAperture)
            }
        }
        return (
            [
                kCVPixelBufferWidthKey: width, kCVPixelBufferHeightKey: height,
                kCVPixelBufferPixelFormatTypeKey: format,
            ], AVAssetWriterInput(mediaType: .video, outputSettings: settings)
        )
    }

    private static func makeAudio(_ track: AVAssetTrack, _ preset: ExportPreset) -> ([String: Any], AVAssetWriterInput)
    {
        let stream = track.typedFormatDescriptions.first?.audioStreamBasicDescription
        return (
            ExportPreset.decodedAudioSettings(of: stream),
            AVAssetWriterInput(
                mediaType: .audio, outputSettings: ExportPreset.encodedAudioSettings(of: stream, as: preset.audioFormat)
            )
        )
    }

    func run(_ report: (Float) -> Bool) throws(AVError) -> Bool {
        guard reader.startReading() else { throw failure(reader.error) }
        guard writer.startWriting() else {
            reader.cancelReading()
            throw failure(writer.error)
        }
        do throws(AVError) {
            if try encode(report) { return true }
            cancel()
            return false
        } catch {
            cancel()
            throw error
        }
    }

    /// Ends reading and writing; no file remains. Has no effect after they have ended.
    private func cancel() {
        reader.cancelReading()
        writer.cancelWriting()
    }

    /// Encodes all samples and completes the file; returns false if `report` does.
    private func encode(_ report: (Float) -> Bool) throws(AVError) -> Bool {
        writer.startSession(atSourceTime: range.start)
        let readiness = DispatchSemaphore(value: 0)
        let observations =
            tracks.map { track in track.input.observe(\.isReadyForMoreMediaData) { _, _ in readiness.signal() } }
            + [writer.observe(\.status) { _, _ in readiness.signal() }]
        defer { for observation in observations { observation.invalidate() } }
        while tracks.contains(where: { !$0.isFinished }) {
            guard report(progress) else { return false }
            guard writer.status == .writing else { throw failure(writer.error) }
            var hasAdvanced = false
            for index in tracks.indices where !tracks[index].isFinished {
                hasAdvanced = try advance(index) || hasAdvanced
            }
            // Wait until an input is ready. Without encoding durations, the inputs are always ready in virtual time.
            if !hasAdvanced { readiness.wait() }
        }
        guard report(progress) else { return false }
        writer.endSessionIfWriting(atSourceTime: range.end)
        let isDone = DispatchSemaphore(value: 0)
        writer.finishWriting { isDone.signal() }
        // Without a duration of finishing, the writer has already finished in virtual time, and the handler runs when
        // the clock advances.
        if writer.status == .writing { isDone.wait() }
        guard writer.status == .completed else { throw failure(writer.error) }
        return true
    }

    private var progress: Float {
        let unfinished = tracks.filter { !$0.isFinished }
        guard !unfinished.isEmpty else { return 1 }
        let times = unfinished.map(\.position)
        guard times.allSatisfy(\.isNumeric), let time = times.min() else { return 0 }
        return Float(min(1, max(0, (time - range.start).seconds / range.duration.seconds)))
    }

    /// Appends a track's next sample, or finishes the track after the last one.
    ///
    /// - Returns: False if the input is not ready for the sample.
    private func advance(_ index: Int) throws(AVError) -> Bool {
        if tracks[index].next == nil {
            let sample = tracks[index].output.copyNextSampleBuffer()
            tracks[index].next = try sample.map { (sample) throws(AVError) in
                try tracks[index].converter?.convert(sample) ?? sample
            }
            if let time = tracks[index].next?.presentationTimeStamp, time.isNumeric {
                // Times do not always ascend: a metadata sample can start before the range to export.
                tracks[index].position = max(tracks[index].position.isValid ? tracks[index].position : time, time)
            }
        }
        guard let sample = tracks[index].next else {
            guard reader.status != .failed else { throw failure(reader.error) }
            tracks[index].input.finishIfWriting()
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

extension AVVideoComposition {
    /// The size of the composed frames in pixels.
    var renderDimensions: CMVideoDimensions {
        let scale = Double(renderScale)
        return CMVideoDimensions(
            width: Int32((renderSize.width * scale).rounded()), height: Int32((renderSize.height * scale).rounded()))
    }
}
