public import AssetTypes
import CaptureHAL
public import Foundation
public import KeyValueObserving
public import MediaTypes
import Synchronization

/// A source of media for a session.
open class AVCaptureInput: NSObject, KeyValueObserving, @unchecked Sendable {
    // SAFETY: the state of a subclass is immutable or behind a lock.
    public let observedProperties: ObservedProperties
    /// The system of the input's device, or of the code that created the input.
    let system: SystemReference
    private let membership = Lock(WeakReference<AVCaptureSession>(nil))

    /// The session to which the input belongs.
    var session: AVCaptureSession? { membership.withLock { $0.object } }

    /// Makes the input belong to a session.
    ///
    /// - Returns: Whether it belongs to the session now; false if it belongs to another one.
    @discardableResult
    func join(_ session: AVCaptureSession) -> Bool {
        membership.withLock { membership in
            if let current = membership.object { return current === session }
            membership = WeakReference(session)
            return true
        }
    }

    /// Removes the input from a session if it belongs to it.
    func leave(_ session: AVCaptureSession) {
        membership.withLock { if $0.object === session { $0 = WeakReference(nil) } }
    }

    /// Creating an instance of this class itself is misuse; create an instance of a subclass.
    public override init() {
        let current = CaptureSystem.current
        system = current.reference
        observedProperties = ObservedProperties(current.reference, current.misuse)
        super.init()
        guard type(of: self) == AVCaptureInput.self else { return }
        current.misuse.report(
            .generic, "Cannot instantiate AVCaptureInput because it is an abstract superclass.")
    }

    init(_ environment: DeviceEnvironment) {
        system = environment.system
        observedProperties = ObservedProperties(environment.system, environment.misuse)
        super.init()
        system.lifetimes.add(self, "the input")
    }

    /// The media that the input delivers.
    public var ports: [Port] { [] }

    /// The type. Unlike Apple's, it contains no address, so that messages are the same in each run.
    open override var description: String { "<\(type(of: self))>" }

    /// Returns the format that a port of the input delivers now.
    func formatDescription(of port: Port) -> CMFormatDescription? { nil }

    /// One medium that an input delivers.
    public final class Port: NSObject, KeyValueObserving, Sendable {
        /// Posted when `formatDescription` has changed; the object is the port.
        public static let formatDescriptionDidChangeNotification =
            Notification.Name.AVCaptureInputPortFormatDescriptionDidChange

        public let observedProperties: ObservedProperties
        private let owner: Lock<WeakReference<AVCaptureInput>>
        private let enabled = Atomic(true)
        private let end = Lock<CMTime?>(nil)
        public let mediaType: AVMediaType
        /// The resource that requires the user's consent for the port's medium; nil if none does.
        let resource: ProtectedResource?
        public let sourceDeviceType: AVCaptureDevice.DeviceType?
        /// The position of the source; for a microphone, the direction of the port.
        public let sourceDevicePosition: AVCaptureDevice.Position
        /// The device of the port's stream: the input's device or one of its constituents; nil if the client supplies
        /// the media.
        let source: AVCaptureDevice?
        /// The mounting of the source in its machine.
        let mounting: SensorMounting
        /// The clock of the port's timestamps.
        public let clock: CMClock?

        /// - Parameter position: The direction of the port; nil for the direction of the device.
        init(
            _ input: AVCaptureInput, _ mediaType: AVMediaType, device: AVCaptureDevice,
            position: AVCaptureDevice.Position? = nil
        ) {
            observedProperties = ObservedProperties(device.environment.system, device.environment.misuse)
            owner = Lock(WeakReference(input))
            self.mediaType = mediaType
            resource = mediaType.protectedResource
            source = device
            clock = device.environment.mediaClock
            sourceDeviceType = device.deviceType
            sourceDevicePosition = position ?? device.position
            mounting = SensorMounting(device.hardware.descriptor)
        }

        /// Creates a port for media that the client supplies.
        init(_ input: AVCaptureInput, _ mediaType: AVMediaType, misuse: MisuseHandler, clock: CMClock) {
            observedProperties = ObservedProperties(input.system, misuse)
            owner = Lock(WeakReference(input))
            self.mediaType = mediaType
            resource = nil
            source = nil
            self.clock = clock
            sourceDeviceType = nil
            sourceDevicePosition = .unspecified
            mounting = .unknown
        }

        /// The input; nil after its release.
        var ownerIfAlive: AVCaptureInput? { owner.withLock { $0.object } }

        /// The input that has this port.
        ///
        /// The input must be alive; a session retains it.
        public var input: AVCaptureInput {
            guard let input = ownerIfAlive else {
                fatalError("the input of an AVCaptureInput.Port was released before the port")
            }
            return input
        }

        /// The format that the port delivers now; nil for metadata objects.
        ///
        /// Can be observed.
        public var formatDescription: CMFormatDescription? {
            observedProperties.access()
            return mediaType == .metadataObject ? nil : input.formatDescription(of: self)
        }

        /// The medium of the port's stream: metadata objects are detected in video.
        var streamMedium: AVMediaType { mediaType == .metadataObject ? .video : mediaType }

        /// Whether the port delivers media.
        public var isEnabled: Bool {
            get {
                observedProperties.access()
                return passesMedia
            }
            set {
                enabled.store(newValue, ordering: .sequentiallyConsistent)
                (ownerIfAlive as? AVCaptureDeviceInput)?.session?.enabledStateDidChange()
                observedProperties.changed()
            }
        }

        /// The value of `isEnabled`, read for each frame.
        var passesMedia: Bool { enabled.load(ordering: .sequentiallyConsistent) }

