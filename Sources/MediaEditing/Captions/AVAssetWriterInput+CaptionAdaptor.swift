import CaptureHAL
public import Foundation
import MediaAssets
import MediaTypes

extension AVAssetWriterInput {
    /// Appends captions to a writer input.
    ///
    /// Captions are written as 3GPP timed text with color, bold, italic and underline. Regions in percent are written
    /// if the input has a `naturalSize`. Background colors, ruby text, alignment and animations are not written.
    /// - Important: Thread-safe, like its input.
    public final class CaptionAdaptor: NSObject, @unchecked Sendable {
        // SAFETY: the only property is constant.
        public let assetWriterInput: AVAssetWriterInput

        /// Creates an adaptor.
        ///
        /// - Parameter input: An input of media type `text` or `subtitle` without output settings, of a writer that has
        ///   not started. Any other input is misuse.
        /// - Note: Unlike Apple, inputs of type `closedCaption` cannot be written.
        public init(assetWriterInput input: AVAssetWriterInput) {
            assetWriterInput = input
            super.init()
            input.registerAdaptor(
                "AVAssetWriterInputCaptionAdaptor initWithAssetWriterInput:",
                rejection: input.acceptsCaptions ? nil : "the input must be of media type text or subtitle")
        }

        /// Appends a caption. It must not start before the previous one ends.
        ///
        /// - Returns: False if writing has ended or failed; see the writer's `status`.
        @discardableResult
        public func append(_ caption: AVCaption) -> Bool {
            append(AVCaptionGroup(active: [caption], timeRange: caption.timeRange), method: "appendCaption:")
        }

        /// Appends a group. Its captions are written as one text. It must not start before the previous group ends.
        ///
        /// - Returns: False if writing has ended or failed; see the writer's `status`.
        @discardableResult
        public func append(_ captionGroup: AVCaptionGroup) -> Bool {
            append(captionGroup, method: "appendCaptionGroup:")
        }

        private func append(_ group: AVCaptionGroup, method: String) -> Bool {
            // The client may change the captions afterward.
            let captions = group.captions.compactMap { $0.copy() as? AVCaption }
            let range = group.timeRange
            return assetWriterInput.append(
                .captions(AVCaptionGroup(active: captions, timeRange: range)),
                end: range.duration.isNumeric ? range.end : range.start,
                method: "AVAssetWriterInputCaptionAdaptor \(method)")
        }
    }
}
