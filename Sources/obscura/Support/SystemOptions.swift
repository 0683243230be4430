import ArgumentParser
import CaptureBackends
import CaptureCore
import CaptureHAL
import Foundation
import MediaTypes
import RecordedDevices
import SimDevices

/// The options that all commands with devices share.
struct SystemOptions: ParsableArguments {
    @Option(help: "Where devices come from: \(Backend.forms). OBSCURA_BACKEND sets what holds without this.")
    var backend = SystemOptions.environmentBackend ?? "sim"

    @Option(help: "For sim: the name of a device profile, or a YAML file.")
    var profile: String?

    @Option(
        help:
            "For sim: the scene in front of the cameras: \(SimScene.allCases.map(\.name).joined(separator: ", ")), or a YAML file."
    )
    var scene: String?

    @Option(parsing: .unconditional, help: "For sim: the light on the scene, in lux.") var lux: Double?

    @Option(parsing: .unconditional, help: "For sim: the colour temperature of the light, in kelvin.")
    var kelvin: Double?

    @Option(
        parsing: .unconditional,
        help: "For sim: how much the hand shakes that holds the cameras, in milliradians; 0 is a tripod.")
    var shake: Double?

    @Option(help: "The camera, by the id that 'obscura devices' shows.")
    var device: String?

    @Option(
        parsing: .unconditional, help: "For sim: what all chance follows from, a whole number from 0 to \(UInt64.max).")
    var seed: UInt64 = 1

    @Flag(help: "Let time pass as on a clock on the wall, also for sim and file.")
    var realtime = false

    @Option(help: "The folder of the photo library.")
    var library: String?

    /// What `OBSCURA_BACKEND` says, as for programs that use the library; nil where it says nothing.
    private static var environmentBackend: String? {
        ProcessInfo.processInfo.environment["OBSCURA_BACKEND"].flatMap { $0.isEmpty ? nil : $0 }
    }

    func validate() throws {
        if let profile, backend != "sim" {
            throw ValidationError("--profile \(profile) goes with --backend sim, not \(backend)")
        }
        if let scene, backend != "sim" {
            throw ValidationError("--scene \(scene) goes with --backend sim, not \(backend)")
        }
        for (name, value) in [("--lux", lux), ("--kelvin", kelvin), ("--shake", shake)]
        where value != nil && backend != "sim" {
            throw ValidationError("\(name) goes with --backend sim, not \(backend)")
        }
        if let lux, !(0.001...200_000).contains(lux) { throw ValidationError("--lux takes 0.001 to 200000") }
        if let kelvin, !(1667...25_000).contains(kelvin) { throw ValidationError("--kelvin takes 1667 to 25000") }
        if let shake, !(0...50).contains(shake) { throw ValidationError("--shake takes 0 to 50") }
        do throws(DeviceError) {
            _ = try Backend(backend)
        } catch {
            let isFromEnvironment = backend == Self.environmentBackend
            throw ValidationError((isFromEnvironment ? "OBSCURA_BACKEND: " : "") + error.message)
        }
    }

    /// The system that the options describe; the process's own from here on.
    ///
    /// - Parameter wrap: Puts something around the host, as a recorder of traces.
    func bootstrap(
        wrapping wrap: (any HardwareHost, any CaptureClock) throws(DeviceError) -> any HardwareHost = { host, _ in host
        }
    ) throws(CommandFailure) -> CommandSystem {
        do throws(DeviceError) {
            return try makeSystem(wrapping: wrap)
        } catch {
            throw CommandFailure(error.message)
        }
    }

