import CaptureHAL
public import Dispatch
public import Foundation
public import MediaAssets
import MediaTypes

/// A delegate of an output that delivers media as it is played.
public protocol AVPlayerItemOutputPushDelegate: AnyObject, Sendable {
    /// The item's time jumped; media that was delivered before is outdated.
    func outputSequenceWasFlushed(_ output: AVPlayerItemOutput)
}

extension AVPlayerItemOutputPushDelegate {
    public func outputSequenceWasFlushed(_ output: AVPlayerItemOutput) {}
}

/// A delegate of an output for timed metadata.
public protocol AVPlayerItemMetadataOutputPushDelegate: AVPlayerItemOutputPushDelegate {
    /// Playback has reached groups of a metadata track.
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
/// The delegate receives the groups of each enabled metadata track when playback reaches them, in either direction, and
/// those at the current time when the item is ready and after each jump.
/// - Important: Thread-safe.
public final class AVPlayerItemMetadataOutput: AVPlayerItemOutput, @unchecked Sendable {
    // SAFETY: all state is behind `state`; the constants are values.
    private struct Track: Sendable {
        let track: AVPlayerItemTrack
        let groups: [AVTimedMetadataGroup]
    }

    private struct State {
        weak var delegate: (any AVPlayerItemMetadataOutputPushDelegate)?
        var queue: DispatchQueue?
        var advance = CMTime.zero
        /// Nil until the item is ready.
        var tracks: [Track]?
    }

    private let identifiers: Set<AVMetadataIdentifier>?
    private let state = Lock(State())

    /// Creates an output.
    ///
    /// - Parameter identifiers: The identifiers of the items to deliver; nil for all.
    public init(identifiers: [String]? = nil) {
        self.identifiers = identifiers.map { Set($0.map(AVMetadataIdentifier.init(rawValue:))) }
    }

    /// The delegate, held weakly.
    public var delegate: (any AVPlayerItemMetadataOutputPushDelegate)? { state.withLock { $0.delegate } }
    public var delegateQueue: DispatchQueue? { state.withLock { $0.queue } }

    /// Sets the delegate and its queue, the main queue by default.
    public func setDelegate(
        _ delegate: (any AVPlayerItemMetadataOutputPushDelegate)?, queue delegateQueue: DispatchQueue?
    ) {
        state.withLock { ($0.delegate, $0.queue) = (delegate, delegateQueue) }
    }

    /// Seconds of the item's time by which groups are delivered before playback reaches them; 0 by default.
    public var advanceIntervalForDelegateInvocation: TimeInterval {
        get { state.withLock { $0.advance.seconds } }
        set {
            let advance = CMTime(seconds: max(0, newValue.isFinite ? newValue : 0), preferredTimescale: 1_000_000)
            state.withLock { $0.advance = advance }
            if let item { item.player?.outputsChanged(of: item) }
        }
    }

    /// The times at which groups begin, and end for reverse playback.
    override var boundaries: [CMTime] {
        let (tracks, advance) = state.withLock { ($0.tracks ?? [], $0.advance) }
        let ranges = tracks.flatMap(\.groups).map(\.timeRange)
        return Set(ranges.map { max(.zero, $0.start - advance) } + ranges.map(\.end)).sorted()
    }

    override func load(_ asset: AVAsset) throws {
        guard let item else { return }
        let tracks = try asset.tracks(withMediaType: .metadata).filter(\.isEnabled).compactMap { track -> Track? in
            let found = try groups(of: track, in: asset)
            return found.isEmpty ? nil : Track(track: AVPlayerItemTrack(track, of: item), groups: found)
        }
        state.withLock { $0.tracks = tracks }
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
        let advance = state.withLock { $0.advance }
        deliver { range in
            if isReversed { return range.end == time }
            // Earlier groups are delivered when the sequence starts.
            return range.start > advance && range.start - advance == time
        }
    }

    override func sequenceStarted(at time: CMTime) {
        let end = time + state.withLock { $0.advance }
        deliver { $0.start <= end && $0.end > time }
    }

    override func flush() {
        guard let system = item?.system else { return }
        let (delegate, queue) = state.withLock { ($0.delegate, $0.queue) }
        guard delegate != nil else { return }
        system.deliver(on: queue ?? .main) { [weak self, weak delegate] in
            if let self, let delegate { delegate.outputSequenceWasFlushed(self) }
        }
    }

    /// Delivers the groups whose time range meets a condition, one call for each track.
    private func deliver(_ isIncluded: (CMTimeRange) -> Bool) {
        guard let system = item?.system else { return }
        let (tracks, delegate, queue) = state.withLock { ($0.tracks ?? [], $0.delegate, $0.queue) }
        guard delegate != nil else { return }
        for track in tracks {
            let groups = track.groups.filter { isIncluded($0.timeRange) }
            guard !groups.isEmpty else { continue }
            system.deliver(on: queue ?? .main) { [weak self, weak delegate] in
                guard let self, let delegate else { return }
                delegate.metadataOutput(self, didOutputTimedMetadataGroups: groups, from: track.track)
            }
        }
    }
}
