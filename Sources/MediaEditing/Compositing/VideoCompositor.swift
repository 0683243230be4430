import AssetTypes
package import Foundation
import MediaAssets
import MediaCodecs
import MediaFiles
package import MediaTypes
import PixelKernels

/// Composes the frames of a video composition from the tracks of an asset.
///
/// - Important: Confined to one thread at a time. The methods block until a custom compositor finishes its request.
package final class VideoCompositor {
    /// The size of composed frames in pixels.
    package var size: CGSize { context.size }

    private let composition: AVVideoComposition
    private let instructions: [any AVVideoCompositionInstructionProtocol]
    private let custom: (any AVVideoCompositing)?
    private let context: AVVideoCompositionRenderContext
    private let sources: [CMPersistentTrackID: TrackFrameSource]
    private let sampleTracks: [CMPersistentTrackID: AVAssetTrack]
    private let sourceFormat: OSType
    private let builtIn = BuiltInCompositor()
    /// Draws the layers of the composition's animation tool; nil without one.
    private let animation: AnimationLayerRenderer?
    private let converter = PixelConverter()
    private var directPool = FramePool()

    /// Creates a compositor.
    ///
    /// - Parameters:
    ///   - tracks: The tracks whose frames are available; nil for all video tracks of the asset.
    ///   - custom: The instance of the composition's compositor class; nil for the built-in compositor.
    ///   - highQuality: Whether quality matters more than speed.
    /// - Throws: An error if the asset cannot be read; `.invalidVideoComposition` if `validationErrors` finds an error,
    ///   or if the attributes of the custom compositor contain no supported pixel format.
    package init(
        _ composition: AVVideoComposition, of asset: AVAsset, tracks: [AVAssetTrack]? = nil,
        in range: CMTimeRange = CMTimeRange(start: .zero, duration: .positiveInfinity),
        custom: (any AVVideoCompositing)? = nil, highQuality: Bool = true
    ) throws(AVError) {
        let all = try asset.open().tracks
        let video = tracks ?? all.filter { $0.mediaType == .video }
        let end = video.map(\.timeRange.end).max() ?? .zero
        if let error = composition.validationErrors(all.map(\.trackID), end, range).first {
            throw AVError(.invalidVideoComposition, "the video composition cannot be used: \(error.message)")
        }
        self.composition = composition
        self.custom = custom
        instructions = composition.instructions
        let sources = Dictionary(video.map { ($0.trackID, TrackFrameSource($0)) }) { first, _ in first }
        self.sources = sources
        sampleTracks = Dictionary(all.map { ($0.trackID, $0) }) { first, _ in first }
        let sourceFormat = try Self.format(custom?.sourceAttributes, "sourcePixelBufferAttributes", custom)
        self.sourceFormat = sourceFormat
        let format = try Self.format(
            custom?.renderAttributes, "requiredPixelBufferAttributesForRenderContext", custom)
        // A frame that cannot be decoded is reported when it is composed.
        let frame = video.first.flatMap { track in
            try? sources[track.trackID]?.pixels(at: track.timeRange.start, sourceFormat)
        }
        context = AVVideoCompositionRenderContext(
            composition, pixelFormat: format, highQuality: highQuality, source: frame)
        animation = composition.animationTool.map { [context] in AnimationLayerRenderer($0, context) }
        custom?.renderContextChanged(context)
    }

    /// Returns the first supported pixel format in a custom compositor's attributes; 32BGRA for the built-in
    /// compositor.
    ///
    /// - Parameter name: The property with the attributes, for messages.
    private static func format(
        _ attributes: [String: Any]?, _ name: String, _ custom: (any AVVideoCompositing)?
    ) throws(AVError) -> OSType {
        guard custom != nil else { return kCVPixelFormatType_32BGRA }
        switch VideoOutputSettings.read(attributes ?? [:]) {
        case .success(let settings):
            if let format = settings.pixelFormat { return format }
            throw AVError(
                .invalidVideoComposition, "\(name) of the custom compositor lacks kCVPixelBufferPixelFormatTypeKey")
        case .failure(let error):
            throw AVError(.invalidVideoComposition, "\(name) of the custom compositor: \(error.reason)")
        }
    }

    /// Announces the requests of a time range to a custom compositor.
    func anticipate(_ start: CMTime, _ end: CMTime) {
        custom?.anticipateRendering(using: AVVideoCompositionRenderHint(start: start, end: end))
    }

    /// Composes the frame at a time.
    ///
    /// - Parameter format: The pixel format of a frame that the built-in compositor takes from one track; nil for the
    ///   format of composed frames. Only biplanar formats have an effect.
    /// - Returns: A buffer in `format` for such a frame; otherwise in the format of the custom compositor or in 32BGRA.
    ///   A frame that an animation tool processed is in 32BGRA.
    /// - Throws: An error if a source cannot be decoded; `.invalidVideoComposition` without an instruction for the
    ///   time; the `AVError` of a custom compositor, or `.unknown` with its error as the underlying error.
    package func frame(at time: CMTime, format: OSType? = nil) throws(AVError) -> CVPixelBuffer {
        guard let instruction = instructions.last(where: { $0.timeRange.containsTime(time) }) else {
            throw AVError(.invalidVideoComposition, "no instruction covers the time \(time.seconds) s")
        }
        guard let animation, animation.isPostProcessor, instruction.enablePostProcessing else {
            return try compose(instruction, at: time, format)
        }
        return try animation.process(try compose(instruction, at: time, nil), at: time)
    }

    /// Composes the frame of an instruction, before an animation tool processes it.
    private func compose(
        _ instruction: any AVVideoCompositionInstructionProtocol, at time: CMTime, _ format: OSType?
    ) throws(AVError) -> CVPixelBuffer {
        if instruction.passthroughTrackID != kCMPersistentTrackID_Invalid,
            let source = try sources[instruction.passthroughTrackID]?.pixels(at: time, sourceFormat)
        {
            return try scaled(source)
        }
        if let instruction = instruction as? FilterInstruction {
            return try filter(instruction, at: time)
        }
        if let custom { return try compose(instruction, custom, at: time) }
        guard let instruction = instruction as? AVVideoCompositionInstruction else {
            throw AVError(
                .invalidVideoComposition, "an instruction of type \(type(of: instruction)) needs a custom compositor")
        }
        if let format, let frame = try directFrame(of: instruction, at: time, format) { return frame }
        var frames: [CMPersistentTrackID: BuiltInCompositor.Source] = [:]
        let ids = Set(instruction.layerInstructions.map(\.trackID))
        for id in ids {
            guard let source = sources[id],
                let pixels = try source.pixels(at: time, sourceFormat, fillsGaps: isGap(ids, at: time))
            else { continue }
            frames[id] = BuiltInCompositor.Source(pixels: pixels, naturalSize: source.track.naturalSize)
        }
        let frame = try newFrame()
        try builtIn.compose(
            instruction, at: time, renderTransform: context.renderTransform, frames, animation, into: frame)
        return frame
    }

    /// Returns the frame of the front layer if it fills the composed frame and covers the other layers; otherwise nil.
    ///
    /// The frame is scaled, rotated and mirrored in its own format. Conversions to RGB and back would take longer than
    /// decoding, and lose chroma and the precision of 10 bits.
    private func directFrame(
        of instruction: AVVideoCompositionInstruction, at time: CMTime, _ format: OSType
    ) throws(AVError) -> CVPixelBuffer? {
        guard Self.directFormats.contains(format),
            let layer = instruction.layerInstructions.first?.state.withLock({ $0 }),
            let source = sources[layer.trackID], layer.opacity.value(at: time) >= 1,
            layer.crop.value(at: time).contains(CGRect(origin: .zero, size: source.track.naturalSize)),
            let transform = fillingTransform(layer.transform.value(at: time), source.track.naturalSize),
            let frame = try source.newPixels(
                at: time, format, fillsGaps: isGap(instruction.layerInstructions.map(\.trackID), at: time)),
            YCbCrEncoding.Matrix.attached(to: frame) == context.matrix
        else { return nil }
        if transform == .identity, frame.pixelSize == size {
            context.tag(frame)
            return frame
        }
        guard let target = directPool.buffer(Int(size.width), Int(size.height), format) else { throw outOfMemory }
        context.tag(target)
        do throws(ImageError) {
            try converter.convert(frame, to: target, transform)
        } catch {
            throw AVError(composing: error)
        }
        return target
    }

    /// The pixel formats of direct frames.
    private static let directFormats =
        [kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange]
        + PixelLayout.tenBitPixelFormats

    /// Returns the rotation and mirroring of a layer that fills the render size; nil for other layers.
    private func fillingTransform(_ transform: CGAffineTransform, _ naturalSize: CGSize) -> PixelTransform? {
        guard transform.b == 0 && transform.c == 0 || transform.a == 0 && transform.d == 0,
            let orientation = transform.orientation
        else { return nil }
        let rect = CGRect(origin: .zero, size: naturalSize).applying(transform).standardized
        // Render sizes are often natural sizes that were rounded to whole pixels.
        let distances = [
            rect.minX, rect.minY, rect.maxX - composition.renderSize.width, rect.maxY - composition.renderSize.height,
        ]
        guard distances.allSatisfy({ abs($0) <= 0.5 }) else { return nil }
        return PixelTransform(rotation: orientation.rotation, isMirrored: orientation.isMirrored)
    }

    /// Whether none of the tracks to compose presents media at a time. They then show their nearest frames.
    private func isGap(_ ids: some Collection<CMPersistentTrackID>, at time: CMTime) -> Bool {
        !ids.contains { sources[$0]?.presentsMedia(at: time) ?? false }
    }

    private func newFrame() throws(AVError) -> CVPixelBuffer {
        guard let frame = context.newPixelBuffer() else { throw outOfMemory }
        return frame
    }

    private var outOfMemory: AVError {
        AVError(.outOfMemory, "cannot allocate a frame of \(size.width)x\(size.height) pixels")
    }

    /// Returns a source frame in the size and format of composed frames.
    private func scaled(_ source: CVPixelBuffer) throws(AVError) -> CVPixelBuffer {
        let frame = try newFrame()
        do throws(ImageError) {
            try converter.convert(source, to: frame)
        } catch {
            throw AVError(composing: error)
        }
        return frame
    }

    private func compose(
        _ instruction: any AVVideoCompositionInstructionProtocol, _ custom: any AVVideoCompositing, at time: CMTime
    ) throws(AVError) -> CVPixelBuffer {
        var frames: [CMPersistentTrackID: CVPixelBuffer] = [:]
        let required = sources.filter { id, _ in
            instruction.requiredSourceTrackIDs?.contains { ($0 as? NSNumber)?.int32Value == id } ?? true
        }
        let fillsGaps = isGap(required.keys, at: time)
        for (id, source) in required {
            frames[id] = try source.pixels(at: time, sourceFormat, fillsGaps: fillsGaps)
        }
        if let animation, let id = animation.trackID,
            instruction.requiredSourceTrackIDs?.contains(where: { ($0 as? NSNumber)?.int32Value == id }) ?? true
        {
            frames[id] = try animation.trackFrame(at: time, sourceFormat)
        }
        var samples: [CMPersistentTrackID: CMSampleBuffer] = [:]
        var formats: [CMPersistentTrackID: TimedMetadataFormat] = [:]
        for id in instruction.requiredSourceSampleDataTrackIDs.map(\.int32Value) {
            guard let track = sampleTracks[id] else { continue }
            // A range of 1 µs contains only the sample at the time.
            let range = CMTimeRange(start: time, duration: CMTime(value: 1, timescale: 1_000_000))
            let sample = try StoredSampleReader(track, [range]).next()
            samples[id] = sample
            formats[id] = sample?.formatDescription.flatMap { track.timedMetadataFormats[$0] }
        }
        let request = AVAsynchronousVideoCompositionRequest(
            context, instruction, at: time, frames: frames, samples: samples, metadataFormats: formats)
        custom.startRequest(request)
        return try result(of: request)
    }

    private func filter(_ instruction: FilterInstruction, at time: CMTime) throws(AVError) -> CVPixelBuffer {
        var frames: [CMPersistentTrackID: BuiltInCompositor.Source] = [:]
        if let source = sources[instruction.layer.trackID],
            let pixels = try source.pixels(at: time, sourceFormat, fillsGaps: true)
        {
            frames[instruction.layer.trackID] = BuiltInCompositor.Source(
                pixels: pixels, naturalSize: source.track.naturalSize)
        }
        let uprightFrame = try newFrame()
        try builtIn.compose(
            instruction.upright, at: time, renderTransform: context.renderTransform, frames, into: uprightFrame)
        let request = AVAsynchronousVideoCompositionRequest(context, instruction, at: time, frames: [:], samples: [:])
        instruction.filter(request, uprightFrame)
        return try result(of: request)
    }

    private func result(of request: AVAsynchronousVideoCompositionRequest) throws(AVError) -> CVPixelBuffer {
        switch request.wait() {
        case .composed(let frame): return frame
        case .cancelled: throw AVError(.operationCancelled, "the compositor cancelled the request for a frame")
        case .failed(let error):
            throw error as? AVError
                ?? AVError(.unknown, "the compositor could not compose a frame: \(error)", cause: error)
        }
    }
}

