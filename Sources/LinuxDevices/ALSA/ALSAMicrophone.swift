package import CaptureHAL
import Glibc
import MediaTypes

/// A microphone, line input or sound server that is accessed with ALSA.
package final class ALSAMicrophone: HardwareDevice {
    private struct State {
        var isConnected = true
        weak var opened: ALSAOpenMicrophone?
    }

    package let descriptor: DeviceDescriptor
    package let formats: [StreamFormat]
    private let endpoint: AudioEndpoint
    private let audioSystem: any AudioSystem
    private let kernel: any KernelCalls
    private let clock: any CaptureClock
    private let availability: AvailabilityMonitor
    private let state = Lock(State(), order: .device)
    /// Whether a client has muted the microphone in software; see `ALSAOpenMicrophone`.
    private let isMuted = Lock(false)

    /// Creates the device of an endpoint. If the endpoint cannot be opened now, the device has no formats.
    package init(
        _ endpoint: AudioEndpoint, audioSystem: any AudioSystem, kernel: any KernelCalls, clock: any CaptureClock
    ) {
        self.endpoint = endpoint
        self.audioSystem = audioSystem
        self.kernel = kernel
        self.clock = clock
        availability = AvailabilityMonitor(clock: clock)
        let origin = endpoint.card.map { SysfsOrigin("/sys/class/sound/card\($0)", kernel: kernel) }
        descriptor = DeviceDescriptor(
            uniqueID: "alsa:\(endpoint.key)", modelID: endpoint.name, localizedName: endpoint.name,
            manufacturer: endpoint.manufacturer, kind: .microphone, media: [.audio],
            transport: origin?.transport(driver: endpoint.manufacturer) ?? .virtual, housing: origin?.usbFolder)
        do throws(KernelError) {
            let pcm = try audioSystem.open(endpoint)
            formats = pcm.formats().map { .audio($0) }
            pcm.close()
        } catch {
            formats = []
        }
    }

    package var isConnected: Bool { state.withLock(\.isConnected) }

    package var isInUseByAnotherApplication: Bool {
        guard isConnected, state.withLock({ $0.opened?.isOpen != true }) else { return false }
        do throws(KernelError) {
            try audioSystem.open(endpoint).close()
            return false
        } catch {
            return error.number == EBUSY
        }
    }

    package var condition: DeviceCondition {
        availability.condition { [weak self] in self?.isInUseByAnotherApplication ?? false }
    }

    package func observeCondition(_ handler: @escaping @Sendable (DeviceCondition) -> Void) -> ObserverToken {
        availability.observe(handler)
    }

    package func open() throws(DeviceError) -> any OpenDevice {
        let opened = ALSAOpenMicrophone(
            endpoint, formats: formats, audioSystem: audioSystem, kernel: kernel, clock: clock,
            device: descriptor.uniqueID, isMuted: isMuted)
        try state.withLock { state throws(DeviceError) in
            guard state.isConnected else {
                throw DeviceError(
                    .disconnected, device: descriptor.uniqueID,
                    "the microphone was disconnected; discover devices again")
            }
            guard state.opened?.isOpen != true else {
                throw DeviceError(
                    .busy, device: descriptor.uniqueID, "the microphone is already open; close it first")
            }
            state.opened = opened
        }
        do throws(KernelError) {
            try opened.openPCM()
        } catch {
            opened.close()
            CaptureLog.write(.alsa, .error, clock, "\(descriptor.uniqueID): could not be opened: \(error.logText)")
            throw DeviceError(error, device: descriptor.uniqueID, "the microphone could not be opened")
        }
        CaptureLog.write(.alsa, .info, clock, "\(descriptor.uniqueID): opened")
        return opened
    }

    /// Marks the device as disconnected. A running stream detects the disconnection itself.
    func disconnect() {
        state.withLock { $0.isConnected = false }
    }
}
