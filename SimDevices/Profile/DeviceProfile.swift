public import CaptureHAL
import Foundation
import StrictYAML

/// What a simulated machine has for cameras and microphones, as a YAML file tells it.
///
/// The keys are described in `docs/profiles.md`.
public struct DeviceProfile: Sendable, Hashable {
    /// The schema version that this reader knows.
    public static let version = 1

    public var name: String
    public var manufacturer: String
    /// In the order in which the host lists them.
    public var devices: [Device]

    /// How the devices are attached: built in where a camera is, else by USB.
    var transport: DeviceTransport {
        let kinds: [DeviceKind] = devices.map { device in
            switch device {
            case .camera(let camera): camera.kind
            case .virtualCamera(let camera): camera.kind
            case .microphone: .microphone
            }
        }
        if kinds.contains(.continuityCamera) { return .unknown }
        return kinds.allSatisfy { [.external, .microphone].contains($0) } ? .usb : .builtIn
    }

    /// One device of a profile.
    public enum Device: Sendable, Hashable {
        case camera(CameraProfile)
        case virtualCamera(VirtualCameraProfile)
        case microphone(MicrophoneProfile)

        /// The identifier within the profile.
        public var id: String {
            switch self {
            case .camera(let camera): camera.id
            case .virtualCamera(let camera): camera.id
            case .microphone(let microphone): microphone.id
            }
        }

        /// What goes wrong on it from the beginning.
        public var faults: [ScheduledFault] {
            switch self {
            case .camera(let camera): camera.faults
            case .virtualCamera(let camera): camera.faults
            case .microphone(let microphone): microphone.faults
            }
        }
    }

    /// The names of the profiles that come with the library.
    public static let builtInNames = ["phone", "webcam", "capture-card", "usb-microphone"]

    /// Reads a profile that comes with the library.
    ///
    /// - Throws: `ProfileError` where there is none of this name, which names those that there are.
    public static func builtIn(_ name: String) throws(ProfileError) -> DeviceProfile {
        let bytes: [UInt8]
        switch name {
        case "phone": bytes = PackageResources.phone_yaml
        case "webcam": bytes = PackageResources.webcam_yaml
        case "capture-card": bytes = PackageResources.capture_card_yaml
        case "usb-microphone": bytes = PackageResources.usb_microphone_yaml
        default:
            throw ProfileError(
                file: name, message: "there is no profile \"\(name)\"; \(suggestion(for: name, among: builtInNames))")
        }
        return try DeviceProfile(yaml: String(decoding: bytes, as: UTF8.self), file: "\(name).yaml")
    }

    /// Reads a profile by the name of a built-in one or by the path of a YAML file.
    ///
    /// - Parameter nameOrPath: A path where it holds a slash or ends in `.yaml` or `.yml`.
    public static func load(_ nameOrPath: String) throws(ProfileError) -> DeviceProfile {
        guard nameOrPath.contains("/") || nameOrPath.hasSuffix(".yaml") || nameOrPath.hasSuffix(".yml") else {
            if !builtInNames.contains(nameOrPath), FileManager.default.fileExists(atPath: nameOrPath) {
                throw ProfileError(
                    file: nameOrPath,
                    message:
                        "there is no profile \"\(nameOrPath)\"; to read the file of that name write ./\(nameOrPath)")
            }
            return try builtIn(nameOrPath)
        }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: nameOrPath, isDirectory: &isFolder), !isFolder.boolValue else {
            throw ProfileError(
                file: nameOrPath,
                message: isFolder.boolValue ? "\(nameOrPath) is a folder, no profile" : "there is no file \(nameOrPath)"
            )
        }
        let data = try read(nameOrPath)
        guard let text = String(data: data, encoding: .utf8) else {
            throw ProfileError(file: nameOrPath, message: "\(nameOrPath): the profile is not UTF-8 text")
        }
        return try DeviceProfile(yaml: text, file: nameOrPath)
    }

    /// More than any profile has, so that a device without an end is no matter of memory.
    private static let maximumByteCount = 16 << 20

    /// Reads a file to its end, also a pipe, which tells no size beforehand.
    private static func read(_ path: String) throws(ProfileError) -> Data {
        func failure(_ reason: String) -> ProfileError {
            ProfileError(file: path, message: "\(path): the profile cannot be read: \(reason)")
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var data = Data()
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Foundation.read(descriptor, &piece, piece.count)
            if count == 0 { return data }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw failure(String(cString: strerror(errno)))
            }
            data.append(contentsOf: piece.prefix(count))
            guard data.count <= maximumByteCount else {
                throw failure("it has more than \(maximumByteCount) bytes")
            }
        }
    }
}

/// A camera of a profile.
public struct CameraProfile: Sendable, Hashable {
    public var id: String
    public var name: String
    public var model: String
    public var kind: DeviceKind
    public var position: DevicePosition
    /// Clockwise degrees to turn the picture upright; see `DeviceDescriptor.mountingAngle`.
    public var mountingAngle: Int
    public var lens: LensDescriptor
    public var sensor: SensorProfile
    public var formats: [VideoStreamFormat]
    /// Whether exposure time and ISO can be set by the client.
    public var hasManualExposure: Bool
    /// Exposure bias on offer, in EV.
    public var exposureBias: ClosedRange<Double>
    /// Seconds.
    public var exposureDurations: ClosedRange<Double>
    public var isoRange: ClosedRange<Double>
    public var maximumWhiteBalanceGain: Double
    /// Kelvin.
    public var whiteBalanceTemperatures: ClosedRange<Double>
    public var maximumZoom: Double
    /// By which part of its width and height each stabilization mode can move the picture to each side; as much is cut off.
    public var stabilization: [VideoStabilization: Double]
    /// Illuminance of the torch at full level, in lux at 1 m; 0 where there is none.
    public var torchLux: Double
    /// Exposure of the flash, in lux seconds at 1 m; 0 where there is none.
    public var flashLuxSeconds: Double
    /// By how much sensitivity can go beyond its range in the dark, at the cost of detail; 1 where it cannot.
    public var lowLightBoost = 1.0
    /// How many times the light of white a second exposure keeps, in formats that have it; 1 where none does.
    public var highlightHeadroom = 1.0
    /// Nanoseconds from the start of a stream to its first frame.
    public var startLatencyNanoseconds: Int64
    /// Nanoseconds from the begin of a frame's exposure to its delivery.
    public var deliveryLatencyNanoseconds: Int64
    /// Whether frames carry the block code that `FrameMarker` reads.
    public var hasMarker: Bool
    /// How the camera measures depth beside its pictures; nil where it does not.
    public var depth: DepthProfile?
    /// What goes wrong, from the making of the host on.
    public var faults: [ScheduledFault] = []

    /// Whether the lens can be moved; one without a nearest distance is fixed.
    public var hasFocus: Bool { lens.minimumFocusDistanceMillimetres != nil }
}

/// The noise and the colours of a sensor.
public struct SensorProfile: Sendable, Hashable {
    /// Electrons of a saturated pixel at the lowest ISO.
    public var fullWell: Double
    /// Standard deviation in electrons.
    public var readNoise: Double
    /// Response of red and blue in proportion to green, under equal energy.
    public var redResponse: Double
    public var blueResponse: Double
    /// What each colour sees of a surface's red, green and blue by BT.709's primaries, under the CIE's illuminants A and
    /// D65. Rows come to 1: a grey surface looks as the responses tell.
    public var crosstalkA: ColorMatrix = .identity
    public var crosstalkD65: ColorMatrix = .identity
    /// Seconds from the exposure of the first row to that of the last.
    public var readoutSeconds: Double
}
