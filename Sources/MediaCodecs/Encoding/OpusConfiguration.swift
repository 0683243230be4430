/// The decoder configuration of Opus. It has two binary formats: `OpusHead` of Ogg (RFC 7845, 5.1), little endian, and
/// the body of `dOps` in movies ("Encapsulation of Opus in ISO Base Media File Format", 4.3.2), big endian.
package struct OpusConfiguration {
    private static let magic = Array("OpusHead".utf8)

    /// The number of channels.
    package let channelCount: UInt8
    /// The number of priming frames at 48 kHz.
    package let preSkip: UInt16
    private let inputSampleRate: UInt32
    private let outputGain: UInt16
    /// The mapping family, and the channel mapping table for families other than 0.
    private let mapping: [UInt8]

    /// Parses an Ogg header.
    ///
    /// - Parameter header: An `OpusHead`.
    package init?(header: [UInt8]) {
        guard header.count >= 19, header.starts(with: Self.magic) else { return nil }
        channelCount = header[9]
        preSkip = UInt16(header[10]) | UInt16(header[11]) << 8
        inputSampleRate = header[12..<16].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        outputGain = UInt16(header[16]) | UInt16(header[17]) << 8
        mapping = Array(header[18...])
    }

    /// Parses the box of a movie.
    ///
    /// - Parameter specificBox: The body of a `dOps` box.
    package init?(specificBox: [UInt8]) {
        guard specificBox.count >= 11 else { return nil }
        channelCount = specificBox[1]
        preSkip = UInt16(specificBox[2]) << 8 | UInt16(specificBox[3])
        inputSampleRate = specificBox[4..<8].reduce(0) { $0 << 8 | UInt32($1) }
        outputGain = UInt16(specificBox[8]) << 8 | UInt16(specificBox[9])
        mapping = Array(specificBox[10...])
    }

    /// The configuration as `OpusHead`.
    package var header: [UInt8] {
        var bytes = Self.magic + [1, channelCount]
        bytes += [UInt8(preSkip & 0xff), UInt8(preSkip >> 8)]
        bytes += (0..<4).map { UInt8(truncatingIfNeeded: inputSampleRate >> UInt32(8 * $0)) }
        bytes += [UInt8(outputGain & 0xff), UInt8(outputGain >> 8)]
        return bytes + mapping
    }

    /// The configuration as the body of `dOps`.
    package var specificBox: [UInt8] {
        var bytes: [UInt8] = [0, channelCount, UInt8(preSkip >> 8), UInt8(preSkip & 0xff)]
        bytes += (0..<4).map { UInt8(truncatingIfNeeded: inputSampleRate >> UInt32(24 - 8 * $0)) }
        bytes += [UInt8(outputGain >> 8), UInt8(outputGain & 0xff)]
        return bytes + mapping
    }
}
