import CSimKernels
import CaptureHAL
import MediaTypes
import PixelKernels
import ThreeA

/// Renders the frames of one stream: simulates light, lens, exposure, noise, white balance and transfer function.
///
/// Confined to the stream's generator.
final class FrameRenderer {
    /// A scene that replaces the first one, or the first one with changed objects.
    struct LaterScene {
        /// Identifies the scene and the state of its objects.
        var number: Int
        var light: SceneLight
        var paint: (SceneView) -> any PaintedScene
    }

    let profile: CameraProfile
    let view: SceneView
    /// Nil for a camera that does not shake.
    private let shake: CameraShake?
    /// Paints the scene for an upright view.
    private let paint: (SceneView) -> any PaintedScene
    /// Returns the scene at a time in nanoseconds; nil for the first one.
    private let laterScene: (Int64) -> LaterScene?
    /// The scene of the last frame; nil for the first one.
    private var shownScene: LaterScene?
    /// The scene, painted for the upright view.
    private(set) var scene: any PaintedScene
    /// The clockwise rotation from the upright scene to the sensor.
    private(set) var rotation: PixelRotation
    /// The view that the renderer composes: that of the sensor, with padding for hand shake.
    let paddedView: SceneView
    /// The part of the background that the last frame shows, in the coordinates of the sensor.
    private(set) var window = SceneWindow(x: 0, y: 0, step: 65536, axisX: 0, axisY: 0)
    private let firstLight: SceneLight
    /// The light of the scene.
    private(set) var light: SceneLight
    /// The lamp that flashes in sync with a microphone's clicks.
    private let flash: SceneFlash?
    private let seed: UInt64
    private let isFullRange: Bool
    private let hasTenBits: Bool
    /// See `csim_frame.scratch`.
    private let scratch: UnsafeMutableRawPointer
    private let caches: FrameLayerCaches
    private var movingLayers: [csim_layer] = []
    /// Position of the optical axis in the background, minus half the size of the unpadded view, in 65,536ths of a
    /// pixel.
    private var axis = (x: Int64(0), y: Int64(0))
    /// Working memory for frames with hand shake, and its number of rows; see `csim_frame.ring`.
    private var ring: UnsafeMutableRawPointer?
    private var ringRows = 0
    /// See `csim_frame.rowGain`.
    private var rowGains: [UInt16] = []
    /// The color matrix, and the gains for which it was computed.
    private var matrix: (gains: ColorGains, matrix: ColorMatrix)?

    /// Creates a renderer for one stream.
    ///
    /// - Parameters:
    ///   - view: The view of the sensor.
    ///   - rotation: The initial clockwise rotation from the upright scene to the sensor.
    ///   - format: The pixel format of the buffers: 4:2:0 in two planes, with 8 or 10 bits.
    ///   - laterScene: Returns the scene at the time of a frame; nil for the first one.
    ///   - paint: Returns the first scene for an upright view; called again when the sensor is rotated.
    init(
        profile: CameraProfile, view: SceneView, rotation: PixelRotation = .none, light: SceneLight,
        flash: SceneFlash? = nil, shake: CameraShake? = nil, seed: UInt64, format: OSType?,
        laterScene: @escaping (Int64) -> LaterScene? = { _ in nil }, paint: @escaping (SceneView) -> any PaintedScene
    ) {
        let paddedView = shake?.paddedView ?? view
        let upright = rotation.uprightView(of: paddedView)
        self.paddedView = paddedView
        self.rotation = rotation
        self.paint = paint
        self.laterScene = laterScene
        scene = paint(upright)
        self.shake = shake
        self.profile = profile
        self.view = view
        self.light = light
        firstLight = light
        self.flash = flash
        self.seed = seed
        let layout = format.flatMap { PixelLayout.of(pixelFormat: $0) }
        (hasTenBits, isFullRange) = (layout?.layout.hasTenBits ?? false, layout?.isFullRange ?? false)
        scratch = .allocate(byteCount: Int(csim_scratch_size(Int32(paddedView.width))), alignment: 64)
        caches = FrameLayerCaches(
            paddedView,
            ToneTables(sensor: profile.sensor, lowestISO: profile.isoRange.lowerBound, isFullRange: isFullRange),
            SceneLayerCompositor(
                view: upright, sensorWidth: view.width, rotation: rotation,
                backdrop: scene.backdrop))
    }

