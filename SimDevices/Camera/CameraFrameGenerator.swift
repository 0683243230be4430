import CaptureHAL
import MediaTypes
import ThreeA

/// Generates the frames of a camera stream.
final class CameraFrameGenerator: StreamGenerator, @unchecked Sendable {
    // SAFETY: `renderer`, `encoder`, `statistics` and `pendingDeliveryTimes` are only used in the generator's calls,
    // which never overlap.
    let renderer: FrameRenderer
    private let meter = FrameMeter()
    private var statistics = FrameStatistics()
    private let encoder: NativeFrameEncoder
    /// The buffer pool for each color space of the format.
    private let pools: [CameraColorSpace: CVPixelBufferPool]
    /// The maximum number of frames that clients may retain.
    private let bufferCount: Int
    /// The times, in nanoseconds, at which clients will receive the stabilized images that are delayed by their
    /// look-ahead.
    private var pendingDeliveryTimes: [Int64] = []
    private let camera: SimCamera
    private let hasMarker: Bool
    private let stillCamera: StillCamera
    /// Generates the depth maps that the client requested.
    private let depth: DepthSensor?
    /// Control changes of the automatic loops that have not been reported to observers yet.
    private let changes = Lock<[(DeviceControl, ControlValue)]>([])

    /// Creates a generator.
    ///
    /// - Throws: `.outOfResources` if memory cannot be allocated.
    init(
        camera: SimCamera, renderer: FrameRenderer, format: VideoStreamFormat, bufferCount: Int, depth: DepthSensor?
    ) throws(DeviceError) {
        let (width, height) = (Int(format.dimensions.width), Int(format.dimensions.height))
        encoder = try NativeFrameEncoder(format.encoding, width: width, height: height, device: camera.deviceID)
        // A compressed frame's payload is a copy; it does not occupy a buffer of the pool.
        var pixelFormat = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
        if case .pixels(let code) = format.encoding { pixelFormat = code }
        self.camera = camera
        self.renderer = renderer
        hasMarker = camera.profile.hasMarker || camera.device.world.hasMarker
        stillCamera = StillCamera(camera, renderer, format, hasMarker: hasMarker)
        self.depth = depth
        self.bufferCount = bufferCount
        var pools: [CameraColorSpace: CVPixelBufferPool] = [:]
        for space in format.colorSpaces {
            let attributes: [String: Any] = [
                kCVPixelBufferWidthKey: width,
                kCVPixelBufferHeightKey: height,
                kCVPixelBufferPixelFormatTypeKey: pixelFormat,
                kCVBufferPropagatedAttachmentsKey: space.attachments,
            ]
            var pool: CVPixelBufferPool?
            let status = CVPixelBufferPoolCreate(nil, nil, attributes, &pool)
            guard let pool else {
                throw DeviceError(
                    .outOfResources, device: camera.deviceID, "cannot create a pixel buffer pool (CVReturn \(status))")
            }
            pool.owner = ObjectIdentifier(camera.device.world.history)
            pool.name = "of \(camera.deviceID)"
            pools[space] = pool
        }
        self.pools = pools
    }

    func interval(for requested: CMTime) -> (value: Int64, timescale: Int64) {
        camera.state.withLock { $0.interval(for: requested) }
    }

    /// Zero, because a sensor does not buffer frames.
    var lateness: Int64 { 0 }

    func begin(at nanoseconds: Int64) {
        pendingDeliveryTimes = []
        stillCamera.begin()
        depth?.begin()
    }

    func prepare(at nanoseconds: Int64) {
        // Like real cameras, meter before the first frame without damping: libcamera's Raspberry Pi algorithms converge
        // at full speed during `startup_frames`, which are not shown.
        let start = camera.state.withLock { $0 }
        guard start.exposureControl.isAutomatic || start.whiteBalance.isAutomatic,
            let buffer = makeBuffer(supported(start.colorSpace), limit: bufferCount)
        else { return }
        renderer.setRotation(camera.device.rotation)
        let surface = encoder.renderTarget(for: buffer)
        let isShutterClosed = camera.device.condition.isSuspended
        let rowPairs = FrameMeter.meteredRowPairs(height: surface.height)
        let frameSeconds = camera.frameSeconds
        for _ in 0..<8 {
            var snapshot = camera.state.withLock { $0 }
            snapshot.isShutterClosed = isShutterClosed
            snapshot.colorSpace = supported(start.colorSpace)
            renderer.render(surface, time: nanoseconds, state: snapshot, rowPairs: rowPairs)
            guard meter.measure(surface, color: snapshot.whiteBalance.isAutomatic, focus: nil, into: &statistics)
            else { return }
            let faces = detectFaces(at: nanoseconds, snapshot).map(MeteringRegion.init)
            let changed = camera.adjust(
                after: snapshot, statistics, faces: faces, frameSeconds: frameSeconds, isImmediate: true)
            changes.withLock { $0 += changed }
            if camera.state.withLock({ !$0.exposureControl.isAdjusting && !$0.whiteBalance.isAdjusting }) { break }
        }
    }

