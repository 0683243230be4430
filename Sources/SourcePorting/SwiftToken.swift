/// A token of Swift source code.
struct SwiftToken: Hashable {
    enum Kind: Hashable {
        /// A name or keyword, without backticks.
        case identifier
        /// An attribute such as `@objc`, with the `@`.
        case attribute
        /// A keyword that begins with `#`, such as `#selector` or `#if`.
        case hashKeyword
        /// Any other character, such as `{`. An operator with several characters has a token for each.
        case punctuation
        case number
        /// A string literal. The text of the token is a quotation mark, without the contents.
        case string
    }

    let kind: Kind
    let text: String
    /// The number of the line in the source code on which the token begins, from 1.
    let line: Int
}

extension SwiftToken {
    /// Splits source code into tokens, without comments.
    ///
    /// The code in string interpolations has no tokens. Source code that does not compile is accepted.
    static func tokens(of source: String) -> [SwiftToken] {
        var scanner = SwiftScanner(source)
        return scanner.scan()
    }
}

/// Splits Swift source code into tokens.
private struct SwiftScanner {
    private let text: [Character]
    private var position = 0
    private var line = 1
    private var tokens: [SwiftToken] = []

    init(_ source: String) { text = Array(source) }

    mutating func scan() -> [SwiftToken] {
        while let character = peek() {
            if character.isNewline || character.isWhitespace {
                advance()
            } else if skipComment() {
                continue
            } else if isStringStart() {
                scanString()
            } else if character == "#" || character == "@" {
                scanWord(prefix: character, character == "#" ? .hashKeyword : .attribute)
            } else if character == "`" {
                advance()
                add(.identifier, word())
                if peek() == "`" { advance() }
            } else if character.isLetter || character == "_" {
                add(.identifier, word())
            } else if character.isNumber {
                add(.number, word())
            } else {
                add(.punctuation, String(character))
                advance()
            }
        }
        return tokens
    }

    private func peek(_ offset: Int = 0) -> Character? {
        position + offset < text.count ? text[position + offset] : nil
    }

    private mutating func advance(_ count: Int = 1) {
        for _ in 0..<count where position < text.count {
            if text[position].isNewline { line += 1 }
            position += 1
        }
    }

    private mutating func add(_ kind: SwiftToken.Kind, _ word: String) {
        tokens.append(SwiftToken(kind: kind, text: word, line: line))
    }

    private mutating func word() -> String {
        var word = ""
        while let character = peek(), character.isLetter || character.isNumber || character == "_" {
            word.append(character)
            advance()
        }
        return word
    }

    private mutating func scanWord(prefix: Character, _ kind: SwiftToken.Kind) {
        advance()
        let name = word()
        add(name.isEmpty ? .punctuation : kind, String(prefix) + name)
    }

    /// Skips a comment. A block comment can contain other block comments.
    ///
    /// - Returns: Whether a comment begins here.
    private mutating func skipComment() -> Bool {
        guard peek() == "/", peek(1) == "/" || peek(1) == "*" else { return false }
        if peek(1) == "/" {
            while let next = peek(), !next.isNewline { advance() }
            return true
        }
        var depth = 0
        repeat {
            if peek() == "/", peek(1) == "*" {
                depth += 1
                advance(2)
            } else if peek() == "*", peek(1) == "/" {
                depth -= 1
                advance(2)
            } else {
                advance()
            }
        } while depth > 0 && peek() != nil
        return true
    }

    /// Returns whether a string literal begins here: a quotation mark, possibly after number signs.
    private func isStringStart() -> Bool {
        var offset = 0
        while peek(offset) == "#" { offset += 1 }
        return peek(offset) == "\""
    }

    private mutating func scanString() {
        add(.string, "\"")
        var signs = 0
        while peek() == "#" {
            signs += 1
            advance()
        }
        let isMultiline = peek(1) == "\"" && peek(2) == "\"" && !isClosedOnItsLine(signs)
        let quotes = isMultiline ? 3 : 1
        advance(quotes)
        while let character = peek() {
            if character == "\\", (0..<signs).allSatisfy({ peek(1 + $0) == "#" }) {
                advance(1 + signs)
                if peek() == "(" { skipInterpolation() } else { advance() }
            } else if (0..<quotes).allSatisfy({ peek($0) == "\"" }),
                (0..<signs).allSatisfy({ peek(quotes + $0) == "#" })
            {
                return advance(quotes + signs)
            } else if character.isNewline, !isMultiline {
                return  // An unterminated literal ends with its line.
            } else {
                advance()
            }
        }
    }

    /// Returns whether a raw literal of at least two quotation marks ends on its line, such as `#"""#`. Then it has one
    /// line.
    private func isClosedOnItsLine(_ signs: Int) -> Bool {
        guard signs > 0 else { return false }
        var offset = 2
        while let character = peek(offset), !character.isNewline {
            if character == "\"", (1...signs).allSatisfy({ peek(offset + $0) == "#" }) { return true }
            offset += 1
        }
        return false
    }

    /// Skips the parentheses of an interpolation, which can contain string literals and comments.
    private mutating func skipInterpolation() {
        var depth = 0
        let count = tokens.count
        repeat {
            if isStringStart() {
                scanString()
                continue
            }
            if skipComment() { continue }
            if peek() == "(" { depth += 1 }
            if peek() == ")" { depth -= 1 }
            advance()
        } while depth > 0 && peek() != nil
        tokens.removeSubrange(count...)
    }
}
