import CaptureHAL
import MediaTypes

/// A stream of the camera's frames.
final class BarsStream: DeviceStream, @unchecked Sendable {
    // SAFETY: the camera's lock guards the variables.
    private(set) var configuration: StreamConfiguration
    private let camera: BarsCamera
    /// Weak, so that a client that releases the opened camera closes it.
    private weak var opened: OpenBarsCamera?
    private let pool: CVPixelBufferPool?
    /// The receiver of the frames; nil if the stream is stopped.
    private var receiver: (any StreamReceiver)?
    /// The time at which the next frame is due; nil if the stream is stopped.
    private var nextTime: CMTime?
    private var nextNumber: UInt64 = 0

    var isRunning: Bool { receiver != nil }

    init(_ opened: OpenBarsCamera, _ configuration: StreamConfiguration) throws(DeviceError) {
        (self.opened, camera, self.configuration) = (opened, opened.camera, configuration)
        guard case .video(let format) = configuration.format, camera.formats.contains(configuration.format) else {
            throw camera.error(.unsupportedFormat, "use one of the camera's formats")
        }
        pool = makePool(of: format.dimensions)
        try setFrameDuration(configuration.frameDuration)
    }

    func start(_ receiver: any StreamReceiver) throws(DeviceError) {
        camera.lock.lock()
        defer { camera.lock.unlock() }
        guard let opened, opened.isOpen, opened.stream === self, !isRunning else {
            throw camera.error(.invalidState, "a running, closed or replaced stream cannot be started")
        }
        self.receiver = receiver
        scheduleFrame(0, at: camera.clock.now)
    }

    func stop() {
        camera.lock.lock()
        defer { camera.lock.unlock() }
        (nextTime, receiver) = (nil, nil)
    }

    func setFrameDuration(_ duration: CMTime) throws(DeviceError) {
        camera.lock.lock()
        defer { camera.lock.unlock() }
        guard case .video(let format) = configuration.format, format.supports(frameDuration: duration) else {
            throw camera.error(.unsupportedFormat, "the camera has 1 to 60 frames per second")
        }
        configuration.frameDuration = duration
    }

    private func scheduleFrame(_ number: UInt64, at time: CMTime) {
        (nextNumber, nextTime) = (number, time)
        camera.clock.schedule(at: time) { [weak self] in self?.deliverFrame(at: time) }
    }

    private func deliverFrame(at time: CMTime) {
        camera.lock.lock()
        defer { camera.lock.unlock() }
        // Callbacks that were scheduled before the stream was stopped are ignored.
        guard let receiver, let opened, let pool, nextTime == time else { return }
        let (number, duration) = (nextNumber, configuration.frameDuration)
        scheduleFrame(number + 1, at: time + duration)

        // If clients retain as many frames as the stream has buffers, the next frame is dropped.
        let limit = [kCVPixelBufferPoolAllocationThresholdKey: configuration.bufferCount]
        var pixels: CVPixelBuffer?
        CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(nil, pool, limit, &pixels)
        guard let pixels, case .number(let zoom) = opened.camera.zoom else {
            let frame = DroppedFrame(reason: .outOfBuffers, presentationTime: time, sequenceNumber: number)
            return receiver.receive(.dropped(frame))
        }
        drawBars(in: pixels, at: time, zoom: zoom)
        let frame = VideoFrame(
            payload: .pixels(pixels), presentationTime: time, duration: duration, sequenceNumber: number,
            settings: FrameSettings(zoomFactor: zoom))
        receiver.receive(.video(frame))
    }
}
