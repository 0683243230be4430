import AssetTypes
import Foundation
import MediaAssets
import MediaCodecs
import MediaTypes

/// An exported audio track whose samples are decoded, retimed and encoded again.
///
/// It is used if an edit is scaled, because the duration of stored audio samples cannot change, and if parts of the
/// source track have different formats.
final class EncodedAudioTrack: ExportTrack {
    let configuration: MovieTrackConfiguration
    /// None: the boxes describe the samples that are encoded again.
    let omittedBoxes: [String] = []
    private let reader: any SampleReader
    private let processor: AudioTrackProcessor
    private let range: CMTimeRange
    /// Encoded samples that are not yet returned.
    private var pending: [EncodedSample] = []
    private var isFinished = false

    /// Creates a track; nil if the source track presents nothing in the range.
    ///
    /// - Throws: An error if the audio cannot be decoded or encoded.
    init?(
        _ track: AVAssetTrack, in range: CMTimeRange, to container: MovieContainer,
        _ options: AVAssetExportSession.Options
    ) throws(AVError) {
        guard let description = track.typedFormatDescriptions.first,
            let stream = description.audioStreamBasicDescription
        else { return nil }
        self.range = range
        let isLinear = stream.mFormatID == kAudioFormatLinearPCM && container == .mov
        let decoded = ExportPreset.decodedAudioSettings(of: stream, keepsSampleType: isLinear)
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: decoded)
        output.audioTimePitchAlgorithm = options.audioTimePitchAlgorithm
        reader = try output.makeSampleReader([range])
        var settings: WriterAudioSettings?
        if !isLinear {
            do throws(WriterAudioSettings.SettingsError) {
                settings = try WriterAudioSettings(ExportPreset.encodedAudioSettings(of: stream), isComplete: false)
            } catch {
                throw AVError(.unsupportedOutputSettings, error.reason)
            }
        }
        processor = AudioTrackProcessor(settings)
        var samples: [EncodedSample] = []
        while processor.track == nil, let sample = try reader.next() {
            samples += try processor.process(.buffer(sample), origin: range.start)
        }
        guard let encoded = processor.track,
            var configuration = track.exportConfiguration(
                [encoded.format], timescale: encoded.timescale, expectedSampleRate: encoded.expectedSampleRate,
                to: container)
        else { return nil }
        configuration.storedBoxes?.sampleBoxes = []
        self.configuration = configuration
        pending = samples
    }

    func begin(_ id: MovieTrackID, in writer: MovieFileWriter) {
        if processor.presentationStart.isValid { writer.setPresentationStart(processor.presentationStart, of: id) }
    }

    func finish(_ id: MovieTrackID, in writer: MovieFileWriter) {
        let end = min(processor.end, range.duration)
        writer.extendLastSample(of: id, until: end)
        writer.setPresentationEnd(end, of: id)
    }

    func next() throws(AVError) -> ExportSample? {
        while pending.isEmpty, !isFinished {
            if let sample = try reader.next() {
                pending = try processor.process(.buffer(sample), origin: range.start)
            } else {
                isFinished = true
                pending = try processor.finish()
            }
        }
        guard !pending.isEmpty else { return nil }
        let sample = pending.removeFirst()
        return ExportSample(sample: sample, position: max(.zero, sample.presentationTime))
    }
}
