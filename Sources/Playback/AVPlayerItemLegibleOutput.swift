import AssetTypes
import CaptureHAL
public import Dispatch
public import Foundation
import MediaAssets
import MediaEditing
public import MediaTypes

/// A delegate of an output for subtitles.
public protocol AVPlayerItemLegibleOutputPushDelegate: AVPlayerItemOutputPushDelegate {
    /// Called when playback reaches a text, or its end.
    ///
    /// - Parameters:
    ///   - strings: The texts with `kCMTextMarkupAttribute_…` attributes; empty when a text ends and no other one
    ///     starts.
    ///   - nativeSamples: The `CMSampleBuffer`s of the formats that are delivered in their native representation.
    ///   - itemTime: The item's time at which the texts appear or disappear.
    func legibleOutput(
        _ output: AVPlayerItemLegibleOutput, didOutputAttributedStrings strings: [NSAttributedString],
        nativeSampleBuffers nativeSamples: [Any], forItemTime itemTime: CMTime)
}

extension AVPlayerItemLegibleOutputPushDelegate {
    public func legibleOutput(
        _ output: AVPlayerItemLegibleOutput, didOutputAttributedStrings strings: [NSAttributedString],
        nativeSampleBuffers nativeSamples: [Any], forItemTime itemTime: CMTime
    ) {}
}

/// An output for the subtitles of an item.
///
/// The delegate receives the texts of the selected track when playback reaches them, in either direction. When the item
/// becomes ready, and after each jump, it receives the text at the current time.
/// - Important: Thread-safe.
public final class AVPlayerItemLegibleOutput: AVPlayerItemOutput, @unchecked Sendable {
    // SAFETY: all state is behind `state` and the lock of `target`; the constants are values.

    /// The source of the styles of texts.
    public struct TextStylingResolution: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// The styles of the media. There are no user settings for styles.
        public static let `default` = TextStylingResolution(
            rawValue: "AVPlayerItemLegibleOutputTextStylingResolutionDefault")
        public static let sourceAndRulesOnly = TextStylingResolution(
            rawValue: "AVPlayerItemLegibleOutputTextStylingResolutionSourceAndRulesOnly")
    }

    /// What a track shows in a time range: nothing, a text, or a sample in its own format.
    private struct Cue: Sendable {
        let range: CMTimeRange
        var captions: [AVCaption] = []
        var sample: CMSampleBuffer?

        var isEmpty: Bool { captions.isEmpty && sample == nil }
    }

    private struct Track: Sendable {
        let track: AVAssetTrack
        let cues: [Cue]
    }

    private struct State {
        var resolution = TextStylingResolution.default
        /// Empty until the item is ready.
        var tracks: [Track] = []
    }

    private let nativeSubtypes: Set<FourCharCode>
    private let target = PushDelegate()
    private let state = Lock(State())

    /// Creates an output that delivers strings.
    public convenience override init() { self.init(mediaSubtypesForNativeRepresentation: []) }

    /// Creates an output.
    ///
    /// - Parameter subtypes: The codes of formats. Their samples are delivered instead of strings. Closed captions in
    ///   CEA-608 are misuse.
    public init(mediaSubtypesForNativeRepresentation subtypes: [NSNumber]) {
        nativeSubtypes = Set(subtypes.map(\.uint32Value))
        super.init()
        if nativeSubtypes.contains(kCMClosedCaptionFormatType_CEA608) {
            CaptureSystem.current.misuse.report(
                .invalidArgument,
                "-[AVPlayerItemLegibleOutput initWithMediaSubtypesForNativeRepresentation:] native representation is not "
                    + "available for media subtype c608")
        }
    }

    /// The delegate, held weakly.
    public var delegate: (any AVPlayerItemLegibleOutputPushDelegate)? {
        target.delegate as? any AVPlayerItemLegibleOutputPushDelegate
    }
    public var delegateQueue: DispatchQueue? { target.queue }

    /// Sets the delegate and its queue, the main queue by default.
    public func setDelegate(
        _ delegate: (any AVPlayerItemLegibleOutputPushDelegate)?, queue delegateQueue: DispatchQueue?
    ) { target.set(delegate, queue: delegateQueue) }

    /// How early texts are delivered before playback reaches them, in seconds of the item's time; 0 by default.
    public var advanceIntervalForDelegateInvocation: TimeInterval {
        get { target.advance.seconds }
        set {
            target.setAdvance(seconds: newValue)
            if let item { item.player?.outputsChanged(of: item) }
        }
    }

    /// The source of the styles of texts; `default` by default. Has no effect: there are no user settings for styles.
    public var textStylingResolution: TextStylingResolution {
        get { state.withLock { $0.resolution } }
        set { state.withLock { $0.resolution = newValue } }
    }

    override var boundaries: [CMTime] {
        target.boundaries(of: state.withLock { $0.tracks }.flatMap(\.cues).map(\.range))
    }

    override func load(_ asset: AVAsset) throws {
        let tracks = try (asset.tracks(withMediaType: .subtitle) + asset.tracks(withMediaType: .text)).map { track in
            Track(track: track, cues: Self.separated(try cues(of: track, in: asset)))
        }
        state.withLock { $0.tracks = tracks }
    }

    private func cues(of track: AVAssetTrack, in asset: AVAsset) throws -> [Cue] {
        let reader = try AVAssetReader(asset: asset)
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
        var cues: [Cue] = []
        let subtypes = track.formatDescriptions.compactMap { $0 as? CMFormatDescription }
            .map { CMFormatDescriptionGetMediaSubType($0) }
        if subtypes.contains(where: nativeSubtypes.contains) {
            reader.add(output)
            reader.startReading()
            while let sample = output.copyNextSampleBuffer() {
                let range = CMTimeRange(start: sample.presentationTimeStamp, duration: sample.duration)
                cues.append(Cue(range: range, sample: sample))
            }
        } else {
            let adaptor = AVAssetReaderOutput.CaptionAdaptor(assetReaderTrackOutput: output)
            reader.add(output)
            reader.startReading()
            while let group = adaptor.nextCaptionGroup() {
                cues.append(Cue(range: group.timeRange, captions: group.captions))
            }
        }
        if reader.status == .failed { throw reader.error ?? AVError(.decodeFailed, "subtitles cannot be read") }
        return cues
    }

    /// Returns the cues, with empty cues inserted where the track shows nothing.
    private static func separated(_ cues: [Cue]) -> [Cue] {
        let first = cues.first?.range.start ?? .zero
        let gap = first > .zero ? [Cue(range: CMTimeRange(start: .zero, end: first))] : []
        return gap
            + cues.enumerated().flatMap { index, cue -> [Cue] in
                let next = index + 1 < cues.count ? cues[index + 1].range.start : .positiveInfinity
                guard !cue.isEmpty, next > cue.range.end else { return [cue] }
                return [cue, Cue(range: CMTimeRange(start: cue.range.end, end: next))]
            }
    }

    override func playbackReached(_ time: CMTime, isReversed: Bool) {
        deliver { self.target.isReached($0.range, at: time, isReversed: isReversed) }
    }

    override func sequenceStarted(at time: CMTime) {
        deliver { !$0.isEmpty && self.target.isIncluded($0.range, startingAt: time) }
    }

    override func flush() {
        target.notify(from: self) { [weak self] delegate in
            if let self { delegate.outputSequenceWasFlushed(self) }
        }
    }

    /// Delivers the cues of the presented tracks for which `isIncluded` returns true, with one call for each.
    private func deliver(_ isIncluded: (Cue) -> Bool) {
        guard let item else { return }
        for track in state.withLock({ $0.tracks }) where item.isPresented(track.track) {
            for cue in track.cues where isIncluded(cue) {
                target.notify(from: self) { [weak self] delegate in
                    guard let self else { return }
                    (delegate as? any AVPlayerItemLegibleOutputPushDelegate)?.legibleOutput(
                        self, didOutputAttributedStrings: cue.captions.map(\.attributedText),
                        nativeSampleBuffers: [cue.sample].compactMap { $0 }, forItemTime: cue.range.start)
                }
            }
        }
    }
}

