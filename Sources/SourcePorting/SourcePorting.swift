import Foundation

/// Finds the locations in an app's sources that must change before they compile on Linux with this package.
///
/// It reads source text, and neither builds nor changes it. Names are compared with tables. Apple names that are not in
/// the tables, and wrong uses of names that exist, are found only by the compiler.
public enum SourcePorting {
    /// Sources that cannot be read.
    public struct ReadingError: Error, CustomStringConvertible {
        public let description: String
    }

    /// Returns the given files and the Swift and Objective-C files of the given folders, sorted, without hidden files.
    ///
    /// - Throws: `ReadingError` for a path that does not exist, and if there is no file to return.
    public static func sourceFiles(in paths: [String]) throws -> [String] {
        var files: [String] = []
        for path in paths {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
                throw ReadingError(description: "\(path) does not exist")
            }
            guard isFolder.boolValue else {
                files.append(path)
                continue
            }
            let folder = path.hasSuffix("/") ? String(path.dropLast()) : path
            for case let name as String in FileManager.default.enumerator(atPath: path) ?? .init() {
                let isHidden = name.split(separator: "/").contains { $0.hasPrefix(".") }
                if !isHidden, language(of: name) != nil { files.append("\(folder)/\(name)") }
            }
        }
        guard !files.isEmpty else {
            throw ReadingError(description: "there is no Swift or Objective-C file in \(paths.joined(separator: ", "))")
        }
        return Set(files).sorted()
    }

    /// Returns the findings in source files, sorted by file and line.
    ///
    /// - Parameter files: Paths of files. Names that one of them declares are not reported in the others.
    /// - Throws: `ReadingError` for a file that cannot be read, or is not UTF-8 text.
    public static func findings(in files: [String]) throws -> [PortFinding] {
        var sources: [(file: String, tokens: [SwiftToken])] = []
        var findings: [PortFinding] = []
        for file in files {
            if language(of: file) == .objectiveC {
                findings.append(
                    PortFinding(
                        .objectiveC, file, 1, "Objective-C",
                        "rewrite the file in Swift; there is no Objective-C runtime on Linux"))
                continue
            }
            let text: String
            do {
                text = try String(contentsOf: URL(fileURLWithPath: file), encoding: .utf8)
            } catch {
                throw ReadingError(description: "\(file) is not readable as UTF-8 text")
            }
            sources.append((file, SwiftToken.tokens(of: text)))
        }
        let declared = Set(sources.flatMap { declaredNames(in: $0.tokens) })
        let used = Set(sources.flatMap { identifiers(in: $0.tokens) })
        for source in sources {
            findings += self.findings(in: source.tokens, file: source.file, declared: declared, used: used)
        }
        return findings.sorted { ($0.file, $0.line) < ($1.file, $1.line) }
    }

    /// Returns the findings in the text of one Swift file.
    static func findings(inText text: String, file: String = "") -> [PortFinding] {
        let tokens = SwiftToken.tokens(of: text)
        return findings(
            in: tokens, file: file, declared: declaredNames(in: tokens), used: Set(identifiers(in: tokens))
        ).sorted { $0.line < $1.line }
    }

    private static func findings(
        in tokens: [SwiftToken], file: String, declared: Set<String>, used: Set<String>
    ) -> [PortFinding] {
        // The code that is compiled on Linux.
        let compiled = ConditionalCode(tokens, file: file)
        return compiled.findings + ImportedModules.findings(in: compiled.tokens, file: file)
            + ObjectiveCSyntax.findings(in: compiled.tokens, file: file)
            + AppleNames.findings(in: compiled.tokens, file: file, declared: declared, used: used)
    }

    private static func identifiers(in tokens: [SwiftToken]) -> [String] {
        tokens.lazy.filter { $0.kind == .identifier }.map(\.text)
    }

    private enum Language { case swift, objectiveC }

    private static func language(of path: String) -> Language? {
        switch (path as NSString).pathExtension {
        case "swift": .swift
        case "m", "mm": .objectiveC
        default: nil
        }
    }

    /// The names that source code declares, and those of the types that it extends, which its own package may declare.
    private static func declaredNames(in tokens: [SwiftToken]) -> Set<String> {
        let keywords: Set = [
            "class", "struct", "enum", "protocol", "actor", "typealias", "associatedtype", "func", "var", "let", "case",
            "extension",
        ]
        var names: Set<String> = []
        for (keyword, name) in zip(tokens, tokens.dropFirst())
        where keyword.kind == .identifier && keywords.contains(keyword.text) && name.kind == .identifier {
            names.insert(name.text)
        }
        return names
    }
}
