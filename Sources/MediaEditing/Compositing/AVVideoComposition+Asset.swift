import AssetTypes
import Foundation
import MediaAssets
import MediaTypes

extension AVVideoComposition {
    /// Creates a composition that presents the enabled video tracks of an asset with their preferred transforms.
    ///
    /// With one video track, the composed frames have the times of its frames; with several, they have the highest
    /// nominal frame rate of the tracks. The render size is the smallest size that contains all tracks with square pixels.
    /// For an `AVComposition`, it is the natural size if it was set, or else the size of the first track. Without video
    /// there are no instructions.
    ///
    /// While no track presents media, for example if the sound begins first, the nearest frame is shown. Empty segments
    /// that were inserted into all tracks of a composition show the background.
    public convenience init(propertiesOf asset: AVAsset) {
        self.init()
        present(asset, prototype: nil)
    }

    /// Creates a composition that presents an asset; see `init(propertiesOf:)`.
    ///
    /// - Throws: An `AVError` if the asset cannot be read.
    public class func videoComposition(withPropertiesOf asset: AVAsset) async throws -> Self {
        try asset.loadValues()
        return presenting(asset, prototype: nil)
    }

    /// Creates a composition that presents an asset and calls the handler; see `init(propertiesOf:)`.
    public class func videoComposition(
        withPropertiesOf asset: AVAsset,
        completionHandler: @escaping @Sendable (AVVideoComposition?, (any Error)?) -> Void
    ) {
        do {
            try asset.loadValues()
            completionHandler(presenting(asset, prototype: nil), nil)
        } catch {
            completionHandler(nil, error)
        }
    }

    fileprivate class func presenting(_ asset: AVAsset, prototype: AVVideoCompositionInstruction?) -> Self {
        let composition = Self()
        composition.present(asset, prototype: prototype)
        return composition
    }

    /// Sets the properties that present an asset.
    fileprivate func present(_ asset: AVAsset, prototype: AVVideoCompositionInstruction?) {
        let tracks = asset.tracks.filter { $0.mediaType == .video && $0.isEnabled }
        let size =
            if let composition = asset as? AVComposition {
                composition.state.withLock { $0.naturalSize } ?? Array(tracks.prefix(1)).enclosingSize
            } else { tracks.enclosingSize }
        let instructions = tracks.isEmpty ? [] : Self.instructions(for: tracks, of: asset, prototype)
        let frameDuration = tracks.frameDuration
        state.withLock { state in
            if tracks.count == 1 { state.timingTrackID = tracks[0].trackID }
            state.frameDuration = frameDuration
            state.renderSize = size
            state.instructions = instructions
        }
    }

    /// Returns one instruction for each range in which the same tracks present media.
    ///
    /// In a range without media, the tracks of the previous range are shown, or those of the next range at the start.
    private static func instructions(
        for tracks: [AVAssetTrack], of asset: AVAsset, _ prototype: AVVideoCompositionInstruction?
    ) -> [AVVideoCompositionInstruction] {
        let presented = tracks.map { track in track.timeline.map(\.target) }
        let empty = tracks.map(\.emptyRanges)
        let transforms = tracks.layerTransforms
        var times = (presented + empty).joined().flatMap { [$0.start, $0.end] } + [.zero, asset.duration]
        times = times.filter { $0 >= .zero && $0 <= asset.duration }.sorted()
        times = times.reduce(into: []) { times, time in if times.last != time { times.append(time) } }
        let ranges = zip(times, times.dropFirst()).map { CMTimeRangeFromTimeToTime(start: $0, end: $1) }
        let presenting = ranges.map { range in
            tracks.indices.filter { index in presented[index].contains { $0.containsTimeRange(range) } }
        }
        var result: [AVMutableVideoCompositionInstruction] = []
        for (position, range) in ranges.enumerated() {
            var visible = presenting[position]
            if visible.isEmpty {
                let nearest =
                    presenting[..<position].last { !$0.isEmpty } ?? presenting[position...].first { !$0.isEmpty } ?? []
                visible = nearest.filter { index in !empty[index].contains { $0.containsTimeRange(range) } }
            }
            let ids = visible.map { tracks[$0].trackID }
            if let last = result.last, last.layerInstructions.map(\.trackID) == ids {
                last.timeRange = CMTimeRangeFromTimeToTime(start: last.timeRange.start, end: range.end)
                continue
            }
            let instruction =
                prototype?.mutableCopy() as? AVMutableVideoCompositionInstruction
                ?? AVMutableVideoCompositionInstruction()
            instruction.timeRange = range
            instruction.layerInstructions = visible.map { index in
                let layer = AVMutableVideoCompositionLayerInstruction(assetTrack: tracks[index])
                layer.setTransform(transforms[index], at: .zero)
                return layer
            }
            result.append(instruction)
        }
        return result
    }
}