    func event(at nanoseconds: Int64, index: UInt64, duration: CMTime, followsLoss: Bool) -> StreamEvent {
        let time = CMTime(nanoseconds: nanoseconds)
        let (modes, selected) = camera.state.withLock { ($0.stabilization, $0.colorSpace) }
        let colorSpace = supported(selected)
        pendingDeliveryTimes.removeAll { $0 < nanoseconds }
        guard let buffers = makeBuffers(colorSpace, imageCount: 1 + modes.count) else {
            return .dropped(
                DroppedFrame(
                    reason: .outOfBuffers, presentationTime: time, sequenceNumber: index,
                    carriesDepth: depth?.consumeDueMap(at: nanoseconds, duration: duration) ?? false))
        }
        renderer.setRotation(camera.device.rotation)
        var snapshot = camera.state.withLock { $0.takeSnapshot() }
        snapshot.isShutterClosed = camera.device.condition.isSuspended
        snapshot.colorSpace = colorSpace
        // Render the stabilized images first: the meter and the depth sensor use the last rendered image, which must be
        // the unstabilized one.
        var stabilized: [VideoStabilization: VideoFrame.StabilizedImage] = [:]
        for (mode, buffer) in zip(modes, buffers.dropFirst()) {
            let lookAhead = StabilizationFilter(mode).lookAheadNanoseconds
            pendingDeliveryTimes.append(nanoseconds + lookAhead)
            let surface = encoder.renderTarget(for: buffer)
            renderer.render(surface, time: nanoseconds, state: snapshot, stabilization: mode)
            drawMarker(on: surface, index, nanoseconds)
            stabilized[mode] = VideoFrame.StabilizedImage(
                payload: encoder.encode(into: buffer), lookAhead: CMTime(nanoseconds: lookAhead))
        }
        let buffer = buffers[0]
        let surface = encoder.renderTarget(for: buffer)
        renderer.render(surface, time: nanoseconds, state: snapshot)
        let detected = detectFaces(at: nanoseconds, snapshot)
        let (faces, regions) = camera.faces.withLock { ($0.track(detected, at: nanoseconds), $0.regions) }
        if index % snapshot.meteringInterval == 0,
            meter.measure(
                surface, color: snapshot.whiteBalance.isAutomatic,
                focus: snapshot.focus.isAutomatic ? snapshot.focus.window : nil, into: &statistics)
        {
            let changed = camera.adjust(
                after: snapshot, statistics, faces: regions, frameSeconds: duration.seconds)
            changes.withLock { $0 += changed }
        }
        drawMarker(on: surface, index, nanoseconds)
        stillCamera.retain(RecentFrame(nanoseconds: nanoseconds, index: index, state: snapshot))
        return .video(
            VideoFrame(
                payload: encoder.encode(into: buffer), presentationTime: time, duration: duration,
                sequenceNumber: index, settings: snapshot.settings,
                depth: depth?.delivery(
                    from: renderer, at: nanoseconds, duration: duration, isCovered: snapshot.isShutterClosed),
                faces: faces, stabilized: stabilized))
    }

    /// Returns the faces in the frame that was rendered last, with the persons' numbers as identifiers.
    private func detectFaces(at nanoseconds: Int64, _ snapshot: CameraState) -> [DetectedFace] {
        camera.profile.detectsFaces ? renderer.detectFaces(at: nanoseconds, state: snapshot) : []
    }

    private func drawMarker(on surface: CVPixelBuffer, _ index: UInt64, _ nanoseconds: Int64) {
        guard hasMarker else { return }
        FrameMarker(counter: UInt32(truncatingIfNeeded: index), nanoseconds: nanoseconds).draw(on: surface)
    }

    func prepareStill(_ shot: StillShot) {
        guard shot.request.firesFlash, camera.profile.flashLuxSeconds > 0 else { return }
        camera.state.withLock { $0.lamps.isFlashArmed = true }
    }

    func still(_ shot: StillShot, with frame: VideoFrame) -> StillFrame { stillCamera.capture(shot, with: frame) }

