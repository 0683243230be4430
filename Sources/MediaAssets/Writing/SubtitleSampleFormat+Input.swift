import AssetTypes
import Foundation
import MediaCodecs
import MediaTypes

extension SubtitleSampleFormat {
    /// Creates the sample format of a caption input.
    ///
    /// - Parameter hint: A description of 3GPP text, which specifies the default style; nil for white text.
    init(_ mediaType: AVMediaType, hint: CMFormatDescription?) throws(SettingsDictionary.SettingsError) {
        guard let hint else {
            self.init(handler: mediaType.rawValue, width: 0, height: 0)
            return
        }
        guard CMFormatDescriptionGetMediaSubType(hint) == kCMSubtitleFormatType_3GText else {
            throw SettingsDictionary.SettingsError("captions are written as 3GPP text ('tx3g') only")
        }
        let verbatim = CMFormatDescriptionGetExtension(
            hint, extensionKey: kCMFormatDescriptionExtension_VerbatimSampleDescription)
        // The format follows the size and type of the box, six reserved bytes and the data reference index: 16 bytes.
        // Its fixed part has 30 bytes (3GPP TS 26.245, 5.16).
        if let entry = (verbatim as? Data)?.dropFirst(16), entry.count >= 30 {
            self.init(handler: mediaType.rawValue, entry: Data(entry))
        } else {
            self.init(handler: mediaType.rawValue, width: 0, height: 0)
        }
    }

    /// Returns the format with a text box of the track's size; the unchanged format if it came from a hint or the size
    /// is nil.
    func withTextBox(of size: CGSize?) -> SubtitleSampleFormat {
        guard let size, self == SubtitleSampleFormat(handler: handler, width: 0, height: 0) else { return self }
        return SubtitleSampleFormat(handler: handler, width: Int(size.width), height: Int(size.height))
    }
}