extension AVMutableVideoComposition {
    /// Creates a composition that presents an asset. Its instructions are copies of a prototype.
    ///
    /// - Parameter prototypeInstruction: The instruction to copy. The time range and layers of the copies are replaced;
    ///   see `init(propertiesOf:)`.
    public convenience init(propertiesOf asset: AVAsset, prototypeInstruction: AVVideoCompositionInstruction) {
        self.init()
        present(asset, prototype: prototypeInstruction)
    }

    /// Creates a composition that presents an asset. Its instructions are copies of a prototype.
    ///
    /// - Throws: An `AVError` if the asset cannot be read.
    public class func videoComposition(
        withPropertiesOf asset: AVAsset, prototypeInstruction: AVVideoCompositionInstruction
    ) async throws -> AVMutableVideoComposition {
        try asset.loadValues()
        return presenting(asset, prototype: prototypeInstruction)
    }
}

extension [AVAssetTrack] {
    /// The smallest size that contains the tracks with their `layerTransforms`.
    var enclosingSize: CGSize {
        zip(self, layerTransforms).reduce(CGSize.zero) { size, layer in
            let rect = CGRect(origin: .zero, size: layer.0.naturalSize).applying(layer.1).standardized
            return CGSize(
                width: Swift.max(size.width, rect.maxX.rounded()), height: Swift.max(size.height, rect.maxY.rounded()))
        }
    }

    /// The transforms that place the tracks in a composition: the display transforms, moved so that the smallest rectangle
    /// that contains all tracks begins at the origin.
    ///
    /// Many programs write rotations without a translation, which place the track left of the origin or above it. Then
    /// each track begins at the origin.
    var layerTransforms: [CGAffineTransform] {
        let transforms = map(\.displayTransform)
        let rects = zip(self, transforms).map { track, transform in
            CGRect(origin: .zero, size: track.naturalSize).applying(transform).standardized
        }
        let origin = CGPoint(x: rects.map(\.minX).min() ?? 0, y: rects.map(\.minY).min() ?? 0)
        // The tolerance allows for the rounding of fixed-point numbers.
        let isPlaced = origin.x > -0.5 && origin.y > -0.5
        return zip(transforms, rects).map { transform, rect in
            let start = isPlaced ? origin : rect.origin
            return transform.concatenating(CGAffineTransform(translationX: -start.x, y: -start.y))
        }
    }

    /// The frame duration at the highest nominal frame rate; 1/30 s if no frame rate is known.
    var frameDuration: CMTime {
        guard let rate = map({ Double($0.nominalFrameRate) }).max(), rate > 0 else {
            return CMTime(value: 1, timescale: 30)
        }
        let whole = rate.rounded()
        // An NTSC rate such as 30000/1001 is 0.1% below an integer. A rate within 0.017% of an integer is rounded to
        // it.
        if abs(rate - whole) < 0.005 * whole / 30 { return CMTime(value: 1, timescale: CMTimeScale(whole)) }
        return CMTime(value: 1001, timescale: CMTimeScale((rate * 1001).rounded()))
    }
}
