public import CaptureCore
public import MediaTypes
import SimDevices
import StrictYAML

extension Scenario {
    /// A setting of the session's camera that an app changes while it is locked for configuration.
    public enum CameraControl: Sendable, Hashable {
        /// Sets the focus point, (0,0) top left to (1,1) bottom right of the unrotated frame, and then the mode.
        case focusAt(x: Double, y: Double, AVCaptureDevice.FocusMode)
        /// Sets the metering point, (0,0) top left to (1,1) bottom right of the unrotated frame, and then the mode.
        case exposeAt(x: Double, y: Double, AVCaptureDevice.ExposureMode)
        case focusMode(AVCaptureDevice.FocusMode)
        case exposureMode(AVCaptureDevice.ExposureMode)
        case whiteBalanceMode(AVCaptureDevice.WhiteBalanceMode)
        /// Moves the lens, 0 nearest … 1 farthest, and locks it.
        case lensPosition(Double)
        /// Sets the exposure bias in exposure value steps.
        case exposureBias(Double)
        /// Sets the exposure time and sensitivity; nil is the current value.
        case customExposure(duration: CMTime?, iso: Double?)
        /// Locks the white balance for a light with the temperature in kelvins, and the tint from -150 to 150.
        case whiteBalance(temperature: Double, tint: Double)
        /// Sets the zoom factor, or changes it gradually over a time.
        case zoom(factor: Double, over: CMTime?)
        /// Sets the torch mode.
        case torchMode(AVCaptureDevice.TorchMode)
        /// Turns the torch on with a level above 0 and at most 1.
        case torchLevel(Double)
    }
}

extension Scenario.CameraControl {
    /// The declaration of an action in scenario files.
    struct Declaration: Sendable {
        /// The name in scenario files and logs.
        let name: String
        /// The keys that the action accepts, with their values as in the documentation.
        let keys: [(name: String, values: String)]
        /// The effect, as in the documentation.
        let summary: String
        /// Reads the values of the keys.
        let read: @Sendable (YAMLMapping) throws(YAMLError) -> Scenario.CameraControl
    }

    /// All actions. The reader, its errors and the table in the documentation follow this list.
    static let declarations: [Declaration] = [
        Declaration(
            name: "focus-at", keys: [pointKey, ("mode", "\(list(focusModes)); default `auto-focus`")],
            summary: "The focus point of interest is set, then the mode.",
            read: { (map) throws(YAMLError) in
                let (x, y) = try map.required("point").point()
                return .focusAt(x: x, y: y, try map["mode"]?.choice(focusModes) ?? .autoFocus)
            }),
        Declaration(
            name: "expose-at", keys: [pointKey, ("mode", "\(list(exposureModes)); default `auto-expose`")],
            summary: "The exposure point of interest is set, then the mode.",
            read: { (map) throws(YAMLError) in
                let (x, y) = try map.required("point").point()
                return .exposeAt(x: x, y: y, try map["mode"]?.choice(exposureModes) ?? .autoExpose)
            }),
        Declaration(
            name: "focus-mode", keys: [("mode", list(focusModes))], summary: "The focus mode is set.",
            read: { (map) throws(YAMLError) in .focusMode(try map.required("mode").choice(focusModes)) }),
        Declaration(
            name: "exposure-mode", keys: [("mode", list(exposureModes))], summary: "The exposure mode is set.",
            read: { (map) throws(YAMLError) in .exposureMode(try map.required("mode").choice(exposureModes)) }),
        Declaration(
            name: "white-balance-mode", keys: [("mode", list(whiteBalanceModes))],
            summary: "The white balance mode is set.",
            read: { (map) throws(YAMLError) in
                .whiteBalanceMode(try map.required("mode").choice(whiteBalanceModes))
            }),
        Declaration(
            name: "lens-position", keys: [("position", "0 (nearest) to 1 (farthest)")],
            summary: "The lens is moved and locked.",
            read: { (map) throws(YAMLError) in
                .lensPosition(try map.required("position").quantity(.none, in: 0...1))
            }),
        Declaration(
            name: "exposure-bias", keys: [("bias", "exposure value steps, as `-1.5`")],
            summary: "The exposure target bias is set.",
            read: { (map) throws(YAMLError) in
                .exposureBias(try map.required("bias").quantity(.none, in: -20...20))
            }),
        Declaration(
            name: "custom-exposure", keys: [("duration", "as `1/100 s`; default the current"), isoKey],
            summary: "The exposure time, the sensitivity or both are set, and stay fixed.",
            read: { (map) throws(YAMLError) in
                guard map["duration"] != nil || map["iso"] != nil else {
                    throw map.value.error("a custom exposure has a duration or an ISO", "add \"duration: 1/100 s\"")
                }
                return .customExposure(
                    duration: try map["duration"]?.time(),
                    iso: try map["iso"]?.quantity(.none, in: 1...1_000_000))
            }),
        Declaration(
            name: "white-balance",
            keys: [("temperature", "as `5000 K`"), ("tint", "-150 (green) to 150 (magenta); default 0")],
            summary: "The white balance is locked for a light of this color.",
            read: { (map) throws(YAMLError) in
                .whiteBalance(
                    temperature: try map.required("temperature").quantity(.kelvin, in: 1000...40_000),
                    tint: try map["tint"]?.quantity(.none, in: -150...150) ?? 0)
            }),
        Declaration(
            name: "zoom", keys: [("factor", "1 or larger"), ("over", "as `1 s`; default at once")],
            summary: "The zoom factor is set, or changes gradually.",
            read: { (map) throws(YAMLError) in
                .zoom(
                    factor: try map.required("factor").quantity(.none, in: 1...1000),
                    over: try map["over"]?.time(from: 0.001))
            }),
        Declaration(
            name: "torch", keys: [("mode", list(torchModes)), ("level", "above 0, at most 1, in place of a mode")],
            summary: "The torch is turned on or off, or follows the light.",
            read: { (map) throws(YAMLError) in
                guard let level = map["level"] else {
                    return .torchMode(try map.required("mode").choice(torchModes))
                }
                if let mode = map["mode"] { throw mode.error("the torch has a level already", "remove one of them") }
                return .torchLevel(try level.quantity(.none, in: 0.001...1))
            }),
    ]

