/// The condition of an `#if` or `#elseif`, evaluated for Linux.
struct CompilationCondition {
    /// The value on Linux; nil if it depends on the packages of the app.
    let value: Bool?
    /// Whether the condition mentions Linux.
    let mentionsLinux: Bool
    /// Whether it depends on the platform: an operating system, a module or the simulator.
    let dependsOnPlatform: Bool
    let text: String

    /// Parses and evaluates a condition.
    ///
    /// - Parameters:
    ///   - tokens: The tokens after `#if` or `#elseif`.
    ///   - flags: The flags of the build that are set.
    init(_ tokens: some Sequence<SwiftToken>, flags: Set<String>) {
        var parser = Parser(tokens: Array(tokens), flags: flags)
        value = parser.parseOr()
        text = parser.text
        let words = Set(parser.tokens.filter { $0.kind == .identifier }.map(\.text))
        mentionsLinux = words.contains("Linux")
        dependsOnPlatform = !words.isDisjoint(with: ["os", "canImport", "targetEnvironment"])
    }

    private struct Parser {
        let tokens: [SwiftToken]
        private let flags: Set<String>
        private var position = 0

        init(tokens: [SwiftToken], flags: Set<String>) { (self.tokens, self.flags) = (tokens, flags) }

        /// The condition as Swift code.
        var text: String {
            var text = ""
            for token in tokens {
                if ["&", "|"].contains(token.text) {
                    text += text.hasSuffix(token.text) ? token.text + " " : " " + token.text
                } else {
                    text += token.text + (token.text == "," ? " " : "")
                }
            }
            return text
        }

        private var next: String? { position < tokens.count ? tokens[position].text : nil }

        private mutating func accept(_ words: String...) -> Bool {
            guard tokens[position...].prefix(words.count).map(\.text) == words else { return false }
            position += words.count
            return true
        }

        mutating func parseOr() -> Bool? {
            var result = parseAnd()
            while accept("|", "|") {
                let other = parseAnd()
                result = result == true || other == true ? true : result == false && other == false ? false : nil
            }
            return result
        }

        private mutating func parseAnd() -> Bool? {
            var result = parseNot()
            while accept("&", "&") {
                let other = parseNot()
                result = result == false || other == false ? false : result == true && other == true ? true : nil
            }
            return result
        }

        private mutating func parseNot() -> Bool? {
            if accept("!") { return parseNot().map { !$0 } }
            if accept("(") {
                defer { _ = accept(")") }
                return parseOr()
            }
            guard let name = next else { return nil }
            position += 1
            guard accept("(") else { return name == "true" || flags.contains(name) }
            var arguments: [String] = []
            while let argument = next, argument != ")" {
                arguments.append(argument)
                position += 1
            }
            _ = accept(")")
            let argument = arguments.first ?? ""
            switch name {
            case "os": return argument == "Linux"
            case "canImport": return LinuxModules.exists(argument)
            case "targetEnvironment": return false
            case "swift", "compiler": return true
            default: return nil
            }
        }
    }
}
