import CLinuxDevices
import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import LinuxDevices

/// An audio system with cards that capture at their rate in virtual time.
///
/// The samples are generated, or read with alsa-lib from a PCM of its file plugin. The clock determines the rate.
final class PacedAudioSystem: AudioSystem, @unchecked Sendable {
    // SAFETY: all mutable properties are accessed while holding the kernel's lock.
    /// The source of a card's samples.
    enum Source: Sendable {
        /// Samples that increase by one and wrap around.
        case ramp
        /// Raw 16-bit samples.
        case filePlugin(path: String)
    }

    private struct Card {
        let endpoint: AudioEndpoint
        let source: Source
        let hasMixer: Bool
        var mixer: FakeMixer?
        var isPlugged = true
        var openError: Int32?
        var pcm: PacedPCM?
    }

    private let kernel: FakeKernel
    private let clock: SimClock
    private var cards: [Card] = []

    init(_ kernel: FakeKernel, clock: SimClock) {
        self.kernel = kernel
        self.clock = clock
    }

    func add(_ name: String, _ source: Source, hasMixer: Bool) {
        kernel.locked {
            let endpoint = FakeAudioSystem.endpoint(name, order: cards.count)
            let mixer = hasMixer ? FakeMixer(kernel) : nil
            cards.append(Card(endpoint: endpoint, source: source, hasMixer: hasMixer, mixer: mixer))
        }
    }

    // MARK: Control by tests; `id` ends with the endpoint's key

    private func change(_ id: String, _ body: (inout Card) -> Void) {
        kernel.locked {
            for index in cards.indices where id.hasSuffix(cards[index].endpoint.key) { body(&cards[index]) }
        }
    }

    /// Whether the system has a card.
    func contains(_ id: String) -> Bool { kernel.locked { cards.contains { id.hasSuffix($0.endpoint.key) } } }

    func unplug(_ id: String) {
        mixer(of: id)?.unplug()
        change(id) { card in
            card.isPlugged = false
            card.pcm?.error = ENODEV
            card.pcm = nil
            card.mixer = nil
        }
    }

    func plug(_ id: String) {
        change(id) { card in
            card.isPlugged = true
            card.mixer = card.hasMixer ? FakeMixer(kernel) : nil
        }
    }

    /// Returns the mixer of a card, which a test can change.
    func mixer(of id: String) -> FakeMixer? {
        kernel.locked { cards.first { id.hasSuffix($0.endpoint.key) }?.mixer }
    }
    func setOpenError(_ number: Int32?, _ id: String) { change(id) { $0.openError = number } }
    /// Simulates an overrun that loses the samples of the next `nanoseconds`.
    func overrun(_ id: String, nanoseconds: Int64) {
        let end = clock.now.nanoseconds + nanoseconds
        change(id) { $0.pcm?.overrunEnd = end }
    }
    func fail(_ id: String, _ number: Int32) { change(id) { $0.pcm?.error = number } }

    /// Whether no thread of a card has anything to do at the current time; call with the kernel's lock held.
    var isIdleLocked: Bool { cards.allSatisfy { $0.pcm?.isIdleLocked ?? true } }

    // MARK: AudioSystem

    func captureEndpoints() -> [AudioEndpoint] { kernel.locked { cards.filter(\.isPlugged).map(\.endpoint) } }

    func open(_ endpoint: AudioEndpoint) throws(KernelError) -> any CapturePCM {
        let (found, error) = kernel.locked { () -> (Card?, Int32?) in
            guard let card = cards.first(where: { $0.endpoint.key == endpoint.key }), card.isPlugged else {
                return (nil, ENODEV)
            }
            if let error = card.openError { return (nil, error) }
            return card.pcm?.isOpen == true ? (nil, EBUSY) : (card, nil)
        }
        guard let card = found else { throw KernelError("snd_pcm_open", error ?? ENODEV) }
        var library: ALSAPCM?
        if case .filePlugin(let path) = card.source { library = try Self.filePlugin(path) }
        let pcm = PacedPCM(kernel, clock: clock, library: library, mixer: card.mixer)
        change(endpoint.key) { $0.pcm = pcm }
        return pcm
    }

    func mixer(_ endpoint: AudioEndpoint) -> (any CaptureMixer)? {
        kernel.locked { cards.first { $0.endpoint.key == endpoint.key }?.mixer }
    }

    /// Opens a PCM of alsa-lib that reads its samples from a file.
    private static func filePlugin(_ path: String) throws(KernelError) -> ALSAPCM {
        let text = """
            pcm.test {
                type file
                file "/dev/null"
                infile "\(path)"
                format raw
                slave.pcm { type null }
            }
            """
        return ALSAPCM(try openTestPCM(text, SND_PCM_STREAM_CAPTURE), name: "test")
    }
}

/// An open PCM that captures as virtual time passes.
final class PacedPCM: CapturePCM, @unchecked Sendable {
    // SAFETY: mutable properties are accessed while holding the kernel's lock, except `library`, which has one user at
    // a time according to `CapturePCM`.
    private let kernel: FakeKernel
    private let clock: SimClock
    private let library: ALSAPCM?
    private let mixer: FakeMixer?
    private(set) var isOpen = true
    var error: Int32?
    /// The time in nanoseconds at which the current overrun ends; nil without an overrun.
    var overrunEnd: Int64?
    private var rate = 48_000.0
    private var channelCount = 1
    private var period = 480
    /// The time of the last start; nil while the PCM is stopped.
    private var startNanoseconds: Int64?
    /// The number of frames that were read since the last start.
    private var readCount = 0
    /// The number of generated samples.
    private var generatedCount = 0
    /// The wake event of the waiting thread; nil if no thread waits.
    private var wakeEvent: Int32?

