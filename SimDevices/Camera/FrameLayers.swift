import CSimKernels
import MediaTypes
import PixelKernels
import ThreeA

/// The light, color and focus of one frame.
struct FrameConditions {
    let illumination: Illumination
    /// The crosstalk of the sensor in the scene's light.
    let crosstalk: ColorMatrix
    /// The matrix from the sensor's white-balanced colors to those of the frame.
    let matrix: ColorMatrix
    let gains: ColorGains
    let iso: Double
    /// The exposure time in seconds.
    let exposure: Double
    /// The maximum luminance that is preserved, relative to white.
    let headroom: Double
    let isHLG: Bool
    let lensSetting: LensSetting
    /// The layers of the scene that move, from back to front.
    let movingLayers: [PlacedLayer]
}

/// The composed and developed layers of the scene, which are reused from frame to frame.
///
/// Each cache depends on the one before: the tone tables on the exposure and the colors, the composed background on the
/// light and the lens, the developed background on both, and the developed moving layers on the developed background.
/// `prepare(for:)` updates all of them in this order, and the layers of a frame are only accessible through its result.
///
/// Confined to the stream's generator.
final class FrameLayerCaches {
    /// The parameters of the composed background; see `LayerPlanes`.
    private struct Composition: Equatable {
        var cameraLight: Illumination.Channels
        var peakLuminance: Double
        var lensSetting: LensSetting
    }

    /// The parameters of the developed background, in addition to those of its composition.
    private struct Development: Equatable {
        var whiteLevel: Illumination.Channels
        var crosstalk: ColorMatrix
        /// The version of the tone tables.
        var tablesVersion: Int
    }

    private let tables: ToneTables
    private let background: LayerPlanes
    fileprivate var compositor: SceneLayerCompositor
    fileprivate let developedLayers = MovingLayerCache()
    private var composition: Composition?
    private var development: Development?
    /// Incremented with each composition and development.
    private var version: UInt32 = 0

    /// Creates empty caches for a view of the sensor.
    init(_ view: SceneView, _ tables: ToneTables, _ compositor: SceneLayerCompositor) {
        self.tables = tables
        self.compositor = compositor
        background = LayerPlanes(width: view.width, height: view.height, isDeveloped: true)
    }

    /// Replaces the layers of the scene, from the next frame on.
    func replaceScene(with compositor: SceneLayerCompositor) {
        self.compositor = compositor
        composition = nil
        developedLayers.clear()
    }

    /// Updates the caches for a frame. If a parameter has changed, composes the layers that do not move; their rows are
    /// developed when a frame first shows them. The layers of the previous frame become invalid.
    func prepare(for conditions: FrameConditions) -> FrameLayers {
        tables.set(
            iso: conditions.iso, gains: conditions.gains, matrix: conditions.matrix, headroom: conditions.headroom,
            isHLG: conditions.isHLG)
        let illumination = conditions.illumination
        let peakLuminance = peakLuminance(illumination, conditions.movingLayers)
        let composition = Composition(
            cameraLight: illumination.cameraLight, peakLuminance: peakLuminance,
            lensSetting: conditions.lensSetting)
        if self.composition != composition {
            self.composition = composition
            development = nil
            compositor.compose(background, illumination, peakLuminance: peakLuminance, conditions.lensSetting)
        }
        let development = Development(
            whiteLevel: illumination.whiteLevel, crosstalk: conditions.crosstalk, tablesVersion: tables.version)
        if self.development != development {
            self.development = development
            version += 1
            developedLayers.clear()
        }
        compositor.evictUnusedBlurredLayers()
        developedLayers.evictIfFull()
        return FrameLayers(
            tables: UnsafePointer(tables.raw), noiseShift: tables.noiseShift,
            background: compositor.pointer(to: background), version: version, peakLuminance: peakLuminance,
            conditions: conditions, caches: self)
    }

    /// Returns the luminance of the brightest layer relative to the scene's light, rounded up to a power of 4.
    private func peakLuminance(_ illumination: Illumination, _ movingLayers: [PlacedLayer]) -> Double {
        var brightest = compositor.backdropPeakLuminance(illumination)
        for layer in movingLayers {
            let light = illumination.relativeLight(brightness: layer.brightness, depth: layer.depth)
            brightest = max(brightest, light.maximum)
        }
        var peakLuminance = 1.0
        while peakLuminance < brightest { peakLuminance *= 4 }
        return peakLuminance
    }
}

/// The layers of one frame; valid until the next frame is prepared.
struct FrameLayers {
    let tables: UnsafePointer<csim_tables>
    /// See `csim_frame.noiseShift`.
    let noiseShift: Int32
    /// The planes of the layers that do not move.
    let background: UnsafePointer<csim_planes>
    /// See `csim_frame.version`.
    let version: UInt32
    /// Luminance of the brightest layer, the unit of composed light.
    let peakLuminance: Double
    fileprivate let conditions: FrameConditions
    fileprivate let caches: FrameLayerCaches

    /// Returns a moving layer with its light and blur.
    ///
    /// - Parameters:
    ///   - skew: See `csim_layer.skew`.
    ///   - developing: The frame with which the layer is developed; nil if the frame does not use developed layers.
    func movingLayer(_ layer: PlacedLayer, skew: Int32, developing frame: csim_frame?) -> csim_layer {
        var raw = caches.compositor.movingLayer(layer, conditions.illumination, peakLuminance: peakLuminance)
        raw.skew = skew
        let blurred = caches.compositor.blur(
            &raw, layer, conditions.lensSetting, exposure: conditions.exposure)
        if let frame, !layer.isTransient { caches.developedLayers.develop(&raw, layer.bitmap, blurred, frame) }
        return raw
    }
}
