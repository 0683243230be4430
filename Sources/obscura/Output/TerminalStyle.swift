import Foundation

/// A style of text on a terminal; the raw value is its parameter of the control sequence SGR (ECMA-48, 8.3.117).
enum TerminalStyle: Int {
    case bold = 1
    case red = 31
    case green = 32
    case yellow = 33

    /// Whether standard output shows styles: it is a terminal other than `dumb`, and `NO_COLOR` is unset or empty
    /// (no-color.org).
    static let isEnabled: Bool = {
        let environment = ProcessInfo.processInfo.environment
        return isatty(STDOUT_FILENO) == 1 && environment["TERM"] != "dumb" && (environment["NO_COLOR"] ?? "").isEmpty
    }()
}

extension String {
    /// Returns the text for standard output with a style, or the unchanged text if styles are not enabled.
    func styled(_ style: TerminalStyle) -> String {
        TerminalStyle.isEnabled ? "\u{1B}[\(style.rawValue)m\(self)\u{1B}[0m" : self
    }
}
