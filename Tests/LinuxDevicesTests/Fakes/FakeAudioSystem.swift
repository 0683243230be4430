import CaptureHAL
import Foundation
import MediaTypes

@testable import LinuxDevices

/// An audio system with one card, which captures frames when a test calls `push`.
final class FakeAudioSystem: AudioSystem, @unchecked Sendable {
    // SAFETY: the private variables are accessed while holding the kernel's lock. Tests set the others before another
    // thread uses the system.
    let kernel: FakeKernel
    private var endpoints: [AudioEndpoint] = []
    private var openError: Int32?
    let pcm: FakePCM
    var mixerState: FakeMixer?
    /// Called without the lock when the PCM has been opened.
    var onOpen: (() -> Void)?

    init(kernel: FakeKernel) {
        self.kernel = kernel
        pcm = FakePCM(kernel)
    }

    static func endpoint(_ name: String = "Mic", order: Int = 0) -> AudioEndpoint {
        AudioEndpoint(
            key: "hw:CARD=\(name),DEV=0", name: name, manufacturer: "Fake", mixerKey: "hw:CARD=\(name)", order: order,
            card: 0)
    }

    func setEndpoints(_ endpoints: [AudioEndpoint]) { kernel.locked { self.endpoints = endpoints } }
    func setOpenError(_ number: Int32?) { kernel.locked { openError = number } }

    func captureEndpoints() -> [AudioEndpoint] { kernel.locked { endpoints } }

    func open(_ endpoint: AudioEndpoint) throws(KernelError) -> any CapturePCM {
        let error = kernel.locked { openError ?? (pcm.isOpen ? EBUSY : nil) }
        if let error { throw KernelError("snd_pcm_open", error) }
        let onOpen = kernel.locked {
            pcm.isOpen = true
            return self.onOpen
        }
        onOpen?()
        return pcm
    }

    func mixer(_ endpoint: AudioEndpoint) -> (any CaptureMixer)? { mixerState }
}

/// The PCM of the fake card.
final class FakePCM: CapturePCM, @unchecked Sendable {
    // SAFETY: all variables are accessed while holding the kernel's lock, except those that tests set before the first
    // use.
    private let kernel: FakeKernel
    var isOpen = false
    private(set) var startCount = 0
    /// The sample rate in hertz. Set it and `waveform` before the first use of the PCM.
    var sampleRate = 1000.0
    /// Returns the sample at a position in frames; by default a rising sequence.
    var waveform: @Sendable (Int) -> Int16 = { Int16(truncatingIfNeeded: $0) }
    private var unreadSamples: [Int16] = []
    /// The position of the next captured frame.
    private var nextPosition = 0
    private var error: Int32?

    init(_ kernel: FakeKernel) { self.kernel = kernel }

    /// Captures the next `count` frames of the waveform.
    func push(_ count: Int) {
        kernel.locked {
            unreadSamples += (nextPosition..<nextPosition + count).map(waveform)
            nextPosition += count
        }
    }

    /// Simulates an overrun: `count` frames are lost, and capture stops with the error `number`.
    func overrun(losing count: Int, _ number: Int32 = EPIPE) {
        kernel.locked {
            nextPosition += count
            unreadSamples = []
            error = number
        }
    }

    func formats() -> [AudioStreamFormat] {
        [AudioStreamFormat(sampleRate: sampleRate, channelCount: 1, sample: .int16)]
    }

    func configure(_ format: AudioStreamFormat, periodFrames: Int) throws(KernelError) -> Int { periodFrames }

    func start() throws(KernelError) -> Int64? {
        kernel.locked {
            startCount += 1
            if error != ENODEV { error = nil }
            return kernel.clock.now.nanoseconds
        }
    }

    func wait(_ wake: Int32) throws(KernelError) {
        var polled = [PolledDescriptor(wake, .readable)]
        kernel.condition.lock()
        defer { kernel.condition.unlock() }
        // The shortest chunk of the tests has 10 frames.
        while unreadSamples.count < 10 && error == nil {
            polled[0].occurred = kernel.pollEventsLocked(polled[0])
            if !polled[0].occurred.isEmpty { return }
            kernel.condition.wait()
        }
    }

    func position() throws(KernelError) -> PCMPosition {
        let (count, number) = kernel.locked { (unreadSamples.count, self.error) }
        if let error = number { throw KernelError("snd_pcm_avail", error) }
        return PCMPosition(available: count, nanoseconds: kernel.clock.now.nanoseconds)
    }

    func read(into memory: UnsafeMutableRawBufferPointer, frameCount: Int) throws(KernelError) -> Int {
        kernel.locked {
            let samples = Array(unreadSamples.prefix(frameCount))
            unreadSamples.removeFirst(samples.count)
            samples.withUnsafeBytes { memory.copyMemory(from: $0) }
            return samples.count
        }
    }

    func drop() {
        kernel.locked { unreadSamples = [] }
    }

    func close() { kernel.locked { isOpen = false } }
}

/// The mixer of a fake card, with a volume and a switch.
final class FakeMixer: CaptureMixer, @unchecked Sendable {
    // SAFETY: all properties are accessed while holding the kernel's lock.
    private let kernel: FakeKernel
    private var level = 0.5
    private(set) var isSwitchOn = true
    private var isChanged = false
    private var isGone = false
    /// The error code of the next wait for a change; nil if it succeeds.
    private var waitError: Int32?

    init(_ kernel: FakeKernel) { self.kernel = kernel }

    /// Simulates a change by another program.
    func changeExternally(level: Double, isOn: Bool = true) {
        kernel.locked { (self.level, isSwitchOn, isChanged) = (level, isOn, true) }
    }

    func unplug() { kernel.locked { isGone = true } }

    /// Fails the current or next wait for a change.
    func failWait(with number: Int32) { kernel.locked { waitError = number } }

    func volume() throws(KernelError) -> Double? { kernel.locked { level } }
    /// Sets the volume. As with real cards, the program that sets it also receives the change.
    func setVolume(_ volume: Double) throws(KernelError) { kernel.locked { (level, isChanged) = (volume, true) } }
    func isOn() throws(KernelError) -> Bool? { kernel.locked { isSwitchOn } }
    func setOn(_ isOn: Bool) throws(KernelError) { kernel.locked { (isSwitchOn, isChanged) = (isOn, true) } }

    func waitForChange(_ wake: Int32) throws(KernelError) {
        kernel.condition.lock()
        defer { kernel.condition.unlock() }
        while true {
            if isGone { throw KernelError("poll", ENODEV) }
            if let number = waitError {
                waitError = nil
                throw KernelError("poll", number)
            }
            if isChanged { break }
            if !kernel.pollEventsLocked(PolledDescriptor(wake, .readable)).isEmpty { return }
            kernel.condition.wait()
        }
        isChanged = false
    }
}
