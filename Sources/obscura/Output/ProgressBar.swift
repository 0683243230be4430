import Foundation
import MediaTypes

/// A progress bar on standard error. It is shown only if standard error is a terminal.
final class ProgressBar: Sendable {
    /// Whether standard error is a terminal.
    let isShown = isatty(STDERR_FILENO) == 1
    private let label: String
    /// The last value shown, in percent or tenths of a second; initially -1.
    private let lastValue = Lock(-1)

    init(_ label: String) { self.label = label }

    /// Shows the progress.
    ///
    /// - Parameter fraction: 0 … 1.
    func show(_ fraction: Double) {
        let percent = Int(100 * min(max(fraction, 0), 1))
        guard isShown,
            lastValue.withLock({ last in
                defer { last = percent }
                return last != percent
            })
        else { return }
        let filled = String(repeating: "#", count: percent * 40 / 100)
        let bar = filled.padding(toLength: 40, withPad: ".", startingAt: 0)
        draw("\r\(label) [\(bar)] \(percent) %")
    }

    /// Shows the elapsed time of work without a known end.
    func show(seconds: Double) {
        let tenths = Int(seconds * 10)
        guard isShown,
            lastValue.withLock({ last in
                defer { last = tenths }
                return last != tenths
            })
        else { return }
        draw("\r\(label) \(tenths / 10).\(tenths % 10) s")
    }

    /// Clears the line.
    func finish() {
        guard isShown, lastValue.withLock({ $0 }) >= 0 else { return }
        draw("\r\u{1B}[K")
    }

    private func draw(_ text: String) {
        // The work continues if the terminal has been closed.
        _ = writeAll(text, to: STDERR_FILENO)
    }
}
