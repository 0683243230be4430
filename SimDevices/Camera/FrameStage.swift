import CSimKernels
import CaptureHAL

/// Puts a scene's layers together as one lens sees them: in their light, sharp or spread over discs of confusion.
///
/// Confined to the turn of the stream's source.
final class FrameStage {
    /// Layers of about the same blur, which are spread as one.
    private struct Group {
        var layers: [PlacedLayer]
        /// For each row of the frame, in 16ths of a pixel.
        var radii: [UInt16]
        /// Rows in which it holds something.
        var rows: Range<Int>

        var isSharp: Bool { rows.allSatisfy { radii[$0] < FrameStage.leastRadius } }
    }

    /// In 16ths of a pixel: a smaller disc cannot be seen.
    private static let leastRadius = 4
    /// Layers whose radii differ by no more are spread as one.
    private static let likeRadius = 4
    /// Less movement than that while light falls in cannot be seen, in pixels.
    private static let leastSmear = 2.0
    /// How many soft layers are kept from frame to frame.
    private static let softCapacity = 128

    private let lens: LensDescriptor
    private let view: SceneView
    /// Pixels of the view that the sensor is wide.
    private let sensorWidth: Int
    private let backdrop: [PlacedLayer]
    private var rowScales: [UnsafeMutableBufferPointer<UInt16>] = []
    private var softLayers: [SoftLayer.Key: SoftLayer] = [:]
    private var softFocus = 0.0
    /// Of the frame that is formed.
    private var fleeting: [SoftLayer] = []
    private let rawPlate: UnsafeMutablePointer<csim_plate>
    /// What a group that is spread hides of what lies behind it, in the plate's rows; made when it is first needed.
    private var coverage: SceneMemory?

    init(lens: LensDescriptor, view: SceneView, sensorWidth: Int, backdrop: [PlacedLayer]) {
        self.sensorWidth = sensorWidth
        self.lens = lens
        self.view = view
        self.backdrop = backdrop
        rawPlate = .allocate(capacity: 1)
        rawPlate.initialize(to: csim_plate())
    }

    deinit {
        for scale in rowScales { scale.deallocate() }
        rawPlate.deallocate()
    }

    /// The kernel's view of a plate, in memory that stays.
    func pointer(to plate: FramePlate) -> UnsafePointer<csim_plate> {
        rawPlate.pointee = plate.raw
        return UnsafePointer(rawPlate)
    }

    /// The light of the brightest layer that stands still, in proportion to the scene's.
    func greatestFactor(_ illumination: Illumination) -> Double {
        backdrop.reduce(1) { greatest, layer in
            let nearest = layer.rowDepth?.min() ?? layer.depth
            return max(greatest, illumination.factors(brightness: layer.brightness, depth: nearest).greatest)
        }
    }

    /// A layer with its light, without row scales.
    func raw(_ layer: PlacedLayer, _ illumination: Illumination, whitest: Double) -> csim_layer {
        var raw = layer.bitmap.layer(x: layer.x, y: layer.y)
        let factors = illumination.factors(brightness: layer.brightness, depth: layer.depth)
        raw.redScale = Self.scale(factors.red / whitest)
        raw.greenScale = Self.scale(factors.green / whitest)
        raw.blueScale = Self.scale(factors.blue / whitest)
        return raw
    }

    /// Gives a moving layer its soft twin where it is out of focus, or moves far while light falls in.
    ///
    /// - Parameter exposure: Seconds.
    /// - Returns: The twin.
    func soften(_ raw: inout csim_layer, _ layer: PlacedLayer, focus: Double, exposure: Double) -> SoftLayer? {
        if softFocus != focus {
            softLayers.removeAll()
            softFocus = focus
        }
        // Quarters of a pixel are enough for what moves.
        let disc = (self.radius(depth: layer.depth, focus: focus) + 2) / 4 * 4
        let radius = disc < 12 ? 0 : disc
        let way = min(max(layer.speed * exposure, Double(-view.width)), Double(view.width))
        let smear = abs(way) < Self.leastSmear ? 0 : Int((way * 2).rounded()) * 8
        guard radius > 0 || smear != 0 else { return nil }
        let key = SoftLayer.Key(bitmap: ObjectIdentifier(layer.bitmap), radius: radius, smear: smear)
        guard let soft = softLayers[key] ?? SoftLayer(layer.bitmap, radius: radius, smear: smear) else { return nil }
        if layer.isFleeting { fleeting.append(soft) } else { softLayers[key] = soft }
        raw.soft = soft.pointer
        (raw.softX, raw.softY) = (-soft.marginX, -soft.marginY)
        return soft
    }

