import Foundation

/// An error of a capture service. Domains and codes are those of the tutorial that the service follows
/// (docs/tutorials.md), with its spelling.
public struct CaptureServiceError: CustomNSError, LocalizedError {
    /// The codes of the errors, in groups: the camera and the outputs, then the movie.
    public enum Code: Int, Sendable, CaseIterable {
        case videoInputRefused = -2200
        case noVideoInput = -2201
        case cameraNotLocked = -2203
        case videoOutputRefused = -2204
        case photoOutputRefused = -2205
        case writerRefusedVideo = -2210
        case writerRefusedAudio = -2211
        case writerNotStarted = -2212
        case videoNotAppended = -2213
        case audioNotAppended = -2214
    }

    public let code: Code
    /// The error that caused this error; nil if there is none.
    public let underlyingError: (any Error)?

    init(_ code: Code, _ underlyingError: (any Error)? = nil) {
        self.code = code
        self.underlyingError = underlyingError
    }

    public static let errorDomain = "com.caixindong.captureservice"

    /// The domain of the component that failed.
    public var domain: String {
        switch code {
        case .videoInputRefused, .noVideoInput, .cameraNotLocked, .videoOutputRefused: Self.errorDomain + ".video"
        case .photoOutputRefused: Self.errorDomain + ".image"
        case .writerNotStarted: "com.xindong.captureservice.writter"
        case .writerRefusedVideo, .writerRefusedAudio, .videoNotAppended, .audioNotAppended:
            Self.errorDomain + ".writter"
        }
    }

    /// The error with the domain of its component, for code that distinguishes errors by domain and code.
    public var nsError: NSError { NSError(domain: domain, code: errorCode, userInfo: errorUserInfo) }

    public var errorCode: Int { code.rawValue }

    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [NSLocalizedDescriptionKey: message]
        if let underlyingError { info[NSUnderlyingErrorKey] = underlyingError }
        return info
    }

    public var errorDescription: String? { message }

    private var message: String {
        let reason = underlyingError.map { ": \($0.localizedDescription)" } ?? ""
        return switch code {
        case .videoInputRefused: "The session refuses the camera."
        case .noVideoInput: "There is no camera that can be used\(reason)"
        case .cameraNotLocked: "The camera cannot be configured\(reason)"
        case .videoOutputRefused: "The session refuses an output."
        case .photoOutputRefused: "The session cannot take photos."
        case .writerRefusedVideo: "The movie cannot contain video with these settings."
        case .writerRefusedAudio: "The movie cannot contain sound with these settings."
        case .writerNotStarted: "The movie cannot be started\(reason)"
        case .videoNotAppended: "A frame cannot be written\(reason)"
        case .audioNotAppended: "Sound cannot be written\(reason)"
        }
    }
}
