public import CaptureHAL
import MediaTypes
import RecordedDevices
public import SimDevices

#if Everything || LinuxDevices
import LinuxDevices
#endif

/// A source of devices, as selected by `OBSCURA_BACKEND` and `--backend`.
public enum Backend: Sendable, Hashable, CustomStringConvertible {
    /// The simulated devices.
    case sim
    /// The devices of the kernel: V4L2 and ALSA.
    case linux
    /// A media file, by its path.
    case file(String)
    /// A device trace, by the path of its folder.
    case trace(String)

    /// The accepted forms, for messages.
    public static let forms = "sim, linux, file:PATH or trace:PATH"

    /// Parses a text such as `sim` or `file:clip.mp4`; an empty text is `sim`.
    ///
    /// - Throws: `DeviceError.invalidSource` for other forms.
    public init(_ text: String) throws(DeviceError) {
        switch text {
        case "", "sim": self = .sim
        case "linux": self = .linux
        case _ where text.hasPrefix("file:") && text.count > 5: self = .file(String(text.dropFirst(5)))
        case _ where text.hasPrefix("trace:") && text.count > 6: self = .trace(String(text.dropFirst(6)))
        default:
            throw DeviceError(
                .invalidSource, device: text, "\"\(text)\" is not a backend; the backends are \(Self.forms)")
        }
    }

    public var description: String {
        switch self {
        case .sim: "sim"
        case .linux: "linux"
        case .file(let path): "file:\(path)"
        case .trace(let path): "trace:\(path)"
        }
    }

    /// Whether the devices can run in virtual time.
    public var allowsVirtualTime: Bool { self != .linux }

    /// Whether the source has an end.
    public var ends: Bool {
        switch self {
        case .sim, .linux: false
        case .file, .trace: true
        }
    }

    /// Creates the host.
    ///
    /// - Parameters:
    ///   - profile: For `sim`: the name of a built-in profile or a file; nil for `phone`.
    ///   - scene: For `sim`: the name of a built-in scene or a file; nil for `street`.
    ///   - lux: For `sim`: the illuminance of the scene; nil for the scene's default.
    ///   - kelvin: For `sim`: the color temperature of the light in kelvin; nil for the scene's default.
    ///   - shake: For `sim`: the shake of the hand that holds the cameras; nil for the scene's default.
    ///   - hasMarker: For `sim`: whether frames contain the code that `FrameMarker` reads.
    ///   - sound: For `sim`: the sound that the microphones record.
    ///   - seed: For `sim`: the seed of the random number generators.
    /// - Throws: `DeviceError.invalidSource` if a file, profile or scene cannot be used, and for `linux` without the
    ///   package trait `LinuxDevices`.
    public func makeHost(
        clock: any CaptureClock, profile: String? = nil, scene: String? = nil, lux: Double? = nil,
        kelvin: Double? = nil, shake: HandShake? = nil, hasMarker: Bool = false,
        sound: SimSound = .scene, seed: UInt64 = 1
    ) throws(DeviceError) -> any HardwareHost {
        switch self {
        case .sim:
            do throws(ProfileError) {
                let scene = try SimScene.named(scene ?? "street")
                var light = scene.light
                if let lux { light.lux = lux }
                if let kelvin { light.kelvin = kelvin }
                return try SimHost(
                    profile: profile ?? "phone", scene: scene, light: light, shake: shake, hasMarker: hasMarker,
                    sound: sound, seed: seed, clock: clock)
            } catch {
                throw DeviceError(.invalidSource, device: error.file, error.message)
            }
        case .linux:
            #if Everything || LinuxDevices
            return LinuxHost(clock: clock)
            #else
            throw DeviceError(
                .invalidSource, device: "linux",
                "the program is built without the devices of Linux; enable the package trait LinuxDevices")
            #endif
        case .file(let path): return try MediaFileHost(path: path, clock: clock)
        case .trace(let path): return try TraceHost(path: path, clock: clock)
        }
    }
}
