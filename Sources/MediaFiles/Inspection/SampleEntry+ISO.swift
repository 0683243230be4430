import Foundation
import MediaCodecs

extension SampleEntry {
    /// The boxes that configure the decoders of codecs with the same description in QuickTime and ISO files.
    private static let audioConfigurations = [
        "ac-3": "dac3", "ec-3": "dec3", "Opus": "dOps", "fLaC": "dfLa", "samr": "damr", "sawb": "damr",
    ]

    /// The bytes of a QuickTime audio entry in the form of ISO files (ISO/IEC 14496-12, 12.2.3); nil for other entries.
    ///
    /// QuickTime's version 1 has four more fields, and the box that configures the decoder is in a `wave` box (QTFF,
    /// "Sound Sample Description (Version 1)"). The result has that box, and the channel layout of ISO files (`chnl`).
    var isoAudioBytes: Data? {
        // The version follows the box header, the reserved bytes and the number of the data reference; the fields that
        // both forms have end after 36 bytes.
        guard case .audio = content, let type = Self.audioConfigurations[code], let configuration = atoms[type],
            bytes.count >= 36, bytes[bytes.startIndex + 16] == 0, bytes[bytes.startIndex + 17] <= 1
        else { return nil }
        var fields = Array(bytes.dropFirst(8).prefix(28))
        // Version, revision and vendor; compression and packet size.
        for offset in Array(8..<16) + Array(20..<24) { fields[offset] = 0 }
        var builder = BoxBuilder()
        builder.box(code) { entry in
            entry.data(fields)
            entry.box(type) { $0.data(configuration) }
            if let layout = atoms["chnl"] { entry.box("chnl") { $0.data(layout) } }
        }
        return Data(builder.bytes)
    }
}
