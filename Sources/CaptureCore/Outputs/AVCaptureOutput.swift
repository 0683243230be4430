import CaptureHAL
public import Foundation
public import MediaAssets
import MediaTypes

/// A destination of a session's media.
open class AVCaptureOutput: NSObject, @unchecked Sendable {
    // SAFETY: `membership` is behind a lock; what a subclass adds is constant or behind a lock.
    let system: CaptureSystem
    private let membership = Lock(WeakReference<AVCaptureSession>(nil))

    init(system: CaptureSystem) {
        self.system = system
    }

    /// The session to which the output belongs.
    var session: AVCaptureSession? {
        get { membership.withLock { $0.object } }
        set { membership.withLock { $0 = WeakReference(newValue) } }
    }

    /// The connections that end here.
    public var connections: [AVCaptureConnection] {
        session?.connections.filter { $0.consumer === self } ?? []
    }

    /// The first connection that carries a medium to this output.
    public func connection(with mediaType: AVMediaType) -> AVCaptureConnection? {
        connections.first { connection in connection.inputPorts.contains { $0.mediaType == mediaType } }
    }

    /// The media that the output takes; a session connects them by itself.
    var acceptedMedia: [AVMediaType] { [] }

    /// Whether pixels are turned and mirrored by the connection.
    var turnsPixels: Bool { false }

    /// The size of what is made of a picture.
    func deliveredSize(of geometry: PictureGeometry) -> CGSize {
        let size = geometry.pictureSize
        return geometry.rotationAngle % 180 == 0 ? size : CGSize(width: size.height, height: size.width)
    }

    /// Takes a frame or sound from a connection that is enabled.
    ///
    /// Runs on the device's thread, one call at a time for each port, and must not block for long.
    func receive(_ media: CapturedMedia, from connection: AVCaptureConnection) {}

    /// What takes pictures from a connection in place of `receive` while the settings are as now; nil where that must take
    /// them all.
    func pictureShortcut(from connection: AVCaptureConnection) -> VideoDataReceiver? { nil }

    /// Takes the depth of a picture, or that it has none, from a connection that is enabled; as `receive`, after the
    /// picture.
    func receiveDepth(_ depth: CapturedDepth, from connection: AVCaptureConnection) {}

    /// A frame that the device could not deliver.
    func receiveDrop(_ drop: DroppedFrame, from connection: AVCaptureConnection) {}

    /// Connections to this output were made or removed, be it in an open configuration.
    func connectionsDidChange() {}

    /// A configuration was committed, or the format of a camera or of its depth has changed.
    func configurationDidChange() {}

    /// A client has enabled or disabled a connection.
    func connectionDidChange(_ connection: AVCaptureConnection) {}

    /// The source of a connection has no more; its last frame ended at `time`.
    func sourceDidEnd(_ connection: AVCaptureConnection, at time: CMTime) {}

    /// The session runs; told after its observers were.
    func sessionDidStart() {}

    /// The media stop because the session does, or because this output or its input leaves it.
    ///
    /// May run while the session is locked: what is told to clients goes through the clock.
    func sessionDidStop(_ reason: StopReason) {}

    /// Why a frame did not come.
    public enum DataDroppedReason: Int, Sendable, Hashable {
        case none = 0
        /// The client was busy with an earlier one.
        case lateData = 1
        /// The client holds all buffers.
        case outOfBuffers = 2
        /// The device lost some.
        case discontinuity = 3
    }

    /// Why media stop coming.
    enum StopReason {
        case stopped
        case reconfigured
        case interrupted(InterruptionReason)
        case failed(AVError)
    }
}
