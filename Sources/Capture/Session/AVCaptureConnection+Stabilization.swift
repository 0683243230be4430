import CaptureHAL
import Foundation
import MediaTypes

/// Steady pictures.
extension AVCaptureConnection {
    /// Whether the camera has formats whose pictures it can steady, and the connection's end can show them.
    public var isVideoStabilizationSupported: Bool {
        guard let device = camera, consumer?.supportsStabilization ?? true else { return false }
        return device.formats.contains { !$0.steadyModes.isEmpty }
    }

    /// How the pictures are to be steadied where the active format can do that; `off` by default.
    ///
    /// A camera steadies all its connections alike: where they prefer different modes, it takes the strongest.
    public var preferredVideoStabilizationMode: AVCaptureVideoStabilizationMode {
        get { latestSettings.preferredStabilization }
        set {
            if set({ $0.preferredStabilization = newValue }) { consumer?.session?.steadyCameras() }
        }
    }

    /// How they are steadied now; never `auto`, and `off` where the active format cannot. Can be observed.
    public var activeVideoStabilizationMode: AVCaptureVideoStabilizationMode {
        observedProperties.access()
        return stabilization
    }

    @available(*, deprecated, message: "Use activeVideoStabilizationMode instead.")
    public var isVideoStabilizationEnabled: Bool { activeVideoStabilizationMode != .off }

    @available(*, deprecated, message: "Use preferredVideoStabilizationMode instead.")
    public var enablesVideoStabilizationWhenAvailable: Bool {
        get { preferredVideoStabilizationMode != .off }
        set { preferredVideoStabilizationMode = newValue ? .auto : .off }
    }

    /// The camera whose pictures come, nil for a constituent, which is not the client's to set.
    var camera: AVCaptureDevice? {
        guard mediaType == .video, let port = inputPorts.first else { return nil }
        let device = (port.ownerIfAlive as? AVCaptureDeviceInput)?.device
        return device === port.source ? device : nil
    }

    private var stabilization: AVCaptureVideoStabilizationMode {
        guard isVideoStabilizationSupported, isActive, let device = camera else { return .off }
        let duration = device.streamFrameDuration
        return device.activeFormat.stabilization(
            preferring: state.withLock { $0.settings.preferredStabilization },
            frameRate: duration.isNumeric && duration > .zero ? 1 / duration.seconds : 30)
    }

    /// Notes what is in force; whether that is new.
    fileprivate func noteStabilization() -> Bool {
        let present = stabilization
        return state.withLock { state in
            defer { state.toldStabilization = present }
            return state.toldStabilization != present
        }
    }
}

extension AVCaptureSession {
    /// Has each camera steady its pictures as its connections ask, and tells their observers.
    func steadyCameras() {
        let configuration = state.withLock { $0.configuration }
        let connections = configuration.connections
        for device in cameras(in: configuration) where !device.activeFormat.steadyModes.isEmpty {
            let asked = connections.filter { $0.camera === device }.map(\.activeVideoStabilizationMode.rawValue)
            device.set(.videoStabilization, to: .integer(Int64(asked.max() ?? 0)))
        }
        for connection in connections where connection.noteStabilization() {
            let observers = connection.observedProperties
            system.clock.deliver(on: connection.changeQueue) { observers.changed(["activeVideoStabilizationMode"]) }
        }
    }
}
