import CaptureHAL
public import Dispatch
public import Foundation
public import MediaTypes

/// A delegate of an output for video frames.
public protocol AVPlayerItemOutputPullDelegate: AnyObject, Sendable {
    /// Called before new frames are available, if `requestNotificationOfMediaDataChange(withAdvanceInterval:)`
    /// requested it.
    func outputMediaDataWillChange(_ sender: AVPlayerItemOutput)
    /// Called when the item's time jumped. Frames that were copied before are outdated.
    func outputSequenceWasFlushed(_ output: AVPlayerItemOutput)
}

extension AVPlayerItemOutputPullDelegate {
    public func outputMediaDataWillChange(_ sender: AVPlayerItemOutput) {}
    public func outputSequenceWasFlushed(_ output: AVPlayerItemOutput) {}
}

/// An output for the video frames of an item, which are decoded when they are requested.
///
/// The track's preferred transform is not applied to the frames.
/// - Important: Thread-safe.
public final class AVPlayerItemVideoOutput: AVPlayerItemOutput, @unchecked Sendable {
    // SAFETY: all state is behind `state`; the constants are values.
    private struct State {
        var loader: (item: WeakReference<AVPlayerItem>, loader: VideoFrameLoader)?
        /// The range of the frame that was copied last.
        var copied: CMTimeRange?
        weak var delegate: (any AVPlayerItemOutputPullDelegate)?
        var queue: DispatchQueue?
    }

    private let settings: [String: any Sendable]
    private let state = Lock(State())

    /// Creates an output.
    ///
    /// - Parameter pixelBufferAttributes: The format of the frames, as for `AVAssetReaderTrackOutput`; nil for the
    ///   native one of the video.
    public init(pixelBufferAttributes: [String: any Sendable]? = nil) { settings = pixelBufferAttributes ?? [:] }

    /// Creates an output; see `init(pixelBufferAttributes:)`.
    public convenience init(outputSettings: [String: any Sendable]?) {
        self.init(pixelBufferAttributes: outputSettings)
    }

    /// The delegate, held weakly.
    public var delegate: (any AVPlayerItemOutputPullDelegate)? { state.withLock { $0.delegate } }
    public var delegateQueue: DispatchQueue? { state.withLock { $0.queue } }

    /// Sets the delegate and its queue, the main queue by default.
    public func setDelegate(_ delegate: (any AVPlayerItemOutputPullDelegate)?, queue delegateQueue: DispatchQueue?) {
        state.withLock { ($0.delegate, $0.queue) = (delegate, delegateQueue) }
    }

    /// Notifies the delegate immediately, because frames are decoded on demand. Has no effect without an item.
    public func requestNotificationOfMediaDataChange(withAdvanceInterval interval: TimeInterval) {
        notify { $0.outputMediaDataWillChange($1) }
    }

    /// Whether the frame at a time differs from the last copied one.
    public func hasNewPixelBuffer(forItemTime itemTime: CMTime) -> Bool {
        guard let frame = frame(at: itemTime) else { return false }
        return state.withLock { $0.copied } != frame.timeRange
    }

    /// Returns the frame at a time; nil if the item is not ready, has no video, or cannot be decoded.
    ///
    /// - Parameter outItemTimeForDisplay: Receives the start of the frame's presentation.
    public func copyPixelBuffer(
        forItemTime itemTime: CMTime, itemTimeForDisplay outItemTimeForDisplay: UnsafeMutablePointer<CMTime>?
    ) -> CVPixelBuffer? {
        guard let frame = frame(at: itemTime) else { return nil }
        state.withLock { $0.copied = frame.timeRange }
        outItemTimeForDisplay?.pointee = frame.timeRange.start
        return frame.pixelBuffer
    }

    private func frame(at time: CMTime) -> VideoFrameLoader.Frame? {
        guard time.isNumeric, let item, item.isReady, let loader = loader(for: item) else { return nil }
        do {
            return try loader.frame(at: time, isReversed: (item.player?.rate ?? 0) < 0)
        } catch {
            item.fail(error)
            return nil
        }
    }

    private func loader(for item: AVPlayerItem) -> VideoFrameLoader? {
        if let (owner, loader) = state.withLock({ $0.loader }), owner.object === item,
            loader.composition?.composition === item.storedComposition.withLock({ $0?.composition }),
            loader.track === item.videoTrack
        {
            return loader
        }
        let settings: [String: any Sendable] =
            settings.isEmpty ? [kCVPixelBufferIOSurfacePropertiesKey: [String: String]()] : settings
        guard let new = item.makeFrameLoader(settings) else { return nil }
        let reference = WeakReference(item)
        state.withLock { ($0.loader, $0.copied) = ((reference, new), nil) }
        return new
    }

    override func flush() {
        state.withLock { $0.copied = nil }
        notify { $0.outputSequenceWasFlushed($1) }
    }

    private func notify(
        _ call: @escaping @Sendable (any AVPlayerItemOutputPullDelegate, AVPlayerItemVideoOutput) -> Void
    ) {
        guard let system = item?.system, let delegate else { return }
        system.deliver(on: delegateQueue ?? .main) { [weak self, weak delegate] in
            if let self, let delegate { call(delegate, self) }
        }
    }
}
