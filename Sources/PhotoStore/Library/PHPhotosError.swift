public import Foundation
import MediaTypes

/// The domain of `PHPhotosError`.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let PHPhotosErrorDomain = "PHPhotosErrorDomain"
/// The user-info key of an array of local identifiers. The errors of this library do not contain it.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let PHLocalIdentifiersErrorKey = "PHLocalIdentifiersErrorKey"

/// An error of the photo library.
///
/// It casts to `NSError` and back. The user info contains the message under `NSLocalizedDescriptionKey` and
/// `NSLocalizedFailureReasonErrorKey`, and the cause, if any, under `NSUnderlyingErrorKey`.
public struct PHPhotosError: Error, CustomNSError, LocalizedError, CustomStringConvertible {
    /// The error codes, with Apple's numbers.
    public enum Code: Int, Sendable, Hashable, CaseIterable {
        case internalError = -1
        case userCancelled = 3072
        case persistentChangeTokenExpired = 3105
        case libraryVolumeOffline = 3114
        case relinquishingLibraryBundleToWriter = 3142
        case switchingSystemPhotoLibrary = 3143
        case networkAccessRequired = 3164
        case networkError = 3169
        case identifierNotFound = 3201
        case multipleIdentifiersFound = 3202
        case persistentChangeDetailsUnavailable = 3210
        case changeNotSupported = 3300
        case operationInterrupted = 3301
        case invalidResource = 3302
        case missingResource = 3303
        case notEnoughSpace = 3305
        case requestNotSupportedForAsset = 3306
        case limitExceeded = 3307
        case accessRestricted = 3310
        case accessUserDenied = 3311
        case libraryInFileProviderSyncRoot = 5423

        /// The older name of `internalError`.
        public static var invalid: Code { .internalError }

        /// Whether an error is a `PHPhotosError` with this code. Enables `catch PHPhotosError.accessUserDenied`.
        public static func ~= (code: Code, error: any Error) -> Bool {
            (error as? PHPhotosError)?.code == code
        }
    }

    /// The error code.
    public let code: Code
    /// One sentence that names what failed and why.
    public let message: String
    /// The cause of the error.
    public let underlyingError: (any Error)?

    /// Creates an error.
    package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        underlyingError = cause
    }

    public static var errorDomain: String { PHPhotosErrorDomain }

    public var errorCode: Int { code.rawValue }

    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [NSLocalizedDescriptionKey: message, NSLocalizedFailureReasonErrorKey: message]
        if let underlyingError { info[NSUnderlyingErrorKey] = underlyingError.describedNSError }
        return info
    }

    public var errorDescription: String? { message }

    public var failureReason: String? { message }

    public var description: String { message }
}

extension PHPhotosError {
    public static var internalError: Code { .internalError }
    public static var invalid: Code { .internalError }
    public static var userCancelled: Code { .userCancelled }
    public static var libraryVolumeOffline: Code { .libraryVolumeOffline }
    public static var identifierNotFound: Code { .identifierNotFound }
    public static var changeNotSupported: Code { .changeNotSupported }
    public static var operationInterrupted: Code { .operationInterrupted }
    public static var invalidResource: Code { .invalidResource }
    public static var missingResource: Code { .missingResource }
    public static var notEnoughSpace: Code { .notEnoughSpace }
    public static var requestNotSupportedForAsset: Code { .requestNotSupportedForAsset }
    public static var limitExceeded: Code { .limitExceeded }
    public static var accessRestricted: Code { .accessRestricted }
    public static var accessUserDenied: Code { .accessUserDenied }
}

/// Makes an `NSError` castable to `PHPhotosError` and back, as on Apple's systems.
extension PHPhotosError: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSError {
        NSError(domain: Self.errorDomain, code: errorCode, userInfo: errorUserInfo)
    }

    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout PHPhotosError?) {
        result = _unconditionallyBridgeFromObjectiveC(source)
    }

    public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout PHPhotosError?) -> Bool {
        guard source.domain == errorDomain, let code = Code(rawValue: source.code) else { return false }
        result = PHPhotosError(
            code, source.localizedDescription, cause: source.userInfo[NSUnderlyingErrorKey] as? any Error)
        return true
    }

    /// Returns the error; `internalError` for an error of another domain.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> PHPhotosError {
        var result: PHPhotosError?
        if let source, _conditionallyBridgeFromObjectiveC(source, result: &result), let result { return result }
        return PHPhotosError(.internalError, source?.localizedDescription ?? "unknown error", cause: source)
    }
}
