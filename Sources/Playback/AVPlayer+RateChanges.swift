public import Foundation

extension AVPlayer {
    /// Posted on the main thread after a change of the rate, with its reason under `rateDidChangeReasonKey`.
    public static let rateDidChangeNotification = Notification.Name("AVPlayerRateDidChangeNotification")

    /// The key of the `RateDidChangeReason` in the user info of `rateDidChangeNotification`.
    ///
    /// The user info contains no reason if the player paused at the end of the item or of the queue.
    public static let rateDidChangeReasonKey = "AVPlayerRateDidChangeReasonKey"

    /// Why the rate changed.
    public struct RateDidChangeReason: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// The client played, paused, or set the rate.
        public static let setRateCalled = RateDidChangeReason(rawValue: "AVPlayerRateDidChangeReasonSetRateCalled")
        /// Never the reason: an unsupported rate is replaced by the nearest supported one.
        public static let setRateFailed = RateDidChangeReason(rawValue: "AVPlayerRateDidChangeReasonSetRateFailed")
        /// Never the reason: interruptions of the audio session do not pause players.
        public static let audioSessionInterrupted = RateDidChangeReason(
            rawValue: "AVPlayerRateDidChangeReasonAudioSessionInterrupted")
        /// The app entered the background and does not play there; see `audiovisualBackgroundPlaybackPolicy`.
        public static let appBackgrounded = RateDidChangeReason(
            rawValue: "AVPlayerRateDidChangeReasonAppBackgrounded")
        /// Never the reason: there are no live streams.
        public static let playheadReachedLiveEdge = RateDidChangeReason(
            rawValue: "AVPlayerRateDidChangeReasonPlayheadReachedLiveEdge")
        /// Reverse playback reached the start of the item.
        public static let reversePlaybackReachedStartOfSeekableRange = RateDidChangeReason(
            rawValue: "AVPlayerRateDidChangeReasonReversePlaybackReachedStartOfSeekableRange")
    }

    func postRateChange(_ reason: RateDidChangeReason?) {
        let info = reason.map { [Self.rateDidChangeReasonKey: $0 as any Sendable] }
        system.notifications.post(Self.rateDidChangeNotification, userInfo: info) { [weak self] in self }
    }
}
