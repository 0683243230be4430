/// The parts of a source file that conditions such as `#if os(iOS)` exclude on Linux.
struct ConditionalCode {
    private(set) var findings: [PortFinding] = []
    /// The tokens of the file without the conditions, and without code that a condition that mentions Linux excludes on
    /// Linux.
    private(set) var tokens: [SwiftToken] = []

    /// An open chain of `#if`, `#elseif` and `#else`.
    private struct Chain {
        var branch: Branch
        /// Whether an earlier branch of the chain is compiled on Linux.
        var isDone = false
        var mentionsLinux = false
    }

    private struct Branch {
        let keyword: SwiftToken
        let condition: CompilationCondition?
        /// Whether the branch is not compiled on Linux.
        let isExcluded: Bool
        var lines: ClosedRange<Int>?
    }

    private let file: String
    private var chains: [Chain] = []

    init(_ all: [SwiftToken], file: String) {
        self.file = file
        var index = 0
        while index < all.count {
            let token = all[index]
            index += 1
            switch token.text {
            case "#if", "#elseif":
                let end = all[index...].firstIndex { $0.line != token.line } ?? all.count
                open(token, CompilationCondition(all[index..<end]))
                index = end
            case "#else": open(token, nil)
            case "#endif":
                close()
                if !chains.isEmpty { chains.removeLast() }
            default: add(token)
            }
        }
    }

    private mutating func open(_ keyword: SwiftToken, _ condition: CompilationCondition?) {
        if keyword.text == "#if" {
            chains.append(Chain(branch: Branch(keyword: keyword, condition: condition, isExcluded: false)))
        } else {
            close()
        }
        guard var chain = chains.popLast() else { return }
        chain.mentionsLinux = chain.mentionsLinux || condition?.mentionsLinux == true
        let isExcluded = chain.isDone || condition?.value == false
        chain.branch = Branch(keyword: keyword, condition: condition, isExcluded: isExcluded)
        if condition.map({ $0.value == true }) ?? true { chain.isDone = true }
        chains.append(chain)
    }

    /// Ends the current branch, and adds a finding if its code is not compiled on Linux.
    private mutating func close() {
        guard let chain = chains.last, let lines = chain.branch.lines, chain.branch.isExcluded, !chain.mentionsLinux,
            let condition = chain.branch.condition, condition.value == false, condition.dependsOnPlatform,
            !chains.dropLast().contains(where: \.branch.isExcluded)
        else { return }
        let keyword = chain.branch.keyword
        let range =
            lines.count == 1 ? "line \(lines.lowerBound) is" : "lines \(lines.lowerBound)–\(lines.upperBound) are"
        findings.append(
            PortFinding(
                .excludedCode, file, keyword.line, "\(keyword.text) \(condition.text)",
                "\(range) not compiled on Linux; if the app needs them there, write "
                    + "`\(keyword.text) \(condition.text) || os(Linux)`"))
    }

    private mutating func add(_ token: SwiftToken) {
        if chains.contains(where: { $0.branch.isExcluded && $0.mentionsLinux }) { return }
        for index in chains.indices {
            let first = chains[index].branch.lines?.lowerBound ?? token.line
            chains[index].branch.lines = first...max(first, token.line)
        }
        tokens.append(token)
    }
}
