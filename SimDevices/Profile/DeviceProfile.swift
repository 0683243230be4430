public import CaptureHAL
import Foundation
import MediaTypes
import StrictYAML

/// The cameras and microphones of a simulated machine, described by a YAML file.
///
/// A machine is a device with built-in cameras, such as a phone, or a USB peripheral, such as a webcam with its
/// microphone.
///
/// The keys are documented in `docs/profiles.md`.
public struct DeviceProfile: Sendable, Hashable {
    /// The supported schema version.
    public static let version = 1

    /// The first part of the devices' unique IDs.
    public var name: String
    /// What the machine is, in a few words; may be empty.
    public var summary = ""
    /// The manufacturer of all devices.
    public var manufacturer: String
    /// The form, the screen and the capacity of the machine.
    public var machine = MachineDescriptor()
    /// The codec of the movies of all cameras if the client selects none.
    public var movieCodec = MovieCodec.h264
    /// The virtual time that media work of the machine takes.
    public var processing = ProcessingDurations.standard
    /// The devices in the order in which the host lists them.
    public var devices: [Device]

    /// The transport type of all devices: `.unknown` if one is a Continuity Camera, or else `.usb` if none is built in.
    var transport: DeviceTransport {
        let kinds = devices.map(\.kind)
        if kinds.contains(.continuityCamera) { return .unknown }
        return kinds.allSatisfy { [.external, .microphone].contains($0) } ? .usb : .builtIn
    }

    /// One device of a profile.
    public enum Device: Sendable, Hashable {
        case camera(CameraProfile)
        case virtualCamera(VirtualCameraProfile)
        case microphone(MicrophoneProfile)

        /// The identifier, unique within the profile.
        public var id: String {
            switch self {
            case .camera(let camera): camera.id
            case .virtualCamera(let camera): camera.id
            case .microphone(let microphone): microphone.id
            }
        }

        /// The kind of device.
        public var kind: DeviceKind {
            switch self {
            case .camera(let camera): camera.kind
            case .virtualCamera(let camera): camera.kind
            case .microphone: .microphone
            }
        }

        /// Whether the device is a camera that is fixed to one side of the machine, as on phones.
        var isBuiltInCamera: Bool {
            switch self {
            case .camera(let camera): camera.position != .unspecified
            case .virtualCamera(let camera): camera.constituents.contains { $0.position != .unspecified }
            case .microphone: false
            }
        }

        /// The faults that are scheduled when the host is created.
        public var faults: [ScheduledFault] {
            switch self {
            case .camera(let camera): camera.faults
            case .virtualCamera(let camera): camera.faults
            case .microphone(let microphone): microphone.faults
            }
        }
    }

    /// Reads a built-in profile.
    ///
    /// - Throws: `ProfileError` for an unknown name, with a list of the known ones.
    public static func builtIn(_ name: String) throws(ProfileError) -> DeviceProfile {
        if let profile = readProfiles.withLock({ $0[name] }) { return profile }
        guard BuiltInProfiles.parsed(name) != nil else { throw unknownName(name) }
        guard let document = builtInDocument(name) else {
            throw ProfileError(file: name, message: "the built-in profile \(name) is damaged; run CI/built-in-profiles")
        }
        let profile = try DeviceProfile(document)
        readProfiles.withLock { $0[name] = profile }
        return profile
    }

    /// The built-in profiles that were read. Reading one takes milliseconds, and tests create many systems.
    private static let readProfiles = Lock<[String: DeviceProfile]>([:], order: .primitive)

    /// Returns the document of a built-in profile; nil if there is none, or if it is damaged.
    static func builtInDocument(_ name: String) -> YAMLValue? {
        BuiltInProfiles.parsed(name).flatMap { YAMLNode(parsed: $0) }.map {
            YAMLValue(document: $0, file: "\(name).yaml")
        }
    }

