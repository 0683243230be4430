import AssetTypes
import CaptureHAL
import Foundation
import MediaTypes

/// Video stabilization.
extension AVCaptureConnection {
    /// Whether the camera supports stabilization in any of its formats, and the output supports it.
    public var isVideoStabilizationSupported: Bool {
        guard let device = camera, consumer?.supportsStabilization ?? true else { return false }
        return device.formats.contains { !$0.supportedStabilizationModes.isEmpty }
    }

    /// The mode to use if the active format supports it; `off` by default.
    ///
    /// Each connection has its own mode: stabilizing a movie affects neither previews nor data outputs. Modes with
    /// look-ahead delay the frames of the connection.
    public var preferredVideoStabilizationMode: AVCaptureVideoStabilizationMode {
        get {
            observedProperties.access()
            return latestSettings.preferredStabilization
        }
        set {
            if changeSettings({ $0.preferredStabilization = newValue }) { consumer?.session?.applyStabilization() }
            observedProperties.changed()
        }
    }

    /// The mode in use; never `auto`, and `off` if the active format does not support it. Can be observed.
    public var activeVideoStabilizationMode: AVCaptureVideoStabilizationMode {
        observedProperties.access()
        return stabilization
    }

    @available(*, deprecated, message: "Use activeVideoStabilizationMode instead.")
    public var isVideoStabilizationEnabled: Bool { activeVideoStabilizationMode != .off }

    /// Whether the mode `auto` is preferred; setting it without support is misuse.
    @available(*, deprecated, message: "Use preferredVideoStabilizationMode instead.")
    public var enablesVideoStabilizationWhenAvailable: Bool {
        get { preferredVideoStabilizationMode != .off }
        set {
            guard isVideoStabilizationSupported else {
                return misuse.report(
                    .invalidArgument,
                    "-[AVCaptureConnection setEnablesVideoStabilizationWhenAvailable:] video stabilization is not "
                        + "supported by the connection - use -isVideoStabilizationSupported")
            }
            preferredVideoStabilizationMode = newValue ? .auto : .off
        }
    }

    /// The camera of the connection; nil for a constituent, which clients cannot configure.
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

    /// Returns the mode of the image that the connection receives; `off` if the frame has no image that was stabilized
    /// with the mode in use.
    ///
    /// - Parameter images: The stabilized images of the frame.
    func stabilization(among images: [VideoStabilization: VideoFrame.StabilizedImage]) -> VideoStabilization {
        guard !images.isEmpty else { return .off }
        let mode = state.withLock { $0.observedStabilization }
        return VideoStabilization(rawValue: Int64(mode.rawValue)).flatMap { images[$0] == nil ? nil : $0 }
            ?? .off
    }

    /// Records the mode in use and returns whether it has changed.
    fileprivate func recordStabilization() -> Bool {
        let current = stabilization
        return state.withLock { state in
            defer { state.observedStabilization = current }
            return state.observedStabilization != current
        }
    }
}

extension AVCaptureSession {
    /// Requests the modes of all connections from their cameras and notifies the observers of changed modes.
    func applyStabilization() {
        let configuration = state.withLock { $0.configuration }
        let connections = configuration.connections
        for device in cameras(in: configuration) where !device.activeFormat.supportedStabilizationModes.isEmpty {
            let modes = connections.filter { $0.camera === device }
                .compactMap { VideoStabilization(rawValue: Int64($0.activeVideoStabilizationMode.rawValue)) }
            device.set(.videoStabilization, to: .integer(VideoStabilization.mask(of: modes)))
        }
        for connection in connections where connection.recordStabilization() {
            let observers = connection.observedProperties
            system.deliver(on: connection.changeQueue) { observers.changed(["activeVideoStabilizationMode"]) }
        }
    }
}