    init(_ kernel: FakeKernel, clock: SimClock, library: ALSAPCM?, mixer: FakeMixer?) {
        self.kernel = kernel
        self.clock = clock
        self.library = library
        self.mixer = mixer
    }

    /// The number of captured frames that have not been read; call with the kernel's lock held.
    private var availableLocked: Int {
        guard let start = startNanoseconds, overrunEnd == nil else { return 0 }
        return Int(Double(clock.now.nanoseconds - start) / 1e9 * rate + 1e-6) - readCount
    }

    private var isReadyLocked: Bool {
        if let end = overrunEnd, clock.now.nanoseconds >= end {
            overrunEnd = nil
            error = EPIPE
        }
        return error != nil || availableLocked >= period
    }

    /// Whether the PCM is stopped, or its thread waits and has no period of samples, error or wake event to handle.
    /// Call it with the kernel's lock held.
    var isIdleLocked: Bool {
        guard isOpen, startNanoseconds != nil else { return true }
        guard let wakeEvent else { return false }
        return !isReadyLocked && kernel.pollEventsLocked(PolledDescriptor(wakeEvent, .readable)).isEmpty
    }

    func formats() -> [AudioStreamFormat] {
        library?.formats()
            ?? [
                AudioStreamFormat(sampleRate: 48_000, channelCount: 1, sample: .int16),
                AudioStreamFormat(sampleRate: 44_100, channelCount: 2, sample: .int16),
            ]
    }

    func configure(_ format: AudioStreamFormat, periodFrames: Int) throws(KernelError) -> Int {
        // A card's buffer contains at least two periods. Its duration here is half a second.
        let requested = min(max(periodFrames, 16), Int(format.sampleRate / 4))
        let period = if let library { try library.configure(format, periodFrames: requested) } else { requested }
        kernel.locked {
            (rate, channelCount, self.period) = (format.sampleRate, format.channelCount, period)
        }
        return period
    }

    func start() throws(KernelError) -> Int64? {
        if let library { _ = try library.start() }
        let number = kernel.locked { () -> Int32? in
            if error != ENODEV { error = nil }
            if let error { return error }
            (startNanoseconds, readCount) = (clock.now.nanoseconds, 0)
            return nil
        }
        if let number { throw KernelError("snd_pcm_start", number) }
        return clock.now.nanoseconds
    }

    func wait(_ wake: Int32) throws(KernelError) {
        kernel.condition.lock()
        defer {
            wakeEvent = nil
            kernel.condition.unlock()
        }
        wakeEvent = wake
        kernel.condition.broadcast()
        while !isReadyLocked, kernel.pollEventsLocked(PolledDescriptor(wake, .readable)).isEmpty {
            kernel.condition.wait()
        }
    }

    func position() throws(KernelError) -> PCMPosition {
        let (count, number) = kernel.locked { (availableLocked, error) }
        if let number { throw KernelError("snd_pcm_avail", number) }
        return PCMPosition(available: count, nanoseconds: clock.now.nanoseconds)
    }

    func read(into memory: UnsafeMutableRawBufferPointer, frameCount: Int) throws(KernelError) -> Int {
        let count = kernel.locked { min(frameCount, availableLocked) }
        let read: Int
        if let library {
            read = try library.read(into: memory, frameCount: count)
        } else {
            kernel.locked {
                let samples = memory.bindMemory(to: Int16.self)
                let isOn = mixer?.isSwitchOn ?? true
                for index in 0..<count * channelCount {
                    samples[index] = isOn ? Int16(truncatingIfNeeded: generatedCount + index + 1) : 0
                }
                generatedCount += count * channelCount
            }
            read = count
        }
        kernel.locked { readCount += read }
        return read
    }

    func drop() {
        library?.drop()
        kernel.locked { startNanoseconds = nil }
    }

    func close() {
        library?.close()
        kernel.locked { (isOpen, startNanoseconds) = (false, nil) }
    }
}

/// Opens the PCM `test` of an alsa-lib configuration in non-blocking mode.
func openTestPCM(_ text: String, _ direction: snd_pcm_stream_t) throws(KernelError) -> OpaquePointer {
    var configuration: OpaquePointer?
    guard snd_config_top(&configuration) == 0 else { throw KernelError("snd_config_top", ENOMEM) }
    defer { snd_config_delete(configuration) }
    var source: OpaquePointer?
    guard snd_input_buffer_open(&source, text, text.utf8.count) == 0 else {
        throw KernelError("snd_input_buffer_open", ENOMEM)
    }
    defer { snd_input_close(source) }
    guard snd_config_load(configuration, source) == 0 else { throw KernelError("snd_config_load", EINVAL) }
    var handle: OpaquePointer?
    let result = snd_pcm_open_lconf(&handle, "test", direction, Int32(SND_PCM_NONBLOCK), configuration)
    guard let handle else { throw KernelError("snd_pcm_open_lconf", -result) }
    return handle
}
