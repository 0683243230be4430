import ArgumentParser
import AssetTypes
import CaptureBackends
import CaptureCore
import CaptureHAL
import CaptureSimulation
import Foundation
import MediaTypes
import SimDevices
import StrictYAML

/// The options of all commands that use devices.
struct SystemOptions: ParsableArguments {
    @Option(
        help: "Source of devices: \(Backend.forms). OBSCURA_BACKEND changes the default.",
        completion: .list(["sim", "linux", "file:", "trace:"]))
    var backend = SystemOptions.environmentBackend ?? "sim"

    @Option(
        name: [.long, .customLong("phone")],
        help: """
            For sim: the device profile: \(DeviceProfile.builtInNames.joined(separator: ", ")), or a YAML file; \
            'obscura profile --list' describes them. (default: phone)
            """,
        completion: .list(DeviceProfile.builtInNames))
    var profile: String?

    @Option(
        help: """
            For sim: the scene in front of the cameras: \(SimScene.allCases.map(\.name).joined(separator: ", ")), or a \
            YAML file. (default: street; for the command chart: chart)
            """,
        completion: .list(SimScene.allCases.map(\.name))
    )
    var scene: String?

    @Option(
        parsing: .unconditional,
        help: "For sim: the illuminance of the scene, 0.001 to 200000 lux. (default: the scene's)")
    var lux: Double?

    @Option(
        parsing: .unconditional,
        help: "For sim: the color temperature of the light, 1667 to 25000 kelvin. (default: the scene's)")
    var kelvin: Double?

    @Option(
        parsing: .unconditional,
        help:
            "For sim: the root mean square angle of the camera shake, 0 to 50 milliradians; 0 is a tripod. (default: the scene's)"
    )
    var shake: Double?

    @Option(
        help: """
            For sim: the orientation of a machine with built-in cameras: \(Hold.names.joined(separator: ", ")). \
            (default: the one in which upright frames are wide; landscape-left for a phone)
            """,
        completion: .list(Hold.names), transform: Hold.init(argument:))
    var hold: Hold?

    @Flag(
        help:
            "For sim: draw a code with frame counter and time in the top left corner of each frame. (default: off)"
    )
    var marker = false

    @Option(
        help:
            "For sim: the sound at the microphones: \(SimSound.names.joined(separator: ", ")). (default: scene)",
        completion: .list(SimSound.names), transform: SimSound.init(argument:))
    var sound: SimSound?

    @Option(help: "The device, by the ID that 'obscura devices' prints. (default: the default camera)")
    var device: String?

    @Option(
        parsing: .unconditional,
        help: "For sim: the seed of the random number generators, an integer from 0 to \(UInt64.max).")
    var seed: UInt64 = 1

    @Flag(help: "Run in real time, also with sim, file and trace. (default: virtual time, except for linux)")
    var realtime = false

    /// The value of `OBSCURA_BACKEND`; nil if it is unset or empty.
    private static var environmentBackend: String? {
        ProcessInfo.processInfo.environment["OBSCURA_BACKEND"].flatMap { $0.isEmpty ? nil : $0 }
    }

    func validate() throws {
        if let profile, backend != "sim" {
            throw ValidationError("--profile \(profile) requires --backend sim, not \(backend)")
        }
        if let scene, backend != "sim" {
            throw ValidationError("--scene \(scene) requires --backend sim, not \(backend)")
        }
        for (name, value) in [("--lux", lux), ("--kelvin", kelvin), ("--shake", shake)]
        where value != nil && backend != "sim" {
            throw ValidationError("\(name) requires --backend sim, not \(backend)")
        }
        if let hold, backend != "sim" {
            throw ValidationError("--hold \(hold.rawValue) requires --backend sim, not \(backend)")
        }
        if sound != nil, backend != "sim" {
            throw ValidationError("--sound requires --backend sim, not \(backend)")
        }
        if marker, backend != "sim" { throw ValidationError("--marker requires --backend sim, not \(backend)") }
        if let lux, !(0.001...200_000).contains(lux) { throw ValidationError("--lux must be 0.001 to 200000") }
        if let kelvin, !(1667...25_000).contains(kelvin) { throw ValidationError("--kelvin must be 1667 to 25000") }
        if let shake, !(0...50).contains(shake) { throw ValidationError("--shake must be 0 to 50") }
        do throws(ProfileError) {
            if let profile, !DeviceProfile.isPath(profile) { try DeviceProfile.checkName(profile) }
            if let scene, !DeviceProfile.isPath(scene) { _ = try SimScene.named(scene) }
        } catch {
            throw ValidationError(error.message)
        }
        do throws(DeviceError) {
            _ = try Backend(backend)
        } catch {
            let isFromEnvironment = backend == Self.environmentBackend
            throw ValidationError((isFromEnvironment ? "OBSCURA_BACKEND: " : "") + error.message)
        }
    }

    /// Creates the system that the options describe, and installs it as the system of the process.
    ///
    /// - Parameters:
    ///   - library: The path of the photo library's folder; nil for the default folder.
    ///   - wrap: Wraps the host, for example in a trace recorder.
    func bootstrap(
        library: String? = nil,
        wrapping wrap: (any HardwareHost, any CaptureClock) throws(DeviceError) -> any HardwareHost = { host, _ in host
        }
    ) throws(CommandFailure) -> CommandSystem {
        do throws(DeviceError) {
            return try makeSystem(library: library, wrapping: wrap)
        } catch {
            throw CommandFailure(error.message)
        }
    }

    private func makeSystem(
        library: String?, wrapping wrap: (any HardwareHost, any CaptureClock) throws(DeviceError) -> any HardwareHost
    ) throws(DeviceError) -> CommandSystem {
        let backend = try Backend(backend)
        let virtual = backend.allowsVirtualTime && !realtime ? SimClock() : nil
        let clock: any CaptureClock = virtual ?? HostClock.shared
        let source = try backend.makeHost(
            clock: clock, profile: profile, scene: scene, lux: lux, kelvin: kelvin,
            shake: shake.map { HandShake(milliradians: $0) }, hasMarker: marker,
            sound: sound ?? .scene, seed: seed)
        try Hold.apply(hold, to: source)
        let host = try wrap(source, clock)
        let system = CaptureSystem(
            hosts: [host], clock: clock, photoLibraryURL: LibraryAccess.location(library),
            seed: virtual == nil ? nil : seed)
        try CaptureSystem.bootstrap(system)
        // The command runs in this world until the process ends.
        if let virtual { SimulatedWorld(clock: virtual).open() }
        return CommandSystem(system: system, virtualClock: virtual, backend: backend, source: source)
    }

    /// Returns the selected device, which can also be a microphone, or the default camera. Nil if there is no camera.
    func camera() throws(CommandFailure) -> AVCaptureDevice? {
        device == nil ? AVCaptureDevice.default(for: .video) : try selectedDevices().first
    }

    /// Returns the selected device, or all devices.
    func selectedDevices() throws(CommandFailure) -> [AVCaptureDevice] {
        let all = AVCaptureDevice.DiscoverySession.everything.devices
        guard let device else { return all }
        if let match = all.first(where: { $0.uniqueID == device }) { return [match] }
        throw CommandFailure(
            "there is no device \"\(device)\"; "
                + suggestion(for: device, among: all.map(\.uniqueID), listedBy: "obscura devices"))
    }
}
