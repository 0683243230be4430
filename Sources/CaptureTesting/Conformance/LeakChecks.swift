import CaptureHAL
import MediaTypes

/// What is left behind.
extension ConformanceBench {
    func nothingLeaks() throws {
        // What is made once and kept, as a library's tables, is made in the first round.
        try useAll(subject)
        let before = subject.resources()
        for _ in 0..<3 { try useAll(subject) }
        expectSame(before, subject.resources, "three rounds of opening, streaming and closing")

        // Of a host that is gone nothing is left; what the process keeps is there since the one before.
        try useNewHost()
        let resources = ["file descriptors": ConformanceSubject.fileDescriptorCount]
        let left = try useNewHost()
        expectSame(
            resources, { ["file descriptors": ConformanceSubject.fileDescriptorCount] },
            "a host that was made, used and released")
        for object in left where object.isAlive {
            _ = time.pass(until: { !object.isAlive }, limit: .seconds(1))
            if object.isAlive { fail(nil, nil, "\(object.name) stays alive after the last one let go of it") }
        }
    }

    private func expectSame(_ before: [String: Int], _ counts: () -> [String: Int], _ deed: String) {
        // Threads that wait in a kernel end a moment later.
        _ = time.pass(until: { counts() == before }, limit: .seconds(1))
        let after = counts()
        for (name, count) in before.sorted(by: { $0.key < $1.key }) where after[name] != count {
            fail(nil, nil, "\(deed): \(name) were \(count) before and are \(after[name] ?? 0) after")
        }
    }

    /// Something that should be gone.
    private struct Remains: Sendable {
        weak let object: (any AnyObject & Sendable)?
        let name: String
        var isAlive: Bool { object != nil }
    }

    /// Makes a host, uses it, and lets go of it.
    @inline(never)
    @discardableResult
    private func useNewHost() throws -> [Remains] {
        let subject = try another()
        defer { tearDown(subject) }
        var remains = try useAll(subject)
        remains.append(Remains(object: subject.host, name: "the host"))
        return remains
    }

    @inline(never)
    @discardableResult
    private func useAll(_ subject: ConformanceSubject) throws -> [Remains] {
        var remains: [Remains] = []
        for device in subject.host.devices where !device.formats.isEmpty {
            remains += try use(device, subject)
        }
        return remains
    }

    @inline(never)
    private func use(_ device: any HardwareDevice, _ subject: ConformanceSubject) throws -> [Remains] {
        let id = device.descriptor.uniqueID
        let steps = DeviceBench(bench: self, device: device)
        let format = try steps.handyFormat()
        let opened = try device.open()
        defer { opened.close() }
        let observation = opened.observeControls { _, _ in }
        let stream = try opened.makeStream(steps.configuration(format))
        let receiver = ConformanceReceiver(format, subject.time.clock, holding: 2)
        try stream.start { receiver.receive($0) }
        let came = subject.time.pass(until: { receiver.payloadCount >= 3 }, limit: subject.traits.patience)
        if !came { fail(device, format, "no frames came") }
        stream.stop()
        observation.cancel()
        return [
            Remains(object: stream, name: "a stream of \(id)"), Remains(object: opened, name: "the opened \(id)"),
        ]
    }
}