    /// Lets go what the last frame needed and no other will, and all soft layers where they are too many.
    func forgetFleeting() {
        fleeting.removeAll(keepingCapacity: true)
        if softLayers.count > Self.softCapacity { softLayers.removeAll() }
    }

    /// Composes what stands still; what the plate held developed is lost.
    func compose(_ plate: FramePlate, _ illumination: Illumination, whitest: Double, focus: Double) {
        let groups = groups(focus: focus)
        var scaleIndex = 0
        var isFirst = true
        for group in groups {
            let layers = group.layers.map { layer -> csim_layer in
                var raw = raw(layer, illumination, whitest: whitest)
                if let depths = layer.rowDepth, illumination.own.greatest > 0 {
                    setRowScales(&raw, layer, depths, illumination, whitest: whitest, index: scaleIndex)
                    scaleIndex += 1
                }
                return raw
            }
            withExtendedLifetime(group) { put(layers, of: group, on: plate, isFirst: isFirst) }
            isFirst = false
        }
    }

    private func put(_ layers: [csim_layer], of group: Group, on plate: FramePlate, isFirst: Bool) {
        var target = plate.raw
        guard !group.isSharp else {
            csim_compose(&target, layers, Int32(layers.count))
            return
        }
        var source = plate.bench
        let result: Int32
        if isFirst {
            csim_compose(&source, layers, Int32(layers.count))
            result = csim_defocus(&source, nil, group.radii, &target)
        } else {
            let coverage = coverage ?? SceneMemory(byteCount: plate.stride * plate.height)
            self.coverage = coverage
            csim_compose_group(&source, layers, Int32(layers.count), coverage.bytes())
            result = csim_defocus(&source, coverage.bytes(), group.radii, &target)
        }
        // Without memory for the discs the picture is sharp.
        if result != 0 { csim_compose(&target, layers, Int32(layers.count)) }
    }

    // MARK: Focus

    /// In 16ths of a pixel.
    private func radius(depth: Double, focus: Double) -> Int {
        let radius = Optics.blurRadius(of: lens, focus: focus, depth: depth, width: sensorWidth)
        return Int(min(radius * 16, 976).rounded())
    }

    private func groups(focus: Double) -> [Group] {
        var groups: [Group] = []
        for layer in backdrop {
            let top = layer.y & ~1
            let rows = layer.bitmap.rows.lowerBound + top..<layer.bitmap.rows.upperBound + top
            let covered = rows.clamped(to: 0..<view.height)
            let even = UInt16(radius(depth: layer.depth, focus: focus))
            let radii = (0..<view.height).map { row -> UInt16 in
                guard let depths = layer.rowDepth, !depths.isEmpty else { return even }
                return UInt16(radius(depth: depths[min(max(row - top, 0), depths.count - 1)], focus: focus))
            }
            if let last = groups.last, isAlike(last, radii, covered) {
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

    private func isAlike(_ group: Group, _ radii: [UInt16], _ rows: Range<Int>) -> Bool {
        rows.clamped(to: group.rows).allSatisfy { abs(Int(group.radii[$0]) - Int(radii[$0])) <= Self.likeRadius }
    }

    // MARK: Light

    /// The square root of a share of the brightest light, in the kernel's unit.
    private static func scale(_ share: Double) -> UInt16 { UInt16(min(65535, (65535 * share.squareRoot()).rounded())) }

    /// Ground is nearer in its lower rows, and gets more of the torch there.
    private func setRowScales(
        _ raw: inout csim_layer, _ layer: PlacedLayer, _ depths: [Double], _ illumination: Illumination,
        whitest: Double, index: Int
    ) {
        if index == rowScales.count { rowScales.append(.allocate(capacity: depths.count)) }
        if rowScales[index].count != depths.count {
            rowScales[index].deallocate()
            rowScales[index] = .allocate(capacity: depths.count)
        }
        let nearest = depths.min() ?? layer.depth
        let most = illumination.factors(brightness: layer.brightness, depth: nearest)
        raw.redScale = Self.scale(most.red / whitest)
        raw.greenScale = Self.scale(most.green / whitest)
        raw.blueScale = Self.scale(most.blue / whitest)
        for (row, depth) in depths.enumerated() {
            // The channels differ by the torch's colour alone; green stands for all.
            let share = illumination.factors(brightness: layer.brightness, depth: depth).green / most.green
            rowScales[index].initializeElement(at: row, to: Self.scale(share))
        }
        raw.rowScale = rowScales[index].baseAddress.map { UnsafePointer($0 + min(layer.bitmap.top, depths.count)) }
    }
}
