import CaptureHAL
import MediaTypes

/// The context of a running check: its host and results. Thread-safe.
final class ConformanceContext: Sendable {
    private struct State {
        var entry: ConformanceReport.Entry
        var opened: [any OpenDevice] = []
        var hostCount = 1
    }

    let check: HostCheck
    let subject: ConformanceSubject
    private let makeSubject: @Sendable (HostConformance.Purpose) throws -> ConformanceSubject
    private let state: Lock<State>

    init(
        _ check: HostCheck, _ make: @escaping @Sendable (HostConformance.Purpose) throws -> ConformanceSubject
    ) throws {
        self.check = check
        makeSubject = make
        subject = try makeSubject(HostConformance.Purpose(check: check, ordinal: 0))
        state = Lock(State(entry: ConformanceReport.Entry(check: check)))
    }

    var host: any HardwareHost { subject.host }
    var time: ConformanceTime { subject.time }
    var entry: ConformanceReport.Entry { state.withLock { $0.entry } }

    /// Creates another subject, which the caller must tear down with `tearDown(_:)`.
    func makeAnotherSubject() throws -> ConformanceSubject {
        let ordinal = state.withLock { state in
            defer { state.hostCount += 1 }
            return state.hostCount
        }
        return try makeSubject(HostConformance.Purpose(check: check, ordinal: ordinal))
    }

    /// Tears a subject down.
    func tearDown(_ subject: ConformanceSubject) {
        do { try subject.tearDown() } catch { fail(nil, nil, "tearing down the host failed: \(error)") }
    }

    /// Runs the check, closes the devices that it left open, and tears the host down.
    func perform() {
        switch check.body {
        case .host(let body):
            attempt(nil) { try body(self) }
        case .device(let body):
            let devices = host.devices
            if devices.isEmpty { fail(nil, nil, "the host has no devices") }
            for device in devices {
                // A device that was disconnected by the check of another device is a new instance.
                let current = connectedDevice(device.descriptor.uniqueID) ?? device
                attempt(current) {
                    // Hosts list a device without formats if it could not be opened at discovery.
                    if current.formats.isEmpty, check != .descriptorsAreValid {
                        throw ConformanceSkip("the device lists no formats and cannot be used at present")
                    }
                    try body(DeviceCheckContext(context: self, device: current))
                }
            }
        }
        end()
    }

    /// Returns the connected device with an ID, after waiting for it if necessary.
    private func connectedDevice(_ id: String) -> (any HardwareDevice)? {
        func find() -> (any HardwareDevice)? { host.devices.first { $0.descriptor.uniqueID == id } }
        if let device = find() { return device }
        _ = time.advance(until: { find() != nil }, limit: subject.traits.timeout)
        return find()
    }

    /// Closes the opened devices and tears the host down.
    func end() {
        closeAll()
        tearDown(subject)
    }

    /// Records a failure.
    func fail(_ device: (any HardwareDevice)?, _ format: StreamFormat?, _ message: String) {
        let failure = ConformanceReport.Failure(
            device: device?.descriptor.uniqueID ?? "", format: format?.summary ?? "", message: message)
        // Equal failures are recorded once.
        state.withLock { state in
            if !state.entry.failures.contains(failure) { state.entry.failures.append(failure) }
        }
    }

    /// Registers an opened device, which is closed at the end of the check.
    func closeAtEnd(_ opened: any OpenDevice) { state.withLock { $0.opened.append(opened) } }

    /// Releases an opened device without closing it.
    func forget(_ opened: any OpenDevice) { state.withLock { $0.opened.removeAll { $0 === opened } } }

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
            // The failure has been recorded.
        } catch {
            fail(device, nil, "\(error)")
        }
        closeAll()
    }
}

/// Ends a check after a failure has been recorded.
struct ConformanceStop: Error {}

extension StreamFormat {
    /// The format as a short text: `640x480 420v`, `48000.0 Hz x 2 int16`.
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
