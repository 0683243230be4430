import CaptureHAL

/// One line of a trace's index: a time, a verb, what it is about, and named values.
///
/// As text: `12.345678901 set o0 control=iso to=number(200.0) message="two words"`. Values that are not plain words are
/// quoted, with `\"`, `\\` and `\u{…}` for quotes, backslashes and control characters.
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

    /// Takes a line apart.
    ///
    /// - Throws: Why not, as a clause.
    init(text: String) throws(TraceComplaint) {
        var words: [(name: String?, text: String)] = []
        var name: String?
        var word = ""
        var isQuoted = false
        var scalars = text.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            switch scalar {
            case " ":
                guard name != nil || !word.isEmpty else { throw TraceComplaint("words are separated by one space") }
                words.append((name, word))
                (name, word, isQuoted) = (nil, "", false)
            case _ where isQuoted:
                throw TraceComplaint("a space is missing behind a quotation mark")
            case "\"":
                guard name != nil, word.isEmpty else {
                    throw TraceComplaint("a quotation mark may stand right behind \"=\" only")
                }
                try Self.readQuoted(&scalars, into: &word)
                isQuoted = true
            case "=" where name == nil && !word.isEmpty:
                (name, word) = (word, "")
            case _ where scalar.value < 0x20 || scalar.value >= 0x7F:
                throw TraceComplaint("it holds the character \(scalar.value) outside quotation marks")
            default:
                word.unicodeScalars.append(scalar)
            }
        }
        guard name != nil || !word.isEmpty else {
            throw TraceComplaint(text.isEmpty ? "it is empty" : "it ends in a space")
        }
        words.append((name, word))
        guard words.count >= 3, words[..<3].allSatisfy({ $0.name == nil }) else {
            throw TraceComplaint("a line begins with a time, a verb and a subject")
        }
        guard let time = Self.nanoseconds(words[0].text) else {
            throw TraceComplaint("\"\(words[0].text)\" is no time in seconds with nine decimals")
        }
        self.init(time, words[1].text, words[2].text)
        for word in words[3...] {
            guard let name = word.name else { throw TraceComplaint("\"\(word.text)\" is not name=value") }
            guard !fields.contains(where: { $0.name == name }) else {
                throw TraceComplaint("\"\(name)\" stands there twice")
            }
            fields.append((name, word.text))
        }
    }

    /// Takes a value out.
    mutating func take(_ name: String) -> String? {
        guard let index = fields.firstIndex(where: { $0.name == name }) else { return nil }
        return fields.remove(at: index).value
    }

    /// Complains about values that nobody took.
    func finish() throws(TraceComplaint) {
        guard let rest = fields.first else { return }
        throw TraceComplaint("\"\(verb)\" knows no \"\(rest.name)\"")
    }

    // MARK: Private

    private static func readQuoted(
        _ scalars: inout String.UnicodeScalarView.Iterator, into word: inout String
    ) throws(TraceComplaint) {
        while let scalar = scalars.next() {
            switch scalar {
            case "\"": return
            case "\\":
                switch scalars.next() {
                case "\"": word.append("\"")
                case "\\": word.append("\\")
                case "u": try word.unicodeScalars.append(readCode(&scalars))
                default: throw TraceComplaint("behind a backslash stands \", \\ or u{…}")
                }
            case _ where scalar.value < 0x20: throw TraceComplaint("a quoted value holds a control character")
            default: word.unicodeScalars.append(scalar)
            }
        }
        throw TraceComplaint("a quotation mark is missing")
    }

    private static func readCode(
        _ scalars: inout String.UnicodeScalarView.Iterator
    ) throws(TraceComplaint) -> Unicode.Scalar {
        var digits = ""
        guard scalars.next() == "{" else { throw TraceComplaint("behind \\u stands a number in braces") }
        while let scalar = scalars.next(), scalar != "}" { digits.unicodeScalars.append(scalar) }
        guard let number = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(number) else {
            throw TraceComplaint("\\u{\(digits)} is no character")
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

    /// Nanoseconds as seconds with nine decimals.
    static func seconds(_ nanoseconds: Int64) -> String {
        let magnitude = nanoseconds.magnitude
        let decimals = String(magnitude % 1_000_000_000)
        let zeros = String(repeating: "0", count: 9 - decimals.count)
        return "\(nanoseconds < 0 ? "-" : "")\(magnitude / 1_000_000_000).\(zeros)\(decimals)"
    }

    /// The reverse of `seconds`; nil for anything else.
    static func nanoseconds(_ text: String) -> Int64? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].utf8.count == 9, let value = Int64(parts[0] + parts[1]),
            seconds(value) == text
        else { return nil }
        return value
    }
}

/// What is wrong with a line, as a clause that the reader completes by file and line.
struct TraceComplaint: Error {
    let text: String

    init(_ text: String) { self.text = text }
}
