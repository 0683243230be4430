import AssetTypes
import Foundation
import MediaAssets
import MediaTypes
import PixelKernels

/// Draws the layers of an instruction.
///
/// - Important: Confined to one thread at a time.
final class BuiltInCompositor {
    /// The frame of a track, and its size in the coordinates of layer instructions.
    struct Source {
        let pixels: CVPixelBuffer
        let naturalSize: CGSize
    }

    private let layers = LayerCompositor()

    /// Draws the frame of an instruction into a buffer in 32BGRA.
    ///
    /// - Parameters:
    ///   - renderTransform: The transform from the coordinates of the composition's render size to pixels.
    ///   - sources: The frames by track ID. Layers of other tracks are not drawn.
    ///   - animation: Draws the additional track of an animation tool; nil without one.
    func compose(
        _ instruction: AVVideoCompositionInstruction, at time: CMTime, renderTransform: CGAffineTransform,
        _ sources: [CMPersistentTrackID: Source], _ animation: AnimationLayerRenderer? = nil,
        into target: CVPixelBuffer
    ) throws(AVError) {
        try fill(target, with: instruction.backgroundColor)
        for layer in instruction.layerInstructions.reversed() {
            let state = layer.state.withLock { $0 }
            let crop = state.crop.value(at: time)
            if let animation, animation.trackID == state.trackID {
                try animation.drawTrack(
                    at: time, crop: crop, transform: state.transform.value(at: time),
                    opacity: state.opacity.value(at: time), over: target)
                continue
            }
            guard let source = sources[state.trackID] else { continue }
            let toNaturalSize = source.pixelsToNaturalSize
            try draw(
                source.pixels, crop: crop.isInfinite ? crop : crop.applying(toNaturalSize.inverted()),
                transform: toNaturalSize.concatenating(state.transform.value(at: time)).concatenating(renderTransform),
                opacity: state.opacity.value(at: time), over: target)
        }
    }

    /// Fills a buffer with a color; nil for opaque black.
    func fill(_ target: CVPixelBuffer, with color: CGColor?) throws(AVError) {
        let components = (color?.components ?? [0, 1]).map { Double($0) }
        let (red, green, blue) =
            components.count == 4
            ? (components[0], components[1], components[2]) : (components[0], components[0], components[0])
        do throws(ImageError) {
            try layers.fill(target, red: red, green: green, blue: blue, alpha: components[components.count - 1])
        } catch {
            throw AVError(composing: error)
        }
    }

    /// Draws a part of an image over a buffer; see `LayerCompositor`.
    func draw(
        _ source: CVPixelBuffer, crop: CGRect = .infinite, transform: CGAffineTransform, opacity: Float = 1,
        over target: CVPixelBuffer
    ) throws(AVError) {
        do throws(ImageError) {
            try layers.draw(source, crop: crop, transform: transform, opacity: opacity, over: target)
        } catch {
            throw AVError(composing: error)
        }
    }
}

extension BuiltInCompositor.Source {
    /// The transform from pixels to the coordinates of the natural size.
    var pixelsToNaturalSize: CGAffineTransform {
        CGAffineTransform(
            scaleX: naturalSize.width / CGFloat(CVPixelBufferGetWidth(pixels)),
            y: naturalSize.height / CGFloat(CVPixelBufferGetHeight(pixels)))
    }
}

extension AVError {
    /// Creates the error that clients receive for a frame that cannot be composed.
    init(composing error: ImageError) {
        self.init(error.code == .outOfMemory ? .outOfMemory : .decodeFailed, error.message, cause: error)
    }
}