    private static let pointKey = ("point", "`[x, y]`, each 0 to 1, from the top left of the unrotated frame")
    private static let isoKey = ("iso", "as `200`; default the current")

    private static let focusModes: [(name: String, value: AVCaptureDevice.FocusMode)] = [
        ("locked", .locked), ("auto-focus", .autoFocus), ("continuous-auto-focus", .continuousAutoFocus),
    ]
    private static let exposureModes: [(name: String, value: AVCaptureDevice.ExposureMode)] = [
        ("locked", .locked), ("auto-expose", .autoExpose), ("continuous-auto-exposure", .continuousAutoExposure),
    ]
    private static let whiteBalanceModes: [(name: String, value: AVCaptureDevice.WhiteBalanceMode)] = [
        ("locked", .locked), ("auto-white-balance", .autoWhiteBalance),
        ("continuous-auto-white-balance", .continuousAutoWhiteBalance),
    ]
    private static let torchModes: [(name: String, value: AVCaptureDevice.TorchMode)] = [
        ("off", .off), ("on", .on), ("auto", .auto),
    ]

    /// Returns the names of values for the documentation.
    private static func list<Value>(_ values: [(name: String, value: Value)]) -> String {
        values.map { "`\($0.name)`" }.joined(separator: ", ")
    }

    /// Returns the name of a value in scenario files.
    private static func name<Value: Equatable>(of value: Value, in names: [(name: String, value: Value)]) -> String {
        names.first { $0.value == value }?.name ?? "\(value)"
    }

    /// The name, keys and values in a scenario file.
    var fields: (name: String, values: [(key: String, value: String)]) {
        switch self {
        case .focusAt(let x, let y, let mode):
            ("focus-at", [("point", "[\(x), \(y)]"), ("mode", Self.name(of: mode, in: Self.focusModes))])
        case .exposeAt(let x, let y, let mode):
            ("expose-at", [("point", "[\(x), \(y)]"), ("mode", Self.name(of: mode, in: Self.exposureModes))])
        case .focusMode(let mode): ("focus-mode", [("mode", Self.name(of: mode, in: Self.focusModes))])
        case .exposureMode(let mode): ("exposure-mode", [("mode", Self.name(of: mode, in: Self.exposureModes))])
        case .whiteBalanceMode(let mode):
            ("white-balance-mode", [("mode", Self.name(of: mode, in: Self.whiteBalanceModes))])
        case .lensPosition(let position): ("lens-position", [("position", "\(position)")])
        case .exposureBias(let bias): ("exposure-bias", [("bias", "\(bias)")])
        case .customExposure(let duration, let iso):
            (
                "custom-exposure",
                [duration.map { ("duration", microseconds($0)) }, iso.map { ("iso", "\($0)") }]
                    .compactMap { $0 }
            )
        case .whiteBalance(let temperature, let tint):
            ("white-balance", [("temperature", "\(temperature) K"), ("tint", "\(tint)")])
        case .zoom(let factor, let duration):
            ("zoom", [("factor", "\(factor)")] + (duration.map { [("over", microseconds($0))] } ?? []))
        case .torchMode(let mode): ("torch", [("mode", Self.name(of: mode, in: Self.torchModes))])
        case .torchLevel(let level): ("torch", [("level", "\(level)")])
        }
    }
}

extension Scenario.CameraControl: CustomStringConvertible {
    /// The action as in the log.
    public var description: String {
        switch self {
        case .customExposure(let duration, let iso):
            "custom-exposure" + (duration.map { " \($0.seconds) s" } ?? "") + (iso.map { " ISO \($0)" } ?? "")
        case .zoom(let factor, let duration):
            "zoom \(factor)" + (duration.map { " over \($0.seconds) s" } ?? "")
        default: ([fields.name] + fields.values.map(\.value)).joined(separator: " ")
        }
    }
}

extension YAMLValue {
    /// Parses a point of interest, `[x, y]`.
    fileprivate func point() throws(YAMLError) -> (x: Double, y: Double) {
        let coordinates = try list(minimumCount: 2)
        guard coordinates.count == 2 else {
            throw error("a point has two coordinates, not \(coordinates.count)", "write [x, y], for example [0.3, 0.7]")
        }
        return (try coordinates[0].quantity(.none, in: 0...1), try coordinates[1].quantity(.none, in: 0...1))
    }
}