    deinit {
        scratch.deallocate()
        ring?.deallocate()
    }

    /// Rotates the sensor in front of the scene, from the next frame on.
    ///
    /// - Parameter newRotation: The clockwise rotation from the upright scene to the sensor.
    func setRotation(_ newRotation: PixelRotation) {
        guard newRotation != rotation else { return }
        rotation = newRotation
        repaint()
    }

    /// Selects the scene of a frame.
    private func selectScene(at time: Int64) {
        let next = laterScene(time)
        guard next?.number != shownScene?.number else { return }
        shownScene = next
        light = next?.light ?? firstLight
        repaint()
    }

    /// Paints the scene for the rotation of the sensor.
    private func repaint() {
        let upright = rotation.uprightView(of: paddedView)
        scene = (shownScene?.paint ?? paint)(upright)
        caches.replaceScene(
            with: SceneLayerCompositor(
                view: upright, sensorWidth: view.width, rotation: rotation,
                backdrop: scene.backdrop))
    }

    /// Renders a frame into a buffer with 64-byte aligned rows.
    ///
    /// - Parameters:
    ///   - time: The start of the exposure in nanoseconds.
    ///   - stabilization: The mode with which the frame is stabilized.
    ///   - reference: The start of another frame's exposure, with which the frame is aligned; nil for none. A camera
    ///     measures its rotation between the frames.
    ///   - rowPairs: For each pair of rows, 1 to render it and 0 to skip it; nil to render all.
    func render(
        _ buffer: CVPixelBuffer, time: Int64, state: CameraState, stabilization: VideoStabilization = .off,
        alignedWith reference: Int64? = nil, rowPairs: [UInt8]? = nil
    ) {
        let (luma, chroma) = (buffer.planes[0], buffer.planes[1])
        withFrame(
            time: time, state, stabilization, alignedWith: reference, usesDevelopedLayers: rowPairs == nil
        ) { frame, _ in
            frame.luma = luma.baseAddress.assumingMemoryBound(to: UInt8.self)
            frame.lumaStride = Int32(luma.bytesPerRow)
            frame.chroma = chroma.baseAddress.assumingMemoryBound(to: UInt8.self)
            frame.chromaStride = Int32(chroma.bytesPerRow)
            withExtendedLifetime(buffer) { runKernel(&frame, rowPairs) }
            if state.isLowLightBoostActive { csim_bin(&frame) }
        }
    }

