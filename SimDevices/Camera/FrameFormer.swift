import CSimKernels
import CaptureHAL
import MediaTypes

/// Forms the pictures of one stream: scene, light, exposure, noise, white balance, transfer.
///
/// Confined to the turn of the stream's source.
final class FrameFormer {
    private let profile: CameraProfile
    private let view: SceneView
    private let scene: any PaintedScene
    private let light: SceneLight
    /// The lamp that flashes with a microphone's clicks.
    private let flash: SceneFlash?
    private let seed: UInt64
    private let isFullRange: Bool
    private let scratch: UnsafeMutableRawPointer
    private var layers: [csim_layer] = []
    private var shifts: [UnsafeMutableBufferPointer<Int32>] = []

    init(
        profile: CameraProfile, view: SceneView, scene: any PaintedScene, light: SceneLight, flash: SceneFlash?,
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
    }

    deinit {
        scratch.deallocate()
        for shift in shifts { shift.deallocate() }
    }

    /// Forms the picture that begins at `time` in `buffer`, whose rows are 64-byte aligned.
    func form(_ buffer: CVPixelBuffer, time: Int64, state: CameraState) {
        let placed = scene.layers(at: time)
        layers.removeAll(keepingCapacity: true)
        var shiftIndex = 0
        for layer in placed {
            var raw = layer.bitmap.layer(x: layer.x, y: layer.y)
            if let parallax = layer.rowParallax {
                raw.rowShift = shiftTable(shiftIndex, parallax, camera: layer.cameraOffset)
                shiftIndex += 1
            }
            let scales = scales(for: layer, time, state)
            (raw.redScale, raw.greenScale, raw.blueScale) = (scales.red, scales.green, scales.blue)
            layers.append(raw)
        }
        var frame = csim_frame()
        frame.width = Int32(view.width)
        frame.height = Int32(view.height)
        let (luma, chroma) = (buffer.planes[0], buffer.planes[1])
        frame.luma = luma.baseAddress.assumingMemoryBound(to: UInt8.self)
        frame.lumaStride = Int32(luma.bytesPerRow)
        frame.chroma = chroma.baseAddress.assumingMemoryBound(to: UInt8.self)
        frame.chromaStride = Int32(chroma.bytesPerRow)
        frame.redGain = Self.gain(state.gains.red)
        frame.greenGain = Self.gain(state.gains.green)
        frame.blueGain = Self.gain(state.gains.blue)
        setNoise(&frame, iso: state.exposure.iso)
        var dice = SceneDice(seed: seed ^ UInt64(bitPattern: time))
        frame.noiseKey = dice.next()
        frame.fullRange = isFullRange ? 1 : 0
        let step = Int64((65536 / state.zoom).rounded())
        frame.windowStep = step
        frame.windowX = Int64(view.width) * (65536 - step) / 2
        frame.windowY = Int64(view.height) * (65536 - step) / 2
        frame.scratch = scratch
        frame.noise = NoiseTable.shared.bytes
        layers.withUnsafeBufferPointer { layers in
            frame.layers = layers.baseAddress
            frame.layerCount = Int32(layers.count)
            withExtendedLifetime((buffer, placed)) { csim_form(&frame) }
        }
    }

    /// The square roots of light on a layer, in the kernel's unit.
    private func scales(for layer: PlacedLayer, _ time: Int64, _ state: CameraState) -> (
        red: UInt16, green: UInt16, blue: UInt16
    ) {
        let lamp = flash?.share(from: time, to: time + state.exposure.nanoseconds) ?? 0
        let ambient = light.lux * layer.brightness * (1 + SceneFlash.brightness * lamp)
        let ambientColor = Chromaticity(blackBody: light.kelvin).linearRGB
        // A point source's light falls with the square of distance.
        let square = max(layer.depth * layer.depth, 0.01)
        var own = profile.torchLux * state.torch / square
        if state.isFlashArmed { own += profile.flashLuxSeconds / state.exposure.seconds / square }
        let ownColor = Chromaticity(blackBody: 5200).linearRGB
        func scale(_ ambientPart: Double, _ ownPart: Double, _ response: Double) -> UInt16 {
            let part = Optics.saturation(
                lux: ambient * ambientPart + own * ownPart, seconds: state.exposure.seconds, iso: state.exposure.iso,
                aperture: profile.lens.aperture)
            return UInt16(min(65535, (8224 * (part * response).squareRoot()).rounded()))
        }
        return (
            scale(ambientColor.red, ownColor.red, profile.sensor.redResponse), scale(1, 1, 1),
            scale(ambientColor.blue, ownColor.blue, profile.sensor.blueResponse)
        )
    }

    /// Photon noise of n electrons has the deviation √n, half of which, over n's root, is that of the square root.
    ///
    /// Read noise adds to it in the dark: EMVA 1288 release 4.0, 2.2.
    private func setNoise(_ frame: inout csim_frame, iso: Double) {
        let full = profile.sensor.fullWell * profile.isoRange.lowerBound / iso
        let root = full.squareRoot()
        let shot = 4096 / root
        let dark = shot * ((1 + profile.sensor.readNoise).squareRoot() - 1)
        let level = min(8191, 2 * 8192 * profile.sensor.readNoise / root)
        func fixed(_ value: Double) -> UInt16 { UInt16(min(32767, max(0, value.rounded()))) }
        frame.greenNoise = fixed(shot * 8)
        // Demosaicing averages the colours of neighbours.
        frame.colorNoise = fixed(shot * 4)
        frame.darkLevel = fixed(level)
        frame.darkSlope = level > 0 ? fixed(dark * 8 / level * 65536) : 0
    }

    private static func gain(_ gain: Double) -> UInt16 { UInt16(min(65535, (16384 * gain.squareRoot()).rounded())) }

    /// A table of row shifts, filled for the camera's place.
    private func shiftTable(_ index: Int, _ parallax: [Double], camera: Double) -> UnsafePointer<Int32> {
        if index == shifts.count { shifts.append(.allocate(capacity: parallax.count)) }
        let table = shifts[index]
        for row in parallax.indices {
            table.initializeElement(at: row, to: -Int32((camera * parallax[row]).rounded(.down)))
        }
        return UnsafePointer(table.baseAddress.unsafelyUnwrapped)
    }
}
