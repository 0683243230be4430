/// The types of an app's variables and the superclasses of its classes, as far as its declarations state them.
struct DeclaredTypes {
    /// The types that declarations give to variables and parameters, by name.
    private var variables: [String: Set<String>] = [:]
    private var superclasses: [String: String] = MissingMembers.superclasses

    private static let keywords: Set = ["class", "struct", "enum", "protocol", "actor", "extension"]
    /// Static properties that return an instance of their class.
    private static let singletons: Set = ["shared", "current", "main", "standard", "default"]
    /// The types of properties of Apple's classes.
    private static let properties: [String: String] = [
        "view": "UIView", "contentView": "UIView", "superview": "UIView", "layer": "CALayer", "titleLabel": "UILabel",
        "imageView": "UIImageView", "window": "UIWindow", "windowScene": "UIWindowScene",
        "safeAreaLayoutGuide": "UILayoutGuide", "rootViewController": "UIViewController",
        "indexPath": "IndexPath",
    ]

    /// Adds the declarations in a source file.
    mutating func read(_ tokens: [SwiftToken]) {
        for index in tokens.indices where tokens[index].kind == .identifier {
            let token = tokens[index]
            if token.text == "class", let (name, superclass) = Self.inheritance(at: index, of: tokens) {
                superclasses[name] = superclass
            } else if let type = Self.declaredType(at: index, of: tokens) {
                variables[token.text, default: []].insert(type)
            }
        }
    }

    /// Returns the type and its superclasses.
    func ancestors(of type: String) -> [String] {
        var ancestors = [type]
        while let last = ancestors.last, let superclass = superclasses[last], !ancestors.contains(superclass) {
            ancestors.append(superclass)
        }
        return ancestors
    }

    /// Returns the possible types of the expression before a period.
    ///
    /// - Parameters:
    ///   - index: The position of the period.
    ///   - enclosing: The type whose declaration contains the expression.
    /// - Returns: Nil if the types are not known.
    func receivers(before index: Int, in tokens: [SwiftToken], enclosing: String?) -> Set<String>? {
        var end = index - 1
        while end >= 0, tokens[end].text == "?" || tokens[end].text == "!" { end -= 1 }
        guard end >= 0, tokens[end].kind == .identifier else { return nil }
        let name = tokens[end].text
        if name == "self" || name == "super" { return enclosing.map { [$0] } }
        if name.first?.isUppercase == true { return [Self.type(endingAt: end, of: tokens)] }
        if end >= 2, tokens[end - 1].text == ".", tokens[end - 2].text.first?.isUppercase == true,
            Self.singletons.contains(name)
        {
            return [Self.type(endingAt: end - 2, of: tokens)]
        }
        return variables[name] ?? Self.properties[name].map { [$0] }
    }

    /// Returns the name of the type whose declaration contains each token.
    static func enclosingTypes(of tokens: [SwiftToken]) -> [String?] {
        var stack: [(name: String, depth: Int)] = []
        var pending: String?
        var depth = 0
        return tokens.enumerated().map { index, token in
            switch token.text {
            case "{":
                depth += 1
                if let name = pending { stack.append((name, depth)) }
                pending = nil
            case "}":
                if stack.last?.depth == depth { stack.removeLast() }
                depth -= 1
            default:
                if keywords.contains(token.text), token.kind == .identifier, index + 1 < tokens.count,
                    tokens[index + 1].text.first?.isUppercase == true
                {
                    pending = tokens[index + 1].text
                }
            }
            return stack.last?.name
        }
    }

    /// Returns the name and the first inherited type of the declaration of a class: `class Controller: UIViewController`.
    private static func inheritance(at index: Int, of tokens: [SwiftToken]) -> (name: String, superclass: String)? {
        guard index + 3 < tokens.count, tokens[index + 1].kind == .identifier else { return nil }
        var next = index + 2
        if tokens[next].text == "<" {
            next = (tokens[next...].firstIndex { $0.text == ">" || $0.text == "{" } ?? tokens.count) + 1
        }
        guard next + 1 < tokens.count, tokens[next].text == ":", tokens[next + 1].kind == .identifier else {
            return nil
        }
        return (tokens[index + 1].text, type(startingAt: next + 1, of: tokens))
    }

    /// Returns the type that a declaration gives to the name at an index: `name: Type`, `name = Type(…)`,
    /// `name = Type.shared` or `name = value as? Type`.
    private static func declaredType(at index: Int, of tokens: [SwiftToken]) -> String? {
        guard index + 2 < tokens.count else { return nil }
        let before = index > 0 ? tokens[index - 1].text : ""
        guard !keywords.contains(before), before != "?", before != "case" else { return nil }
        var next = index + 2
        switch tokens[index + 1].text {
        case ":":
            while next < tokens.count, ["inout", "some", "any"].contains(tokens[next].text) { next += 1 }
            guard next < tokens.count, isTypeName(tokens[next]) else { return nil }
            return type(startingAt: next, of: tokens)
        case "=" where tokens[next].text != "=":
            if isTypeName(tokens[next]) {
                let name = type(startingAt: next, of: tokens)
                let end = next + 2 * name.split(separator: ".").count - 1
                guard end < tokens.count else { return nil }
                if tokens[end].text == "(" { return name }
                if tokens[end].text == ".", end + 1 < tokens.count, singletons.contains(tokens[end + 1].text) {
                    return name
                }
            }
            let line = tokens[next...].prefix { $0.line == tokens[index].line && $0.text != "{" && $0.text != "," }
            guard let cast = line.lastIndex(where: { $0.text == "as" && $0.kind == .identifier }) else { return nil }
            let target = line[(cast + 1)...].first { $0.text != "?" && $0.text != "!" }
            return target.flatMap { isTypeName($0) ? $0.text : nil }
        default: return nil
        }
    }

    private static func isTypeName(_ token: SwiftToken) -> Bool {
        token.kind == .identifier && token.text.first?.isUppercase == true
    }

    /// Returns a name such as `NSAttributedString.Key` from its first word on.
    private static func type(startingAt index: Int, of tokens: [SwiftToken]) -> String {
        var name = tokens[index].text
        var next = index + 1
        while next + 1 < tokens.count, tokens[next].text == ".", isTypeName(tokens[next + 1]) {
            name += "." + tokens[next + 1].text
            next += 2
        }
        return name
    }

    /// Returns a name such as `NSAttributedString.Key` that ends with a word.
    private static func type(endingAt index: Int, of tokens: [SwiftToken]) -> String {
        var name = tokens[index].text
        var previous = index - 1
        while previous > 0, tokens[previous].text == ".", isTypeName(tokens[previous - 1]) {
            name = tokens[previous - 1].text + "." + name
            previous -= 2
        }
        return name
    }
}
