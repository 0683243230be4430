import AssetTypes
import CaptureHAL
public import Foundation
public import KeyValueObserving
import MediaTypes

/// The orientation of an image.
public enum AVCaptureVideoOrientation: Int, Sendable, Hashable {
    case portrait = 1
    case portraitUpsideDown = 2
    case landscapeRight = 3
    case landscapeLeft = 4
}

/// A connection from ports of inputs to an output or a preview layer.
///
/// All settable properties can be observed. Observers are notified when a value is set, even if it takes effect with a
/// later commit.
///
/// - Important: Thread-safe.
public final class AVCaptureConnection: NSObject, KeyValueObserving, Sendable {
    struct State {
        /// The settings in effect.
        var settings = Settings()
        /// The settings that the session's outermost commit will apply; nil if there are none.
        var pending: Settings?
        /// The mode of the frames that the connection receives, as last reported to observers.
        var observedStabilization = AVCaptureVideoStabilizationMode.off
        /// Whether the connection reduces noise in dim light if that is supported; nil for the default.
        var reducesNoiseAutomatically: Bool?
        /// The audio channels, created when they are first requested or received.
        var audioChannels: [AVCaptureAudioChannel] = []
        /// The video compression settings of a movie; nil for the default settings.
        var movieSettings: MovieVideoSettings?
        /// The audio compression settings of a movie; nil for the default settings.
        var movieAudioSettings: MovieAudioSettings?
        /// Whether a movie output records changes of the orientation.
        var recordsOrientationChanges = false

        var rotationAngle: Int { settings.rotationAngle }
        var isMirrored: Bool { settings.isMirrored }
    }

    public let inputPorts: [AVCaptureInput.Port]
    /// The input of the first port; nil if it was released, or is not an `AVCaptureDeviceInput`.
    var deviceInput: AVCaptureDeviceInput? { inputPorts.first?.ownerIfAlive as? AVCaptureDeviceInput }
    /// The output; nil for a preview layer, or after the output was released.
    public var output: AVCaptureOutput? {
        consumer.flatMap { $0.isVisibleToClients ? $0 : nil }
    }
    /// The output that receives the media; for a preview layer, an internal output.
    package weak let consumer: AVCaptureOutput?
    let misuse: MisuseHandler
    /// Whether automatic mirroring mirrors the image.
    private let mirrorsAutomatically: Bool
    private let mounting: SensorMounting
    let state: Lock<State>
    public let observedProperties: ObservedProperties
    /// The queue on which observers of automatic changes run.
    let changeQueue = DispatchQueue(label: "AVCaptureConnection changes")

    /// - Parameters:
    ///   - inputPorts: At least one port; all ports belong to one input.
    public init(inputPorts: [AVCaptureInput.Port], output: AVCaptureOutput) {
        self.inputPorts = inputPorts
        consumer = output
        misuse = output.system.misuse
        observedProperties = ObservedProperties(output.system.reference, misuse)
        mounting = inputPorts.first?.mounting ?? .unknown
        // A person expects a mirror image of the front camera in a preview, but not in a recording.
        mirrorsAutomatically = output.adjustsMirroringByDefault && inputPorts.first?.sourceDevicePosition == .front
        state = Lock(
            State(
                settings: Settings(
                    rotationAngle: output.isUprightInPortrait ? mounting.angle(for: DeviceOrientation.portrait) : 0,
                    isMirrored: mirrorsAutomatically, adjustsMirroring: output.adjustsMirroringByDefault)))
    }

    /// Whether the connection passes media to the output; a disabled connection stays in the session.
    public var isEnabled: Bool {
        get {
            observedProperties.access()
            return latestSettings.isEnabled
        }
        set {
            let isApplied = changeSettings { $0.isEnabled = newValue }
            if isApplied { consumer?.connectionDidChange(self) }
            observedProperties.changed()
            if isApplied { consumer?.session?.enabledStateDidChange() }
        }
    }

    /// The value of `isEnabled` in the active settings, which do not include changes that wait for a commit.
    var passesMedia: Bool { state.withLock { $0.settings.isEnabled } }