extension AVCaption {
    /// The text with its styles as attributes for text markup of Core Media.
    fileprivate var attributedText: NSAttributedString {
        let result = NSMutableAttributedString(string: text)
        func add(_ key: CFString, _ value: Any, _ range: NSRange) {
            result.addAttribute(NSAttributedString.Key(key as String), value: value, range: range)
        }
        func forEachRange(_ body: (Int, NSRangePointer) -> (CFString, Any)?) {
            var index = 0
            while index < result.length {
                var range = NSRange(location: index, length: 0)
                if let (key, value) = body(index, &range) { add(key, value, range) }
                index = max(index + 1, range.location + range.length)
            }
        }
        forEachRange { textColor(at: $0, range: $1)?.argb.map { (kCMTextMarkupAttribute_ForegroundColorARGB, $0) } }
        forEachRange {
            backgroundColor(at: $0, range: $1)?.argb.map { (kCMTextMarkupAttribute_BackgroundColorARGB, $0) }
        }
        forEachRange { fontWeight(at: $0, range: $1) == .bold ? (kCMTextMarkupAttribute_BoldStyle, true) : nil }
        forEachRange { fontStyle(at: $0, range: $1) == .italic ? (kCMTextMarkupAttribute_ItalicStyle, true) : nil }
        forEachRange {
            decoration(at: $0, range: $1).contains(.underline) ? (kCMTextMarkupAttribute_UnderlineStyle, true) : nil
        }
        return result
    }
}

extension CGColor {
    /// Alpha, red, green and blue, from 0 to 1.
    fileprivate var argb: [NSNumber]? {
        guard let components, let alpha = components.last else { return nil }
        let colors = components.count == 2 ? [components[0], components[0], components[0]] : components.dropLast()
        return ([alpha] + colors).map { NSNumber(value: Double($0)) }
    }
}
