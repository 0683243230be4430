// swift-format-ignore-file: NoLeadingUnderscores
// The names are those of Apple's imported errors.

public import Foundation

/// Makes an `NSError` castable to `AVError` and back, as on Apple's systems.
extension AVError: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSError {
        NSError(domain: Self.errorDomain, code: errorCode, userInfo: errorUserInfo)
    }

    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout AVError?) {
        result = _unconditionallyBridgeFromObjectiveC(source)
    }

    public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout AVError?) -> Bool {
        guard source.domain == errorDomain, let code = Code(rawValue: source.code) else { return false }
        result = AVError(code, userInfo: source.userInfo)
        return true
    }

    /// Returns the error; `unknown` for an error of another domain.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> AVError {
        var result: AVError?
        if let source, _conditionallyBridgeFromObjectiveC(source, result: &result), let result { return result }
        return AVError(.unknown, userInfo: source?.userInfo ?? [:])
    }
}

extension AVError {
    /// Creates the error from one in Apple's domain, such as that of a notification; `unknown` for other domains.
    public init(_nsError error: NSError) { self = ._unconditionallyBridgeFromObjectiveC(error) }

    /// The error as an `NSError`.
    public var _nsError: NSError { _bridgeToObjectiveC() }
}
