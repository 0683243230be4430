import CaptureHAL
import MediaTypes
import ThreeA

/// Makes the frames of one camera stream.
final class CameraSource: StreamSource, @unchecked Sendable {
    // SAFETY: `former` and `statistics` are used in the source's turn alone, which one thread at a time has.
    private let former: FrameFormer
    private let meter = FrameMeter()
    private var statistics = FrameStatistics()
    private let pool: CVPixelBufferPool
    private let limits: [String: Any]
    private let camera: SimCamera
    private let hasMarker: Bool
    /// What the loops changed and nobody was told yet.
    private let changes = Lock<[(DeviceControl, ControlValue)]>([])

    /// - Throws: `.outOfResources` where there is no memory.
    init(camera: SimCamera, former: FrameFormer, format: VideoStreamFormat, pixelFormat: OSType, bufferCount: Int)
        throws(DeviceError)
    {
        self.camera = camera
        self.former = former
        hasMarker = camera.profile.hasMarker
        limits = [kCVPixelBufferPoolAllocationThresholdKey: bufferCount]
        let attributes: [String: Any] = [
            kCVPixelBufferWidthKey: Int(format.dimensions.width),
            kCVPixelBufferHeightKey: Int(format.dimensions.height),
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

    func begin(at nanoseconds: Int64) {}

    func prepare(at nanoseconds: Int64) {
        // The camera meters before its first frame, as real ones do while they start.
        guard camera.state.withLock({ $0.isMetering }), let buffer = makeBuffer() else { return }
        let frame = camera.frameSeconds
        for _ in 0..<8 {
            let snapshot = camera.state.withLock { $0 }
            former.form(buffer, time: nanoseconds, state: snapshot)
            guard meter.measure(buffer, color: false, focus: nil, into: &statistics) else { return }
            let isDone = camera.state.withLock { state in
                _ = state.adjust(after: snapshot, statistics, frameSeconds: frame, isImmediate: true)
                return !state.isAdjustingExposure
            }
            if isDone { break }
        }
    }

    func event(at nanoseconds: Int64, index: UInt64, duration: CMTime, lost: Bool) -> StreamEvent {
        let time = CMTime(nanoseconds: nanoseconds)
        guard let buffer = makeBuffer() else {
            return .dropped(DroppedFrame(reason: .outOfBuffers, presentationTime: time, sequenceNumber: index))
        }
        let snapshot = camera.state.withLock { $0.takeSnapshot() }
        former.form(buffer, time: nanoseconds, state: snapshot)
        if index % snapshot.meteringInterval == 0,
            meter.measure(
                buffer, color: snapshot.isBalancing, focus: snapshot.isFocusing ? snapshot.focusPoint : nil,
                into: &statistics)
        {
            let changed = camera.adjust(after: snapshot, statistics, duration: duration)
            changes.withLock { $0 += changed }
        }
        if hasMarker {
            FrameMarker(counter: UInt32(truncatingIfNeeded: index), nanoseconds: nanoseconds).draw(on: buffer)
        }
        return .video(
            VideoFrame(
                payload: .pixels(buffer), presentationTime: time, duration: duration, sequenceNumber: index,
                settings: snapshot.settings))
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
                message: message))
    }

    private func makeBuffer() -> CVPixelBuffer? {
        var buffer: CVPixelBuffer?
        CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(nil, pool, limits, &buffer)
        return buffer
    }
}
