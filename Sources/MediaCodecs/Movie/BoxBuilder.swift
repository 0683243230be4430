import Foundation

/// Builds the bytes of ISO base media boxes (ISO/IEC 14496-12, 4.2), big endian throughout.
package struct BoxBuilder {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// Appends a box with a 32-bit size; `body` appends its contents.
    package mutating func box(_ type: String, _ body: (inout BoxBuilder) -> Void) {
        let start = bytes.count
        unsigned32(0)
        code(type)
        body(&self)
        let size = UInt32(bytes.count - start)
        withUnsafeBytes(of: size.bigEndian) { bytes.replaceSubrange(start..<start + 4, with: $0) }
    }

    /// Appends a box that begins with a version and 24 bits of flags.
    package mutating func fullBox(
        _ type: String, version: UInt8 = 0, flags: UInt32 = 0, _ body: (inout BoxBuilder) -> Void
    ) {
        box(type) { builder in
            builder.unsigned32(UInt32(version) << 24 | flags & 0xff_ffff)
            body(&builder)
        }
    }

    /// Appends a four-character code in ISO 8859-1; `©` is the byte 0xA9 of QuickTime's user data.
    mutating func code(_ text: String) {
        for scalar in text.unicodeScalars { bytes.append(UInt8(truncatingIfNeeded: scalar.value)) }
    }

    mutating func unsigned8(_ value: UInt8) { bytes.append(value) }

    mutating func unsigned16(_ value: UInt16) { append(value.bigEndian) }

    mutating func unsigned32(_ value: UInt32) { append(value.bigEndian) }

    mutating func unsigned64(_ value: UInt64) { append(value.bigEndian) }

    mutating func signed16(_ value: Int16) { append(value.bigEndian) }

    mutating func signed32(_ value: Int32) { append(value.bigEndian) }

    mutating func signed64(_ value: Int64) { append(value.bigEndian) }

    /// Appends a 32-bit fixed-point number with `fractionBits` fraction bits.
    mutating func fixed(_ value: Double, fractionBits: Int) {
        signed32(Int32(clamping: Int64((value * Double(1 << fractionBits)).rounded())))
    }

    mutating func float64(_ value: Double) { unsigned64(value.bitPattern) }

    mutating func zeros(_ count: Int) { bytes += [UInt8](repeating: 0, count: count) }

    /// Appends bytes.
    package mutating func data(_ data: some Sequence<UInt8>) { bytes.append(contentsOf: data) }

    private mutating func append(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
    }
}