    /// Whether the connection belongs to a session and can pass media; can be observed. False if a device is
    /// disconnected, or, for depth, if no depth format is active. Changes in an open configuration take effect with the
    /// commit.
    public var isActive: Bool {
        observedProperties.access()
        guard let session = consumer?.session,
            session.state.withLock({ $0.configuration }).connections.contains(where: { $0 === self })
        else { return false }
        return inputPorts.allSatisfy { port in
            guard port.ownerIfAlive != nil else { return false }
            guard let device = port.source else { return true }
            return device.isConnected && (port.mediaType != .depthData || device.activeDepthDataFormat != nil)
        }
    }

    var mediaType: AVMediaType? { inputPorts.first?.mediaType }

    /// Whether the media of the connection can be rotated and mirrored: video or depth maps.
    private var isVideo: Bool { mediaType == .video || mediaType == .depthData }

    public func isVideoRotationAngleSupported(_ angle: CGFloat) -> Bool {
        isVideo && [0, 90, 180, 270].contains(angle)
    }

    /// The clockwise rotation of the image in degrees. Movies store it as the matrix of the track, photos as the EXIF
    /// orientation; data outputs rotate the pixels.
    ///
    /// Initially 0; for a preview layer, the angle at which frames are upright while the machine is in portrait: 90 for
    /// the cameras of a phone, 0 for external cameras. It does not change when the machine is rotated; see
    /// `RotationCoordinator`.
    public var videoRotationAngle: CGFloat {
        get {
            observedProperties.access()
            return CGFloat(latestSettings.rotationAngle)
        }
        set {
            guard isVideoRotationAngleSupported(newValue) else {
                return misuse.report(
                    .invalidArgument,
                    "-[AVCaptureConnection setVideoRotationAngle:] "
                        + (isVideo ? "\(newValue) is not 0, 90, 180 or 270 degrees" : "the connection carries no video")
                )
            }
            changeSettings { $0.rotationAngle = Int(newValue) }
            observedProperties.changed()
        }
    }

    public var isVideoOrientationSupported: Bool { isVideo }

    /// The orientation of the image: `videoRotationAngle` relative to the camera's mounting.
    ///
    /// Images without rotation are `landscapeRight` from a back camera and `landscapeLeft` from a front camera; 90
    /// degrees are `portrait`.
    public var videoOrientation: AVCaptureVideoOrientation {
        get { mounting.orientation(at: Int(videoRotationAngle)) }
        set {
            guard isVideo else {
                return misuse.report(
                    .invalidArgument, "-[AVCaptureConnection setVideoOrientation:] the connection carries no video")
            }
            let angle = mounting.angle(for: newValue)
            changeSettings { $0.rotationAngle = angle }
            observedProperties.changed("videoRotationAngle")
        }
    }

    public var isVideoMirroringSupported: Bool { isVideo }

    /// Whether mirroring is automatic: only the preview of a front camera is mirrored.
    ///
    /// By default it is true for a preview layer and false for an output: clients can set `isVideoMirrored` of an
    /// output's connection without setting this property to false first.
    public var automaticallyAdjustsVideoMirroring: Bool {
        get {
            observedProperties.access()
            return latestSettings.adjustsMirroring
        }
        set {
            changeSettings { settings in
                settings.adjustsMirroring = newValue
                if newValue { settings.isMirrored = mirrorsAutomatically }
            }
            observedProperties.changed(["automaticallyAdjustsVideoMirroring", "isVideoMirrored"])
        }
    }

    /// Whether the image is mirrored horizontally after its rotation. Setting it while
    /// `automaticallyAdjustsVideoMirroring` is true is misuse.
    public var isVideoMirrored: Bool {
        get {
            observedProperties.access()
            return latestSettings.isMirrored
        }
        set {
            guard isVideo else {
                return misuse.report(
                    .invalidArgument, "-[AVCaptureConnection setVideoMirrored:] the connection carries no video")
            }
            guard !automaticallyAdjustsVideoMirroring else {
                return misuse.report(
                    .invalidArgument,
                    "-[AVCaptureConnection setVideoMirrored:] Cannot be set when automaticallyAdjustsVideoMirroring is YES"
                )
            }
            changeSettings { $0.isMirrored = newValue }
            observedProperties.changed()
        }
    }
}
