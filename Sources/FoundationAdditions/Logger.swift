public import Foundation

/// Writes messages with a subsystem and a category to the log; see `OSLog` for where they appear.
///
/// - Note: A source file that also imports swift-log selects its logger with `import struct Logging.Logger`.
/// - Important: Thread-safe.
public struct Logger: Sendable {
    private let log: OSLog

    public init() { log = .default }
    public init(subsystem: String, category: String) { log = OSLog(subsystem: subsystem, category: category) }
    public init(_ logObj: OSLog) { log = logObj }

    public func log(_ message: OSLogMessage) { log.write(message.text, type: .default) }
    public func log(level: OSLogType, _ message: OSLogMessage) { log.write(message.text, type: level) }
    public func trace(_ message: OSLogMessage) { log.write(message.text, type: .debug) }
    public func debug(_ message: OSLogMessage) { log.write(message.text, type: .debug) }
    public func info(_ message: OSLogMessage) { log.write(message.text, type: .info) }
    public func notice(_ message: OSLogMessage) { log.write(message.text, type: .default) }
    public func warning(_ message: OSLogMessage) { log.write(message.text, type: .error) }
    public func error(_ message: OSLogMessage) { log.write(message.text, type: .error) }
    public func critical(_ message: OSLogMessage) { log.write(message.text, type: .fault) }
    public func fault(_ message: OSLogMessage) { log.write(message.text, type: .fault) }
}

/// Whether a value may be written to the log of a device. Has no effect: all values are written, as in a debugger.
public struct OSLogPrivacy: Sendable {
    /// The replacement of a hidden value.
    public enum Mask: Sendable {
        case none, hash
    }

    public static let `public` = OSLogPrivacy()
    public static let `private` = OSLogPrivacy()
    public static let sensitive = OSLogPrivacy()
    public static let auto = OSLogPrivacy()

    public static func `private`(mask: Mask) -> OSLogPrivacy { .private }
    public static func sensitive(mask: Mask) -> OSLogPrivacy { .sensitive }
    public static func auto(mask: Mask) -> OSLogPrivacy { .auto }
}

/// The padding of a value.
public struct OSLogStringAlignment: Sendable {
    fileprivate var columns: Int = 0
    fileprivate var isLeft = false

    public static let none = OSLogStringAlignment()
    public static func right(columns: Int) -> OSLogStringAlignment { OSLogStringAlignment(columns: columns) }
    public static func left(columns: Int) -> OSLogStringAlignment {
        OSLogStringAlignment(columns: columns, isLeft: true)
    }

    fileprivate func apply(to text: String) -> String {
        let padding = String(repeating: " ", count: max(0, columns - text.count))
        return isLeft ? text + padding : padding + text
    }
}

/// The notation of a floating-point number.
public struct OSLogFloatFormatting: Sendable {
    fileprivate var format: @Sendable (Double) -> String

    public static var fixed: OSLogFloatFormatting { fixed(precision: 6) }
    public static func fixed(precision: Int, explicitPositiveSign: Bool = false) -> OSLogFloatFormatting {
        OSLogFloatFormatting { value in
            String(format: "%\(explicitPositiveSign ? "+" : "").\(max(0, precision))f", value)
        }
    }
    public static var exponential: OSLogFloatFormatting { exponential(precision: 6) }
    public static func exponential(precision: Int, explicitPositiveSign: Bool = false) -> OSLogFloatFormatting {
        OSLogFloatFormatting { value in
            String(format: "%\(explicitPositiveSign ? "+" : "").\(max(0, precision))e", value)
        }
    }
    public static var hybrid: OSLogFloatFormatting { OSLogFloatFormatting { String(format: "%g", $0) } }
}

/// The notation of an integer.
public struct OSLogIntegerFormatting: Sendable {
    fileprivate var radix = 10
    fileprivate var isUppercase = false
    fileprivate var prefix = ""
    fileprivate var minimumDigitCount = 0

    public static var decimal: OSLogIntegerFormatting { OSLogIntegerFormatting() }
    public static func decimal(explicitPositiveSign: Bool = false, minDigits: Int = 0) -> OSLogIntegerFormatting {
        OSLogIntegerFormatting(prefix: explicitPositiveSign ? "+" : "", minimumDigitCount: minDigits)
    }
    public static var hex: OSLogIntegerFormatting { OSLogIntegerFormatting(radix: 16) }
    public static func hex(
        explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false, minDigits: Int = 0
    ) -> OSLogIntegerFormatting {
        OSLogIntegerFormatting(
            radix: 16, isUppercase: uppercase, prefix: (explicitPositiveSign ? "+" : "") + (includePrefix ? "0x" : ""),
            minimumDigitCount: minDigits)
    }
    public static var octal: OSLogIntegerFormatting { OSLogIntegerFormatting(radix: 8) }

    fileprivate func text(of value: some BinaryInteger) -> String {
        let digits = String(value.magnitude, radix: radix, uppercase: isUppercase)
        let zeros = String(repeating: "0", count: max(0, minimumDigitCount - digits.count))
        return (value < 0 ? "-" + prefix.replacingOccurrences(of: "+", with: "") : prefix) + zeros + digits
    }
}

/// A message of the log. Its interpolated values can have options for privacy, alignment and format.
public struct OSLogMessage: ExpressibleByStringInterpolation, ExpressibleByStringLiteral, Sendable {
    let text: String

    public init(stringLiteral value: String) { text = value }
    public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
}

/// The interpolation of a message of the log.
public struct OSLogInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    public init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    public mutating func appendLiteral(_ literal: String) { text += literal }

    /// Appends a value as its description.
    public mutating func appendInterpolation<T>(
        _ value: @autoclosure () -> T, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto,
        attributes: String = ""
    ) {
        text += align.apply(to: String(describing: value()))
    }

    /// Appends an object as its description; nil is `(null)`, as `%@` writes it.
    public mutating func appendInterpolation(
        _ argumentObject: @autoclosure () -> NSObject?, privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        text += argumentObject().map(\.description) ?? "(null)"
    }

    public mutating func appendInterpolation<T: BinaryInteger>(
        _ number: @autoclosure () -> T, format: OSLogIntegerFormatting = .decimal, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        text += align.apply(to: format.text(of: number()))
    }

    public mutating func appendInterpolation(
        _ number: @autoclosure () -> Double, format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        text += align.apply(to: format.format(number()))
    }

    public mutating func appendInterpolation(
        _ number: @autoclosure () -> Float, format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        text += align.apply(to: format.format(Double(number())))
    }

    public mutating func appendInterpolation(
        _ boolean: @autoclosure () -> Bool, privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        text += String(boolean())
    }
}
