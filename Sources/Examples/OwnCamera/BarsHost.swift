public import CaptureHAL
import Foundation
import MediaTypes

/// A source of devices with one camera that draws its frames: color bars that move to the left by one bar per second.
///
/// It meets all requirements of `HardwareHost`; use it as a starting point for your own host.
public final class BarsHost: HardwareHost {
    public let name = "bars"
    public let devices: [any HardwareDevice]

    /// Creates the host. The clock, real or virtual, schedules the frames and determines their timestamps.
    public init(clock: any CaptureClock) { devices = [BarsCamera(clock: clock)] }

    /// Does nothing, because the camera is never disconnected.
    public func observeDevices(_: @escaping @Sendable (DeviceChange) -> Void) -> ObserverToken { ObserverToken {} }
}

final class BarsCamera: HardwareDevice, @unchecked Sendable {
    // SAFETY: `lock` guards the variables; everything else is constant.
    let descriptor = DeviceDescriptor(
        uniqueID: "bars:0", modelID: "Bars", localizedName: "Color Bars", manufacturer: "Example", kind: .external,
        media: [.video])
    /// Two sizes, each at 1 to 60 frames per second.
    let formats = [(640, 360), (1280, 720)].map { (width: Int32, height: Int32) in
        let rates = FrameDurationRange(
            minimum: CMTime(value: 1, timescale: 60), maximum: CMTime(value: 1, timescale: 1))
        let size = CMVideoDimensions(width: width, height: height)
        return StreamFormat.video(
            VideoStreamFormat(
                dimensions: size, encoding: .pixels(kCVPixelFormatType_32BGRA), frameDurations: [rates],
                maximumZoomFactor: 4))
    }
    let isConnected = true
    let isInUseByAnotherApplication = false
    let clock: any CaptureClock
    private let lock = NSLock()
    private weak var openCamera: OpenBarsCamera?
    private var currentZoom = 1.0

    init(clock: any CaptureClock) { self.clock = clock }

    /// The zoom factor. It stays when a client closes the camera.
    var zoom: Double {
        get { lock.withLock { currentZoom } }
        set { lock.withLock { currentZoom = newValue } }
    }

    func open() throws(DeviceError) -> any OpenDevice {
        lock.lock()
        defer { lock.unlock() }
        if let openCamera, !openCamera.streams.isClosed {
            throw error(.busy, "another client has the camera open; close it first")
        }
        let new = OpenBarsCamera(self)
        openCamera = new
        return new
    }

    func error(_ code: DeviceError.Code, _ message: String) -> DeviceError {
        DeviceError(code, device: "bars:0", message)
    }
}

/// The camera while a client has it open.
final class OpenBarsCamera: OpenDevice {
    let controls: [DeviceControl: ControlRange] = [.zoomFactor: .number(1...4, step: 0, default: 1)]
    let camera: BarsCamera
    let streams = DeviceStreams<BarsStream>(device: "bars:0")

    init(_ camera: BarsCamera) { self.camera = camera }

    deinit { close() }

    func value(of control: DeviceControl) throws(DeviceError) -> ControlValue {
        let zoom = ControlValue.number(camera.zoom)
        try check(control, zoom)
        return zoom
    }

    func set(_ control: DeviceControl, to value: ControlValue) throws(DeviceError) {
        try check(control, value)
        if case .number(let zoom) = value { camera.zoom = zoom }
    }

    private func check(_ control: DeviceControl, _ value: ControlValue) throws(DeviceError) {
        try streams.checkOpen()
        guard controls[control]?.contains(value) == true else {
            throw camera.error(.unsupportedControl, "\(control) cannot be \(value); zoomFactor can be 1 to 4")
        }
    }

    /// Does nothing, because the camera does not change controls by itself.
    func observeControls(_: @escaping @Sendable (DeviceControl, ControlValue) -> Void) -> ObserverToken {
        ObserverToken {}
    }

    func makeStream(_ configuration: StreamConfiguration) throws(DeviceError) -> any DeviceStream {
        try streams.replace(.video) { () throws(DeviceError) in try BarsStream(camera, configuration) }
    }

    func close() { streams.close() }
}
