import AssetTypes
import CaptureBackends
import CaptureCore
import CaptureHAL
import CapturePreview
import CaptureSimulation
import Dispatch
import Foundation
import MediaTypes
import PixelKernels
import SimDevices

/// A running simulated camera in its own capture system, for capturing single frames.
final class ChartCamera {
    let device: AVCaptureDevice
    private let clock = SimClock()
    private let world: SimulatedWorld
    private let system: CaptureSystem
    private let session: AVCaptureSession
    private let latest = LatestFrame()
    private let queue = DispatchQueue(label: "obscura.chart")

    /// Starts the camera that the options select.
    ///
    /// - Parameter lux: The illuminance of the scene; nil for that of the options.
    init(options: SystemOptions, lux: Double? = nil) throws {
        do throws(DeviceError) {
            let host = try Backend.sim.makeHost(
                clock: clock, profile: options.profile, scene: options.scene ?? "chart", lux: lux ?? options.lux,
                kelvin: options.kelvin, shake: options.shake.map { HandShake(milliradians: $0) },
                hasMarker: options.marker, seed: options.seed)
            try Hold.apply(options.hold, to: host)
            system = CaptureSystem(hosts: [host], clock: clock, seed: options.seed)
        } catch {
            throw CommandFailure(error.message)
        }
        world = SimulatedWorld(clock: clock)
        world.open()
        session = system.run { AVCaptureSession() }
        guard let device = try system.run({ try options.camera() }), device.hasMediaType(.video) else {
            throw CommandFailure("there is no camera for the chart")
        }
        self.device = device
        let output = system.run { AVCaptureVideoDataOutput() }
        output.setSampleBufferDelegate(latest, queue: queue)
        session.beginConfiguration()
        session.addInput(try AVCaptureDeviceInput(device: device))
        session.addOutput(output)
        if session.canSetSessionPreset(.hd1280x720) { session.sessionPreset = .hd1280x720 }
        session.commitConfiguration()
        let coordinator = AVCaptureDevice.RotationCoordinator(device: device, previewLayer: nil)
        output.connection(with: .video)?.videoRotationAngle = coordinator.videoRotationAngleForHorizonLevelCapture
        session.startRunning()
        guard session.isRunning else { throw CommandFailure("\(device.localizedName) does not start") }
    }

    deinit {
        session.stopRunning()
        world.close()
    }

    /// Configures the camera, advances the clock by `seconds`, and returns the next frame.
    func capture(after seconds: Double, _ configure: (AVCaptureDevice) throws -> Void) throws -> CVPixelBuffer {
        try device.lockForConfiguration()
        defer { device.unlockForConfiguration() }
        try configure(device)
        clock.advance(by: .nanoseconds(Int64(seconds * 1e9)))
        latest.clear()
        guard clock.run(until: { latest.buffer != nil }, limit: .seconds(5)), let buffer = latest.buffer else {
            throw CommandFailure("no frame arrived from \(device.localizedName)")
        }
        return try copy(buffer)
    }

    /// Returns a copy in BGRA, so that the camera can reuse the buffer.
    private func copy(_ buffer: CVPixelBuffer) throws(CommandFailure) -> CVPixelBuffer {
        guard
            let copy = CVPixelBuffer(
                width: CVPixelBufferGetWidth(buffer), height: CVPixelBufferGetHeight(buffer),
                pixelFormat: kCVPixelFormatType_32BGRA)
        else { throw CommandFailure("not enough memory for a frame") }
        do throws(ImageError) {
            try PixelConverter().convert(buffer, to: copy, PixelTransform())
        } catch {
            throw CommandFailure(error.message)
        }
        latest.clear()
        return copy
    }
}

/// Keeps the latest frame of a video data output. Thread-safe.
private final class LatestFrame: AVCaptureVideoDataOutputSampleBufferDelegate, Sendable {
    private let latest = Lock<CVPixelBuffer?>(nil)

    var buffer: CVPixelBuffer? { latest.withLock { $0 } }

    func clear() { latest.withLock { $0 = nil } }

    func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) {
        let buffer = sampleBuffer.imageBuffer
        latest.withLock { $0 = buffer }
    }
}
