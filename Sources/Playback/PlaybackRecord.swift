import Foundation
import MediaTypes

/// What was played of an item, for its access log.
struct PlaybackRecord: Sendable {
    /// When playback first started; nil before.
    private(set) var startDate: Date?
    /// The item's time when playback first started.
    private(set) var startOffset = 0.0
    /// Seconds of the clock that were played before the last start.
    private var playedSeconds = 0.0
    /// The time of the clock since which the item plays; nil while it does not.
    private var playingSince: CMTime?
    var errors: [AVPlayerItemErrorLogEvent] = []

    /// Notes that playback started or stopped.
    ///
    /// - Returns: Whether it is the first start.
    mutating func note(isPlaying: Bool, at hostTime: CMTime, date: Date, offset: CMTime) -> Bool {
        if let since = playingSince { playedSeconds += (hostTime - since).seconds }
        playingSince = isPlaying ? hostTime : nil
        guard isPlaying, startDate == nil else { return false }
        (startDate, startOffset) = (date, offset.seconds)
        return true
    }

    /// Seconds of the clock that were played.
    func durationWatched(at hostTime: CMTime) -> Double {
        playedSeconds + (playingSince.map { (hostTime - $0).seconds } ?? 0)
    }
}
