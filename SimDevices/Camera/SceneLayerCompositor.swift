import CSimKernels
import CaptureHAL
import PixelKernels

/// Composes the layers of a scene for one lens: applies light and defocus.
///
/// Confined to the stream's generator.
final class SceneLayerCompositor {
    /// Consecutive layers of similar blur, which are blurred together.
    private struct Group {
        var layers: [PlacedLayer]
        /// Radius of the circle of confusion for each row of the view, in 16ths of a pixel.
        var radii: [UInt16]
        /// The rows that the layers cover.
        var rows: Range<Int>

        var isSharp: Bool { rows.allSatisfy { radii[$0] < SceneLayerCompositor.minimumRadius } }
    }

    /// In 16ths of a pixel. A smaller circle of confusion is not visible.
    private static let minimumRadius = 4
    /// Maximum difference of the radii in a group, in 16ths of a pixel.
    private static let radiusTolerance = 4
    /// In pixels. Less motion during the exposure is not visible.
    private static let minimumMotion = 2.0
    /// The maximum number of blurred layers that are cached.
    private static let blurredLayerCapacity = 128

    /// The upright view of the scene.
    private let view: SceneView
    /// The clockwise rotation from the upright scene to the sensor.
    private let rotation: PixelRotation
    /// The composed background before it is rotated to the sensor; allocated on first use.
    private var upright: LayerPlanes?
    /// Width of the sensor in pixels of the view.
    private let sensorWidth: Int
    private let backdrop: [PlacedLayer]
    /// Memory for the scales of layers with individual row depths.
    private var rowScales: [UnsafeMutableBufferPointer<UInt16>] = []
    private var blurredLayers: [BlurredLayer.Key: BlurredLayer] = [:]
    /// The setting of the lens with which the cached layers were blurred.
    private var blurredLayerSetting: LensSetting?
    /// Blurred layers that are only used in the current frame.
    private var transientLayers: [BlurredLayer] = []
    private let backgroundPointer: UnsafeMutablePointer<csim_planes>
    /// Coverage of a group that is blurred separately, with the stride of the background planes; allocated on first
    /// use.
    private var coverage: AlignedMemory?

    /// Creates a compositor for the layers of a scene that do not move.
    ///
    /// - Parameters:
    ///   - view: The upright view in which the scene is painted.
    ///   - sensorWidth: Width of the sensor in pixels of the view.
    ///   - rotation: The clockwise rotation from the upright scene to the sensor.
    init(view: SceneView, sensorWidth: Int, rotation: PixelRotation, backdrop: [PlacedLayer]) {
        self.sensorWidth = sensorWidth
        self.rotation = rotation
        self.view = view
        self.backdrop = backdrop
        backgroundPointer = .allocate(capacity: 1)
        backgroundPointer.initialize(to: csim_planes())
    }

    deinit {
        for scale in rowScales { scale.deallocate() }
        backgroundPointer.deallocate()
    }

    /// Returns a pointer to the kernel's description of `planes`, in memory owned by the compositor.
    func pointer(to planes: LayerPlanes) -> UnsafePointer<csim_planes> {
        backgroundPointer.pointee = planes.raw
        return UnsafePointer(backgroundPointer)
    }

    /// Returns the luminance of the brightest layer that does not move, relative to the scene's light; at least 1.
    func backdropPeakLuminance(_ illumination: Illumination) -> Double {
        backdrop.reduce(1) { peak, layer in
            let nearest = layer.rowDepth?.min() ?? layer.depth
            return max(peak, illumination.relativeLight(brightness: layer.brightness, depth: nearest).maximum)
        }
    }

    /// Returns a moving layer with its light, in the coordinates of the sensor, without rolling shutter skew.
    func movingLayer(
        _ layer: PlacedLayer, _ illumination: Illumination, peakLuminance: Double
    ) -> csim_layer {
        let corner = rotation.rotatedOrigin(
            x: layer.x, y: layer.y, width: layer.bitmap.width, height: layer.bitmap.height, imageWidth: view.width,
            imageHeight: view.height)
        let bitmap = layer.bitmap.onSensor(rotation)
        return raw(layer, bitmap.layer(x: corner.x, y: corner.y), illumination, peakLuminance: peakLuminance)
    }