        /// The time at which the port's source ended, such as the end of a file; nil while it may deliver more media.
        package internal(set) var endTime: CMTime? {
            get { end.withLock { $0 } }
            set { end.withLock { $0 = newValue } }
        }
    }
}

/// An input that delivers the media of a device.
public final class AVCaptureDeviceInput: AVCaptureInput, @unchecked Sendable {
    // SAFETY: all properties are immutable or behind locks.
    public let device: AVCaptureDevice
    private struct Ports {
        /// The ports that `ports` returns.
        var listed: [Port] = []
        /// The ports that only `ports(for:sourceDeviceType:sourceDevicePosition:)` returns.
        var hidden: [Port] = []
    }

    private let createdPorts = Lock(Ports())
    private let durationOverride = Lock(CMTime.invalid)
    private let unifiesDefaults = Lock(false)

    /// Creates an input; if the user has not decided yet, this prompts for consent.
    ///
    /// - Throws: `AVError.applicationIsNotAuthorizedToUseDevice` if the user has denied access,
    ///   `AVError.deviceNotConnected` if the device is disconnected.
    public init(device: AVCaptureDevice) throws {
        self.device = device
        super.init(device.environment)
        guard device.isConnected else {
            throw AVError(
                .deviceNotConnected, "\(device.localizedName) is not connected", cause: nil, [AVErrorDeviceKey: device])
        }
        for media in DeviceMedia.allCases where device.hardware.descriptor.media.contains(media) {
            try checkConsent(for: AVMediaType(media))
        }
        let ports = createPorts()
        createdPorts.withLock { $0 = ports }
    }

    public override var description: String {
        "<AVCaptureDeviceInput: \(device.localizedName) [\(device.uniqueID)]>"
    }

    override func formatDescription(of port: Port) -> CMFormatDescription? { format(of: port)?.formatDescription }

    private func createPorts() -> Ports {
        var ports = Ports()
        for media in DeviceMedia.allCases where device.hardware.descriptor.media.contains(media) {
            ports.listed.append(Port(self, AVMediaType(media), device: device))
        }
        if device.hasMediaType(.video) { ports.listed.append(Port(self, .metadataObject, device: device)) }
        if device.hasMediaType(.audio) {
            let others = [AVCaptureDevice.Position.unspecified, .front, .back].filter { $0 != device.position }
            ports.hidden += others.map { Port(self, .audio, device: device, position: $0) }
        }
        for constituent in device.constituentDevices {
            ports.hidden += [AVMediaType.video, .metadataObject].map { Port(self, $0, device: constituent) }
        }
        return ports
    }

    /// One port for each medium of the device, and for a camera one for metadata objects.
    public override var ports: [Port] { createdPorts.withLock { $0.listed } }

    /// All ports, including the hidden ones.
    var allPorts: [Port] { createdPorts.withLock { $0.listed + $0.hidden } }

    /// The shortest time between frames; a longer time lowers the hardware cost. Invalid, the default, selects the
    /// frame duration of the device. It is reset when the input is added to a session.
    ///
    /// Setting a duration that the active format does not support is misuse.
    public var videoMinFrameDurationOverride: CMTime {
        get {
            observedProperties.access()
            return durationOverride.withLock { $0 }
        }
        set {
            guard !newValue.isValid || (device.activeFormat.video?.supports(frameDuration: newValue) ?? false) else {
                return device.environment.misuse.report(
                    .invalidArgument,
                    "-[AVCaptureDeviceInput setVideoMinFrameDurationOverride:] \(newValue.value)/\(newValue.timescale) s "
                        + "is not supported by the activeFormat of \(device)")
            }
            durationOverride.withLock { $0 = newValue }
            for session in device.sessions { session.frameDurationDidChange(of: device) }
            observedProperties.changed()
        }
    }

    /// Whether exposure begins with the same defaults for a preset as for a format.
    ///
    /// - Note: Unlike Apple, the defaults are always the same.
    public var unifiedAutoExposureDefaultsEnabled: Bool {
        get {
            observedProperties.access()
            return unifiesDefaults.withLock { $0 }
        }
        set {
            unifiesDefaults.withLock { $0 = newValue }
            observedProperties.changed()
        }
    }

    /// Restores the default of `videoMinFrameDurationOverride`.
    func resetFrameDurationOverride() {
        durationOverride.withLock { $0 = .invalid }
        observedProperties.changed("videoMinFrameDurationOverride")
    }

    /// The time between frames that is requested from a stream.
    var streamFrameDuration: CMTime {
        let (duration, limit) = (device.streamFrameDuration, videoMinFrameDurationOverride)
        let isSupported = limit.isNumeric && (device.activeFormat.video?.supports(frameDuration: limit) ?? false)
        return isSupported ? max(duration, limit) : duration
    }

    /// Throws if the user denied the use of a medium; requests access if it is undetermined.
    private func checkConsent(for mediaType: AVMediaType) throws {
        guard let resource = mediaType.protectedResource else { return }
        switch device.environment.authorization.state(of: resource) {
        case .authorized, .limited: return
        case .notDetermined: device.environment.authorization.request(resource) { _ in }
        case .restricted, .denied:
            throw AVError(
                .applicationIsNotAuthorizedToUseDevice,
                "the user has not allowed the use of \(device.localizedName)", cause: nil,
                [
                    AVErrorDeviceKey: device,
                    NSLocalizedFailureReasonErrorKey: AVError.notAuthorizedReason(device),
                ])
        }
    }
}
