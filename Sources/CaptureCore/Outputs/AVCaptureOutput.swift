public import AssetTypes
package import CaptureHAL
public import Foundation
public import KeyValueObserving
import MediaTypes

/// A destination of a session's media.
///
/// A session queries an output's capabilities through the overridable properties below, never its type.
open class AVCaptureOutput: NSObject, KeyValueObserving, @unchecked Sendable {
    // SAFETY: `membership` is behind a lock; the state of a subclass is immutable or behind a lock.
    package let system: CaptureSystem
    let delegateCalls: DelegateCalls
    public let observedProperties: ObservedProperties
    private let membership = Lock(Membership())

    private struct Membership: Sendable {
        weak var session: AVCaptureSession?
        /// The value that the client has set; nil means the default.
        var isStartDeferred: Bool?
    }

    init(system: CaptureSystem) {
        self.system = system
        delegateCalls = DelegateCalls.of(system)
        observedProperties = ObservedProperties(system.reference, system.misuse)
        super.init()
        system.reference.lifetimes.add(self, "the output")
    }

    /// The type. Unlike Apple's, it contains no address, so that messages are the same in each run.
    open override var description: String { "<\(type(of: self))>" }

    /// The session to which the output belongs.
    package final var owningSession: AVCaptureSession? { session }

    /// The session to which the output belongs.
    var session: AVCaptureSession? { membership.withLock { $0.session } }

    /// Makes the output belong to a session.
    ///
    /// - Returns: Whether it belongs to the session now; false if it belongs to another one.
    @discardableResult
    func join(_ session: AVCaptureSession) -> Bool {
        membership.withLock { membership in
            if let current = membership.session { return current === session }
            membership.session = session
            return true
        }
    }

    /// Removes the output from a session if it belongs to it.
    func leave(_ session: AVCaptureSession) {
        membership.withLock { if $0.session === session { $0.session = nil } }
    }

    /// Whether a session can start this output after the others; always true.
    public var isDeferredStartSupported: Bool { true }

    /// Whether the session starts this output after the outputs without deferred start; by default true for photo and
    /// file outputs, false for others.
    ///
    /// It takes effect when the session starts, or with the next commit.
    public var isDeferredStartEnabled: Bool {
        get {
            observedProperties.access()
            return isStartDeferred
        }
        set {
            membership.withLock { $0.isStartDeferred = newValue }
            observedProperties.changed()
        }
    }

    /// The value of `isDeferredStartEnabled`.
    var isStartDeferred: Bool { membership.withLock { $0.isStartDeferred } ?? defersStartByDefault }

    /// The connections to this output.
    public var connections: [AVCaptureConnection] {
        session?.connections.filter { $0.consumer === self } ?? []
    }

    /// Returns the first connection to this output for a medium; nil if there is none.
    public func connection(with mediaType: AVMediaType) -> AVCaptureConnection? {
        connections.first { connection in connection.inputPorts.contains { $0.mediaType == mediaType } }
    }

    // MARK: Capabilities

