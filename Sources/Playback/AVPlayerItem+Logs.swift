// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import CaptureHAL
public import Foundation
import MediaAssets
import MediaTypes

extension AVPlayerItem {
    /// Posted on the main thread when playback of an item with a remote file first starts.
    public static let newAccessLogEntryNotification = Notification.Name("AVPlayerItemNewAccessLogEntryNotification")
    /// Posted on the main thread when an item with a remote file fails.
    public static let newErrorLogEntryNotification = Notification.Name("AVPlayerItemNewErrorLogEntryNotification")

    private var remoteAsset: AVURLAsset? {
        (asset as? AVURLAsset).flatMap { $0.url.isFileURL ? nil : $0 }
    }

    /// Returns the log of transfers and playback so far; nil if the asset is a local file, or has not been read.
    public func accessLog() -> AVPlayerItemAccessLog? {
        guard let remoteAsset, let transfer = remoteAsset.networkTransfer else { return nil }
        let event = AVPlayerItemAccessLogEvent(
            uri: remoteAsset.url.absoluteString, requestCount: transfer.requestCount, byteCount: transfer.byteCount,
            seconds: transfer.seconds, record.withLock { $0 }, at: system.clock.now)
        return AVPlayerItemAccessLog([event])
    }

    /// Returns the errors so far; nil if there is none, or if the asset is a local file.
    public func errorLog() -> AVPlayerItemErrorLog? {
        let errors = record.withLock { $0.errors }
        return errors.isEmpty ? nil : AVPlayerItemErrorLog(errors)
    }

    /// Records that playback started or stopped.
    func recordPlayback(isPlaying: Bool) {
        let now = system.clock.now
        let (date, offset) = (system.clock.date(at: now), currentTime())
        let isFirst = record.withLock { $0.setPlaying(isPlaying, at: now, date: date, offset: offset) }
        if isFirst, remoteAsset != nil {
            system.notifications.post(Self.newAccessLogEntryNotification) { [weak self] in self }
        }
    }

    /// Records that the item failed.
    func recordFailure(_ error: any Error) {
        guard let remoteAsset else { return }
        let event = AVPlayerItemErrorLogEvent(
            error, uri: remoteAsset.url.absoluteString,
            date: system.clock.date(at: system.clock.now))
        record.withLock { $0.errors.append(event) }
        system.notifications.post(Self.newErrorLogEntryNotification) { [weak self] in self }
    }
}

extension Notification.Name {
    public static let AVPlayerItemNewAccessLogEntry = AVPlayerItem.newAccessLogEntryNotification
    public static let AVPlayerItemNewErrorLogEntry = AVPlayerItem.newErrorLogEntryNotification
}
