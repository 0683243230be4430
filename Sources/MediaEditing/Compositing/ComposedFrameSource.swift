import AssetTypes
import Foundation
import MediaAssets
package import MediaTypes
import PixelKernels

/// Composes single frames of a video composition, in any order.
///
/// - Important: Confined to one thread at a time.
package final class ComposedFrameSource {
    /// The times of all frames.
    let schedule: FrameSchedule
    private let compositor: VideoCompositor
    private let settings: VideoOutputSettings?
    private let converter = PixelConverter()
    private var pool = FramePool()

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - settings: The pixel buffer attributes of the frames; nil for the format and size of composed frames.
    ///   - custom: The instance of the composition's compositor class; nil for the built-in compositor.
    ///   - highQuality: Whether quality matters more than speed.
    /// - Throws: An error if the asset cannot be read, `.invalidVideoComposition`, or `.unsupportedOutputSettings`.
    package convenience init(
        _ composition: AVVideoComposition, of asset: AVAsset, settings: [String: any Sendable]? = nil,
        custom: (any AVVideoCompositing)?, highQuality: Bool
    ) throws(AVError) {
        let tracks = try asset.open().tracks.filter { $0.mediaType == .video }
        var format: VideoOutputSettings?
        if let settings {
            switch VideoOutputSettings.read(settings) {
            case .success(let settings): format = settings
            case .failure(let error): throw AVError(.unsupportedOutputSettings, error.reason)
            }
        }
        try self.init(
            composition, of: asset, tracks, in: composition.presentedRange(of: asset, tracks), format, custom,
            highQuality: highQuality)
    }

    /// Creates a source of the frames in a time range.
    init(
        _ composition: AVVideoComposition, of asset: AVAsset, _ tracks: [AVAssetTrack], in range: CMTimeRange,
        _ settings: VideoOutputSettings?, _ custom: (any AVVideoCompositing)?, highQuality: Bool
    ) throws(AVError) {
        compositor = try VideoCompositor(
            composition, of: asset, tracks: tracks, in: range, custom: custom, highQuality: highQuality)
        schedule = FrameSchedule(composition, tracks, in: range)
        self.settings = settings
    }

    /// The number of frames.
    package var count: Int { max(0, schedule.times.count - 1) }

    /// Returns the index of the frame that is shown at a time. After the end, it is that of the last frame; before the
    /// first frame, it is nil.
    package func index(at time: CMTime) -> Int? { schedule.index(at: time) }

    /// Returns the time range of a frame.
    package func timeRange(of index: Int) -> CMTimeRange {
        CMTimeRangeFromTimeToTime(start: schedule.times[index], end: schedule.times[index + 1])
    }

    /// Composes a frame.
    ///
    /// - Throws: As `VideoCompositor.frame(at:)`.
    package func frame(_ index: Int) throws(AVError) -> CVPixelBuffer {
        let range = timeRange(of: index)
        compositor.anticipate(range.start, range.end)
        return try converted(try compositor.frame(at: range.start, format: settings?.pixelFormat))
    }

    /// Returns a composed frame in the format and size of the settings.
    private func converted(_ composed: CVPixelBuffer) throws(AVError) -> CVPixelBuffer {
        guard let settings else { return composed }
        let current = CVPixelBufferGetPixelFormatType(composed)
        let (width, height) = (CVPixelBufferGetWidth(composed), CVPixelBufferGetHeight(composed))
        let (size, format) = (settings.size ?? (width, height), settings.pixelFormat ?? current)
        guard format != current || size != (width, height) else { return composed }
        guard let target = pool.buffer(size.width, size.height, format, settings.attributes) else {
            throw AVError(.outOfMemory, "cannot allocate a frame of \(size.width)x\(size.height) pixels")
        }
        CVBufferPropagateAttachments(composed, target)
        do throws(ImageError) {
            try converter.convert(composed, to: target)
        } catch {
            throw AVError(composing: error)
        }
        return target
    }
}