    /// The media that the output receives; a session connects them automatically.
    var acceptedMedia: [AVMediaType] { [] }
    /// Whether clients can access the output; false for the internal output of a preview layer.
    var isVisibleToClients: Bool { true }
    /// The default of `isDeferredStartEnabled`.
    var defersStartByDefault: Bool { false }
    /// Whether a session can have several outputs of this type.
    var allowsSeveralPerSession: Bool { false }
    /// The class of outputs that cannot belong to the same session; nil for none.
    var incompatibleOutput: AVCaptureOutput.Type? { nil }
    /// Whether the output can be connected to ports that `AVCaptureInput.ports` does not contain: the ports of
    /// constituent devices, and the ports of a microphone for one direction.
    var acceptsHiddenPorts: Bool { true }
    /// Whether video streams must also deliver depth for this output, without a connection for depth.
    var requestsDepthWithVideo: Bool { false }
    /// Whether the connection rotates and mirrors the pixels. Otherwise, they are delivered as captured, and metadata
    /// describe the rotation.
    var rotatesPixels: Bool { false }
    /// Whether new connections use automatic mirroring, which mirrors the image of a front camera; true for previews.
    var adjustsMirroringByDefault: Bool { false }
    /// Whether a new connection rotates frames so that they are upright while the machine is in portrait.
    var isUprightInPortrait: Bool { false }
    /// Whether the camera can stabilize the frames of a connection to this output.
    var supportsStabilization: Bool { true }
    /// Whether the connection can magnify frames with `videoScaleAndCropFactor`.
    var supportsScaleAndCrop: Bool { false }
    /// Whether the connection can limit the frame rate with `videoMinFrameDuration`.
    var supportsMinimumFrameDuration: Bool { false }
    /// Whether frames can have the camera's intrinsic matrix as an attachment.
    var supportsIntrinsicMatrix: Bool { false }
    /// Whether the client receives each video frame; counts for the session's hardware cost.
    var deliversEachFrame: Bool { false }
    /// Whether the output encodes each video frame while it records; counts for the session's hardware cost.
    var recordsEachFrame: Bool { false }
    /// Whether a photo output of the same session cannot capture Live Photos.
    var preventsLivePhotos: Bool { false }
    /// The subscribers of a data output; nil for other outputs.
    var sampleSubscribers: SampleSubscribers? { nil }
    /// Whether data that arrive while the client is busy are dropped.
    var discardsLateData: Bool { false }

    /// Returns the size in pixels of the images that the output delivers.
    func deliveredSize(of geometry: FrameGeometry) -> CGSize {
        let size = geometry.frameSize
        return geometry.rotationAngle % 180 == 0 ? size : CGSize(width: size.height, height: size.width)
    }

    // MARK: Media

    /// Receives a frame or audio chunk from an enabled connection.
    ///
    /// Runs on the device's thread, one call at a time for each port, and must not block for long.
    func consume(_ media: CapturedMedia, from connection: AVCaptureConnection) {}

    /// A frame of an enabled connection is delayed by the look-ahead of stabilization; `consume` is called after
    /// `delay`.
    func willReceive(_ frame: CapturedFrame, from connection: AVCaptureConnection, after delay: CMTime) {}

    /// Receives the depth of a frame, or the report that it has none, from an enabled connection.
    ///
    /// Called after `consume` for the frame, on the same thread.
    func consumeDepth(_ depth: CapturedDepth, from connection: AVCaptureConnection) {}

    /// Receives timed metadata that the client supplies, on the thread that appends it.
    func consume(_ metadata: ClientMetadata, from connection: AVCaptureConnection) {}

    /// Receives the report of a frame that the device could not deliver.
    func consumeDrop(_ drop: DroppedFrame, from connection: AVCaptureConnection) {}

    /// The source of a connection has ended; its last frame ended at `time`.
    func sourceDidEnd(_ connection: AVCaptureConnection, at time: CMTime) {}

    // MARK: Changes

    /// Connections to this output were added or removed, possibly in an open configuration.
    func connectionsDidChange() {}

    /// A configuration was committed, or the format of a camera or of its depth has changed.
    func configurationDidChange() {}

    /// A client has enabled or disabled a connection.
    func connectionDidChange(_ connection: AVCaptureConnection) {
        sampleSubscribers?.synchronizer?.outputsDidChange()
    }

    /// The session has started; called after its observers were notified.
    func sessionDidStart() {}

    /// The media have stopped, because the session has stopped, or this output or its input was removed.
    ///
    /// May run while the session is locked: clients must be called asynchronously.
    func sessionDidStop(_ reason: StopReason) {
        sampleSubscribers?.sessionDidStop(reason, isInSession: session != nil)
    }

    /// The reason for a dropped frame.
    public enum DataDroppedReason: Int, Sendable, Hashable {
        case none = 0
        /// The client was busy with an earlier frame.
        case lateData = 1
        /// All buffers are in use.
        case outOfBuffers = 2
        /// The device lost frames.
        case discontinuity = 3
    }

    /// The reason why the media stopped.
    enum StopReason {
        case stopped
        case reconfigured
        case interrupted(InterruptionReason)
        case failed(AVError)
    }
}
