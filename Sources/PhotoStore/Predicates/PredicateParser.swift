import Foundation

/// Parses the format strings of predicates.
struct PredicateParser {
    private enum Token: Equatable {
        /// A key, a keyword, or an operator in letters.
        case word(String)
        case symbol(String)
        /// The options of the operator before, as in `CONTAINS[cd]`.
        case options(Set<Character>)
        case number(String)
        case string(String)
        /// A value: `%@`, `%d` or another conversion.
        case argument
        /// A key path: `%K`.
        case keyArgument
    }

    private static let comparisons: [String: PredicateCondition.Comparison] = [
        "=": .equal, "==": .equal, "!=": .notEqual, "<>": .notEqual, "<": .less, "<=": .lessOrEqual,
        "=<": .lessOrEqual, ">": .greater, ">=": .greaterOrEqual, "=>": .greaterOrEqual, "IN": .isIn,
        "BETWEEN": .between, "CONTAINS": .contains, "BEGINSWITH": .beginsWith, "ENDSWITH": .endsWith, "LIKE": .like,
        "MATCHES": .matches,
    ]
    /// Ignore case and diacritics, compare as preprocessed strings, and compare in the order of the locale.
    private static let options: Set<Character> = ["c", "d", "n", "l"]

    private let tokens: [Token]
    private let arguments: [PredicateValue]
    private var position = 0
    private var argumentPosition = 0

    /// Returns the condition of a format.
    static func parse(_ format: String, _ arguments: [Any]) throws(PredicateFormatError) -> PredicateCondition {
        var parser = PredicateParser(
            tokens: try tokens(of: format), arguments: arguments.map(PredicateValue.init))
        let condition = try parser.disjunction()
        guard parser.position == parser.tokens.count else {
            throw PredicateFormatError(message: "unexpected \(parser.description(of: parser.current))")
        }
        return condition
    }

    private init(tokens: [Token], arguments: [PredicateValue]) {
        self.tokens = tokens
        self.arguments = arguments
    }

    // MARK: Tokens

    private static func tokens(of format: String) throws(PredicateFormatError) -> [Token] {
        var tokens: [Token] = []
        var rest = Substring(format)
        func take(_ condition: (Character) -> Bool) -> String {
            let part = rest.prefix(while: condition)
            rest = rest.dropFirst(part.count)
            return String(part)
        }
        while let first = rest.first {
            if first.isWhitespace {
                rest = rest.dropFirst()
            } else if first.isLetter || first == "_" {
                tokens.append(.word(take { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }))
            } else if first == "[" {
                rest = rest.dropFirst()
                let letters = Set(take { $0 != "]" }.lowercased())
                guard rest.popFirst() != nil, letters.isSubset(of: Self.options) else {
                    throw PredicateFormatError(message: "unexpected [")
                }
                tokens.append(.options(letters))
            } else if first.isNumber || first == "-" && rest.dropFirst().first?.isNumber == true {
                rest = rest.dropFirst()
                tokens.append(.number(String(first) + take { $0.isNumber || $0 == "." }))
            } else if first == "\"" || first == "'" {
                tokens.append(.string(try string(&rest)))
            } else if first == "%" {
                rest = rest.dropFirst()
                tokens.append(try argument(&rest))
            } else if let symbol = ["&&", "||", "==", "!=", "<>", "<=", "=<", ">=", "=>"].first(where: rest.hasPrefix) {
                rest = rest.dropFirst(2)
                tokens.append(.symbol(symbol))
            } else if "()<>=!&|{},".contains(first) {
                rest = rest.dropFirst()
                tokens.append(.symbol(String(first)))
            } else {
                throw PredicateFormatError(message: "unexpected \(first)")
            }
        }
        return tokens
    }

    /// Reads a string from its opening quotation mark to the closing one. A backslash precedes a quotation mark or
    /// another character of the string, or `n`, `r` or `t` for a control character.
    private static func string(_ rest: inout Substring) throws(PredicateFormatError) -> String {
        let quotationMark = rest.popFirst()
        var text = ""
        while let character = rest.popFirst() {
            if character == quotationMark { return text }
            guard character == "\\" else {
                text.append(character)
                continue
            }
            guard let escaped = rest.popFirst() else { break }
            switch escaped {
            case "n": text.append("\n")
            case "r": text.append("\r")
            case "t": text.append("\t")
            default: text.append(escaped)
            }
        }
        throw PredicateFormatError(message: "a string has no end")
    }

    /// Reads an argument after its percent sign: `@`, `K`, or a conversion of `printf` with its length modifier.
    private static func argument(_ rest: inout Substring) throws(PredicateFormatError) -> Token {
        let length = rest.prefix { "lhqzt".contains($0) }
        rest = rest.dropFirst(length.count)
        guard let conversion = rest.popFirst() else { throw PredicateFormatError(message: "% has no conversion") }
        switch conversion {
        case "K" where length.isEmpty: return .keyArgument
        case "@" where length.isEmpty, "d", "i", "u", "D", "U", "f", "g", "e", "s": return .argument
        default: throw PredicateFormatError(message: "unknown conversion %\(length)\(conversion)")
        }
    }

    private var current: Token? { tokens.indices.contains(position) ? tokens[position] : nil }