    /// Calls `body` with the parameters of a frame, without its planes, and with the parameters of its color without
    /// headroom.
    ///
    /// - Parameter usesDevelopedLayers: Whether to use and cache developed planes, if the frame allows it.
    func withFrame(
        time: Int64, _ state: CameraState, _ stabilization: VideoStabilization, alignedWith reference: Int64?,
        usesDevelopedLayers: Bool, _ body: (inout csim_frame, csim_color) -> Void
    ) {
        selectScene(at: time)
        let conditions = conditions(at: time, state)
        let layers = caches.prepare(for: conditions)
        func color(headroom: Double) -> csim_color {
            csim_color(
                whiteLevel: conditions.illumination.whiteLevel, peakLuminance: layers.peakLuminance,
                headroom: headroom, crosstalk: conditions.crosstalk, gains: conditions.gains,
                matrix: conditions.matrix)
        }
        var frame = csim_frame()
        frame.color = color(headroom: conditions.headroom)
        frame.wideColor = conditions.isHLG ? 1 : 0
        frame.tables = layers.tables
        frame.noiseShift = layers.noiseShift
        frame.background = layers.background
        frame.version = layers.version
        frame.fullRange = isFullRange ? 1 : 0
        frame.tenBits = hasTenBits ? 1 : 0
        frame.scratch = scratch
        frame.noise = NoiseTable.shared.bytes
        var random = SplitMix64(seed: seed ^ UInt64(bitPattern: time))
        frame.noiseKey = random.next()
        (frame.width, frame.height) = (Int32(view.width), Int32(view.height))
        let margin = profile.stabilization[stabilization] ?? 0
        let step = Int64((65536 * (1 - 2 * margin) / state.zoom).rounded())
        frame.windowStep = step
        frame.windowX = Int64(view.width) * (65536 - step) / 2
        frame.windowY = Int64(view.height) * (65536 - step) / 2
        let taps = setWindow(&frame, reference ?? time, state, StabilizationFilter(stabilization), margin: margin)
        window = SceneWindow(
            x: frame.windowX, y: frame.windowY, step: frame.windowStep,
            axisX: Int64(view.width) * 32768 + axis.x, axisY: Int64(view.height) * 32768 + axis.y)
        let flickers = fillRowGains(time, exposure: state.exposure.seconds)
        // The kernel uses developed planes only without zoom, flicker and shake. Caching does not pay off when only a
        // few rows are rendered.
        let usesDevelopedLayers = usesDevelopedLayers && step == 65536 && !flickers && taps.isEmpty
        movingLayers.removeAll(keepingCapacity: true)
        for layer in conditions.movingLayers {
            // An object that moves along the sensor's columns is stretched by a few percent at most, which is not
            // simulated.
            let speed = rotation.speedAlongRows(layer.speed)
            let skew = Int32((speed * profile.sensor.readoutSeconds / Double(view.height) * 65536).rounded())
            movingLayers.append(layers.movingLayer(layer, skew: skew, developing: usesDevelopedLayers ? frame : nil))
        }
        taps.withUnsafeBufferPointer { taps in
            movingLayers.withUnsafeBufferPointer { movingLayers in
                rowGains.withUnsafeBufferPointer { gains in
                    frame.taps = taps.baseAddress
                    frame.tapCount = Int32(taps.count)
                    frame.movingLayers = movingLayers.baseAddress
                    frame.movingLayerCount = Int32(movingLayers.count)
                    frame.rowGain = flickers ? gains.baseAddress : nil
                    withExtendedLifetime(conditions) { body(&frame, color(headroom: 1)) }
                }
            }
        }
    }

    /// Returns the light, color and focus of a frame.
    ///
    /// - Parameter time: The start of the exposure in nanoseconds.
    private func conditions(at time: Int64, _ state: CameraState) -> FrameConditions {
        var current = light.at(nanoseconds: time)
        let lamp = flash?.litFraction(from: time, to: time + state.exposure.nanoseconds) ?? 0
        current.lux *= 1 + SceneFlash.brightness * lamp
        if matrix?.gains != state.gains {
            matrix = (state.gains, profile.sensor.colorMatrix(kelvin: state.temperature(of: state.gains)))
        }
        let sensorMatrix = matrix?.matrix ?? .identity
        let isHLG = state.colorSpace == .hlgBT2020
        return FrameConditions(
            illumination: Illumination(current, state, profile),
            crosstalk: profile.sensor.crosstalk(kelvin: current.kelvin),
            matrix: state.colorSpace.fromBT709.multiplied(by: sensorMatrix), gains: state.gains,
            iso: state.exposure.iso, exposure: state.exposure.seconds, headroom: state.headroom, isHLG: isHLG,
            lensSetting: LensSetting(profile, state),
            movingLayers: scene.movingLayers(at: time))
    }

