import Foundation
import MediaTypes

/// The statistics of an item's playback and its errors, for its logs.
struct PlaybackRecord: Sendable {
    /// When playback first started; nil before.
    private(set) var startDate: Date?
    /// The item's time in seconds when playback first started.
    private(set) var startOffset = 0.0
    /// Seconds of playback, measured by the clock, before `playingSince`.
    private var playedSeconds = 0.0
    /// The time of the clock since which the item plays; nil while it does not play.
    private var playingSince: CMTime?
    var errors: [AVPlayerItemErrorLogEvent] = []

    /// Records that playback started or stopped.
    ///
    /// - Returns: Whether it is the first start.
    mutating func setPlaying(_ isPlaying: Bool, at hostTime: CMTime, date: Date, offset: CMTime) -> Bool {
        if let since = playingSince { playedSeconds += (hostTime - since).seconds }
        playingSince = isPlaying ? hostTime : nil
        guard isPlaying, startDate == nil else { return false }
        (startDate, startOffset) = (date, offset.seconds)
        return true
    }

    /// Returns the seconds of playback, measured by the clock.
    func durationWatched(at hostTime: CMTime) -> Double {
        playedSeconds + (playingSince.map { (hostTime - $0).seconds } ?? 0)
    }
}
