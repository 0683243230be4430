public import CaptureHAL
import LinuxDevices
import MediaTypes
import RecordedDevices
public import SimDevices

/// A choice of where devices come from, in the words of `OBSCURA_BACKEND` and `--backend`.
public enum Backend: Sendable, Hashable, CustomStringConvertible {
    /// The simulated devices.
    case sim
    /// The kernel's: V4L2 and ALSA.
    case linux
    /// A media file.
    case file(String)
    /// The folder of a device trace.
    case trace(String)

    /// The forms that are understood, for messages.
    public static let forms = "sim, linux, file:PATH or trace:PATH"

    /// - Throws: `DeviceError.invalidSource` for other words.
    public init(_ text: String) throws(DeviceError) {
        switch text {
        case "", "sim": self = .sim
        case "linux": self = .linux
        case _ where text.hasPrefix("file:") && text.count > 5: self = .file(String(text.dropFirst(5)))
        case _ where text.hasPrefix("trace:") && text.count > 6: self = .trace(String(text.dropFirst(6)))
        default:
            throw DeviceError(
                .invalidSource, device: text, "\"\(text)\" is no backend; the backends are \(Self.forms)")
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

    /// Whether the devices can live in virtual time.
    public var allowsVirtualTime: Bool { self != .linux }

    /// Whether the devices come to an end by themselves.
    public var ends: Bool {
        switch self {
        case .sim, .linux: false
        case .file, .trace: true
        }
    }

    /// Makes the host.
    ///
    /// - Parameters:
    ///   - profile: For `sim`: the name of a built-in profile or a file; nil takes `phone`.
    ///   - scene: For `sim`: the name of a scene or a file; nil takes `street`.
    ///   - lux: For `sim`: the light on the scene; nil takes the scene's own.
    ///   - kelvin: For `sim`: the light's colour temperature; nil takes the scene's own.
    ///   - shake: For `sim`: how the cameras are held; nil takes what the scene says.
    ///   - seed: For `sim`.
    /// - Throws: `DeviceError.invalidSource` where a file, profile or scene cannot be used.
    public func makeHost(
        clock: any CaptureClock, profile: String? = nil, scene: String? = nil, lux: Double? = nil,
        kelvin: Double? = nil, shake: HandShake? = nil, seed: UInt64 = 1
    ) throws(DeviceError) -> any HardwareHost {
        switch self {
        case .sim:
            do throws(ProfileError) {
                let scene = try SimScene.named(scene ?? "street")
                var light = scene.light
                if let lux { light.lux = lux }
                if let kelvin { light.kelvin = kelvin }
                return try SimHost(
                    profile: profile ?? "phone", scene: scene, light: light, shake: shake, seed: seed, clock: clock)
            } catch {
                throw DeviceError(.invalidSource, device: error.file, error.message)
            }
        case .linux: return LinuxHost(clock: clock)
        case .file(let path): return try MediaFileHost(path: path, clock: clock)
        case .trace(let path): return try TraceHost(path: path, clock: clock)
        }
    }
}
