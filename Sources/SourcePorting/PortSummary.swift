/// What the findings in an app's sources amount to.
public struct PortSummary: Sendable {
    /// A file with findings.
    public struct File: Sendable {
        public let path: String
        /// By line.
        public let findings: [PortFinding]
        /// The number of findings without which the file does not compile.
        public let changeCount: Int
    }

    /// Findings with the same code and advice.
    public struct Group: Sendable {
        public let code: String
        public let advice: String
        public let count: Int
        /// The lines, if all findings are in one file.
        public let lines: [Int]
    }

    /// The number of files that were read.
    public let fileCount: Int
    /// The files with findings, those with the fewest changes first.
    public let files: [File]
    private let findings: [PortFinding]

    public init(_ findings: [PortFinding], fileCount: Int) {
        self.findings = findings
        self.fileCount = fileCount
        files = Dictionary(grouping: findings, by: \.file)
            .map { path, findings in
                File(path: path, findings: findings, changeCount: findings.count(where: \.mustChange))
            }
            .sorted {
                ($0.changeCount, $0.findings.count, $0.path) < ($1.changeCount, $1.findings.count, $1.path)
            }
    }

    /// The number of files without findings.
    public var unchangedCount: Int { fileCount - files.count }
    /// The number of files that compile without the code that their conditions exclude.
    public var excludingCount: Int { files.count { $0.changeCount == 0 } }
    /// The number of files that do not compile before they are changed.
    public var changedCount: Int { files.count - excludingCount }

    /// The code that must change, each once, the most frequent first.
    public var mostFrequent: [Group] {
        Self.groups(of: findings.filter(\.mustChange)).sorted {
            ($1.count, $0.code) < ($0.count, $1.code)
        }
    }

    /// Groups findings, in the order of the first finding of each group.
    public static func groups(of findings: [PortFinding]) -> [Group] {
        var order: [[String]] = []
        var lines: [[String]: [Int]] = [:]
        for finding in findings {
            let key = [finding.code, finding.advice]
            if lines[key] == nil { order.append(key) }
            lines[key, default: []].append(finding.line)
        }
        return order.map { key in
            let all = lines[key] ?? []
            return Group(code: key[0], advice: key[1], count: all.count, lines: Array(Set(all)).sorted())
        }
    }
}
