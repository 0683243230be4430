import AssetTypes
import CaptureHAL
public import Foundation
import MediaAssets
import MediaCodecs
import MediaTypes

/// Receives notifications about captions that could be read only in part.
public protocol AVAssetReaderCaptionValidationHandling: AnyObject {
    /// Called when parts of a caption's sample were skipped.
    ///
    /// - Parameter syntaxElements: The types of the skipped boxes, such as `krok` (karaoke).
    func captionAdaptor(
        _ adaptor: AVAssetReaderOutput.CaptionAdaptor, didVend caption: AVCaption,
        skippingUnsupportedSourceSyntaxElements syntaxElements: [String])
}

extension AVAssetReaderCaptionValidationHandling {
    /// Does nothing.
    public func captionAdaptor(
        _ adaptor: AVAssetReaderOutput.CaptionAdaptor, didVend caption: AVCaption,
        skippingUnsupportedSourceSyntaxElements syntaxElements: [String]
    ) {}
}

extension AVAssetReaderOutput {
    /// Reads captions from a track output, one group for each sample of the track.
    ///
    /// - Important: Only one caller at a time may use the adaptor and its output.
    public final class CaptionAdaptor: NSObject, @unchecked Sendable {
        // SAFETY: the constants are thread-safe objects and values; one caller at a time uses the adaptor.
        public let assetReaderTrackOutput: AVAssetReaderTrackOutput
        public weak var validationDelegate: (any AVAssetReaderCaptionValidationHandling)?
        private let defaultColor: UInt32

        /// Creates an adaptor.
        ///
        /// - Parameter trackOutput: An output of a track with 3GPP or QuickTime text, without output settings. Any
        ///   other output is misuse.
        public init(assetReaderTrackOutput trackOutput: AVAssetReaderTrackOutput) {
            assetReaderTrackOutput = trackOutput
            let format = trackOutput.track.captionFormat
            defaultColor = format?.defaultColor ?? TimedTextSample.white
            super.init()
            if format == nil || trackOutput.outputSettings != nil {
                trackOutput.track.asset?.system.misuse.report(
                    .invalidArgument,
                    "-[AVAssetReaderOutputCaptionAdaptor initWithAssetReaderTrackOutput:] the output must read a track "
                        + "of text without output settings")
            }
        }

        /// Returns the next group; nil at the end or after a failure of the reader. A group for a gap between texts has
        /// no captions.
        public func nextCaptionGroup() -> AVCaptionGroup? {
            while let buffer = assetReaderTrackOutput.copyNextSampleBuffer() {
                guard let data = buffer.dataBuffer, let bytes = try? data.dataBytes(),
                    let sample = TimedTextSample(bytes)
                else { continue }
                let range = CMTimeRange(start: buffer.presentationTimeStamp, duration: buffer.duration)
                guard !sample.text.isEmpty else { return AVCaptionGroup(timeRange: range) }
                let caption = sample.caption(
                    range, defaultColor: defaultColor, in: assetReaderTrackOutput.track.naturalSize)
                if !sample.unsupportedBoxes.isEmpty {
                    validationDelegate?.captionAdaptor(
                        self, didVend: caption, skippingUnsupportedSourceSyntaxElements: sample.unsupportedBoxes)
                }
                return AVCaptionGroup(captions: [caption], timeRange: range)
            }
            return nil
        }

        /// Returns the captions that start at the start of a group.
        public func captionsNotPresentInPreviousGroups(in captionGroup: AVCaptionGroup) -> [AVCaption] {
            captionGroup.captions.filter { $0.timeRange.start == captionGroup.timeRange.start }
        }
    }
}

extension AVAssetTrack {
    /// The sample format of captions; nil for other media.
    fileprivate var captionFormat: SubtitleSampleFormat? {
        guard mediaType == .subtitle || mediaType == .text, let entry = map.sampleEntries.first,
            ["tx3g", "text"].contains(entry.code), case .other(let body) = entry.content
        else { return nil }
        // QuickTime text has another layout, with 16 bits per color component: its styles are not read.
        return entry.code == "tx3g"
            ? SubtitleSampleFormat(handler: map.handler, entry: body)
            : SubtitleSampleFormat(handler: map.handler, width: 0, height: 0)
    }
}