    /// Returns the text of a built-in profile, for example as a template for a new profile.
    ///
    /// - Throws: `ProfileError` for an unknown name, with a list of the known ones.
    public static func builtInYAML(_ name: String) throws(ProfileError) -> String {
        guard let bytes = builtInFiles.first(where: { $0.name == name })?.bytes() else { throw unknownName(name) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func unknownName(_ name: String) -> ProfileError {
        ProfileError(
            file: name, message: "there is no profile \"\(name)\"; \(suggestion(for: name, among: builtInNames))")
    }

    /// Returns whether a text is the path of a profile or scene: it contains a slash or ends in `.yaml` or `.yml`.
    /// Otherwise it is a name.
    package static func isPath(_ nameOrPath: String) -> Bool {
        nameOrPath.contains("/") || nameOrPath.hasSuffix(".yaml") || nameOrPath.hasSuffix(".yml")
    }

    /// Throws `ProfileError`, with a suggestion, if there is no built-in profile with a name.
    package static func checkName(_ name: String) throws(ProfileError) {
        if builtInNames.contains(name) { return }
        throw ProfileError(
            file: name,
            message: "there is no profile \"\(name)\"; "
                + (FileManager.default.fileExists(atPath: name)
                    ? "to read the file with that name, write ./\(name)" : suggestion(for: name, among: builtInNames)))
    }

    /// Reads a built-in profile by name, or a YAML file by path.
    ///
    /// - Parameter nameOrPath: A path if it contains a slash or ends in `.yaml` or `.yml`.
    public static func load(_ nameOrPath: String) throws(ProfileError) -> DeviceProfile {
        guard isPath(nameOrPath) else {
            try checkName(nameOrPath)
            return try builtIn(nameOrPath)
        }
        return try DeviceProfile(yaml: text(of: nameOrPath), file: nameOrPath)
    }

    /// Returns the text of a file.
    static func text(of path: String) throws(ProfileError) -> String {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
            throw ProfileError(
                file: path,
                message: isFolder.boolValue ? "\(path) is a folder, not a profile" : "there is no file \(path)")
        }
        guard let text = String(data: try read(path), encoding: .utf8) else {
            throw ProfileError(file: path, message: "\(path): the profile is not UTF-8 text")
        }
        return text
    }

    /// The maximum size of a profile. It makes reading an endless file such as `/dev/zero` fail.
    private static let maximumByteCount = 16 << 20

    /// Reads a whole file, which may be a pipe of unknown size.
    private static func read(_ path: String) throws(ProfileError) -> Data {
        func failure(_ reason: String) -> ProfileError {
            ProfileError(file: path, message: "\(path): the profile cannot be read: \(reason)")
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Foundation.read(descriptor, &buffer, buffer.count)
            if count == 0 { return data }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw failure(String(cString: strerror(errno)))
            }
            data.append(contentsOf: buffer.prefix(count))
            guard data.count <= maximumByteCount else {
                throw failure("it has more than \(maximumByteCount) bytes")
            }
        }
    }
}

