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
    /// - Parameters:
    ///   - files: Paths of files. Names that one of them declares are not reported in the others.
    ///   - flags: The flags of the app's build that are set, as `-D FLAG` sets them.
    /// - Throws: `ReadingError` for a file that cannot be read, or is not UTF-8 text.
    public static func findings(in files: [String], flags: Set<String> = debugFlags) throws -> [PortFinding] {
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
        let app = App(sources.map(\.tokens), flags: flags)
        for source in sources { findings += self.findings(in: source.tokens, file: source.file, app: app) }
        return findings.sorted { ($0.file, $0.line) < ($1.file, $1.line) }
    }

    /// The flags that SwiftPM and Xcode set in debug builds.
    public static let debugFlags: Set<String> = ["DEBUG"]

    /// Returns the findings in the text of one Swift file.
    static func findings(
        inText text: String, file: String = "", flags: Set<String> = debugFlags
    ) -> [PortFinding] {
        let tokens = SwiftToken.tokens(of: text)
        return findings(in: tokens, file: file, app: App([tokens], flags: flags)).sorted { $0.line < $1.line }
    }

    /// What all sources of an app declare and use.
    private struct App {
        let members: MemberUses
        let imports: Set<String>
        let flags: Set<String>

        init(_ sources: [[SwiftToken]], flags: Set<String>) {
            var types = DeclaredTypes()
            for tokens in sources { types.read(tokens) }
            members = MemberUses(
                declared: Set(sources.flatMap { declaredNames(in: $0) }),
                used: Set(sources.joined().lazy.filter { $0.kind == .identifier }.map(\.text)), types: types)
            imports = Set(sources.flatMap(ImportedModules.names))
            self.flags = flags
        }
    }

    private static func findings(in tokens: [SwiftToken], file: String, app: App) -> [PortFinding] {
        let code = ConditionalCode(tokens, flags: app.flags)
        return changes(in: code.tokens, file: file, app: app)
            + code.exclusions.map { excluded in
                PortFinding(excluded, file, changes: changes(in: excluded.tokens, file: file, app: app))
            }
    }

    /// Returns the findings in code without conditions.
    private static func changes(in tokens: [SwiftToken], file: String, app: App) -> [PortFinding] {
        ImportedModules.findings(in: tokens, file: file) + ObjectiveCSyntax.findings(in: tokens, file: file)
            + AppleNames.findings(in: tokens, file: file, members: app.members, imports: app.imports)
    }

    private enum Language { case swift, objectiveC }

    private static func language(of path: String) -> Language? {
        switch (path as NSString).pathExtension {
        case "swift": .swift
        case "m", "mm": .objectiveC
        default: nil
        }
    }

    /// The names that source code declares. A type that it only extends, and a member that it overrides, can be Apple's.
    private static func declaredNames(in tokens: [SwiftToken]) -> Set<String> {
        let keywords: Set = [
            "class", "struct", "enum", "protocol", "actor", "typealias", "associatedtype", "func", "var", "let", "case",
        ]
        var names: Set<String> = []
        for index in tokens.indices.dropFirst() where tokens[index].kind == .identifier {
            let keyword = tokens[index - 1]
            guard keyword.kind == .identifier, keywords.contains(keyword.text),
                !MemberUses.isOverride(index, tokens)
            else { continue }
            names.insert(tokens[index].text)
        }
        return names
    }
}
