import AssetTypes
import CaptureHAL
import Foundation
import MediaAssets
import MediaTypes

/// Reads frames that are composed from video tracks.
public final class AVAssetReaderVideoCompositionOutput: AVAssetReaderOutput, @unchecked Sendable {
    // SAFETY: the constants are values and thread-safe objects, and all state is behind `composing`.
    private struct Composing: Sendable {
        var composition: AVVideoComposition?
        var compositor: (any AVVideoCompositing)?
    }

    /// The tracks whose frames are composed.
    public let videoTracks: [AVAssetTrack]
    /// The format of the frames; nil for 32BGRA or that of the custom compositor.
    public let videoSettings: [String: Any]?
    private let composing: Lock<Composing>

    /// Creates an output.
    ///
    /// - Parameters:
    ///   - videoTracks: Video tracks of one asset.
    ///   - videoSettings: Pixel buffer attributes; with a size, composed frames are scaled to it. Invalid settings are
    ///     misuse and treated as nil.
    public init(videoTracks: [AVAssetTrack], videoSettings: [String: Any]?) {
        self.videoTracks = videoTracks
        self.videoSettings = videoSettings?.plainSettings
        let misuse = (videoTracks.first?.asset?.system ?? .current).misuse
        let method = "-[AVAssetReaderVideoCompositionOutput initWithVideoTracks:videoSettings:]"
        if videoTracks.isEmpty || videoTracks.contains(where: { $0.mediaType != .video }) {
            misuse.report(.invalidArgument, "\(method) tracks must contain video tracks only")
        } else if videoTracks.contains(where: { $0.asset !== videoTracks[0].asset }) {
            misuse.report(.invalidArgument, "\(method) the tracks must belong to one asset")
        }
        let settings: VideoOutputSettings?
        switch videoSettings.map(VideoOutputSettings.read) {
        case nil: settings = nil
        case .success(let read): settings = read
        case .failure(let error):
            misuse.report(.invalidArgument, "\(method) \(error.reason)")
            settings = nil
        }
        let composing = Lock(Composing())
        self.composing = composing
        super.init(videoTracks) { (ranges) throws(AVError) in
            let (composition, compositor) = composing.withLock { ($0.composition, $0.compositor) }
            guard let composition, let asset = videoTracks.first?.asset else {
                throw AVError(.invalidVideoComposition, "the reader output has no video composition")
            }
            let whole = composition.presentedRange(of: asset, videoTracks)
            return ComposedFrameReader(
                try ranges.map { (range) throws(AVError) in
                    try ComposedFrameSource(
                        composition, of: asset, videoTracks, in: range.intersection(whole), settings, compositor,
                        highQuality: true)
                })
        }
    }

    /// How frames are composed. Required; must be set before reading starts.
    public var videoComposition: AVVideoComposition? {
        get { composing.withLock { $0.composition } }
        set {
            if let reader, reader.status != .unknown {
                return reader.misuse.report(
                    .internalInconsistency,
                    "-[AVAssetReaderVideoCompositionOutput setVideoComposition:] cannot be called after reading has "
                        + "started")
            }
            let copy = newValue?.copy() as? AVVideoComposition
            let old = composing.withLock { $0.compositor }
            let compositor = AVVideoComposition.compositor(for: copy, replacing: old)
            composing.withLock { $0 = Composing(composition: copy, compositor: compositor) }
        }
    }

    /// The instance of the composition's compositor class; nil for the built-in compositor.
    public var customVideoCompositor: (any AVVideoCompositing)? { composing.withLock { $0.compositor } }

    /// Sets the composition and an existing instance of its compositor class.
    func setComposition(_ composition: AVVideoComposition, _ compositor: (any AVVideoCompositing)?) {
        composing.withLock { $0 = Composing(composition: composition, compositor: compositor) }
    }
}

extension AVVideoComposition {
    /// The time range with frames. It ends with the longest track or the last instruction, whichever is later; an
    /// instruction is limited to the duration of the asset.
    func presentedRange(of asset: AVAsset, _ tracks: [AVAssetTrack]) -> CMTimeRange {
        let end = tracks.map(\.timeRange.end).max() ?? .zero
        let last = instructions.last?.timeRange.end ?? .zero
        return CMTimeRange(start: .zero, end: max(end, min(asset.duration, last)))
    }

    /// Returns an instance of a composition's compositor class: `old` if it has that class, otherwise a new one; nil
    /// for the built-in compositor.
    package static func compositor(
        for composition: AVVideoComposition?, replacing old: (any AVVideoCompositing)?
    ) -> (any AVVideoCompositing)? {
        guard let type = composition?.customVideoCompositorClass else { return nil }
        if let old, Swift.type(of: old) == type { return old }
        return type.init()
    }
}

/// Composes the frames of several time ranges in time order.
private final class ComposedFrameReader: SampleReader {
    private var sources: ArraySlice<ComposedFrameSource>
    private var index = 0

    init(_ sources: [ComposedFrameSource]) { self.sources = sources[...] }

    func next() throws(AVError) -> CMSampleBuffer? {
        while let source = sources.first {
            guard index < source.count else {
                sources.removeFirst()
                index = 0
                continue
            }
            let range = source.timeRange(of: index)
            let pixels = try source.frame(index)
            index += 1
            return CMSampleBuffer(
                imageBuffer: pixels, formatDescription: .shared(by: pixels),
                timing: CMSampleTimingInfo(
                    duration: range.duration, presentationTimeStamp: range.start, decodeTimeStamp: .invalid))
        }
        return nil
    }
}
