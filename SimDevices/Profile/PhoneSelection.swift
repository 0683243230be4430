public import CaptureHAL
import Foundation

/// A selection of the built-in phones and tablets, by their names or by the capabilities of their cameras.
///
/// A test that runs on each selected phone finds faults that depend on the phone, such as codes that only some lenses
/// can focus. The phones are the built-in profiles with a back camera; see `docs/profiles.md`.
public struct PhoneSelection: Sendable, CustomStringConvertible {
    /// The selection as text, in the form that `init(_:)` reads.
    public let description: String
    private let includes: @Sendable (DeviceProfile) -> Bool

    private init(_ description: String, _ includes: @escaping @Sendable (DeviceProfile) -> Bool) {
        self.description = description
        self.includes = includes
    }

    /// All phones and tablets.
    public static let all = PhoneSelection("all") { _ in true }

    /// The phones with certain names. A name that no phone has selects none.
    public static func named(_ names: String...) -> PhoneSelection { named(names) }

    private static func named(_ names: [String]) -> PhoneSelection {
        PhoneSelection(names.joined(separator: " or ")) { names.contains($0.name) }
    }

    /// The phones with a kind of camera on the back, such as `.builtInUltraWideCamera`.
    public static func with(_ kind: DeviceKind) -> PhoneSelection {
        PhoneSelection("with \(kind.shortName)") { $0.backDevices.contains { $0.kind == kind } }
    }

    /// The phones without a kind of camera on the back.
    public static func without(_ kind: DeviceKind) -> PhoneSelection {
        PhoneSelection("without \(kind.shortName)") { !$0.backDevices.contains { $0.kind == kind } }
    }

    /// The phones that measure depth with a back camera.
    public static let withDepth = PhoneSelection("with depth") { $0.backDevices.contains(where: \.measuresDepth) }

    /// The phones that measure no depth with a back camera.
    public static let withoutDepth = PhoneSelection("without depth") { profile in
        !profile.backDevices.contains(where: \.measuresDepth)
    }

    /// The phones with a back wide camera that cannot focus at a distance in millimeters, or on anything nearer.
    public static func nearestFocus(beyondMillimeters distance: Double) -> PhoneSelection {
        PhoneSelection("nearest focus beyond \(distance) mm") { profile in
            profile.backWideLens?.minimumFocusDistanceMillimeters.map { $0 > distance } ?? false
        }
    }

    /// The phones of this selection that are also in another one.
    public func and(_ other: PhoneSelection) -> PhoneSelection {
        PhoneSelection("\(description) and \(other.description)") { [includes] in includes($0) && other.includes($0) }
    }

    /// The names of the selected profiles, in the order of `DeviceProfile.builtInNames`.
    public var names: [String] { Self.phones.filter(includes).map(\.name) }

    /// All phones and tablets, read once.
    private static let phones = DeviceProfile.builtInNames.compactMap { name -> DeviceProfile? in
        // A test checks that the built-in profiles can be read.
        guard let profile = try? DeviceProfile.builtIn(name), !profile.backDevices.isEmpty else { return nil }
        return profile
    }

    /// The names of all phones and tablets.
    package static var allNames: [String] { phones.map(\.name) }

    // MARK: Text

    private static let kinds: [DeviceKind] = [
        .builtInUltraWideCamera, .builtInTelephotoCamera, .builtInLiDARDepthCamera, .builtInDualCamera,
        .builtInDualWideCamera, .builtInTripleCamera,
    ]

    /// The texts that select phones by their capabilities, as examples for messages.
    package static let forms =
        ["all"] + kinds.map { "without \($0.shortName)" } + ["without depth", "nearest focus beyond 15 cm"]

    /// Reads a selection: `all`, names of phones separated by `or`, `with` or `without` a kind of camera or `depth`, or
    /// `nearest focus beyond 15 cm`; several of them separated by `and`.
    ///
    /// - Returns: nil if the text has another form.
    public init?(_ text: String) {
        var result: PhoneSelection?
        for part in text.components(separatedBy: " and ") {
            guard let selection = Self.selection(part) else { return nil }
            result = result?.and(selection) ?? selection
        }
        guard let result else { return nil }
        self = result
    }

    private static func selection(_ text: String) -> PhoneSelection? {
        if text == "all" { return all }
        let names = text.components(separatedBy: " or ")
        if names.allSatisfy(allNames.contains) { return named(names) }
        let words = text.split(separator: " ").map(String.init)
        if words.count == 2, ["with", "without"].contains(words[0]) {
            let has = words[0] == "with"
            if words[1] == "depth" { return has ? withDepth : withoutDepth }
            return kinds.first { $0.shortName == words[1] }.map { has ? with($0) : without($0) }
        }
        guard words.count == 5, words[..<3] == ["nearest", "focus", "beyond"], let distance = Double(words[3]),
            let factor = ["mm": 1.0, "cm": 10, "m": 1000][words[4]]
        else { return nil }
        return nearestFocus(beyondMillimeters: distance * factor)
    }
}

extension DeviceProfile {
    /// The devices on the back of the machine.
    fileprivate var backDevices: [Device] {
        devices.filter { device in
            switch device {
            case .camera(let camera): camera.position == .back
            case .virtualCamera(let camera): camera.constituents.first?.position == .back
            case .microphone: false
            }
        }
    }

    /// The lens of the back wide camera.
    fileprivate var backWideLens: LensDescriptor? {
        backDevices.lazy.compactMap { device -> LensDescriptor? in
            guard case .camera(let camera) = device, camera.kind == .builtInWideAngleCamera else { return nil }
            return camera.lens
        }.first
    }
}

extension DeviceProfile.Device {
    fileprivate var measuresDepth: Bool {
        switch self {
        case .camera(let camera): camera.depth != nil
        case .virtualCamera(let camera): camera.depth != nil
        case .microphone: false
        }
    }
}
