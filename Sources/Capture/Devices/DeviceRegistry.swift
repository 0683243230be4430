import CaptureHAL
import Foundation
import MediaTypes

/// What a device needs of its system; not the system itself, which owns the devices.
struct DeviceSurroundings: Sendable {
    let clock: any CaptureClock
    let authorization: Authorization
    let misuse: MisuseHandler
    let mediaClock: CMClock
}

/// The devices of a system as capture objects: one `AVCaptureDevice` for each device that a host has, in host order.
final class DeviceRegistry: Sendable {
    private struct State {
        var devices: [(hardware: any HardwareDevice, device: AVCaptureDevice)] = []
        var observations: [Observation] = []
    }

    private let state = Lock(State())
    private let changes = Observers<Void>()
    private let hosts: [any HardwareHost]
    private let notificationCenter: NotificationCenter
    private let surroundings: DeviceSurroundings

    /// The registry of the system in which the caller lives.
    static var current: DeviceRegistry { of(.current) }

    static func of(_ system: CaptureSystem) -> DeviceRegistry {
        let registry = system.component(DeviceRegistry.self) { DeviceRegistry(system) }
        registry.startObserving()
        return registry
    }

    private init(_ system: CaptureSystem) {
        hosts = system.hosts
        notificationCenter = system.notificationCenter
        surroundings = DeviceSurroundings(
            clock: system.clock, authorization: system.authorization, misuse: system.misuse,
            mediaClock: system.mediaClock)
    }

    /// The devices that are connected now.
    var devices: [AVCaptureDevice] {
        refresh()
        return state.withLock { $0.devices.map(\.device).filter(\.isConnected) }
    }

    /// Calls `handler` after each change of `devices`, before it is posted.
    func observeChanges(_ handler: @escaping @Sendable () -> Void) -> Observation {
        changes.add { handler() }
    }

    private func startObserving() {
        let isFirst = state.withLock { state in
            guard state.observations.isEmpty else { return false }
            state.observations = [Observation {}]
            return true
        }
        guard isFirst else { return }
        refresh()
        let observations = hosts.map { host in
            host.observeDevices { [weak self] change in self?.apply(change) }
        }
        state.withLock { $0.observations += observations }
    }

    /// Makes capture devices for hardware that has none yet.
    ///
    /// Those that have gone stay until their host has said so, because that news names them.
    private func refresh() {
        // What cannot be opened, as for want of rights, has no formats, and there is nothing that a client could do.
        let present = hosts.flatMap(\.devices).filter { !$0.formats.isEmpty }
        state.withLock { state in
            let departing = state.devices.filter { known in !present.contains { $0 === known.hardware } }
            state.devices =
                present.map { hardware in
                    state.devices.first { $0.hardware === hardware }
                        ?? (hardware, AVCaptureDevice(hardware, in: surroundings))
                } + departing
        }
    }

    private func apply(_ change: DeviceChange) {
        switch change {
        case .connected(let hardware):
            refresh()
            guard let device = device(for: hardware) else { return }
            changes.notify(())
            notificationCenter.post(name: .AVCaptureDeviceWasConnected, object: device)
        case .disconnected(let hardware):
            guard let device = device(for: hardware) else { return }
            state.withLock { state in state.devices.removeAll { $0.hardware === hardware } }
            device.hardwareWasDisconnected()
            changes.notify(())
            notificationCenter.post(name: .AVCaptureDeviceWasDisconnected, object: device)
        }
    }

    private func device(for hardware: any HardwareDevice) -> AVCaptureDevice? {
        state.withLock { $0.devices.first { $0.hardware === hardware }?.device }
    }
}
