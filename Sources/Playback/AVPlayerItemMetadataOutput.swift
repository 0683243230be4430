public import AssetTypes
import CaptureHAL
public import Dispatch
public import Foundation
import MediaAssets
import MediaTypes

/// A delegate of an output that delivers media as it is played.
public protocol AVPlayerItemOutputPushDelegate: AnyObject, Sendable {
    /// Called when the item's time jumped. Media that was delivered before is outdated.
    func outputSequenceWasFlushed(_ output: AVPlayerItemOutput)
}

extension AVPlayerItemOutputPushDelegate {
    public func outputSequenceWasFlushed(_ output: AVPlayerItemOutput) {}
}

/// A delegate of an output for timed metadata.
public protocol AVPlayerItemMetadataOutputPushDelegate: AVPlayerItemOutputPushDelegate {
    /// Called when playback reaches groups of a metadata track.
    func metadataOutput(
        _ output: AVPlayerItemMetadataOutput, didOutputTimedMetadataGroups groups: [AVTimedMetadataGroup],
        from track: AVPlayerItemTrack?)
}

extension AVPlayerItemMetadataOutputPushDelegate {
    public func metadataOutput(
        _ output: AVPlayerItemMetadataOutput, didOutputTimedMetadataGroups groups: [AVTimedMetadataGroup],
        from track: AVPlayerItemTrack?
    ) {}
}

/// An output for the timed metadata of an item.
///
/// The delegate receives the groups of each enabled metadata track when playback reaches them, in either direction.
/// When the item becomes ready, and after each jump, it receives the groups at the current time.
/// - Important: Thread-safe.
public final class AVPlayerItemMetadataOutput: AVPlayerItemOutput, @unchecked Sendable {
    // SAFETY: all state is behind `tracks` and the lock of `target`; the constants are values.
    private struct Track: Sendable {
        let track: AVPlayerItemTrack
        let groups: [AVTimedMetadataGroup]
    }

    private let identifiers: Set<AVMetadataIdentifier>?
    private let target = PushDelegate()
    /// Empty until the item is ready.
    private let tracks = Lock<[Track]>([])

    /// Creates an output.
    ///
    /// - Parameter identifiers: The identifiers of the items to deliver; nil for all.
    public init(identifiers: [String]? = nil) {
        self.identifiers = identifiers.map { Set($0.map(AVMetadataIdentifier.init(rawValue:))) }
    }

    /// The delegate, held weakly.
    public var delegate: (any AVPlayerItemMetadataOutputPushDelegate)? {
        target.delegate as? any AVPlayerItemMetadataOutputPushDelegate
    }
    public var delegateQueue: DispatchQueue? { target.queue }

    /// Sets the delegate and its queue, the main queue by default.
    public func setDelegate(
        _ delegate: (any AVPlayerItemMetadataOutputPushDelegate)?, queue delegateQueue: DispatchQueue?
    ) { target.set(delegate, queue: delegateQueue) }

    /// Seconds of the item's time by which groups are delivered before playback reaches them; 0 by default.
    public var advanceIntervalForDelegateInvocation: TimeInterval {
        get { target.advance.seconds }
        set {
            target.setAdvance(seconds: newValue)
            if let item { item.player?.outputsChanged(of: item) }
        }
    }

    /// The times at which groups begin and, for reverse playback, those at which they end.
    override var boundaries: [CMTime] {
        target.boundaries(of: tracks.withLock { $0 }.flatMap(\.groups).map(\.timeRange))
    }

    override func load(_ asset: AVAsset) throws {
        guard let item else { return }
        let tracks = try asset.tracks(withMediaType: .metadata).filter(\.isEnabled).compactMap { track -> Track? in
            let found = try groups(of: track, in: asset)
            return found.isEmpty ? nil : Track(track: AVPlayerItemTrack(track, of: item), groups: found)
        }
        self.tracks.withLock { $0 = tracks }
    }

    private func groups(of track: AVAssetTrack, in asset: AVAsset) throws -> [AVTimedMetadataGroup] {
        let reader = try AVAssetReader(asset: asset)
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
        let adaptor = AVAssetReaderOutputMetadataAdaptor(assetReaderTrackOutput: output)
        reader.add(output)
        reader.startReading()
        var groups: [AVTimedMetadataGroup] = []
        while let group = adaptor.nextTimedMetadataGroup() {
            guard let identifiers else {
                groups.append(group)
                continue
            }
            let items = group.items.filter { $0.identifier.map(identifiers.contains) ?? false }
            if !items.isEmpty { groups.append(AVTimedMetadataGroup(items: items, timeRange: group.timeRange)) }
        }
        if reader.status == .failed { throw reader.error ?? AVError(.decodeFailed, "metadata cannot be read") }
        return groups
    }

    override func playbackReached(_ time: CMTime, isReversed: Bool) {
        deliver { self.target.isReached($0, at: time, isReversed: isReversed) }
    }

    override func sequenceStarted(at time: CMTime) {
        deliver { self.target.isIncluded($0, startingAt: time) }
    }

    override func flush() {
        target.notify(from: self) { [weak self] delegate in
            if let self { delegate.outputSequenceWasFlushed(self) }
        }
    }

    /// Delivers the groups for whose time range `isIncluded` returns true, with one call for each track.
    private func deliver(_ isIncluded: (CMTimeRange) -> Bool) {
        for track in tracks.withLock({ $0 }) {
            let groups = track.groups.filter { isIncluded($0.timeRange) }
            guard !groups.isEmpty else { continue }
            target.notify(from: self) { [weak self] delegate in
                guard let self else { return }
                (delegate as? any AVPlayerItemMetadataOutputPushDelegate)?.metadataOutput(
                    self, didOutputTimedMetadataGroups: groups, from: track.track)
            }
        }
    }
}
