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
    /// Whether there is a terminal to show it on.
    let isShown = isatty(STDERR_FILENO) == 1
    private let label: String
    /// What was shown last, in percent or tenths of a second; -1 before anything was.
    private let shown = Lock(-1)

    init(_ label: String) { self.label = label }

    /// - Parameter fraction: 0 … 1.
    func show(_ fraction: Double) {
        let percent = Int(100 * min(max(fraction, 0), 1))
        guard isShown,
            shown.withLock({ last in
                defer { last = percent }
                return last != percent
            })
        else { return }
        let filled = String(repeating: "#", count: percent * 40 / 100)
        let bar = filled.padding(toLength: 40, withPad: ".", startingAt: 0)
        FileHandle.standardError.write(Data("\r\(label) [\(bar)] \(percent) %".utf8))
    }

    /// Shows how much has been done where nobody knows how much there is.
    func show(seconds: Double) {
        let tenths = Int(seconds * 10)
        guard isShown,
            shown.withLock({ last in
                defer { last = tenths }
                return last != tenths
            })
        else { return }
        FileHandle.standardError.write(Data("\r\(label) \(tenths / 10).\(tenths % 10) s".utf8))
    }

    /// Clears the line.
    func finish() {
        guard isShown, shown.withLock({ $0 }) >= 0 else { return }
        FileHandle.standardError.write(Data("\r\u{1B}[K".utf8))
    }
}
