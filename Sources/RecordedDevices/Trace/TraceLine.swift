import CaptureHAL

/// A line of a trace's index: a time, a verb, a subject and named values.
///
/// As text: `12.345678901 set o0 control=iso to=number(200.0) message="two words"`. Values that contain spaces, quotes
/// or non-ASCII characters are quoted, with `\"`, `\\` and `\u{…}` for quotes, backslashes and control characters.
struct TraceLine {
    /// Nanoseconds from the trace's beginning.
    var time: Int64
    var verb: String
    var subject: String
    private(set) var fields: [(name: String, value: String)] = []

    init(_ time: Int64, _ verb: String, _ subject: String) {
        self.time = time
        self.verb = verb
        self.subject = subject
    }

    mutating func add(_ name: String, _ value: String) {
        fields.append((name, value))
    }

    mutating func add(_ name: String, _ value: String?) {
        if let value { fields.append((name, value)) }
    }

    var text: String {
        var text = "\(Self.seconds(time)) \(verb) \(subject)"
        for field in fields { text += " \(field.name)=\(Self.quoted(field.value))" }
        return text
    }

    // MARK: Reading

    /// Parses a line.
    init(text: String) throws(TraceSyntaxError) {
        var words: [(name: String?, text: String)] = []
        var name: String?
        var word = ""
        var isQuoted = false
        var scalars = text.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            switch scalar {
            case " ":
                guard name != nil || !word.isEmpty else {
                    throw TraceSyntaxError("words must be separated by exactly one space")
                }
                words.append((name, word))
                (name, word, isQuoted) = (nil, "", false)
            case _ where isQuoted:
                throw TraceSyntaxError("a space is missing after a quotation mark")
            case "\"":
                guard name != nil, word.isEmpty else {
                    throw TraceSyntaxError("a quotation mark is only allowed directly after \"=\"")
                }
                try Self.readQuoted(&scalars, into: &word)
                isQuoted = true
            case "=" where name == nil && !word.isEmpty:
                (name, word) = (word, "")
            case _ where scalar.value < 0x20 || scalar.value >= 0x7F:
                throw TraceSyntaxError("it contains the character \(scalar.value) outside quotation marks")
            default:
                word.unicodeScalars.append(scalar)
            }
        }
        guard name != nil || !word.isEmpty else {
            throw TraceSyntaxError(text.isEmpty ? "it is empty" : "it ends with a space")
        }
        words.append((name, word))
        guard words.count >= 3, words[..<3].allSatisfy({ $0.name == nil }) else {
            throw TraceSyntaxError("a line must begin with a time, a verb and a subject")
        }
        guard let time = Self.nanoseconds(words[0].text) else {
            throw TraceSyntaxError("\"\(words[0].text)\" is not a time in seconds with nine decimals")
        }
        self.init(time, words[1].text, words[2].text)
        for word in words[3...] {
            guard let name = word.name else { throw TraceSyntaxError("\"\(word.text)\" is not name=value") }
            guard !fields.contains(where: { $0.name == name }) else {
                throw TraceSyntaxError("it contains \"\(name)\" twice")
            }
            fields.append((name, word.text))
        }
    }

    /// Removes a field and returns its value; nil if the line does not have it.
    mutating func take(_ name: String) -> String? {
        guard let index = fields.firstIndex(where: { $0.name == name }) else { return nil }
        return fields.remove(at: index).value
    }

    /// Throws if a field has not been read.
    func requireNoFields() throws(TraceSyntaxError) {
        guard let rest = fields.first else { return }
        throw TraceSyntaxError("\"\(verb)\" has no field \"\(rest.name)\"")
    }

    // MARK: Private

    private static func readQuoted(
        _ scalars: inout String.UnicodeScalarView.Iterator, into word: inout String
    ) throws(TraceSyntaxError) {
        while let scalar = scalars.next() {
            switch scalar {
            case "\"": return
            case "\\":
                switch scalars.next() {
                case "\"": word.append("\"")
                case "\\": word.append("\\")
                case "u": try word.unicodeScalars.append(readCode(&scalars))
                default: throw TraceSyntaxError("a backslash must be followed by \", \\ or u{…}")
                }
            case _ where scalar.value < 0x20: throw TraceSyntaxError("a quoted value contains a control character")
            default: word.unicodeScalars.append(scalar)
            }
        }
        throw TraceSyntaxError("the closing quotation mark is missing")
    }

    private static func readCode(
        _ scalars: inout String.UnicodeScalarView.Iterator
    ) throws(TraceSyntaxError) -> Unicode.Scalar {
        var digits = ""
        guard scalars.next() == "{" else { throw TraceSyntaxError("\\u must be followed by a number in braces") }
        while let scalar = scalars.next(), scalar != "}" { digits.unicodeScalars.append(scalar) }
        guard let number = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(number) else {
            throw TraceSyntaxError("\\u{\(digits)} is not a character")
        }
        return scalar
    }

    private static func quoted(_ value: String) -> String {
        let isPlain = value.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") }
        if isPlain, !value.isEmpty { return value }
        var text = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                text += "\\u{\(String(scalar.value, radix: 16))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }

    /// Formats nanoseconds as seconds with nine decimals.
    static func seconds(_ nanoseconds: Int64) -> String {
        let magnitude = nanoseconds.magnitude
        let decimals = String(magnitude % 1_000_000_000)
        let zeros = String(repeating: "0", count: 9 - decimals.count)
        return "\(nanoseconds < 0 ? "-" : "")\(magnitude / 1_000_000_000).\(zeros)\(decimals)"
    }

    /// Parses the output of `seconds`. Returns nil for any other text.
    static func nanoseconds(_ text: String) -> Int64? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].utf8.count == 9, let value = Int64(parts[0] + parts[1]),
            seconds(value) == text
        else { return nil }
        return value
    }
}

/// An error in a line of a trace's index.
struct TraceSyntaxError: Error {
    /// A message without file and line, which the reader adds.
    let text: String

    init(_ text: String) { self.text = text }
}
