public import Foundation
import MediaTypes

/// The errors of an item with a remote file.
///
/// - Important: Thread-safe, immutable.
public final class AVPlayerItemErrorLog: NSObject, Sendable {
    /// The errors in the order in which they occurred.
    public let events: [AVPlayerItemErrorLogEvent]

    init(_ events: [AVPlayerItemErrorLogEvent]) { self.events = events }

    /// The encoding of `extendedLogData()`: UTF-8, as a raw value of `String.Encoding`.
    public var extendedLogDataStringEncoding: UInt { String.Encoding.utf8.rawValue }

    /// The log in the extended log file format of the World Wide Web Consortium.
    public func extendedLogData() -> Data? {
        extendedLog(
            fields: ["date", "cs-uri", "cs-status", "domain", "comment"],
            events.map { event in
                [
                    logText(event.date), logText(event.uri), "\(event.errorStatusCode)", logText(event.errorDomain),
                    logText(event.errorComment),
                ]
            })
    }
}

/// An entry of an error log.
///
/// - Important: Thread-safe, immutable.
public final class AVPlayerItemErrorLogEvent: NSObject, Sendable {
    /// When the error occurred.
    public let date: Date?
    public let uri: String?
    /// The code of the error in its domain.
    public let errorStatusCode: Int
    public let errorDomain: String
    public let errorComment: String?

    init(_ error: any Error, uri: String, date: Date) {
        self.date = date
        self.uri = uri
        let bridged = error as NSError
        (errorStatusCode, errorDomain) = (bridged.code, bridged.domain)
        errorComment = bridged.localizedFailureReason ?? bridged.localizedDescription
    }

    /// Always nil: requests contain no session identifier.
    public var playbackSessionID: String? { nil }
    /// Always nil: libavformat does not report it.
    public var serverAddress: String? { nil }
}
