import CaptureHAL
import Foundation
import MediaTypes

/// A stream of the camera's frames.
final class BarsStream: ReplaceableStream, @unchecked Sendable {
    // SAFETY: `lock` guards the variable; everything else is constant.
    let lifeCycle: StreamLifeCycle
    private let camera: BarsCamera
    private let pool: CVPixelBufferPool?
    private let lock = NSLock()
    private var currentConfiguration: StreamConfiguration

    init(_ camera: BarsCamera, _ configuration: StreamConfiguration) throws(DeviceError) {
        (self.camera, currentConfiguration) = (camera, configuration)
        guard case .video(let format) = configuration.format, camera.formats.contains(configuration.format) else {
            throw camera.error(.unsupportedFormat, "use one of the camera's formats")
        }
        lifeCycle = StreamLifeCycle(device: "bars:0", clock: camera.clock)
        pool = makePool(of: format.dimensions)
        try setFrameDuration(configuration.frameDuration)
    }

    var configuration: StreamConfiguration { lock.withLock { currentConfiguration } }

    func start(_ receiver: any StreamReceiver) throws(DeviceError) {
        scheduleFrame(0, at: camera.clock.now, try lifeCycle.start(receiver))
    }

    func stop() { lifeCycle.stop() }

    func setFrameDuration(_ duration: CMTime) throws(DeviceError) {
        guard case .video(let format) = configuration.format, format.supports(frameDuration: duration) else {
            throw camera.error(.unsupportedFormat, "the camera has 1 to 60 frames per second")
        }
        lock.withLock { currentConfiguration.frameDuration = duration }
    }

    private func scheduleFrame(_ number: UInt64, at time: CMTime, _ run: StreamLifeCycle.Run) {
        camera.clock.schedule(at: time) { [weak self] in self?.deliverFrame(number, at: time, run) }
    }

    private func deliverFrame(_ number: UInt64, at time: CMTime, _ run: StreamLifeCycle.Run) {
        // A frame that was scheduled before the stream was stopped is not drawn.
        guard lifeCycle.currentRun == run, let pool else { return }
        let configuration = configuration
        scheduleFrame(number + 1, at: time + configuration.frameDuration, run)

        // If clients retain as many frames as the stream has buffers, the next frame is dropped.
        let limit = [kCVPixelBufferPoolAllocationThresholdKey: configuration.bufferCount]
        var pixels: CVPixelBuffer?
        CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(nil, pool, limit, &pixels)
        guard let pixels else {
            let frame = DroppedFrame(reason: .outOfBuffers, presentationTime: time, sequenceNumber: number)
            lifeCycle.deliver(.dropped(frame), of: run)
            return
        }
        let zoom = camera.zoom
        drawBars(in: pixels, at: time, zoom: zoom)
        let frame = VideoFrame(
            payload: .pixels(pixels), presentationTime: time, duration: configuration.frameDuration,
            sequenceNumber: number, settings: FrameSettings(zoomFactor: zoom))
        lifeCycle.deliver(.video(frame), of: run)
    }
}
