public import Foundation
import MediaTypes

/// The transfers and the playback of an item with a remote file.
///
/// - Important: Thread-safe, immutable.
public final class AVPlayerItemAccessLog: NSObject, Sendable {
    /// One event for the file.
    public let events: [AVPlayerItemAccessLogEvent]

    init(_ events: [AVPlayerItemAccessLogEvent]) { self.events = events }

    /// The encoding of `extendedLogData()`: UTF-8, as a raw value of `String.Encoding`.
    public var extendedLogDataStringEncoding: UInt { String.Encoding.utf8.rawValue }

    /// The log in the extended log file format of the World Wide Web Consortium.
    public func extendedLogData() -> Data? {
        extendedLog(
            fields: ["c-start-time", "cs-uri", "c-duration-watched", "bytes", "c-transfer-duration"],
            events.map { event in
                [
                    logText(event.playbackStartDate), logText(event.uri), "\(event.durationWatched)",
                    "\(event.numberOfBytesTransferred)", "\(event.transferDuration)",
                ]
            })
    }
}

/// An entry of an access log. Numbers that are not known are negative.
///
/// - Important: Thread-safe, immutable.
public final class AVPlayerItemAccessLogEvent: NSObject, Sendable {
    public let uri: String?
    /// The number of requests to the server, or to the delegate of the resource loader.
    public let numberOfMediaRequests: Int
    public let numberOfBytesTransferred: Int64
    /// Seconds that the requests took.
    public let transferDuration: TimeInterval
    /// When playback first started; nil before.
    public let playbackStartDate: Date?
    /// The item's time in seconds when playback first started.
    public let playbackStartOffset: TimeInterval
    /// Seconds of playback, measured by the clock.
    public let durationWatched: TimeInterval

    init(
        uri: String, requestCount: Int, byteCount: Int64, seconds: Double, _ record: PlaybackRecord,
        at hostTime: CMTime
    ) {
        self.uri = uri
        numberOfMediaRequests = requestCount
        numberOfBytesTransferred = byteCount
        transferDuration = seconds
        playbackStartDate = record.startDate
        playbackStartOffset = record.startOffset
        durationWatched = record.durationWatched(at: hostTime)
    }

    /// Bits per second of the transfers; negative if they took no time.
    public var observedBitrate: Double {
        transferDuration > 0 ? Double(numberOfBytesTransferred) * 8 / transferDuration : -1
    }
    /// Always `FILE`: the file is loaded while it is played.
    public var playbackType: String? { "FILE" }
    /// Always 0: playback does not wait for media.
    public var numberOfStalls: Int { 0 }
    /// Always 0: frames are decoded when they are requested.
    public var numberOfDroppedVideoFrames: Int { 0 }
    /// Always nil: requests contain no session identifier.
    public var playbackSessionID: String? { nil }
    /// Always nil: libavformat does not report it.
    public var serverAddress: String? { nil }
    public var numberOfServerAddressChanges: Int { 0 }
    public var mediaRequestsWWAN: Int { 0 }
    /// Always −1: files have no segments.
    public var segmentsDownloadedDuration: TimeInterval { -1 }
    public var downloadOverdue: Int { -1 }
    public var startupTime: TimeInterval { -1 }
    /// Always −1: files have no variants.
    public var indicatedBitrate: Double { -1 }
    public var indicatedAverageBitrate: Double { -1 }
    public var averageVideoBitrate: Double { -1 }
    public var averageAudioBitrate: Double { -1 }
    public var observedBitrateStandardDeviation: Double { -1 }
    public var switchBitrate: Double { -1 }
}

/// Returns a log in the extended log file format.
func extendedLog(fields: [String], _ lines: [[String]]) -> Data? {
    let header = ["#Version: 1.0", "#Fields: " + fields.joined(separator: " ")]
    return Data((header + lines.map { $0.joined(separator: " ") }).joined(separator: "\n").utf8)
}

/// Returns the text of a field: spaces are replaced by plus signs, and nil by a hyphen.
func logText(_ value: String?) -> String { value.map { $0.replacingOccurrences(of: " ", with: "+") } ?? "-" }
func logText(_ date: Date?) -> String { logText(date.map { ISO8601DateFormatter().string(from: $0) }) }
