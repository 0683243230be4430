import CaptureHAL
import MediaTypes
import ThreeA

/// Makes the frames of one camera stream.
final class CameraSource: StreamSource, @unchecked Sendable {
    // SAFETY: `former`, `native` and `statistics` are used in the source's turn alone, which one thread at a time has.
    let former: FrameFormer
    private let meter = FrameMeter()
    private var statistics = FrameStatistics()
    private let native: NativePicture
    private let pool: CVPixelBufferPool
    private let limits: [String: Any]
    private let camera: SimCamera
    private let hasMarker: Bool
    /// Measures the depth that the client asked for.
    private let depth: DepthSensor?
    /// What the loops changed and nobody was told yet.
    private let changes = Lock<[(DeviceControl, ControlValue)]>([])

    /// - Throws: `.outOfResources` where there is no memory.
    init(
        camera: SimCamera, former: FrameFormer, format: VideoStreamFormat, bufferCount: Int, depth: DepthSensor?
    ) throws(DeviceError) {
        let (width, height) = (Int(format.dimensions.width), Int(format.dimensions.height))
        native = try NativePicture(format.encoding, width: width, height: height, device: camera.deviceID)
        // A compressed frame holds no picture of the pool: its few bytes are copied.
        var pixelFormat = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
        if case .pixels(let code) = format.encoding { pixelFormat = code }
        self.camera = camera
        self.former = former
        hasMarker = camera.profile.hasMarker
        self.depth = depth
        limits = [kCVPixelBufferPoolAllocationThresholdKey: bufferCount]
        let attributes: [String: Any] = [
            kCVPixelBufferWidthKey: width,
            kCVPixelBufferHeightKey: height,
            kCVPixelBufferPixelFormatTypeKey: pixelFormat,
            kCVBufferPropagatedAttachmentsKey: [
                kCVImageBufferColorPrimariesKey: kCVImageBufferColorPrimaries_ITU_R_709_2,
                kCVImageBufferTransferFunctionKey: kCVImageBufferTransferFunction_ITU_R_709_2,
                kCVImageBufferYCbCrMatrixKey: kCVImageBufferYCbCrMatrix_ITU_R_709_2,
            ],
        ]
        var pool: CVPixelBufferPool?
        let status = CVPixelBufferPoolCreate(nil, nil, attributes, &pool)
        guard let pool else {
            throw DeviceError(
                .outOfResources, device: camera.deviceID, "there is no memory for pictures (CVReturn \(status))")
        }
        self.pool = pool
    }

    func spacing(for wish: CMTime) -> (value: Int64, timescale: Int64) {
        camera.state.withLock { $0.spacing(for: wish) }
    }

    /// A sensor does not wait.
    var lateness: Int64 { 0 }

    /// A stabilizer has to have seen the path to come.
    var lookAhead: Int64 {
        StabilizationFilter(camera.state.withLock { $0.stabilization }).lookAheadNanoseconds
    }

    func begin(at nanoseconds: Int64) { depth?.begin() }

    func prepare(at nanoseconds: Int64) {
        // The camera meters before its first frame and goes the whole way at once, as real ones do: libcamera's Raspberry Pi
        // algorithms run at full speed for their `startup_frames`, and the first frames are not shown.
        guard camera.state.withLock({ $0.isMetering || $0.isBalancing }), let buffer = makeBuffer() else { return }
        let surface = native.surface(for: buffer)
        let pairs = FrameMeter.pairsRead(ofHeight: surface.height)
        let frameSeconds = camera.frameSeconds
        for _ in 0..<8 {
            let snapshot = camera.state.withLock { $0 }
            former.form(surface, time: nanoseconds, state: snapshot, wanted: pairs)
            guard meter.measure(surface, color: snapshot.isBalancing, focus: nil, into: &statistics) else { return }
            let changed = camera.adjust(after: snapshot, statistics, frameSeconds: frameSeconds, isImmediate: true)
            changes.withLock { $0 += changed }
            if camera.state.withLock({ !$0.isAdjustingExposure && !$0.isAdjustingBalance }) { break }
        }
    }

    func event(at nanoseconds: Int64, index: UInt64, duration: CMTime, lost: Bool) -> StreamEvent {
        let time = CMTime(nanoseconds: nanoseconds)
        guard let buffer = makeBuffer() else {
            return .dropped(
                DroppedFrame(
                    reason: .outOfBuffers, presentationTime: time, sequenceNumber: index,
                    carriesDepth: depth?.takeDue(at: nanoseconds) ?? false))
        }
        let surface = native.surface(for: buffer)
        let snapshot = camera.state.withLock { $0.takeSnapshot() }
        former.form(surface, time: nanoseconds, state: snapshot)
        if index % snapshot.meteringInterval == 0,
            meter.measure(
                surface, color: snapshot.isBalancing, focus: snapshot.isFocusing ? snapshot.focusPoint : nil,
                into: &statistics)
        {
            let changed = camera.adjust(after: snapshot, statistics, frameSeconds: duration.seconds)
            changes.withLock { $0 += changed }
        }
        if hasMarker {
            FrameMarker(counter: UInt32(truncatingIfNeeded: index), nanoseconds: nanoseconds).draw(on: surface)
        }
        return .video(
            VideoFrame(
                payload: native.payload(buffer), presentationTime: time, duration: duration, sequenceNumber: index,
                settings: snapshot.settings, depth: depth?.delivery(from: former, at: nanoseconds, duration: duration)))
    }

    func tellChanges() {
        let changed = changes.withLock { changes in
            defer { changes = [] }
            return changes
        }
        for change in changed { camera.tell(change) }
    }

    func loss(at nanoseconds: Int64, index: UInt64, message: String) -> StreamEvent? {
        .dropped(
            DroppedFrame(
                reason: .discontinuity, presentationTime: CMTime(nanoseconds: nanoseconds), sequenceNumber: index,
                message: message, carriesDepth: depth?.takeDue(at: nanoseconds) ?? false))
    }

    private func makeBuffer() -> CVPixelBuffer? {
        var buffer: CVPixelBuffer?
        CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(nil, pool, limits, &buffer)
        return buffer
    }
}
