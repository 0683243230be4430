import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes

@testable import AssetTypes
@testable import CaptureCore

/// A host with one camera that delivers JPEG frames and supports stabilization.
final class FakeHost: HardwareHost {
    let camera: FakeCameraDevice
    let name = "fake"
    var devices: [any HardwareDevice] { [camera] }

    init(_ camera: FakeCameraDevice) { self.camera = camera }

    func observeDevices(_ handler: @escaping @Sendable (DeviceChange) -> Void) -> ObserverToken { ObserverToken {} }
}

/// A camera of 64x48 pixels with JPEG at 15 to 60 fps, or 420v without stabilization.
///
/// As with drivers, the formats do not contain the ranges of controls.
final class FakeCameraDevice: HardwareDevice, OpenDevice {
    let clock: any CaptureClock
    /// The JPEG data of each frame.
    let frameData: Data
    let descriptor = DeviceDescriptor(
        uniqueID: "fake.camera", modelID: "fake", localizedName: "Fake", manufacturer: "Obscura", kind: .external,
        media: [.video])
    let isConnected = true
    let isInUseByAnotherApplication = false
    let controls: [DeviceControl: ControlRange]
    /// The values that the stabilization control was set to, in order, without immediate repetitions.
    let stabilization = Lock<[Int64]>([])
    /// The error with which the camera cannot be opened; nil if it can.
    let openError = Lock<DeviceError?>(nil)
    private let values = Lock<[DeviceControl: ControlValue]>([:])
    let formats: [StreamFormat] = [
        .video(
            VideoStreamFormat(
                dimensions: CMVideoDimensions(width: 64, height: 48), encoding: .compressed(kCMVideoCodecType_JPEG),
                frameDurations: [
                    FrameDurationRange(
                        minimum: CMTime(value: 1, timescale: 60), maximum: CMTime(value: 1, timescale: 15))
                ], stabilizationModes: [.standard, .cinematic])),
        .video(
            VideoStreamFormat(
                dimensions: CMVideoDimensions(width: 64, height: 48),
                encoding: .pixels(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange),
                frameDurations: [FrameDurationRange(CMTime(value: 1, timescale: 30))])),
    ]

    /// - Parameter controls: The controls in addition to stabilization.
    init(clock: any CaptureClock, controls: [DeviceControl: ControlRange] = [:]) throws {
        self.clock = clock
        self.controls = controls.merging([
            .videoStabilization: VideoStabilization.controlRange(of: [.standard, .cinematic])
        ]) { $1 }
        guard let pixels = CVPixelBuffer(width: 64, height: 48, pixelFormat: kCVPixelFormatType_32BGRA) else {
            throw AVError(.outOfMemory, "no pixel buffer")
        }
        frameData = try JPEGCodec().encode(pixels)
    }

    func open() throws(DeviceError) -> any OpenDevice {
        if let error = openError.withLock({ $0 }) { throw error }
        return self
    }

    func close() {}

    func value(of control: DeviceControl) throws(DeviceError) -> ControlValue {
        if control == .videoStabilization { return .integer(stabilization.withLock { $0.last ?? 0 }) }
        if let value = values.withLock({ $0[control] }) { return value }
        switch controls[control] {
        case .number(_, _, let defaultValue)?: return .number(defaultValue)
        case .options(_, let defaultValue)?: return .integer(defaultValue)
        default: throw DeviceError(.unsupportedControl, device: "fake", "none")
        }
    }

    func set(_ control: DeviceControl, to value: ControlValue) throws(DeviceError) {
        guard controls[control]?.contains(value) ?? false else {
            throw DeviceError(.unsupportedControl, device: "fake", "none")
        }
        guard control == .videoStabilization, case .integer(let mode) = value else {
            return values.withLock { $0[control] = value }
        }
        stabilization.withLock { if $0.last != mode { $0.append(mode) } }
    }

    func observeControls(_ handler: @escaping @Sendable (DeviceControl, ControlValue) -> Void) -> ObserverToken {
        ObserverToken {}
    }

    func makeStream(_ configuration: StreamConfiguration) throws(DeviceError) -> any DeviceStream {
        FakeStream(self, configuration)
    }
}

/// A stream that repeats one JPEG frame, even if its format is not JPEG.
final class FakeStream: DeviceStream {
    private struct State {
        var receiver: (any StreamReceiver)?
        var count: UInt64 = 0
    }

    let configuration: StreamConfiguration
    private let camera: FakeCameraDevice
    private let state = Lock(State())

    init(_ camera: FakeCameraDevice, _ configuration: StreamConfiguration) {
        self.camera = camera
        self.configuration = configuration
    }

    func start(_ receiver: any StreamReceiver) throws(DeviceError) {
        state.withLock { $0 = State(receiver: receiver) }
        scheduleFrame()
    }

    func stop() { state.withLock { $0.receiver = nil } }

    func setFrameDuration(_ duration: CMTime) throws(DeviceError) {
        throw DeviceError(.invalidState, device: "fake", "the stream is not running")
    }

    private func scheduleFrame() {
        camera.clock.schedule(at: camera.clock.now + configuration.frameDuration) { [weak self] in
            guard let self else { return }
            let (receiver, number) = state.withLock { state in
                defer { state.count += 1 }
                return (state.receiver, state.count)
            }
            guard let receiver else { return }
            receiver.receive(
                .video(
                    VideoFrame(
                        payload: .compressed(
                            CMBlockBuffer(copying: [UInt8](camera.frameData)), codec: kCMVideoCodecType_JPEG),
                        presentationTime: camera.clock.now, duration: configuration.frameDuration,
                        sequenceNumber: number)))
            scheduleFrame()
        }
    }
}
