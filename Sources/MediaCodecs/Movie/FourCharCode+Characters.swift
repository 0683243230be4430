import MediaTypes

extension FourCharCode {
    /// Creates the code with four characters of ISO 8859-1.
    package init(fourCharacters text: String) {
        self = text.unicodeScalars.reduce(0) { $0 << 8 | FourCharCode($1.value & 0xff) }
    }

    /// The four characters in ISO 8859-1, the form in which box types are represented.
    var fourCharacters: String {
        String(
            String.UnicodeScalarView(
                (0..<4).map { Unicode.Scalar(UInt8(truncatingIfNeeded: self >> (24 - 8 * $0))) }))
    }
}
