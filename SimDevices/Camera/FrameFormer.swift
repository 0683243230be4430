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
        var exposure: Illumination.Channels
        var crosstalk: ColorMatrix
        var tables: Int
    }

    let profile: CameraProfile
    let view: SceneView
    /// Nil where the camera stands still.
    private let shake: CameraShake?
    let scene: any PaintedScene
    /// The part of the scene that the last picture shows.
    private(set) var window = PictureWindow(x: 0, y: 0, step: 65536, axisX: 0, axisY: 0)
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
    /// By how much the lens' axis is beside the middle of the view, in 65,536ths of a pixel of the plate.
    private var axis = (x: Int64(0), y: Int64(0))
    private var ring: UnsafeMutableRawPointer?
    private var ringRows = 0
    private var rowGains: [UInt16] = []
    private var composition: Composition?
    private var development: Development?
    /// Counts compositions and developments.
    private var version: UInt32 = 0
    /// The colour matrix of the gains in force.
    private var matrix: (gains: ColorGains, matrix: ColorMatrix)?

    init(
        profile: CameraProfile, view: SceneView, scene: any PaintedScene, light: SceneLight, flash: SceneFlash? = nil,
        shake: CameraShake? = nil, seed: UInt64, isFullRange: Bool
    ) {
        let painted = shake?.painted ?? view
        self.shake = shake
        self.profile = profile
        self.view = view
        self.scene = scene
        self.light = light
        self.flash = flash
        self.seed = seed
        self.isFullRange = isFullRange
        scratch = .allocate(byteCount: Int(csim_scratch_size(Int32(painted.width))), alignment: 64)
        plate = FramePlate(width: painted.width, height: painted.height, isDeveloped: true)
        tables = ToneTables(
            sensor: profile.sensor, lowestISO: profile.isoRange.lowerBound, isFullRange: isFullRange)
        stage = FrameStage(lens: profile.lens, view: painted, sensorWidth: view.width, backdrop: scene.backdrop)
    }

    deinit {
        scratch.deallocate()
        ring?.deallocate()
    }

    /// Forms the picture that begins at `time` in `buffer`, whose rows are 64-byte aligned.
    ///
    /// - Parameter wanted: For each pair of rows 1 where it is to be formed; nil where all are.
    func form(_ buffer: CVPixelBuffer, time: Int64, state: CameraState, wanted: [UInt8]? = nil) {
        var present = light.at(nanoseconds: time)
        let lamp = flash?.share(from: time, to: time + state.exposure.nanoseconds) ?? 0
        present.lux *= 1 + SceneFlash.brightness * lamp
        let illumination = Illumination(present, state, profile)
        if matrix?.gains != state.gains {
            matrix = (state.gains, profile.sensor.colorMatrix(kelvin: state.temperature(of: state.gains)))
        }
        tables.set(
            iso: state.exposure.iso, gains: state.gains, matrix: matrix?.matrix ?? .identity, headroom: state.headroom)
        let placed = scene.movers(at: time)
        let focus = Optics.focusDistance(of: profile.lens, position: state.lensPosition)
        let whitest = whitest(illumination, placed)
        var frame = csim_frame()
        let crosstalk = profile.sensor.crosstalk(kelvin: present.kelvin)
        frame.color = csim_color(
            illumination.exposure, whitest: whitest, headroom: state.headroom, crosstalk: crosstalk, gains: state.gains,
            matrix: matrix?.matrix ?? .identity)
        setPlate(&frame, illumination, crosstalk, whitest: whitest, focus: focus)
        let (luma, chroma) = (buffer.planes[0], buffer.planes[1])
        frame.luma = luma.baseAddress.assumingMemoryBound(to: UInt8.self)
        frame.lumaStride = Int32(luma.bytesPerRow)
        frame.chroma = chroma.baseAddress.assumingMemoryBound(to: UInt8.self)
        frame.chromaStride = Int32(chroma.bytesPerRow)
        var dice = SceneDice(seed: seed ^ UInt64(bitPattern: time))
        frame.noiseKey = dice.next()
        (frame.width, frame.height) = (Int32(view.width), Int32(view.height))
        let margin = profile.stabilization[state.stabilization] ?? 0
        let step = Int64((65536 * (1 - 2 * margin) / state.zoom).rounded())
        frame.windowStep = step
        frame.windowX = Int64(view.width) * (65536 - step) / 2
        frame.windowY = Int64(view.height) * (65536 - step) / 2
        let taps = setWindow(&frame, time, state, margin: margin)
        window = PictureWindow(
            x: frame.windowX, y: frame.windowY, step: frame.windowStep,
            axisX: Int64(view.width) * 32768 + axis.x, axisY: Int64(view.height) * 32768 + axis.y)
        let flickers = fillRowGains(time, exposure: state.exposure.seconds)
        let isPlain = step == 65536 && !flickers && taps.isEmpty
        movers.removeAll(keepingCapacity: true)
        stage.forgetFleeting()
        developedMovers.forgetMany()
        // For a few rows it would not pay.
        let isKept = isPlain && wanted == nil
        for layer in placed {
            var raw = stage.raw(layer, illumination, whitest: whitest)
            raw.skew = Int32((layer.speed * profile.sensor.readoutSeconds / Double(view.height) * 65536).rounded())
            let soft = stage.soften(&raw, layer, focus: focus, exposure: state.exposure.seconds)
            if isKept, !layer.isFleeting { developedMovers.develop(&raw, layer.bitmap, soft, frame) }
            movers.append(raw)
        }
        taps.withUnsafeBufferPointer { taps in
            movers.withUnsafeBufferPointer { movers in
                rowGains.withUnsafeBufferPointer { gains in
                    frame.taps = taps.baseAddress
                    frame.tapCount = Int32(taps.count)
                    frame.movers = movers.baseAddress
                    frame.moverCount = Int32(movers.count)
                    frame.rowGain = flickers ? gains.baseAddress : nil
                    withExtendedLifetime((buffer, placed)) { form(&frame, wanted) }
                    if state.isBoosting {
                        csim_bin(frame.luma, frame.lumaStride, Int32(view.width), Int32(view.height))
                    }
                }
            }
        }
    }

    private func form(_ frame: inout csim_frame, _ wanted: [UInt8]?) {
        guard let wanted else { return csim_form(&frame) }
        wanted.withUnsafeBufferPointer { wanted in
            frame.wanted = wanted.baseAddress
            csim_form(&frame)
        }
    }

    /// Places the window of a camera in a shaking hand.
    ///
    /// - Returns: Where it stands during the exposure; empty where the camera stands still.
    private func setWindow(_ frame: inout csim_frame, _ time: Int64, _ state: CameraState, margin: Double) -> [csim_tap]
    {
        guard let shake else { return [] }
        let window = shake.window(
            at: time, exposure: state.exposure.nanoseconds, filter: StabilizationFilter(state.stabilization),
            margin: margin)
        axis = (Int64(shake.marginX) << 16 + window.axisX, Int64(shake.marginY) << 16 + window.axisY)
        frame.windowX += Int64(shake.marginX) << 16 + window.x
        frame.windowY += Int64(shake.marginY) << 16 + window.y
        (frame.windowSkewX, frame.windowSkewY) = (window.skewX, window.skewY)
        let rows = window.taps.map { Int($0.y >> 16) }
        let reach = (rows.max() ?? 0) - (rows.min() ?? 0) + 5
        if ringRows < reach {
            ring?.deallocate()
            while ringRows < reach { ringRows = max(8, ringRows * 2) }
            ring = .allocate(
                byteCount: Int(csim_ring_size(Int32(shake.painted.width), Int32(ringRows))), alignment: 64)
        }
        (frame.ring, frame.ringRows) = (ring, Int32(ringRows))
        return window.taps
    }

    /// Composes what stands still, where it has changed, and fills in what a frame needs of it; it is developed where it is
    /// shown.
    private func setPlate(
        _ frame: inout csim_frame, _ illumination: Illumination, _ crosstalk: ColorMatrix, whitest: Double,
        focus: Double
    ) {
        frame.tables = UnsafePointer(tables.raw)
        frame.noiseShift = tables.noiseShift
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
        let development = Development(
            exposure: illumination.exposure, crosstalk: crosstalk, tables: tables.version)
        if self.development != development {
            self.development = development
            version += 1
            developedMovers.clear()
        }
        frame.version = version
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

extension csim_color {
    /// - Parameters:
    ///   - exposure: The parts of saturation to which the scene's light takes white.
    ///   - whitest: What composed light is in proportion to.
    ///   - headroom: How many times the light of white is kept.
    init(
        _ exposure: Illumination.Channels, whitest: Double, headroom: Double, crosstalk: ColorMatrix,
        gains: ColorGains, matrix: ColorMatrix
    ) {
        self.init()
        let channels = [exposure.red, exposure.green, exposure.blue].map { part -> (UInt16, UInt8) in
            // A reflectance of 1 in the brightest light is composed as 65,279, whose square is light in 2^11ths.
            var (number, shift) = (65536 * part * whitest / headroom / (65279.0 * 65279 / 2048), UInt8(0))
            while number < 1023.75, shift < 31 {
                number *= 2
                shift += 1
            }
            return (UInt16(min(2047, number.rounded())), shift)
        }
        self.exposure = (channels[0].0, channels[1].0, channels[2].0)
        exposureShift = (channels[0].1, channels[1].1, channels[2].1)
        func fixed(_ gain: Double) -> UInt16 { UInt16(min(max(gain * 2048, 2048), 32767).rounded()) }
        gain = (fixed(gains.red), fixed(gains.green), fixed(gains.blue))
        withUnsafeMutableBytes(of: &mix) { bytes in
            for (index, number) in crosstalk.fixed(one: 2048).enumerated() {
                bytes.storeBytes(of: UInt16(clamping: number), toByteOffset: 2 * index, as: UInt16.self)
            }
        }
        withUnsafeMutableBytes(of: &self.matrix) { bytes in
            for (index, number) in matrix.fixed(one: 4096).enumerated() {
                bytes.storeBytes(of: Int16(clamping: number), toByteOffset: 2 * index, as: Int16.self)
            }
        }
    }
}