    /// Returns a layer with its light, without the scale of individual rows.
    ///
    /// - Parameter placed: The layer's bitmap at its position.
    private func raw(
        _ layer: PlacedLayer, _ placed: csim_layer, _ illumination: Illumination, peakLuminance: Double
    ) -> csim_layer {
        var raw = placed
        let light = illumination.relativeLight(brightness: layer.brightness, depth: layer.depth)
        raw.redScale = Self.scale(light.red / peakLuminance)
        raw.greenScale = Self.scale(light.green / peakLuminance)
        raw.blueScale = Self.scale(light.blue / peakLuminance)
        return raw
    }

    /// Attaches a blurred copy to a moving layer if it is out of focus or moves noticeably during the exposure.
    ///
    /// - Parameters:
    ///   - setting: The setting of the lens.
    ///   - exposure: Exposure time in seconds.
    /// - Returns: The blurred copy; nil if the layer is sharp or memory cannot be allocated.
    func blur(_ raw: inout csim_layer, _ layer: PlacedLayer, _ setting: LensSetting, exposure: Double) -> BlurredLayer?
    {
        if blurredLayerSetting != setting {
            blurredLayers.removeAll()
            blurredLayerSetting = setting
        }
        // For moving layers, steps of 1/4 of a pixel are sufficient, and radii below 3/4 of a pixel are not visible.
        let rounded = (self.radius(depth: layer.depth, setting) + 2) / 4 * 4
        let radius = rounded < 12 ? 0 : rounded
        let distance = min(max(layer.speed * exposure, Double(-view.width)), Double(view.width))
        // In steps of half a pixel.
        let motion = abs(distance) < Self.minimumMotion ? 0 : Int((distance * 2).rounded()) * 8
        guard radius > 0 || motion != 0 else { return nil }
        let key = BlurredLayer.Key(bitmap: ObjectIdentifier(layer.bitmap), radius: radius, motion: motion)
        guard
            let blurred = blurredLayers[key]
                ?? BlurredLayer(
                    layer.bitmap, radius: radius, bladeCount: setting.bladeCount, motion: motion, rotation: rotation)
        else { return nil }
        if layer.isTransient { transientLayers.append(blurred) } else { blurredLayers[key] = blurred }
        raw.blurred = blurred.pointer
        (raw.blurredX, raw.blurredY) = (-blurred.marginX, -blurred.marginY)
        return blurred
    }

    /// Releases the blurred layers of the last frame that cannot be reused, and all of them when the cache is full.
    func evictUnusedBlurredLayers() {
        transientLayers.removeAll(keepingCapacity: true)
        if blurredLayers.count > Self.blurredLayerCapacity { blurredLayers.removeAll() }
    }

    /// Composes the layers that do not move into the planes of the sensor. Invalidates the developed planes.
    func compose(_ planes: LayerPlanes, _ illumination: Illumination, peakLuminance: Double, _ setting: LensSetting) {
        guard rotation != .none else {
            return composeUpright(planes, illumination, peakLuminance: peakLuminance, setting)
        }
        // Blurring a group needs the developed planes as working memory.
        let upright = upright ?? LayerPlanes(width: view.width, height: view.height, isDeveloped: true)
        self.upright = upright
        composeUpright(upright, illumination, peakLuminance: peakLuminance, setting)
        rotation.rotate(upright.raw, to: planes.raw)
    }

    private func composeUpright(
        _ planes: LayerPlanes, _ illumination: Illumination, peakLuminance: Double, _ setting: LensSetting
    ) {
        let groups = groups(setting)
        var scaleIndex = 0
        var isFirst = true
        for group in groups {
            let layers = group.layers.map { layer -> csim_layer in
                var raw = raw(
                    layer, layer.bitmap.layer(x: layer.x, y: layer.y), illumination, peakLuminance: peakLuminance)
                if let depths = layer.rowDepth, illumination.cameraLight.maximum > 0 {
                    setRowScales(&raw, layer, depths, illumination, peakLuminance: peakLuminance, index: scaleIndex)
                    scaleIndex += 1
                }
                return raw
            }
            withExtendedLifetime(group) {
                compose(layers, of: group, on: planes, bladeCount: Int32(setting.bladeCount), isFirst: isFirst)
            }
            isFirst = false
        }
    }

