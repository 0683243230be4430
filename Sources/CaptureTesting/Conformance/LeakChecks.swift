import CaptureHAL
import MediaTypes

/// The check that devices and hosts release their resources.
extension ConformanceContext {
    func nothingLeaks() throws {
        // The first round creates objects with the lifetime of the process, such as tables of libraries.
        try useAll(subject)
        let before = subject.resources()
        for _ in 0..<3 { try useAll(subject) }
        expectSame(before, subject.resources, "three rounds of opening, streaming and closing")

        // The first new host creates objects with the lifetime of the process; the second must not leak any.
        try useNewHost()
        let resources = ["file descriptors": ConformanceSubject.fileDescriptorCount]
        let objects = try useNewHost()
        expectSame(
            resources, { ["file descriptors": ConformanceSubject.fileDescriptorCount] },
            "creating, using and releasing a host")
        for object in objects where object.isAlive {
            _ = time.advance(until: { !object.isAlive }, limit: .seconds(1))
            if object.isAlive {
                fail(nil, nil, "\(object.name) is not deallocated after its last reference was released")
            }
        }
    }

    private func expectSame(_ before: [String: Int], _ counts: () -> [String: Int], _ operation: String) {
        // Threads that wait in the kernel end with a delay.
        _ = time.advance(until: { counts() == before }, limit: .seconds(1))
        let after = counts()
        for (name, count) in before.sorted(by: { $0.key < $1.key }) where after[name] != count {
            fail(nil, nil, "\(operation): \(name) were \(count) before and are \(after[name] ?? 0) after")
        }
    }

    /// An object that must be deallocated.
    private struct TrackedObject: Sendable {
        weak let object: (any AnyObject & Sendable)?
        let name: String
        var isAlive: Bool { object != nil }
    }

    /// Creates a host, uses all its devices, and releases it.
    ///
    /// Not inlined, like the functions below, so that its caller keeps no reference to these objects.
    ///
    /// - Returns: The objects that must be deallocated.
    @inline(never)
    @discardableResult
    private func useNewHost() throws -> [TrackedObject] {
        let subject = try makeAnotherSubject()
        defer { tearDown(subject) }
        var objects = try useAll(subject)
        objects.append(TrackedObject(object: subject.host, name: "the host"))
        return objects
    }

    /// Opens, streams from and closes each device of a host.
    ///
    /// - Returns: The objects that must be deallocated with the host.
    @inline(never)
    @discardableResult
    private func useAll(_ subject: ConformanceSubject) throws -> [TrackedObject] {
        var objects: [TrackedObject] = []
        for device in subject.host.devices where !device.formats.isEmpty {
            objects += try use(device, subject)
        }
        return objects
    }

    @inline(never)
    private func use(_ device: any HardwareDevice, _ subject: ConformanceSubject) throws -> [TrackedObject] {
        let id = device.descriptor.uniqueID
        let deviceContext = DeviceCheckContext(context: self, device: device)
        let format = try deviceContext.testFormat()
        let opened = try device.open()
        defer { opened.close() }
        let observation = opened.observeControls { _, _ in }
        let stream = try opened.makeStream(deviceContext.configuration(format))
        let receiver = ConformanceReceiver(format, subject.time.clock, retaining: 2)
        try stream.start { receiver.receive($0) }
        let hasArrived = subject.time.advance(until: { receiver.payloadCount >= 3 }, limit: subject.traits.timeout)
        if !hasArrived { fail(device, format, "no frames arrived") }
        stream.stop()
        observation.cancel()
        return [
            TrackedObject(object: stream, name: "a stream of \(id)"),
            TrackedObject(object: opened, name: "the opened \(id)"),
        ]
    }
}
