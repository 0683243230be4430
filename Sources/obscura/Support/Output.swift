import Foundation
import MediaTypes

/// Prints one JSON object on a line of its own, keys sorted.
func printJSON(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    print(String(decoding: try encoder.encode(value), as: UTF8.self))
}

/// A bar that shows on a terminal how far long work has come, and nothing elsewhere.
final class ProgressBar: Sendable {
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let label: String
    /// -1 before anything was shown.
    private let shownPercent = Lock(-1)

    init(_ label: String) { self.label = label }

    /// - Parameter fraction: 0 … 1.
    func show(_ fraction: Double) {
        let percent = Int(100 * min(max(fraction, 0), 1))
        guard isTerminal,
            shownPercent.withLock({ shown in
                defer { shown = percent }
                return shown != percent
            })
        else { return }
        let filled = String(repeating: "#", count: percent * 40 / 100)
        let bar = filled.padding(toLength: 40, withPad: ".", startingAt: 0)
        FileHandle.standardError.write(Data("\r\(label) [\(bar)] \(percent) %".utf8))
    }

    /// Clears the line.
    func finish() {
        guard isTerminal, shownPercent.withLock({ $0 }) >= 0 else { return }
        FileHandle.standardError.write(Data("\r\u{1B}[K".utf8))
    }
}
