import CSimKernels
import CaptureHAL
import MediaTypes
import PixelKernels

/// Measures how far away is what a stream's pictures show: the scene's own depths, with the faults of the method.
///
/// What is seen of a depth by one of two eyes only cannot be triangulated. Places are compared in their order, as by
/// D. Geiger, B. Ladendorf, A. Yuille, "Occlusions and Binocular Stereo", International Journal of Computer Vision 14
/// (1995): behind something near, a strip of what lies to the left of it is missing.
///
/// Confined to the turn of the stream's source.
final class DepthSensor {
    private let profile: DepthProfile
    private let configuration: DepthConfiguration
    private let seed: UInt64
    private let pool: CVPixelBufferPool
    private var plane: [Float]
    private var measured: [Float]
    private var rowMetres: [Float] = []
    /// When the next map is due, in nanoseconds; nil before the first.
    private var due: Int64?
    /// An ideal lens bends nothing.
    private static let noDistortion = [Float](repeating: 0, count: 42)

    init(_ profile: DepthProfile, _ configuration: DepthConfiguration, seed: UInt64, bufferCount: Int) {
        self.profile = profile
        self.configuration = configuration
        self.seed = seed
        let size = configuration.format.dimensions
        let count = Int(size.width) * Int(size.height)
        plane = [Float](repeating: .nan, count: count)
        measured = plane
        pool = CVPixelBufferPool(
            width: Int(size.width), height: Int(size.height), pixelFormat: configuration.format.pixelFormat,
            maximumBufferCount: bufferCount)
    }

    private var width: Int { Int(configuration.format.dimensions.width) }
    private var height: Int { Int(configuration.format.dimensions.height) }

    /// A new start.
    func begin() { due = nil }

    /// Whether a map is due with the picture that was lost at a time; it counts as lost then.
    func takeDue(at nanoseconds: Int64) -> Bool { takeDue(at: nanoseconds, slack: 0) }

    private func takeDue(at nanoseconds: Int64, slack: Int64) -> Bool {
        let interval = configuration.frameDuration.nanoseconds
        guard let due else {
            due = nanoseconds + interval
            return true
        }
        guard nanoseconds + slack >= due else { return false }
        self.due = (nanoseconds - due > interval ? nanoseconds : due) + interval
        return true
    }

    /// The map that belongs to the picture that `former` has just formed; nil where none is due.
    func delivery(from former: FrameFormer, at nanoseconds: Int64, duration: CMTime) -> FrameDepth? {
        guard takeDue(at: nanoseconds, slack: duration.isNumeric ? duration.nanoseconds / 2 : 0) else { return nil }
        guard let buffer = pool.makeBuffer() else { return .dropped(.outOfBuffers) }
        cover(former, at: nanoseconds)
        measure(former, at: nanoseconds)
        let map = DepthMap(width: width, height: height, isDisparity: givesDisparity, values: measured)
        do throws(PixelError) {
            try map.write(to: buffer)
        } catch {
            return .dropped(.damaged)
        }
        return .map(
            DepthFrame(
                map: buffer, isAbsolute: profile.method != .stereo, calibration: Self.calibration(of: former)))
    }

    private var givesDisparity: Bool { DepthMap.isDisparity(configuration.format.pixelFormat) }

    /// Notes the depth of all that the picture shows.
    private func cover(_ former: FrameFormer, at nanoseconds: Int64) {
        let (view, shown) = (former.view, former.window)
        var window = csim_depth_window()
        window.x = shown.x
        window.y = shown.y
        window.stepX = shown.step * Int64(view.width) / Int64(width)
        window.stepY = shown.step * Int64(view.height) / Int64(height)
        for index in plane.indices { plane[index] = .nan }
        for layer in former.scene.backdrop + former.scene.movers(at: nanoseconds) {
            var raw = layer.bitmap.layer(x: layer.x, y: layer.y)
            let readout = former.profile.sensor.readoutSeconds
            raw.skew = Int32((layer.speed * readout / Double(view.height) * 65536).rounded())
            rowMetres.removeAll(keepingCapacity: true)
            if let depths = layer.rowDepth, let last = depths.last {
                for row in layer.bitmap.top..<layer.bitmap.top + Int(raw.height) {
                    rowMetres.append(Float(row < depths.count ? depths[row] : last))
                }
            }
            withExtendedLifetime(layer) {
                rowMetres.withUnsafeBufferPointer { rows in
                    csim_depth_cover(
                        &raw, Float(layer.depth), rows.isEmpty ? nil : rows.baseAddress, &window, Int32(width),
                        Int32(height), &plane)
                }
            }
        }
    }

    private func measure(_ former: FrameFormer, at nanoseconds: Int64) {
        var sensor = csim_depth_sensor()
        sensor.triangulates = profile.method.triangulates ? 1 : 0
        sensor.givesDisparity = givesDisparity ? 1 : 0
        sensor.nearest = Float(profile.range.lowerBound)
        sensor.farthest = Float(profile.range.upperBound)
        sensor.noise1 = Float(profile.noiseMetres)
        let focalLength = Self.focalLength(of: former) * Double(width) / Double(former.view.width)
        sensor.shift = Float(focalLength * profile.baselineMetres)
        var dice = SceneDice(seed: seed ^ UInt64(bitPattern: nanoseconds) ^ 0x6465_7074)
        sensor.noiseKey = dice.next()
        sensor.noise = NoiseTable.shared.bytes
        csim_depth_measure(&sensor, Int32(width), Int32(height), plane, &measured)
    }

    /// In pixels of the picture.
    private static func focalLength(of former: FrameFormer) -> Double {
        former.view.scale * 65536 / Double(former.window.step)
    }

    private static func calibration(of former: FrameFormer) -> CameraCalibration {
        let (view, window) = (former.view, former.window)
        let focalLength = focalLength(of: former)
        return CameraCalibration(
            referenceDimensions: CMVideoDimensions(width: Int32(view.width), height: Int32(view.height)),
            focalLength: focalLength,
            centreX: Double(window.axisX - window.x) / Double(window.step),
            centreY: Double(window.axisY - window.y) / Double(window.step),
            pixelSizeMillimetres: former.profile.lens.focalLengthMillimetres / focalLength, distortion: noDistortion)
    }
}

extension SimCamera {
    /// What measures the depth that a stream was asked for; nil where none was.
    ///
    /// - Throws: `.unsupportedFormat` where the pictures' format does not offer it.
    func depthSensor(
        _ configuration: StreamConfiguration, _ format: VideoStreamFormat, _ depth: DepthProfile?
    ) throws(DeviceError) -> DepthSensor? {
        guard let wanted = configuration.depth else { return nil }
        guard let depth, format.depthFormats.contains(wanted.format) else {
            throw DeviceError(
                .unsupportedFormat, device: deviceID, "the format has no such depth; see its depthFormats")
        }
        guard wanted.format.supports(frameDuration: wanted.frameDuration) else {
            throw DeviceError(
                .unsupportedFormat, device: deviceID,
                "depth maps \(wanted.frameDuration.seconds) s apart are not on offer in this format")
        }
        return DepthSensor(
            depth, wanted, seed: device.world.seed(of: deviceID), bufferCount: configuration.bufferCount)
    }
}
