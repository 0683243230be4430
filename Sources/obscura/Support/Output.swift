import Foundation
import MediaTypes

/// Prints a line on standard output.
///
/// - Throws: `CommandFailure` where it cannot be written, as on a full disk: what was not said must not pass for said.
func printLine(_ text: String) throws(CommandFailure) {
    guard writeAll(text + "\n", to: STDOUT_FILENO) else {
        throw CommandFailure("the output cannot be written: \(String(cString: strerror(errno)))")
    }
}

/// Prints one JSON object on a line of its own, keys sorted.
func printJSON(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try printLine(String(decoding: try encoder.encode(value), as: UTF8.self))
}

/// Whether all of a text could be written; `errno` tells why not.
private func writeAll(_ text: String, to descriptor: Int32) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count < 0 {
            if errno == EINTR { continue }
            return false
        }
        rest = rest.dropFirst(count)
    }
    return true
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
        draw("\r\(label) [\(bar)] \(percent) %")
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
        draw("\r\(label) \(tenths / 10).\(tenths % 10) s")
    }

    /// Clears the line.
    func finish() {
        guard isShown, shown.withLock({ $0 }) >= 0 else { return }
        draw("\r\u{1B}[K")
    }

    private func draw(_ text: String) {
        // The terminal may have gone, and the work goes on without it.
        _ = writeAll(text, to: STDERR_FILENO)
    }
}