extension CVPixelBuffer {
    fileprivate var pixelSize: CGSize {
        CGSize(width: CVPixelBufferGetWidth(self), height: CVPixelBufferGetHeight(self))
    }
}

extension AVVideoCompositing {
    fileprivate var sourceAttributes: [String: Any]? { sourcePixelBufferAttributes as? [String: Any] }
    fileprivate var renderAttributes: [String: Any]? {
        requiredPixelBufferAttributesForRenderContext as? [String: Any]
    }
}

/// Decodes the frame that a video track presents at a time.
///
/// - Important: Confined to one thread at a time.
final class TrackFrameSource {
    let track: AVAssetTrack
    private let decoder = SegmentDecoder()
    private let segments: [TimelineSegment]
    /// The frame that was decoded last. `segment` is an index of `segments`; `frame` is an index in the presentation
    /// order of the file.
    private var last: (segment: Int, frame: Int, format: OSType, pixels: CVPixelBuffer)?

    init(_ track: AVAssetTrack) {
        self.track = track
        segments = track.timeline
    }

    /// Whether an edit presents media at a time.
    func presentsMedia(at time: CMTime) -> Bool { segments.contains { $0.target.containsTime(time) } }

    /// Returns the frame at a time. It is not decoded again if it is the frame that was decoded last.
    ///
    /// - Parameter fillsGaps: Whether the nearest frame is returned if the track presents nothing at the time, unless a
    ///   client inserted an empty segment there.
    /// - Returns: Nil if there is no frame.
    func pixels(at time: CMTime, _ format: OSType, fillsGaps: Bool = false) throws(AVError) -> CVPixelBuffer? {
        guard let (index, frame) = try position(at: time, fillsGaps) else { return nil }
        if let last, last.segment == index, last.frame == frame, last.format == format { return last.pixels }
        let pixels = try decoder.pixels(frame, of: segments[index], format: format)
        last = (index, frame, format, pixels)
        return pixels
    }

