/// The text of metadata identifiers: a prefix for the key space, a slash, and the key.
///
/// In the key, all bytes other than letters, digits and `-._~` are percent-encoded.
package enum MetadataIdentifierCoding {
    /// Returns the identifier for the bytes of a key.
    package static func identifier(prefix: String, key: some Sequence<UInt8>) -> String {
        var text = prefix + "/"
        for byte in key {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return text
    }

    /// Returns the prefix and the bytes of the key; nil if either is missing.
    package static func parts(of identifier: String) -> (prefix: String, key: [UInt8])? {
        let parts = identifier.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
        return (String(parts[0]), decode(parts[1].utf8))
    }

    /// Returns the bytes of percent-encoded text. Invalid escape sequences are not changed.
    private static func decode(_ text: some Sequence<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var iterator = text.makeIterator()
        while let byte = iterator.next() {
            guard byte == UInt8(ascii: "%") else {
                result.append(byte)
                continue
            }
            let digits = [iterator.next(), iterator.next()].compactMap { $0 }
            if digits.count == 2, let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16) {
                result.append(value)
            } else {
                result += [byte] + digits
            }
        }
        return result
    }
}