    /// Returns what the camera measures of the subject in its focus window, and of the light.
    ///
    /// - Parameter depths: The depths of the last frame.
    func measurement(_ depths: ExactDepths) -> ConstituentSelector.Measurement {
        let state = camera.state.withLock { $0 }
        let isExposed = !state.exposureControl.isAdjusting
        return ConstituentSelector.Measurement(
            distance: depths.subjectDistance(in: state.focus.window),
            light: isExposed && state.exposureControl.isAutomatic
                ? ConstituentSelector.Lens.light(
                    aperture: state.aperture, seconds: state.exposure.seconds, iso: state.exposure.iso,
                    offset: state.exposureControl.offset)
                : nil,
            isSettled: isExposed && !state.focus.isAdjusting)
    }

    func reportChanges() {
        let changed = changes.withLock { changes in
            defer { changes = [] }
            return changes
        }
        for change in changed { camera.notifyObservers(change) }
    }

    func loss(at nanoseconds: Int64, index: UInt64, duration: CMTime, message: String) -> StreamEvent? {
        .dropped(
            DroppedFrame(
                reason: .discontinuity, presentationTime: CMTime(nanoseconds: nanoseconds), sequenceNumber: index,
                message: message, carriesDepth: depth?.consumeDueMap(at: nanoseconds, duration: duration) ?? false))
    }

    /// Returns a color space, or BT.709 if the format does not support it.
    private func supported(_ colorSpace: CameraColorSpace) -> CameraColorSpace {
        pools[colorSpace] == nil ? .bt709 : colorSpace
    }

    /// Returns the buffers of a frame; nil if clients retain too many. Images that have not been delivered yet do not
    /// count.
    private func makeBuffers(_ colorSpace: CameraColorSpace, imageCount: Int) -> [CVPixelBuffer]? {
        let limit = bufferCount * imageCount + pendingDeliveryTimes.count + imageCount - 1
        var buffers: [CVPixelBuffer] = []
        for _ in 0..<imageCount {
            guard let buffer = makeBuffer(colorSpace, limit: limit) else { return nil }
            buffers.append(buffer)
        }
        return buffers
    }

    /// Returns a buffer; nil if `limit` buffers are in use.
    private func makeBuffer(_ colorSpace: CameraColorSpace, limit: Int) -> CVPixelBuffer? {
        if let buffer = makePooledBuffer(colorSpace, limit: limit) { return buffer }
        camera.device.world.history.releaseFrames()
        return makePooledBuffer(colorSpace, limit: limit)
    }

    private func makePooledBuffer(_ colorSpace: CameraColorSpace, limit: Int) -> CVPixelBuffer? {
        guard let pool = pools[colorSpace] else { return nil }
        let limits = [kCVPixelBufferPoolAllocationThresholdKey: limit]
        var buffer: CVPixelBuffer?
        CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(nil, pool, limits, &buffer)
        return buffer
    }
}

extension CameraColorSpace {
    /// The matrix from linear BT.709 to the primaries of the color space.
    var fromBT709: ColorMatrix {
        switch self {
        case .bt709: .identity
        case .p3D65: .p3D65
        case .hlgBT2020: .bt2020
        }
    }

    /// The attachments of frames in the color space.
    var attachments: [CFString: CFString] {
        switch self {
        case .bt709:
            [
                kCVImageBufferColorPrimariesKey: kCVImageBufferColorPrimaries_ITU_R_709_2,
                kCVImageBufferTransferFunctionKey: kCVImageBufferTransferFunction_ITU_R_709_2,
                kCVImageBufferYCbCrMatrixKey: kCVImageBufferYCbCrMatrix_ITU_R_709_2,
            ]
        case .p3D65:
            [
                kCVImageBufferColorPrimariesKey: kCVImageBufferColorPrimaries_P3_D65,
                kCVImageBufferTransferFunctionKey: kCVImageBufferTransferFunction_ITU_R_709_2,
                kCVImageBufferYCbCrMatrixKey: kCVImageBufferYCbCrMatrix_ITU_R_709_2,
            ]
        case .hlgBT2020:
            [
                kCVImageBufferColorPrimariesKey: kCVImageBufferColorPrimaries_ITU_R_2020,
                kCVImageBufferTransferFunctionKey: kCVImageBufferTransferFunction_ITU_R_2100_HLG,
                kCVImageBufferYCbCrMatrixKey: kCVImageBufferYCbCrMatrix_ITU_R_2020,
            ]
        }
    }
}