    private func description(of token: Token?) -> String {
        switch token {
        case .word(let text), .symbol(let text), .number(let text): text
        case .options(let letters): "[\(String(letters.sorted()))]"
        case .string(let text): "\"\(text)\""
        case .argument, .keyArgument: "an argument"
        case nil: "the end"
        }
    }

    private mutating func accept(_ symbols: String...) -> Bool {
        switch current {
        case .symbol(let text) where symbols.contains(text): break
        case .word(let text) where symbols.contains(text.uppercased()): break
        default: return false
        }
        position += 1
        return true
    }

    private mutating func expect(_ symbol: String) throws(PredicateFormatError) {
        guard accept(symbol) else {
            throw PredicateFormatError(message: "expected \(symbol) instead of \(description(of: current))")
        }
    }

    // MARK: Conditions

    private mutating func disjunction() throws(PredicateFormatError) -> PredicateCondition {
        var conditions = [try conjunction()]
        while accept("OR", "||") { conditions.append(try conjunction()) }
        return conditions.count == 1 ? conditions[0] : .any(conditions)
    }

    private mutating func conjunction() throws(PredicateFormatError) -> PredicateCondition {
        var conditions = [try negation()]
        while accept("AND", "&&") { conditions.append(try negation()) }
        return conditions.count == 1 ? conditions[0] : .all(conditions)
    }

    private mutating func negation() throws(PredicateFormatError) -> PredicateCondition {
        if accept("NOT", "!") { return .not(try negation()) }
        if accept("TRUEPREDICATE") { return .constant(true) }
        if accept("FALSEPREDICATE") { return .constant(false) }
        if case .symbol("(") = current {
            // The parentheses contain either a condition, or an expression on the left side of a comparison.
            let start = (position, argumentPosition)
            if let condition = try? conditionInParentheses(), !continuesExpression { return condition }
            (position, argumentPosition) = start
        }
        return try comparison()
    }

    private mutating func conditionInParentheses() throws(PredicateFormatError) -> PredicateCondition {
        try expect("(")
        let condition = try disjunction()
        try expect(")")
        return condition
    }

    /// Whether the current token continues an expression: a bitwise operator or a comparison.
    private var continuesExpression: Bool {
        switch current {
        case .symbol(let text): text == "&" || text == "|" || Self.comparisons[text] != nil
        case .word(let text): Self.comparisons[text.uppercased()] != nil
        default: false
        }
    }

    private mutating func comparison() throws(PredicateFormatError) -> PredicateCondition {
        let first = try expression()
        let name: String
        switch current {
        case .symbol(let text): name = text
        case .word(let text): name = text.uppercased()
        default: name = ""
        }
        guard let comparison = Self.comparisons[name] else {
            throw PredicateFormatError(message: "expected a comparison instead of \(description(of: current))")
        }
        position += 1
        var options: Set<Character> = []
        if case .options(let letters) = current {
            options = letters
            position += 1
        }
        return .comparison(first, comparison, try expression(), options: options)
    }

    // MARK: Expressions

    private mutating func expression() throws(PredicateFormatError) -> PredicateExpression {
        var expression = try term()
        while true {
            if accept("&") {
                expression = .bits(expression, try term(), isUnion: false)
            } else if accept("|") {
                expression = .bits(expression, try term(), isUnion: true)
            } else {
                return expression
            }
        }
    }

    private mutating func term() throws(PredicateFormatError) -> PredicateExpression {
        guard let token = current else { throw PredicateFormatError(message: "the format ends too early") }
        position += 1
        switch token {
        case .number(let text): return .constant(try number(text))
        case .string(let text): return .constant(.string(text))
        case .argument: return .constant(try nextArgument())
        case .keyArgument:
            guard case .string(let path) = try nextArgument() else {
                throw PredicateFormatError(message: "the argument of %K must be a key")
            }
            return .key(path.split(separator: ".").map(String.init))
        case .word(let text): return named(text)
        case .symbol("("):
            let inner = try expression()
            try expect(")")
            return inner
        case .symbol("{"):
            var items: [PredicateExpression] = []
            while !accept("}") {
                if !items.isEmpty { try expect(",") }
                items.append(try expression())
            }
            return .list(items)
        case .symbol, .options: throw PredicateFormatError(message: "unexpected \(description(of: token))")
        }
    }

    private func named(_ word: String) -> PredicateExpression {
        switch word.uppercased() {
        case "TRUE", "YES": return .constant(.integer(1))
        case "FALSE", "NO": return .constant(.integer(0))
        case "NIL", "NULL": return .constant(.null)
        case "SELF": return .object
        default:
            let path = word.split(separator: ".").map(String.init)
            return .key(path.count > 1 && path[0].uppercased() == "SELF" ? Array(path.dropFirst()) : path)
        }
    }

    private func number(_ text: String) throws(PredicateFormatError) -> PredicateValue {
        if let integer = Int64(text) { return .integer(integer) }
        guard let number = Double(text) else { throw PredicateFormatError(message: "\(text) is not a number") }
        return .number(number)
    }

    private mutating func nextArgument() throws(PredicateFormatError) -> PredicateValue {
        guard arguments.indices.contains(argumentPosition) else {
            throw PredicateFormatError(message: "there are only \(arguments.count) arguments")
        }
        argumentPosition += 1
        return arguments[argumentPosition - 1]
    }
}
