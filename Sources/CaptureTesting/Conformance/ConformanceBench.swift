import CaptureHAL
import MediaTypes

/// One check at work: its host, and what is found.
///
/// - Important: Thread-safe.
final class ConformanceBench: Sendable {
    private struct State {
        var entry: ConformanceReport.Entry
        var opened: [any OpenDevice] = []
        var hostCount = 1
    }

    let check: HostCheck
    let subject: ConformanceSubject
    private let make: @Sendable (HostConformance.Purpose) throws -> ConformanceSubject
    private let state: Lock<State>

    init(
        _ check: HostCheck, _ make: @escaping @Sendable (HostConformance.Purpose) throws -> ConformanceSubject
    ) throws {
        self.check = check
        self.make = make
        subject = try make(HostConformance.Purpose(check: check, ordinal: 0))
        state = Lock(State(entry: ConformanceReport.Entry(check: check)))
    }

    var host: any HardwareHost { subject.host }
    var time: ConformanceTime { subject.time }
    var entry: ConformanceReport.Entry { state.withLock { $0.entry } }

    /// Another host of the same making; the caller tears it down, by `tearDown(_:)`.
    func another() throws -> ConformanceSubject {
        let ordinal = state.withLock { state in
            defer { state.hostCount += 1 }
            return state.hostCount
        }
        return try make(HostConformance.Purpose(check: check, ordinal: ordinal))
    }

    func tearDown(_ subject: ConformanceSubject) {
        do { try subject.tearDown() } catch { fail(nil, nil, "the host could not be taken down: \(error)") }
    }

    /// Does the check, and closes what it left open.
    func perform() {
        switch check.body {
        case .host(let body):
            attempt(nil) { try body(self) }
        case .device(let body):
            let devices = host.devices
            if devices.isEmpty { fail(nil, nil, "the host has no devices") }
            for device in devices {
                // A device that was unplugged for another one's check, as on one plug with it, is a new instance.
                let current = present(device.descriptor.uniqueID) ?? device
                attempt(current) {
                    // So hosts list what is there and may not be opened, or is held by another, since they looked.
                    if current.formats.isEmpty, check != .descriptorsAreSane {
                        throw ConformanceSkip("the device lists no formats, so it cannot be used now")
                    }
                    try body(DeviceBench(bench: self, device: current))
                }
            }
        }
        end()
    }

    /// The device of this ID that is connected now.
    private func present(_ id: String) -> (any HardwareDevice)? {
        func find() -> (any HardwareDevice)? { host.devices.first { $0.descriptor.uniqueID == id } }
        if let device = find() { return device }
        _ = time.pass(until: { find() != nil }, limit: subject.traits.patience)
        return find()
    }

    func end() {
        closeAll()
        tearDown(subject)
    }

    func fail(_ device: (any HardwareDevice)?, _ format: StreamFormat?, _ message: String) {
        let failure = ConformanceReport.Failure(
            device: device?.descriptor.uniqueID ?? "", format: format?.summary ?? "", message: message)
        // One fault seen a hundred times is one fault.
        state.withLock { state in
            if !state.entry.failures.contains(failure) { state.entry.failures.append(failure) }
        }
    }

    /// Closes the device when the check is over, whatever becomes of it.
    func keepForClosing(_ opened: any OpenDevice) { state.withLock { $0.opened.append(opened) } }

    /// Forgets the device without closing it.
    func letGo(_ opened: any OpenDevice) { state.withLock { $0.opened.removeAll { $0 === opened } } }

    private func closeAll() {
        let opened = state.withLock { state in
            defer { state.opened = [] }
            return state.opened
        }
        for device in opened { device.close() }
    }

    private func attempt(_ device: (any HardwareDevice)?, _ body: () throws -> Void) {
        let id = device?.descriptor.uniqueID ?? ""
        do {
            try body()
            state.withLock { $0.entry.devices.append(id) }
        } catch let skip as ConformanceSkip {
            state.withLock { $0.entry.skips[id] = skip.reason }
        } catch is ConformanceStop {
            // Told already.
        } catch {
            fail(device, nil, "\(error)")
        }
        closeAll()
    }
}

/// Ends a check whose failure was told.
struct ConformanceStop: Error {}

extension StreamFormat {
    /// In a few words: `640x480 420v`, `48000.0 Hz x 2 int16`.
    var summary: String {
        switch self {
        case .video(let video):
            let code =
                switch video.encoding {
                case .pixels(let code), .compressed(let code): code
                }
            let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> UInt32($0)) }
            let isText = bytes.allSatisfy { (0x20..<0x7f).contains($0) }
            let name = isText ? String(decoding: bytes, as: UTF8.self) : "\(code)"
            return "\(video.dimensions.width)x\(video.dimensions.height) \(name)"
        case .audio(let audio):
            return "\(audio.sampleRate) Hz x \(audio.channelCount) \(audio.sample.rawValue)"
        }
    }
}
