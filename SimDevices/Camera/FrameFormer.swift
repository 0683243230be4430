import CSimKernels
import CaptureHAL
import MediaTypes
import ThreeA

/// Forms the pictures of one stream: scene, light, lens, exposure, noise, white balance, transfer.
///
/// Confined to the turn of the stream's source.
final class FrameFormer {
    /// What the composed plate depends on.
    private struct Composition: Equatable {
        var own: Illumination.Channels
        var whitest: Double
        var focus: Double
    }

    /// What the developed plate depends on, besides the composition.
    private struct Development: Equatable {
        var exposure: Exposures
        var tables: Int
    }

    /// The kernel's factors from light to levels.
    private struct Exposures: Equatable {
        var red: UInt16
        var green: UInt16
        var blue: UInt16
        var shift: Int32
    }

    private let profile: CameraProfile
    private let view: SceneView
    private let scene: any PaintedScene
    private let light: SceneLight
    /// The lamp that flashes with a microphone's clicks.
    private let flash: SceneFlash?
    private let seed: UInt64
    private let isFullRange: Bool
    private let scratch: UnsafeMutableRawPointer
    private let plate: FramePlate
    private let tables: ToneTables
    private let stage: FrameStage
    private let developedMovers = DevelopedMovers()
    private var movers: [csim_layer] = []
    private var rowGains: [UInt16] = []
    private var composition: Composition?
    private var development: Development?

    init(
        profile: CameraProfile, view: SceneView, scene: any PaintedScene, light: SceneLight, flash: SceneFlash? = nil,
        seed: UInt64, isFullRange: Bool
    ) {
        self.profile = profile
        self.view = view
        self.scene = scene
        self.light = light
        self.flash = flash
        self.seed = seed
        self.isFullRange = isFullRange
        scratch = .allocate(byteCount: Int(csim_scratch_size(Int32(view.width))), alignment: 64)
        plate = FramePlate(width: view.width, height: view.height, isDeveloped: true)
        tables = ToneTables(
            sensor: profile.sensor, lowestISO: profile.isoRange.lowerBound, isFullRange: isFullRange)
        stage = FrameStage(lens: profile.lens, view: view, backdrop: scene.backdrop)
    }

    deinit { scratch.deallocate() }

    /// Forms the picture that begins at `time` in `buffer`, whose rows are 64-byte aligned.
    func form(_ buffer: CVPixelBuffer, time: Int64, state: CameraState) {
        var present = light.at(nanoseconds: time)
        let lamp = flash?.share(from: time, to: time + state.exposure.nanoseconds) ?? 0
        present.lux *= 1 + SceneFlash.brightness * lamp
        let illumination = Illumination(present, state, profile)
        tables.set(iso: state.exposure.iso, gains: state.gains)
        let placed = scene.movers(at: time)
        let focus = Optics.focusDistance(of: profile.lens, position: state.lensPosition)
        let whitest = whitest(illumination, placed)
        var frame = csim_frame()
        setPlate(&frame, illumination, whitest: whitest, focus: focus)
        let (luma, chroma) = (buffer.planes[0], buffer.planes[1])
        frame.luma = luma.baseAddress.assumingMemoryBound(to: UInt8.self)
        frame.lumaStride = Int32(luma.bytesPerRow)
        frame.chroma = chroma.baseAddress.assumingMemoryBound(to: UInt8.self)
        frame.chromaStride = Int32(chroma.bytesPerRow)
        var dice = SceneDice(seed: seed ^ UInt64(bitPattern: time))
        frame.noiseKey = dice.next()
        let step = Int64((65536 / state.zoom).rounded())
        frame.windowStep = step
        frame.windowX = Int64(view.width) * (65536 - step) / 2
        frame.windowY = Int64(view.height) * (65536 - step) / 2
        let flickers = fillRowGains(time, exposure: state.exposure.seconds)
        let isPlain = step == 65536 && !flickers
        movers.removeAll(keepingCapacity: true)
        stage.forgetFleeting()
        for layer in placed {
            var raw = stage.raw(layer, illumination, whitest: whitest)
            raw.skew = Int32((layer.speed * profile.sensor.readoutSeconds / Double(view.height) * 65536).rounded())
            stage.soften(&raw, layer, focus: focus)
            if isPlain, raw.soft == nil, !layer.isFleeting { developedMovers.develop(&raw, layer.bitmap, frame) }
            movers.append(raw)
        }
        movers.withUnsafeBufferPointer { movers in
            rowGains.withUnsafeBufferPointer { gains in
                frame.movers = movers.baseAddress
                frame.moverCount = Int32(movers.count)
                frame.rowGain = flickers ? gains.baseAddress : nil
                withExtendedLifetime((buffer, placed)) { csim_form(&frame) }
            }
        }
    }

