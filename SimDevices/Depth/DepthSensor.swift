import CSimKernels
import CaptureHAL
import MediaTypes
import PixelKernels

/// Generates the depth maps of a stream from the scene's exact depths, with the errors of the measuring method.
///
/// With triangulation, points that are visible in only one of the two cameras have no depth. Points are matched in
/// order, as in D. Geiger, B. Ladendorf, A. Yuille, "Occlusions and Binocular Stereo", International Journal of
/// Computer Vision 14 (1995): depth is missing in a strip to the left of a near object.
///
/// Confined to the stream's generator.
final class DepthSensor {
    private let profile: DepthProfile
    private let configuration: DepthConfiguration
    private let seed: UInt64
    private let pool: CVPixelBufferPool
    private var exactDepths: ExactDepths
    /// The measured depths in meters, or disparities in 1/meters; NaN if there is none.
    private var measured: [Float]
    /// Time of the next map in nanoseconds; nil before the first.
    private var nextMapTime: Int64?
    /// The simulated lens has no distortion. The lookup tables of iPhones have 42 entries.
    private static let noDistortion = [Float](repeating: 0, count: 42)

    init(_ profile: DepthProfile, _ configuration: DepthConfiguration, seed: UInt64, bufferCount: Int) {
        self.profile = profile
        self.configuration = configuration
        self.seed = seed
        let size = configuration.format.dimensions
        exactDepths = ExactDepths(width: Int(size.width), height: Int(size.height))
        measured = exactDepths.values
        pool = CVPixelBufferPool(
            width: Int(size.width), height: Int(size.height), pixelFormat: configuration.format.pixelFormat,
            maximumBufferCount: bufferCount, name: "of a depth sensor")
    }

    private var width: Int { Int(configuration.format.dimensions.width) }
    private var height: Int { Int(configuration.format.dimensions.height) }

    /// Resets the schedule when the stream starts.
    func begin() { nextMapTime = nil }

    /// Returns whether a map is due with the frame at a time, and schedules the next one. If the frame is dropped, its
    /// map is dropped, too.
    ///
    /// - Parameter duration: The duration of the frame. A map that is due up to half of it later belongs to the frame.
    func consumeDueMap(at nanoseconds: Int64, duration: CMTime) -> Bool {
        let interval = configuration.frameDuration.nanoseconds
        let tolerance = duration.isNumeric ? duration.nanoseconds / 2 : 0
        guard let due = nextMapTime else {
            nextMapTime = nanoseconds + interval
            return true
        }
        guard nanoseconds + tolerance >= due else { return false }
        nextMapTime = (nanoseconds - due > interval ? nanoseconds : due) + interval
        return true
    }

    /// Returns the map of the frame that `renderer` has just rendered; nil if none is due.
    ///
    /// - Parameter isCovered: Whether a closed shutter covers the sensor, which then measures nothing.
    func delivery(
        from renderer: FrameRenderer, at nanoseconds: Int64, duration: CMTime, isCovered: Bool
    ) -> FrameDepth? {
        guard consumeDueMap(at: nanoseconds, duration: duration) else { return nil }
        guard let buffer = pool.makeBuffer() else { return .dropped(.outOfBuffers) }
        if isCovered {
            exactDepths.clear()
        } else {
            exactDepths.fill(from: renderer, at: nanoseconds)
        }
        measure(renderer, at: nanoseconds)
        let map = DepthMap(width: width, height: height, isDisparity: isDisparity, values: measured)
        do throws(ImageError) {
            try map.write(to: buffer)
        } catch {
            return .dropped(.damaged)
        }
        return .map(
            DepthFrame(
                map: buffer, isAbsolute: profile.method != .stereo, calibration: Self.calibration(of: renderer)))
    }

    private var isDisparity: Bool { DepthMap.isDisparity(configuration.format.pixelFormat) }

    /// Sets `measured` to the exact depths with the errors of the measuring method.
    private func measure(_ renderer: FrameRenderer, at nanoseconds: Int64) {
        var sensor = csim_depth_sensor()
        sensor.triangulates = profile.method.triangulates ? 1 : 0
        sensor.isDisparity = isDisparity ? 1 : 0
        sensor.nearest = Float(profile.range.lowerBound)
        sensor.farthest = Float(profile.range.upperBound)
        sensor.noiseAt1m = Float(profile.noiseMeters)
        let focalLength = Self.focalLength(of: renderer) * Double(width) / Double(renderer.view.width)
        sensor.disparityAt1m = Float(focalLength * profile.baselineMeters)
        // "dept" in ASCII, so that the noise differs from that of the video frame.
        var random = SplitMix64(seed: seed ^ UInt64(bitPattern: nanoseconds) ^ 0x6465_7074)
        sensor.noiseKey = random.next()
        sensor.noise = NoiseTable.shared.bytes
        csim_depth_measure(&sensor, Int32(width), Int32(height), exactDepths.values, &measured)
    }

    /// The focal length in pixels of the frame.
    private static func focalLength(of renderer: FrameRenderer) -> Double {
        renderer.view.scale * 65536 / Double(renderer.window.step)
    }

    private static func calibration(of renderer: FrameRenderer) -> CameraCalibration {
        let (view, window) = (renderer.view, renderer.window)
        let focalLength = focalLength(of: renderer)
        return CameraCalibration(
            referenceDimensions: CMVideoDimensions(width: Int32(view.width), height: Int32(view.height)),
            focalLength: focalLength,
            centerX: Double(window.axisX - window.x) / Double(window.step),
            centerY: Double(window.axisY - window.y) / Double(window.step),
            pixelSizeMillimeters: renderer.profile.lens.focalLengthMillimeters / focalLength, distortion: noDistortion)
    }
}

extension SimCamera {
    /// Creates the depth sensor that a stream's configuration requests; returns nil if it requests none.
    ///
    /// - Throws: `.unsupportedFormat` if the video format does not support the depth format.
    func depthSensor(
        _ configuration: StreamConfiguration, _ format: VideoStreamFormat, _ depth: DepthProfile?
    ) throws(DeviceError) -> DepthSensor? {
        guard let requested = configuration.depth else { return nil }
        guard let depth, format.depthFormats.contains(requested.format) else {
            throw DeviceError(
                .unsupportedFormat, device: deviceID,
                "the video format does not support this depth format; see its depthFormats")
        }
        guard requested.format.supports(frameDuration: requested.frameDuration) else {
            throw DeviceError(
                .unsupportedFormat, device: deviceID,
                "the format does not support a depth frame duration of \(requested.frameDuration.seconds) s")
        }
        return DepthSensor(
            depth, requested, seed: device.world.seed(of: deviceID), bufferCount: configuration.bufferCount)
    }
}
