import CCaptureHAL
import Foundation
import MediaTypes

/// The process's own system, created on first use.
final class ProcessSystem: Sendable {
    static let shared = ProcessSystem()

    private struct State {
        var system: CaptureSystem?
        var factory: (@Sendable (String) throws(DeviceError) -> CaptureSystem)?
    }

    private let state = Lock(State())
    /// The lock that is held during creation instead of `state`, so that the system is created only once.
    private let creationLock = Lock((), order: .processSystem)

    func bootstrap(_ system: CaptureSystem) throws(DeviceError) {
        try state.withLock { state throws(DeviceError) in
            guard state.system == nil else {
                throw DeviceError(
                    .invalidState, device: "CaptureSystem",
                    "the process already has a capture system; call bootstrap once, before the first use")
            }
            system.reference.markAsProcessSystem()
            state.system = system
        }
    }

    var systemIfCreated: CaptureSystem? { state.withLock { $0.system } }

    func setFactory(_ factory: @escaping @Sendable (String) throws(DeviceError) -> CaptureSystem) {
        state.withLock { $0.factory = factory }
    }

    func system() -> CaptureSystem {
        if let system = state.withLock({ $0.system }) { return system }
        return creationLock.withLock { _ in
            if let system = state.withLock({ $0.system }) { return system }
            let created = create()
            return state.withLock { state in
                // `bootstrap` can have set a system in the meantime.
                if let system = state.system { return system }
                created.reference.markAsProcessSystem()
                state.system = created
                return created
            }
        }
    }

    private func create() -> CaptureSystem {
        _ = ccapturehal_install_linked_backends()
        guard let factory = state.withLock({ $0.factory }) else {
            CaptureSystem.log("no backend is linked into this program; no devices are available")
            return CaptureSystem(hosts: [], clock: HostClock.shared)
        }
        let choice = ProcessInfo.processInfo.environment["OBSCURA_BACKEND"] ?? ""
        do throws(DeviceError) {
            let system = try factory(choice)
            let names = system.hosts.map(\.name).joined(separator: ", ")
            CaptureSystem.log("using devices from \(names)\(choice.isEmpty ? " (set OBSCURA_BACKEND to choose)" : "")")
            return system
        } catch {
            fatalError("OBSCURA_BACKEND=\(choice): \(error.message)")
        }
    }
}
