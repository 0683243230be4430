import Foundation
import MediaTypes

extension SettingsDictionary {
    /// Checks that the value of `AVChannelLayoutKey`, if any, is a complete `AudioChannelLayout`.
    ///
    /// - Parameter channelCount: The number of channels that the layout must have; nil for any.
    package func checkChannelLayout(channelCount: Int?) throws(SettingsError) {
        guard let value = values[AVChannelLayoutKey] else { return }
        guard let layout = value as? Data else {
            throw SettingsError("\(value) is not a value for AVChannelLayoutKey: it must be data")
        }
        // The tag, the bitmap and the number of descriptions, then the descriptions.
        let (headerSize, descriptionSize) = (12, 20)
        guard layout.count >= headerSize else {
            throw SettingsError(
                "\(layout.count) bytes are not a value for AVChannelLayoutKey: an AudioChannelLayout has at least "
                    + "\(headerSize)")
        }
        let words = layout.withUnsafeBytes { bytes in
            [0, 4, 8].map { bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self) }
        }
        let layoutCount: Int
        switch words[0] {
        case kAudioChannelLayoutTag_UseChannelDescriptions:
            layoutCount = Int(words[2])
            guard (layout.count - headerSize) / descriptionSize >= layoutCount else {
                throw SettingsError(
                    "\(layout.count) bytes are not a value for AVChannelLayoutKey: \(layoutCount) descriptions need "
                        + "\(headerSize + descriptionSize * layoutCount)")
            }
        case kAudioChannelLayoutTag_UseChannelBitmap: layoutCount = words[1].nonzeroBitCount
        case let tag: layoutCount = Int(tag & 0xffff)
        }
        if let channelCount, layoutCount != channelCount {
            throw SettingsError(
                "the layout of AVChannelLayoutKey has \(layoutCount) channels, but AVNumberOfChannelsKey is "
                    + "\(channelCount)")
        }
    }
}