    private func makeSystem(
        wrapping wrap: (any HardwareHost, any CaptureClock) throws(DeviceError) -> any HardwareHost
    ) throws(DeviceError) -> CommandSystem {
        let backend = try Backend(backend)
        let virtual = backend.allowsVirtualTime && !realtime ? SimClock() : nil
        let clock: any CaptureClock = virtual ?? HostClock.shared
        let source = try backend.makeHost(
            clock: clock, profile: profile, scene: scene, lux: lux, kelvin: kelvin,
            shake: shake.map { HandShake(milliradians: $0) }, seed: seed)
        let host = try wrap(source, clock)
        let system = CaptureSystem(
            hosts: [host], clock: clock,
            photoLibraryURL: library.map { URL(fileURLWithPath: $0, isDirectory: true) }
                ?? CaptureSystem.defaultPhotoLibraryURL, seed: virtual == nil ? nil : seed)
        try CaptureSystem.bootstrap(system)
        return CommandSystem(system: system, virtualClock: virtual, backend: backend, source: source)
    }

    /// The camera that was asked for, or the default one.
    func camera() throws(CommandFailure) -> AVCaptureDevice? {
        device == nil ? AVCaptureDevice.default(for: .video) : try chosenDevices().first
    }

    /// The device that was asked for, or all.
    func chosenDevices() throws(CommandFailure) -> [AVCaptureDevice] {
        let all = AVCaptureDevice.DiscoverySession.everything.devices
        guard let device else { return all }
        if let match = all.first(where: { $0.uniqueID == device }) { return [match] }
        throw CommandFailure(
            "there is no device \"\(device)\"; the devices are \(all.map(\.uniqueID).joined(separator: ", "))")
    }
}

/// A capture system with the means to let its time pass.
struct CommandSystem {
    let system: CaptureSystem
    /// nil where time passes by itself.
    let virtualClock: SimClock?
    let backend: Backend
    /// Where the devices come from, under whatever is wrapped around it.
    let source: any HardwareHost
    /// Rung, it makes `run` look again at once, in real time.
    let bell = DispatchSemaphore(value: 0)

    /// Whether the devices come to an end by themselves.
    var ends: Bool { (source as? MediaFileHost)?.ends ?? backend.ends }

    /// How much is captured: what was asked for, else to the end of a source that has one, else 10 s.
    func limit(_ duration: Seconds?) -> CMTime? {
        duration?.time ?? (ends ? nil : CMTime(value: 10, timescale: 1))
    }

    /// Where a trace is played: the only streams of a camera that it holds.
    func playableStreams(of camera: AVCaptureDevice) -> [PlayableStream] {
        tracedDevice(camera).map { $0.trace.playableStreams(of: $0.device) } ?? []
    }

    /// False for a device that was there when a trace was recorded, and was not used.
    func canPlay(_ device: AVCaptureDevice) -> Bool {
        tracedDevice(device).map { $0.trace.canOpen($0.device) } ?? true
    }

    /// The recorder around the host may hide a trace's device itself, but not who it is.
    private func tracedDevice(_ device: AVCaptureDevice) -> (trace: TraceHost, device: any HardwareDevice)? {
        guard let trace = source as? TraceHost else { return nil }
        return trace.devices.first { $0.descriptor.uniqueID == device.uniqueID }.map { (trace, $0) }
    }

    /// Lets time pass until `isDone` holds.
    ///
    /// - Parameters:
    ///   - limit: The most time that may pass; nil is no limit.
    ///   - pause: How long real time passes between two looks where nobody rings the bell, in seconds.
    /// - Returns: Whether it holds; false after the limit, or where nothing can happen any more.
    @discardableResult
    func run(
        limit: Duration? = nil, lookingEvery pause: Double = 0.1, until isDone: @escaping @Sendable () -> Bool
    ) -> Bool {
        if let virtualClock { return virtualClock.run(until: isDone, limit: limit ?? .seconds(1_000_000)) }
        let end = limit.map { system.clock.now + CMTime(nanoseconds: $0.nanoseconds) }
        // Nothing is delivered on the main queue, and a turn of its run loop costs more than a frame does.
        while !isDone() {
            let rest = end.map { ($0 - system.clock.now).seconds } ?? .infinity
            if rest <= 0 { return false }
            _ = bell.wait(timeout: .now() + min(rest, pause))
        }
        return true
    }
}