/// The profile of a camera.
public struct CameraProfile: Sendable, Hashable {
    /// The identifier, unique within the device profile.
    public var id: String
    /// The localized name.
    public var name: String
    /// The model ID.
    public var model: String
    public var kind: DeviceKind
    public var position: DevicePosition
    /// Clockwise rotation in degrees that turns frames upright; see `DeviceDescriptor.mountingAngle`.
    public var mountingAngle: Int
    public var lens: LensDescriptor
    public var sensor: SensorProfile
    public var formats: [VideoStreamFormat]
    /// Whether the client can set exposure duration and ISO.
    public var hasManualExposure: Bool
    /// Whether the client can lock the exposure; if not, the exposure is always continuous or manual.
    public var hasExposureLock: Bool
    /// The settings that the client can set while automatic exposure changes the others.
    public var exposurePriorities: [ExposurePriority] = []
    /// The number of blades of a variable aperture: the image of a point out of focus is a polygon if the aperture is
    /// closed; 0 for a round aperture.
    public var apertureBladeCount = 0
    /// The exposure bias range in EV.
    public var exposureBias: ClosedRange<Double>
    /// The exposure durations in seconds.
    public var exposureDurations: ClosedRange<Double>
    /// The ISO range without low-light boost.
    public var isoRange: ClosedRange<Double>
    /// The maximum of each white balance gain; the minimum is 1.
    public var maximumWhiteBalanceGain: Double
    /// The white balance temperatures in kelvin.
    public var whiteBalanceTemperatures: ClosedRange<Double>
    /// The maximum zoom factor; the minimum is 1.
    public var maximumZoom: Double
    /// The zoom factors at which formats without binning switch to more pixels of the sensor, ascending.
    public var nativeZoomFactors: [Double] = []
    /// The crop margin of each stabilization mode on each side, as a fraction of the frame's width and height.
    public var stabilization: [VideoStabilization: Double]
    /// Illuminance of the torch at full level, in lux at 1 m; 0 if there is no torch.
    public var torchLux: Double
    /// Exposure of the flash, in lux seconds at 1 m; 0 if there is no flash.
    public var flashLuxSeconds: Double
    /// The factor by which low-light boost can exceed the ISO range, at the cost of detail; 1 if not supported.
    public var lowLightBoost = 1.0
    /// The maximum luminance, relative to white, that HDR formats preserve with a second exposure; 1 if not supported.
    public var highlightHeadroom = 1.0
    /// Whether all formats also support the color space P3, which sessions with a photo output select.
    public var hasWideColor = false
    /// Whether the camera detects faces, and by default focuses on them and exposes for them.
    public var detectsFaces = false
    /// Nanoseconds from starting a stream to the start of its first frame.
    public var startLatencyNanoseconds: Int64
    /// Nanoseconds from the start of a frame's exposure to its delivery.
    public var deliveryLatencyNanoseconds: Int64
    /// Whether frames contain a marker: a block code with the frame counter and the time in the top left corner, which
    /// `FrameMarker` reads. If false, they contain it only if the host was created with markers.
    public var hasMarker: Bool
    /// The profile of the depth sensor; nil if there is none.
    public var depth: DepthProfile?
    /// The faults that are scheduled when the host is created.
    public var faults: [ScheduledFault] = []

    /// Whether the lens can focus. A lens without a minimum focus distance has fixed focus.
    public var hasFocus: Bool { lens.minimumFocusDistanceMillimeters != nil }
}

/// A setting that the client can set while automatic exposure changes the others.
public enum ExposurePriority: String, Sendable, Hashable, CaseIterable {
    case aperture
    case shutter
    case iso

    /// The settings that automatic exposure changes.
    var automaticSettings: ExposureSettings {
        switch self {
        case .aperture: [.duration, .iso]
        case .shutter: [.iso, .aperture]
        case .iso: [.duration, .aperture]
        }
    }
}

/// The noise and color characteristics of a sensor.
public struct SensorProfile: Sendable, Hashable {
    /// Full-well capacity in electrons, at the lowest ISO.
    public var fullWell: Double
    /// Standard deviation of the read noise in electrons.
    public var readNoise: Double
    /// Response of red relative to green, for light with equal linear BT.709 components.
    public var redResponse: Double
    /// Response of blue relative to green, for light with equal linear BT.709 components.
    public var blueResponse: Double
    /// The matrix from a surface's linear BT.709 reflectances to the sensor's colors, under CIE illuminant A. Each row
    /// sums to 1, so that crosstalk does not change the color of gray surfaces.
    public var crosstalkA: ColorMatrix = .identity
    /// The matrix under CIE illuminant D65; see `crosstalkA`.
    public var crosstalkD65: ColorMatrix = .identity
    /// Seconds from the start of the first row's exposure to the start of the last row's (rolling shutter).
    public var readoutSeconds: Double
}
