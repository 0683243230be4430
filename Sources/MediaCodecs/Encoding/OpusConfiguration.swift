/// What a decoder of Opus must know, in its two forms: the `OpusHead` of Ogg (RFC 7845, 5.1), little endian, and the
/// body of `dOps` in movies ("Encapsulation of Opus in ISO Base Media File Format", 4.3.2), big endian.
package struct OpusConfiguration {
    private static let magic = Array("OpusHead".utf8)

    package let channelCount: UInt8
    /// Frames at 48 kHz that a decoder gives before the sound.
    package let preSkip: UInt16
    private let inputSampleRate: UInt32
    private let outputGain: UInt16
    /// The mapping family, and the table of channels for other families than 0.
    private let mapping: [UInt8]

    /// - Parameter header: An `OpusHead`.
    package init?(header: [UInt8]) {
        guard header.count >= 19, header.starts(with: Self.magic) else { return nil }
        channelCount = header[9]
        preSkip = UInt16(header[10]) | UInt16(header[11]) << 8
        inputSampleRate = (0..<4).reduce(0) { $0 | UInt32(header[12 + $1]) << UInt32(8 * $1) }
        outputGain = UInt16(header[16]) | UInt16(header[17]) << 8
        mapping = Array(header[18...])
    }

    /// - Parameter specificBox: The body of a `dOps`.
    package init?(specificBox: [UInt8]) {
        guard specificBox.count >= 11 else { return nil }
        channelCount = specificBox[1]
        preSkip = UInt16(specificBox[2]) << 8 | UInt16(specificBox[3])
        inputSampleRate = (0..<4).reduce(0) { $0 << 8 | UInt32(specificBox[4 + $1]) }
        outputGain = UInt16(specificBox[8]) << 8 | UInt16(specificBox[9])
        mapping = Array(specificBox[10...])
    }

    /// As `OpusHead`.
    package var header: [UInt8] {
        var bytes = Self.magic + [1, channelCount]
        bytes += [UInt8(preSkip & 0xff), UInt8(preSkip >> 8)]
        bytes += (0..<4).map { UInt8(truncatingIfNeeded: inputSampleRate >> UInt32(8 * $0)) }
        bytes += [UInt8(outputGain & 0xff), UInt8(outputGain >> 8)]
        return bytes + mapping
    }

    /// As the body of `dOps`.
    package var specificBox: [UInt8] {
        var bytes: [UInt8] = [0, channelCount, UInt8(preSkip >> 8), UInt8(preSkip & 0xff)]
        bytes += (0..<4).map { UInt8(truncatingIfNeeded: inputSampleRate >> UInt32(24 - 8 * $0)) }
        bytes += [UInt8(outputGain >> 8), UInt8(outputGain & 0xff)]
        return bytes + mapping
    }
}
