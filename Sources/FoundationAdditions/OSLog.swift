// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation

/// The importance of a message.
public struct OSLogType: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A message about normal operation, also called notice.
    public static let `default` = OSLogType(rawValue: 0x00)
    public static let info = OSLogType(rawValue: 0x01)
    public static let debug = OSLogType(rawValue: 0x02)
    public static let error = OSLogType(rawValue: 0x10)
    /// A defect of the program.
    public static let fault = OSLogType(rawValue: 0x11)

    /// The name in the log.
    var name: String {
        switch self {
        case .info: "info"
        case .debug: "debug"
        case .error: "error"
        case .fault: "fault"
        default: "notice"
        }
    }
}

/// A log of messages with a subsystem and a category.
///
/// Messages are written to standard error, one line each. Messages of the types debug and info are written only if the
/// environment variable `OS_ACTIVITY_DT_MODE` is set, as on Apple's systems.
/// - Important: Thread-safe.
public final class OSLog: NSObject, Sendable {
    /// The log without subsystem and category.
    public static let `default` = OSLog(subsystem: "", category: "")
    /// A log that discards all messages.
    public static let disabled = OSLog(subsystem: "", category: "", isEnabled: false)

    let subsystem: String
    let category: String
    private let isDisabled: Bool

    public convenience init(subsystem: String, category: String) {
        self.init(subsystem: subsystem, category: category, isEnabled: true)
    }

    private init(subsystem: String, category: String, isEnabled: Bool) {
        self.subsystem = subsystem
        self.category = category
        isDisabled = !isEnabled
    }

    private static let writesAllTypes = ProcessInfo.processInfo.environment["OS_ACTIVITY_DT_MODE"] != nil

    /// Whether messages of a type are written.
    public func isEnabled(type: OSLogType) -> Bool {
        !isDisabled && (Self.writesAllTypes || (type != .debug && type != .info))
    }

    /// Returns the line of a message.
    func line(_ message: String, type: OSLogType) -> String {
        let source = subsystem.isEmpty && category.isEmpty ? "" : "[\(subsystem):\(category)] "
        return "\(type.name): \(source)\(message)\n"
    }

    func write(_ message: @autoclosure () -> String, type: OSLogType) {
        guard isEnabled(type: type) else { return }
        // One write for each line, so that the lines of several threads are not interleaved.
        FileHandle.standardError.write(Data(line(message(), type: type).utf8))
    }
}

/// Writes a message with the format of `String(format:)`, in which `%{public}@` and `%{private}@` mean `%@`.
public func os_log(
    _ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default, _ message: StaticString,
    _ args: any CVarArg...
) {
    log.write(OSLogFormat.text(message, args), type: type)
}

/// Writes a message with the format of `String(format:)`, in which `%{public}@` and `%{private}@` mean `%@`.
public func os_log(
    _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default, type: OSLogType = .default,
    _ args: any CVarArg...
) {
    log.write(OSLogFormat.text(message, args), type: type)
}

/// Writes a message with interpolated values.
@_disfavoredOverload
public func os_log(_ type: OSLogType, log: OSLog = .default, _ message: OSLogMessage) {
    log.write(message.text, type: type)
}

/// Writes a message with interpolated values.
@_disfavoredOverload
public func os_log(_ message: OSLogMessage) { OSLog.default.write(message.text, type: .default) }

/// Formats messages of `os_log`.
enum OSLogFormat {
    static func text(_ format: StaticString, _ arguments: [any CVarArg]) -> String {
        let plain = format.description.replacingOccurrences(
            of: "%\\{[^}]*\\}", with: "%", options: .regularExpression)
        return arguments.isEmpty
            ? plain.replacingOccurrences(of: "%%", with: "%")
            : withVaList(arguments) { NSString(format: plain, arguments: $0).description }
    }
}