    /// Composes and develops what stands still, where it has changed, and fills in what a frame needs of it.
    private func setPlate(
        _ frame: inout csim_frame, _ illumination: Illumination, whitest: Double, focus: Double
    ) {
        let exposures = Self.exposures(illumination, whitest: whitest)
        frame.tables = UnsafePointer(tables.raw)
        frame.noiseShift = tables.noiseShift
        (frame.redExposure, frame.greenExposure, frame.blueExposure) = (exposures.red, exposures.green, exposures.blue)
        frame.exposureShift = exposures.shift
        frame.fullRange = isFullRange ? 1 : 0
        frame.scratch = scratch
        frame.noise = NoiseTable.shared.bytes
        frame.plate = stage.pointer(to: plate)
        let composition = Composition(own: illumination.own, whitest: whitest, focus: focus)
        if self.composition != composition {
            self.composition = composition
            development = nil
            stage.compose(plate, illumination, whitest: whitest, focus: focus)
        }
        let development = Development(exposure: exposures, tables: tables.version)
        if self.development != development {
            self.development = development
            developedMovers.clear()
            csim_develop(&frame)
        }
    }

    /// The light of the brightest layer in proportion to the scene's, rounded up to a power of 4.
    private func whitest(_ illumination: Illumination, _ placed: [PlacedLayer]) -> Double {
        var greatest = stage.greatestFactor(illumination)
        for layer in placed {
            greatest = max(greatest, illumination.factors(brightness: layer.brightness, depth: layer.depth).greatest)
        }
        var whitest = 1.0
        while whitest < greatest { whitest *= 4 }
        return whitest
    }

    /// A reflectance of 1 in the brightest light is composed as 65,279, and saturation is at level 4,096.
    private static func exposures(_ illumination: Illumination, whitest: Double) -> Exposures {
        func level(_ part: Double) -> Double { 4096 * (part * whitest).squareRoot() * 65536 / 65279 }
        let exposure = illumination.exposure
        var (scale, shift) = (1.0, Int32(0))
        while level(exposure.greatest) * scale > 65535, shift < 15 {
            scale /= 2
            shift += 1
        }
        func fixed(_ part: Double) -> UInt16 { UInt16(min(65535, (level(part) * scale).rounded())) }
        return Exposures(
            red: fixed(exposure.red), green: fixed(exposure.green), blue: fixed(exposure.blue), shift: shift)
    }

    /// The factors of a flickering lamp on the rows' exposures; false where there are none.
    private func fillRowGains(_ time: Int64, exposure: Double) -> Bool {
        guard let flicker = light.flicker, flicker.depth > 0 else { return false }
        rowGains.removeAll(keepingCapacity: true)
        let pairs = view.height / 2
        // Turns of the lamp are counted from 0 of the clock; whole seconds hold whole turns.
        let begin = Double(time % 1_000_000_000) / 1e9
        var flickers = false
        for pair in 0..<pairs {
            let row = begin + profile.sensor.readoutSeconds * Double(pair) / Double(pairs)
            let gain = SceneLight.gain(of: flicker, from: row, exposure: exposure)
            // Less than a thousandth cannot be seen.
            if abs(gain - 1) > 0.001 { flickers = true }
            rowGains.append(UInt16((max(gain, 0).squareRoot() * 32768).rounded()))
        }
        return flickers
    }
}
