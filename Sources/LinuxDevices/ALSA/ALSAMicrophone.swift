package import CaptureHAL
import Glibc
import MediaTypes

/// A microphone, line input or sound server behind ALSA.
package final class ALSAMicrophone: HardwareDevice {
    private struct State {
        var isConnected = true
        weak var opened: ALSAOpenMicrophone?
    }

    package let descriptor: DeviceDescriptor
    package let formats: [StreamFormat]
    /// The place in the host's list.
    let order: Int
    private let endpoint: SoundEndpoint
    private let sound: any SoundSystem
    private let kernel: any KernelCalls
    private let clock: any CaptureClock
    private let occupation: OccupationWatch
    private let state = Lock(State(), order: .device)

    /// Looks at an endpoint; one that cannot be opened now is there, but without formats.
    package init(
        _ endpoint: SoundEndpoint, sound: any SoundSystem, kernel: any KernelCalls, clock: any CaptureClock
    ) {
        self.endpoint = endpoint
        self.sound = sound
        self.kernel = kernel
        self.clock = clock
        occupation = OccupationWatch(clock: clock)
        order = endpoint.order
        let origin = endpoint.card.map { SysfsOrigin("/sys/class/sound/card\($0)", kernel: kernel) }
        descriptor = DeviceDescriptor(
            uniqueID: "alsa:\(endpoint.key)", modelID: endpoint.name, localizedName: endpoint.name,
            manufacturer: endpoint.manufacturer, kind: .microphone, media: [.audio],
            transport: origin?.transport(driver: endpoint.manufacturer) ?? .virtual, housing: origin?.usbFolder)
        do throws(KernelError) {
            let pcm = try sound.open(endpoint)
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
            try sound.open(endpoint).close()
            return false
        } catch {
            return error.number == EBUSY
        }
    }

    package var condition: DeviceCondition {
        occupation.condition { [weak self] in self?.isInUseByAnotherApplication ?? false }
    }

    package func observeCondition(_ handler: @escaping @Sendable (DeviceCondition) -> Void) -> Observation {
        occupation.observe(handler)
    }

    package func open() throws(DeviceError) -> any OpenDevice {
        let opened = ALSAOpenMicrophone(
            endpoint, formats: formats, sound: sound, kernel: kernel, clock: clock, device: descriptor.uniqueID)
        try state.withLock { state throws(DeviceError) in
            guard state.isConnected else {
                throw DeviceError(
                    .disconnected, device: descriptor.uniqueID, "the microphone was unplugged; look for it anew")
            }
            guard state.opened?.isOpen != true else {
                throw DeviceError(
                    .busy, device: descriptor.uniqueID, "the microphone is open already; close it first")
            }
            state.opened = opened
        }
        do throws(KernelError) {
            try opened.takePCM()
        } catch {
            opened.close()
            throw DeviceError(error, device: descriptor.uniqueID, "the microphone could not be opened")
        }
        return opened
    }

    /// Notes that the device has gone; a stream finds out by itself.
    func disconnect() {
        state.withLock { $0.isConnected = false }
    }
}
