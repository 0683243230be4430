#if Everything || YAMLFiles
import Yams

extension YAMLNode {
    /// Parses a document.
    ///
    /// - Parameter file: The file name for errors.
    /// - Returns: nil if the document is empty.
    static func parse(_ text: String, file: String) throws(YAMLError) -> YAMLNode? {
        do {
            return try Yams.compose(yaml: text).map { YAMLNode($0) }
        } catch {
            throw parsingError(error, file: file)
        }
    }

    private init(_ node: Node) {
        let content: Content =
            switch node {
            case .scalar(let scalar): .scalar(scalar.string)
            case .mapping(let mapping): .mapping(mapping.map { Pair(key: YAMLNode($0.key), value: YAMLNode($0.value)) })
            case .sequence(let sequence): .sequence(sequence.map { YAMLNode($0) })
            case .alias: .alias
            }
        self.init(content, line: node.mark?.line ?? 1, column: node.mark?.column ?? 1)
    }

    private static func parsingError(_ error: any Error, file: String) -> YAMLError {
        let mark: Mark?
        let problem: String
        switch error as? YamlError {
        case .scanner(_, let text, let at, _), .parser(_, let text, let at, _), .composer(_, let text, let at, _):
            (problem, mark) = (text, at)
        case .duplicatedKeysInMapping(let duplicates, let context):
            (problem, mark) = ("the key \"\(duplicates.first ?? "")\" appears twice", context.mark)
        case .reader(let text, _, _, _):
            (problem, mark) = (text, nil)
        case .no, .memory, .writer, .emitter, .representer, .dataCouldNotBeDecoded, nil:
            (problem, mark) = ("\(error)", nil)
        }
        return YAMLError(
            file: file, line: mark?.line ?? 1, column: mark?.column ?? 1, key: "",
            problem: "the file is not valid YAML: \(problem)",
            remedy: "check the indentation, colons and quotes")
    }
}
#else
extension YAMLNode {
    /// Throws an error: the package is built without a YAML parser.
    static func parse(_ text: String, file: String) throws(YAMLError) -> YAMLNode? {
        throw YAMLError(
            file: file, line: 1, column: 1, key: "", problem: "the program is built without a parser of YAML files",
            remedy: "enable the package trait YAMLFiles")
    }
}
#endif