    private func runKernel(_ frame: inout csim_frame, _ rowPairs: [UInt8]?) {
        guard let rowPairs else { return csim_render(&frame) }
        rowPairs.withUnsafeBufferPointer { rowPairs in
            frame.rowPairs = rowPairs.baseAddress
            csim_render(&frame)
        }
    }

    /// Positions the window of a camera with hand shake.
    ///
    /// - Returns: The positions of the window during the exposure; empty without hand shake.
    private func setWindow(
        _ frame: inout csim_frame, _ time: Int64, _ state: CameraState, _ filter: StabilizationFilter, margin: Double
    ) -> [csim_tap] {
        guard let shake else { return [] }
        let window = shake.window(
            at: time, exposure: state.exposure.nanoseconds, filter: filter, margin: margin)
        axis = (Int64(shake.paddingX) << 16 + window.axisX, Int64(shake.paddingY) << 16 + window.axisY)
        frame.windowX += Int64(shake.paddingX) << 16 + window.x
        frame.windowY += Int64(shake.paddingY) << 16 + window.y
        (frame.windowSkewX, frame.windowSkewY) = (window.skewX, window.skewY)
        let rows = window.taps.map { Int($0.y >> 16) }
        let neededRows = (rows.max() ?? 0) - (rows.min() ?? 0) + 5
        if ringRows < neededRows {
            ring?.deallocate()
            while ringRows < neededRows { ringRows = max(8, ringRows * 2) }
            ring = .allocate(
                byteCount: Int(csim_ring_size(Int32(shake.paddedView.width), Int32(ringRows))), alignment: 64)
        }
        (frame.ring, frame.ringRows) = (ring, Int32(ringRows))
        return window.taps
    }

    /// Computes the exposure factor of each pair of rows under a flickering lamp. Returns whether flicker is visible.
    ///
    /// - Parameters:
    ///   - time: The start of the exposure of the first row, in nanoseconds.
    ///   - exposure: The exposure time in seconds.
    private func fillRowGains(_ time: Int64, exposure: Double) -> Bool {
        guard let flicker = light.flicker, flicker.depth > 0 else { return false }
        rowGains.removeAll(keepingCapacity: true)
        let pairCount = view.height / 2
        // The lamp's phase is 0 at time 0 of the clock. Its frequency is a whole number of hertz.
        let firstRowSeconds = Double(time % 1_000_000_000) / 1e9
        var flickers = false
        for pair in 0..<pairCount {
            let rowSeconds = firstRowSeconds + profile.sensor.readoutSeconds * Double(pair) / Double(pairCount)
            let gain = SceneLight.gain(of: flicker, from: rowSeconds, exposure: exposure)
            // A change of less than a thousandth is not visible.
            if abs(gain - 1) > 0.001 { flickers = true }
            rowGains.append(UInt16((max(gain, 0).squareRoot() * 32768).rounded()))
        }
        return flickers
    }
}

extension csim_color {
    /// Creates the fixed-point color parameters.
    ///
    /// - Parameters:
    ///   - whiteLevel: The signal for a white surface in the scene's light, as a fraction of saturation.
    ///   - peakLuminance: Luminance of the brightest layer, the unit of composed light.
    ///   - headroom: The maximum luminance preserved, relative to white.
    init(
        whiteLevel: Illumination.Channels, peakLuminance: Double, headroom: Double, crosstalk: ColorMatrix,
        gains: ColorGains, matrix: ColorMatrix
    ) {
        self.init()
        let channels = [whiteLevel.red, whiteLevel.green, whiteLevel.blue].map { level -> (UInt16, UInt8) in
            // A reflectance of 1 in the brightest light is composed as 65,279, a square root of light. The kernel
            // divides the square by 2,048.
            var (number, shift) = (65536 * level * peakLuminance / headroom / (65279.0 * 65279 / 2048), UInt8(0))
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
        withUnsafeMutableBytes(of: &self.crosstalk) { bytes in
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
