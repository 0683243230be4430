/// The parts of a source file that conditions such as `#if os(iOS)` exclude on Linux.
struct ConditionalCode {
    /// A branch that is not compiled on Linux, because of a condition that does not mention Linux.
    struct Exclusion {
        /// `#if` or `#elseif`.
        let keyword: SwiftToken
        /// The condition as Swift code.
        let condition: String
        let lines: ClosedRange<Int>
        /// The code of the branch, with that of inner branches, which other conditions can exclude.
        let tokens: [SwiftToken]
    }

    /// The outermost of the branches that are not compiled on Linux.
    private(set) var exclusions: [Exclusion] = []
    /// The tokens that are compiled on Linux.
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
        /// The tokens of an excluded branch that is not in another one.
        var tokens: [SwiftToken] = []
    }

    private var chains: [Chain] = []

    /// Evaluates the conditions of a source file.
    ///
    /// - Parameter flags: The flags of the build that are set, as `-D FLAG` sets them.
    init(_ all: [SwiftToken], flags: Set<String>) {
        var index = 0
        while index < all.count {
            let token = all[index]
            index += 1
            switch token.text {
            case "#if", "#elseif":
                let end = all[index...].firstIndex { $0.line != token.line } ?? all.count
                open(token, CompilationCondition(all[index..<end], flags: flags))
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

    /// Ends the current branch, and adds an exclusion if its code is not compiled on Linux because of the platform.
    private mutating func close() {
        guard let chain = chains.last, let lines = chain.branch.lines, chain.branch.isExcluded, !chain.mentionsLinux,
            let condition = chain.branch.condition, condition.value == false, condition.dependsOnPlatform,
            !chains.dropLast().contains(where: \.branch.isExcluded)
        else { return }
        exclusions.append(
            Exclusion(
                keyword: chain.branch.keyword, condition: condition.text, lines: lines, tokens: chain.branch.tokens))
    }

    private mutating func add(_ token: SwiftToken) {
        for index in chains.indices {
            let first = chains[index].branch.lines?.lowerBound ?? token.line
            chains[index].branch.lines = first...max(first, token.line)
        }
        if let index = chains.firstIndex(where: \.branch.isExcluded) {
            chains[index].branch.tokens.append(token)
        } else {
            tokens.append(token)
        }
    }
}
