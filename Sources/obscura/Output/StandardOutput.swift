import Foundation

/// Prints a line on standard output.
///
/// - Throws: `CommandFailure` if it cannot be written, for example on a full disk. `print(_:)` ignores such errors.
func printLine(_ text: String) throws(CommandFailure) { try printText(text + "\n") }

/// Prints a line on standard output. If it is wider than the output, it continues on further lines with an indent.
///
/// - Parameters:
///   - prefix: Text before the line, which is not wrapped. It can contain styles.
///   - indent: The number of characters of the prefix and of the indent of further lines.
func printLine(_ text: String, after prefix: String, indent: Int) throws(CommandFailure) {
    guard let columns = outputColumns, indent + text.count > columns else { return try printLine(prefix + text) }
    let space = String(repeating: " ", count: indent)
    for (index, line) in text.wrapped(toColumns: max(minimumWrappedColumns, columns - indent)).enumerated() {
        try printLine((index == 0 ? prefix : space) + line)
    }
}

/// Prints a line of a listing on standard output. If it is wider than the output, it continues on further lines, which
/// are indented by four characters more than the line itself.
func printListing(_ line: String) throws(CommandFailure) {
    guard let columns = outputColumns, line.count > columns else { return try printLine(line) }
    let indent = String(line.prefix { $0 == " " })
    let further = indent + "    "
    for (index, part) in line.wrapped(toColumns: max(minimumWrappedColumns, columns - further.count)).enumerated() {
        try printLine((index == 0 ? indent : further) + part)
    }
}

/// Text is not wrapped to fewer characters.
private let minimumWrappedColumns = 20

/// Prints text on standard output, without adding a line break.
///
/// - Throws: `CommandFailure` if it cannot be written.
func printText(_ text: String) throws(CommandFailure) {
    guard writeAll(text, to: STDOUT_FILENO) else {
        throw CommandFailure("the output cannot be written: \(String(cString: strerror(errno)))")
    }
}

/// The width of standard output in characters: `COLUMNS`, or that of the terminal. Nil if it is not limited, as that of
/// a file.
var outputColumns: Int? {
    if let columns = ProcessInfo.processInfo.environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 { return columns }
    var size = winsize()
    return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
}

extension String {
    /// Returns the text in lines of at most the given number of characters, except for longer words.
    func wrapped(toColumns columns: Int) -> [String] {
        split(separator: " ").reduce(into: []) { lines, word in
            if let last = lines.last, last.count + 1 + word.count <= columns {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
    }
}

/// Prints a value as JSON in one line, with sorted keys.
///
/// - Throws: `CommandFailure` if it cannot be written, or an `EncodingError`.
func printJSON(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try printLine(String(decoding: try encoder.encode(value), as: UTF8.self))
}

/// Writes text to a file descriptor.
///
/// - Returns: Whether all of it was written; if not, `errno` contains the reason.
func writeAll(_ text: String, to descriptor: Int32) -> Bool {
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

/// Formats a number with up to three decimal places, and a whole number without a decimal point.
///
/// Numbers from 1e12, positive or negative, have Swift's description, such as `1e+16`; so do infinity and NaN (`inf`,
/// `nan`).
func plainNumber(_ number: Double) -> String { plainNumber(number, fractionDigits: 3) }

/// Formats a number as `plainNumber(_:)` does, with another maximum number of decimal places.
func plainNumber(_ number: Double, fractionDigits: Int) -> String {
    guard abs(number) < 1e12 else { return String(number) }
    let unit = pow(10, Double(fractionDigits))
    let rounded = (number * unit).rounded() / unit
    return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
}