    /// Decodes the frame at a time to a buffer that the caller may change; see `pixels(at:_:fillsGaps:)`.
    func newPixels(at time: CMTime, _ format: OSType, fillsGaps: Bool) throws(AVError) -> CVPixelBuffer? {
        guard let (index, frame) = try position(at: time, fillsGaps) else { return nil }
        return try decoder.pixels(frame, of: segments[index], format: format)
    }

    /// Returns the index in `segments` and the index of the frame in the presentation order of the file.
    private func position(at time: CMTime, _ fillsGaps: Bool) throws(AVError) -> (segment: Int, frame: Int)? {
        let index: Int
        let tick: Int64
        if let current = segments.firstIndex(where: { $0.target.containsTime(time) }) {
            (index, tick) = (current, segments[current].tick(at: time))
        } else {
            guard fillsGaps, !track.emptyRanges.contains(where: { $0.containsTime(time) }) else { return nil }
            if let previous = segments.lastIndex(where: { $0.target.end <= time }) {
                let segment = segments[previous]
                (index, tick) = (previous, segment.tickEnd(at: segment.target.end) - 1)
            } else if let next = segments.first {
                (index, tick) = (0, next.tick(at: next.target.start))
            } else {
                return nil
            }
        }
        let times = try decoder.frames(of: segments[index]).times
        // An edit can begin before its first frame.
        return times.frames.isEmpty ? nil : (index, times.index(at: tick) ?? 0)
    }
}
