import CaptureHAL
import Foundation
import MediaTypes

/// A progress bar on standard error, in one line. It is shown only if standard error is a terminal.
///
/// - Important: Thread-safe.
final class ProgressBar: Sendable {
    /// Whether standard error is a terminal.
    let isShown = isatty(STDERR_FILENO) == 1

    private struct State {
        /// The last value shown, in percent or tenths of a second; initially -1.
        var value = -1
        /// The times at which `value` and the first value were shown. They are those of `HostClock`, which is real also
        /// while a simulated world is open.
        var drawTime = HostClock.shared.now
        var startTime: CMTime?
    }

    private let label: String
    private let state = Lock(State())
    private static let maximumBarWidth = 40
    /// The minimum width of a bar. A narrower bar is omitted.
    private static let minimumBarWidth = 6
    /// The time after which the remaining time is estimated, in seconds.
    private static let estimateDelay = 1.0

    /// Creates a bar.
    ///
    /// - Parameter label: A word or two that name the operation.
    init(_ label: String) { self.label = label }

    /// Shows the progress, and after a second the remaining time.
    ///
    /// - Parameter fraction: 0 … 1.
    func show(_ fraction: Double) {
        guard isShown else { return }
        let fraction = min(max(fraction, 0), 1)
        guard let elapsed = update(Int(100 * fraction)) else { return }
        let remaining = elapsed >= Self.estimateDelay && fraction > 0 ? elapsed * (1 - fraction) / fraction : nil
        draw(Self.line(label, fraction: fraction, remainingSeconds: remaining, columns: Self.columns))
    }

    /// Shows the elapsed time of work without a known end.
    func show(seconds: Double) {
        guard isShown else { return }
        let tenths = Int(seconds * 10)
        guard update(tenths) != nil else { return }
        draw(String("\(label) \(tenths / 10).\(tenths % 10) s".prefix(Self.columns - 1)))
    }

    /// Shows a number of steps of work without a known end.
    func show(count: Int) {
        guard isShown, update(count) != nil else { return }
        draw(String("\(label) \(count)".prefix(Self.columns - 1)))
    }

    /// Clears the line.
    func finish() {
        guard isShown, state.withLock({ $0.value }) >= 0 else { return }
        draw("")
    }

    /// Returns the line for a state of the progress. It is shorter than the terminal is wide, so that it never wraps.
    ///
    /// - Parameters:
    ///   - remainingSeconds: The estimated remaining time; nil if unknown.
    ///   - columns: The width of the terminal in characters.
    static func line(_ label: String, fraction: Double, remainingSeconds: Double?, columns: Int) -> String {
        let percent = Int(100 * fraction)
        let rest = remainingSeconds.map { ", \(clockTime($0)) left" } ?? ""
        let text = "\(percent) %\(rest)"
        let barWidth = min(maximumBarWidth, columns - 1 - label.count - text.count - " [] ".count)
        guard barWidth >= minimumBarWidth else { return String("\(label) \(text)".prefix(max(0, columns - 1))) }
        let filled = String(repeating: "#", count: Int(fraction * Double(barWidth)))
        return "\(label) [\(filled.padding(toLength: barWidth, withPad: ".", startingAt: 0))] \(text)"
    }

    /// Formats a time as `0:05`, `12:34` or `1:02:03`.
    private static func clockTime(_ seconds: Double) -> String {
        let total = Int(min(seconds.rounded(.up), 359_999))
        let (hours, minutes) = (total / 3600, total / 60 % 60)
        return hours > 0
            ? String(format: "%d:%02d:%02d", hours, minutes, total % 60)
            : String(format: "%d:%02d", minutes, total % 60)
    }

    /// The width of the terminal in characters; 80 if it is unknown.
    private static var columns: Int {
        var size = winsize()
        return ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }

    /// Stores a new value.
    ///
    /// - Returns: The time since the first value in seconds; nil if the value is unchanged and was drawn less than a
    ///   second ago.
    private func update(_ value: Int) -> Double? {
        state.withLock { state in
            let now = HostClock.shared.now
            guard value != state.value || (now - state.drawTime).seconds >= 1 else { return nil }
            let start = state.startTime ?? now
            (state.value, state.drawTime, state.startTime) = (value, now, start)
            return (now - start).seconds
        }
    }

    /// Replaces the line.
    private func draw(_ text: String) {
        // The work continues if the terminal has been closed.
        _ = writeAll("\r\(text)\u{1B}[K", to: STDERR_FILENO)
    }
}