    private func compose(
        _ layers: [csim_layer], of group: Group, on planes: LayerPlanes, bladeCount: Int32, isFirst: Bool
    ) {
        var target = planes.raw
        guard !group.isSharp else {
            csim_compose(&target, layers, Int32(layers.count))
            return
        }
        var source = planes.scratchPlanes
        let result: Int32
        if isFirst {
            csim_compose(&source, layers, Int32(layers.count))
            result = csim_defocus(&source, nil, group.radii, bladeCount, &target)
        } else {
            let coverage = coverage ?? AlignedMemory(byteCount: planes.stride * planes.height)
            self.coverage = coverage
            csim_compose_group(&source, layers, Int32(layers.count), coverage.bytes())
            result = csim_defocus(&source, coverage.bytes(), group.radii, bladeCount, &target)
        }
        // If memory for the blur cannot be allocated, the group stays sharp.
        if result != 0 { csim_compose(&target, layers, Int32(layers.count)) }
    }

    // MARK: Focus

    /// Returns the radius of the image of a point, in 16ths of a pixel.
    private func radius(depth: Double, _ setting: LensSetting) -> Int {
        let radius = setting.blurRadius(depth: depth, width: sensorWidth)
        // The kernel's maximum is 976.
        return Int(min(radius * 16, 976).rounded())
    }

    /// Returns the groups of the backdrop's layers, from back to front.
    private func groups(_ setting: LensSetting) -> [Group] {
        var groups: [Group] = []
        for layer in backdrop {
            let top = layer.y & ~1
            let rows = layer.bitmap.rows.lowerBound + top..<layer.bitmap.rows.upperBound + top
            let covered = rows.clamped(to: 0..<view.height)
            let uniformRadius = UInt16(radius(depth: layer.depth, setting))
            let radii = (0..<view.height).map { row -> UInt16 in
                guard let depths = layer.rowDepth, !depths.isEmpty else { return uniformRadius }
                return UInt16(radius(depth: depths[min(max(row - top, 0), depths.count - 1)], setting))
            }
            if let last = groups.last, hasSimilarRadii(last, radii, covered) {
                for row in covered { groups[groups.count - 1].radii[row] = radii[row] }
                groups[groups.count - 1].layers.append(layer)
                groups[groups.count - 1].rows =
                    min(last.rows.lowerBound, covered.lowerBound)..<max(last.rows.upperBound, covered.upperBound)
            } else {
                groups.append(Group(layers: [layer], radii: radii, rows: covered))
            }
        }
        return groups
    }

    /// Returns whether a layer's radii differ at most by the tolerance from those of a group, in the rows that both
    /// cover.
    private func hasSimilarRadii(_ group: Group, _ radii: [UInt16], _ rows: Range<Int>) -> Bool {
        rows.clamped(to: group.rows).allSatisfy { abs(Int(group.radii[$0]) - Int(radii[$0])) <= Self.radiusTolerance }
    }

    // MARK: Light

    /// Returns the square root of a fraction of the brightest light, in 65,535ths.
    private static func scale(_ fraction: Double) -> UInt16 {
        UInt16(min(65535, (65535 * fraction.squareRoot()).rounded()))
    }

    /// Sets the light of each row of a layer with rows at different distances from the torch, such as ground.
    ///
    /// - Parameters:
    ///   - depths: The depth of each row in meters.
    ///   - index: The index of the layer's memory in `rowScales`.
    private func setRowScales(
        _ raw: inout csim_layer, _ layer: PlacedLayer, _ depths: [Double], _ illumination: Illumination,
        peakLuminance: Double, index: Int
    ) {
        if index == rowScales.count { rowScales.append(.allocate(capacity: depths.count)) }
        if rowScales[index].count != depths.count {
            rowScales[index].deallocate()
            rowScales[index] = .allocate(capacity: depths.count)
        }
        let nearest = depths.min() ?? layer.depth
        let brightest = illumination.relativeLight(brightness: layer.brightness, depth: nearest)
        raw.redScale = Self.scale(brightest.red / peakLuminance)
        raw.greenScale = Self.scale(brightest.green / peakLuminance)
        raw.blueScale = Self.scale(brightest.blue / peakLuminance)
        for (row, depth) in depths.enumerated() {
            // The channels differ only by the torch's color; green is used for all.
            let light = illumination.relativeLight(brightness: layer.brightness, depth: depth)
            rowScales[index].initializeElement(at: row, to: Self.scale(light.green / brightest.green))
        }
        raw.rowScale = rowScales[index].baseAddress.map { UnsafePointer($0 + min(layer.bitmap.top, depths.count)) }
    }
}
