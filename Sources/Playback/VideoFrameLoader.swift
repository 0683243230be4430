import AssetTypes
import Foundation
import MediaAssets
import MediaEditing
import MediaTypes

/// Decodes the frames of an asset's video at arbitrary times.
///
/// - Important: Thread-safe; one thread at a time decodes.
final class VideoFrameLoader: Sendable {
    /// A decoded frame and its presentation on the asset's timeline.
    struct Frame: Sendable {
        let pixelBuffer: CVPixelBuffer
        let timeRange: CMTimeRange
    }

    private struct State {
        var reader: (reader: AVAssetReader, output: AVAssetReaderTrackOutput)?
        /// The source of composed frames, created on first use.
        var composed: ComposedFrameSource?
        /// Whether a thread composes frames, outside of the lock.
        var isComposing = false
        /// Decoded frames in presentation order.
        var frames: [Frame] = []
    }

    /// If a requested frame is later than this after the last decoded one, a new reader decodes it from its key frame.
    private static let longestSkip = CMTime(value: 1, timescale: 1)
    /// The number of frames that are decoded together for reverse playback.
    private static let reverseFrameCount = 24
    /// The number of decoded frames that are kept during forward playback.
    private static let keptFrameCount = 3

    private let asset: AVAsset
    let track: AVAssetTrack
    private let settings: [String: any Sendable]
    /// How frames are composed; nil for the frames of one track.
    let composition: VideoComposition?
    private let state = Lock(State(), order: .imageGenerator)

    /// Creates a loader.
    ///
    /// - Parameters:
    ///   - track: The video track whose frames are decoded.
    ///   - settings: The pixel buffer attributes of the frames.
    ///   - composition: How frames are composed from all video tracks; nil for the frames of one track.
    init(
        _ asset: AVAsset, _ track: AVAssetTrack, _ settings: [String: any Sendable], _ composition: VideoComposition?
    ) {
        self.asset = asset
        self.track = track
        self.settings = settings
        self.composition = composition
    }

    /// Returns the frame that is presented at a time: after the end the last one, in an empty segment nil.
    ///
    /// - Parameter isReversed: Whether earlier frames will be needed next.
    /// - Throws: An `AVError` if the frame cannot be decoded.
    func frame(at time: CMTime, isReversed: Bool = false) throws -> Frame? {
        if let composition { return try composedFrame(at: time, isReversed: isReversed, composition) }
        let range = track.timeRange
        let last = range.end - CMTime(value: 1, timescale: 1_000_000)
        let time = max(range.start, min(time, last))
        return try state.withLock { state in
            if let frame = Self.frame(at: time, in: state.frames) { return frame }
            if let end = state.frames.last?.timeRange.end, state.reader != nil, time >= end,
                time - end < Self.longestSkip
            {
                return try skip(to: time, &state)
            }
            state = State()
            if isReversed {
                let frameDuration = 1 / Double(max(1, track.nominalFrameRate))
                let length = CMTime(
                    seconds: min(0.5, frameDuration * Double(Self.reverseFrameCount)), preferredTimescale: 1_000_000)
                let start = max(range.start, time - length)
                let end = time + CMTime(value: 1, timescale: 1_000_000)
                try open(CMTimeRange(start: start, end: end), &state)
                while let frame = try next(state) { state.frames.append(frame) }
                state.reader = nil
                if let frame = Self.frame(at: time, in: state.frames) { return frame }
                state = State()
            }
            try open(CMTimeRange(start: time, duration: .positiveInfinity), &state)
            return try skip(to: time, &state)
        }
    }

    /// Returns the composed frame of a time.
    ///
    /// Custom compositors are the client's code, and run without the lock: they can call the player. While one
    /// composes, other calls return the last composed frame instead of waiting.
    private func composedFrame(
        at time: CMTime, isReversed: Bool, _ composition: VideoComposition
    ) throws -> Frame? {
        let step = try state.withLock { state in
            try Self.nextStep(
                &state, at: time, isReversed,
                makeSource: {
                    try ComposedFrameSource(
                        composition.composition, of: asset, settings: settings, custom: composition.compositor,
                        highQuality: false)
                })
        }
        switch step {
        case .show(let frame): return frame
        case .compose(let source, let indices):
            defer { state.withLock { $0.isComposing = false } }
            // In ascending order, so that the sources are decoded once from their key frames.
            for index in indices {
                let frame = Frame(pixelBuffer: try source.frame(index), timeRange: source.timeRange(of: index))
                state.withLock { $0.frames.append(frame) }
            }
            return state.withLock { $0.frames.last }
        }
    }

    /// The response to a request for a composed frame.
    private enum CompositionStep {
        /// Returns a frame that is already composed; nil if there is none at the time.
        case show(Frame?)
        /// Composes the frames with these indices.
        case compose(ComposedFrameSource, ClosedRange<Int>)
    }

    /// Decides how to respond to a request for a composed frame. If frames must be composed, sets `isComposing`.
    private static func nextStep(
        _ state: inout State, at time: CMTime, _ isReversed: Bool, makeSource: () throws -> ComposedFrameSource
    ) throws -> CompositionStep {
        if state.isComposing { return .show(state.frames.last) }
        let source = try state.composed ?? makeSource()
        state.composed = source
        guard let index = source.index(at: max(.zero, time)) else { return .show(nil) }
        let range = source.timeRange(of: index)
        if let frame = state.frames.first(where: { $0.timeRange == range }) { return .show(frame) }
        state.frames = isReversed ? [] : state.frames.suffix(keptFrameCount - 1)
        state.isComposing = true
        return .compose(source, (isReversed ? max(0, index - reverseFrameCount + 1) : index)...index)
    }

    private static func frame(at time: CMTime, in frames: [Frame]) -> Frame? {
        frames.last { $0.timeRange.start <= time && (time < $0.timeRange.end || $0.timeRange.start == time) }
    }

    /// Decodes frames up to a time.
    private func skip(to time: CMTime, _ state: inout State) throws -> Frame? {
        while let frame = try next(state) {
            state.frames = state.frames.suffix(Self.keptFrameCount - 1) + [frame]
            if let found = Self.frame(at: time, in: [frame]) { return found }
            if frame.timeRange.start > time { return nil }
        }
        // The last frame can end before the track does.
        return state.frames.last
    }

    private func open(_ range: CMTimeRange, _ state: inout State) throws {
        let reader = try AVAssetReader(asset: asset)
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: settings)
        reader.timeRange = range
        reader.add(output)
        reader.startReading()
        state.reader = (reader, output)
    }

    /// Decodes the next frame; nil at the end.
    private func next(_ state: State) throws -> Frame? {
        guard let (reader, output) = state.reader else { return nil }
        while let sample = output.copyNextSampleBuffer() {
            guard let pixelBuffer = sample.imageBuffer else { continue }
            return Frame(
                pixelBuffer: pixelBuffer,
                timeRange: CMTimeRange(start: sample.presentationTimeStamp, duration: sample.duration))
        }
        if reader.status == .failed { throw reader.error ?? AVError(.decodeFailed, "a frame cannot be decoded") }
        return nil
    }
}
