import CaptureBackends
import CaptureCore
import CaptureHAL
import Dispatch
import Foundation
import MediaTypes
import PixelKernels

/// A running simulated camera in a system of its own, of which single pictures are taken.
final class ChartStudio {
    let camera: AVCaptureDevice
    private let clock = SimClock()
    private let system: CaptureSystem
    private let session: AVCaptureSession
    private let newest = NewestPicture()
    private let queue = DispatchQueue(label: "chart.pictures")

    /// - Parameter lux: What lights the scene; nil for what the options say.
    init(options: SystemOptions, lux: Double? = nil) throws {
        do throws(DeviceError) {
            let host = try Backend.sim.makeHost(
                clock: clock, profile: options.profile, scene: options.scene ?? "chart", lux: lux ?? options.lux,
                kelvin: options.kelvin, seed: options.seed)
            system = CaptureSystem(hosts: [host], clock: clock, seed: options.seed)
        } catch {
            throw CommandFailure(error.message)
        }
        session = system.run { AVCaptureSession() }
        guard let camera = try system.run({ try options.camera() }), camera.hasMediaType(.video) else {
            throw CommandFailure("there is no camera to make a chart of")
        }
        self.camera = camera
        let output = system.run { AVCaptureVideoDataOutput() }
        output.setSampleBufferDelegate(newest, queue: queue)
        session.beginConfiguration()
        session.addInput(try AVCaptureDeviceInput(device: camera))
        session.addOutput(output)
        if session.canSetSessionPreset(.hd1280x720) { session.sessionPreset = .hd1280x720 }
        session.commitConfiguration()
        session.startRunning()
        guard session.isRunning else { throw CommandFailure("\(camera.localizedName) does not start") }
    }

    deinit { session.stopRunning() }

    /// Sets the camera, lets so many seconds pass, and gives the picture that it then takes.
    func shoot(after seconds: Double, _ set: (AVCaptureDevice) throws -> Void) throws -> CVPixelBuffer {
        try camera.lockForConfiguration()
        defer { camera.unlockForConfiguration() }
        try set(camera)
        clock.advance(by: .nanoseconds(Int64(seconds * 1e9)))
        newest.forget()
        guard clock.run(until: { newest.picture != nil }, limit: .seconds(5)), let picture = newest.picture else {
            throw CommandFailure("no picture came from \(camera.localizedName)")
        }
        return try copy(picture)
    }

    /// A picture with the same pixels, so that the camera has its buffer back.
    private func copy(_ picture: CVPixelBuffer) throws(CommandFailure) -> CVPixelBuffer {
        guard
            let copy = CVPixelBuffer(
                width: CVPixelBufferGetWidth(picture), height: CVPixelBufferGetHeight(picture),
                pixelFormat: kCVPixelFormatType_32BGRA)
        else { throw CommandFailure("a picture does not fit into memory") }
        do throws(PixelError) {
            try PixelConverter().convert(picture, to: copy, PixelTransform())
        } catch {
            throw CommandFailure(error.message)
        }
        newest.forget()
        return copy
    }
}

/// Keeps the last picture of a video data output.
private final class NewestPicture: AVCaptureVideoDataOutputSampleBufferDelegate, Sendable {
    private let last = Lock<CVPixelBuffer?>(nil)

    var picture: CVPixelBuffer? { last.withLock { $0 } }

    func forget() { last.withLock { $0 = nil } }

    func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) {
        let picture = sampleBuffer.imageBuffer
        last.withLock { $0 = picture }
    }
}
