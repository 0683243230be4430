import CaptureHAL
import MediaTypes

/// Checks of disconnection, lost frames and failures.
extension DeviceCheckContext {
    /// The changes of one device that an observer received. Thread-safe.
    private final class Changes: Sendable {
        private let all = Lock<[DeviceChange]>([])
        private let id: String

        init(_ id: String) { self.id = id }

        func append(_ change: DeviceChange) {
            if change.device.descriptor.uniqueID == id { all.withLock { $0.append(change) } }
        }

        var names: [String] {
            all.withLock { $0 }.map { change in
                switch change {
                case .connected: "connected"
                case .disconnected: "disconnected"
                }
            }
        }

        var last: (any HardwareDevice)? { all.withLock { $0.last }?.device }
    }

    private var isListed: Bool { host.devices.contains { $0.descriptor.uniqueID == id } }

    func disconnectionIsReported() throws {
        let disconnect = try action(\.disconnect, "disconnect a device")
        let reconnect = try action(\.reconnect, "reconnect a device")
        let order = host.devices.map(\.descriptor.uniqueID)
        let changes = Changes(id)
        let observation = host.observeDevices { changes.append($0) }
        let cancelled = Changes(id)
        host.observeDevices { cancelled.append($0) }.cancel()
        let opened = try open()

        advanceBriefly()
        try disconnect(id)
        expect(
            time.advance(until: { changes.names.count >= 1 }, limit: traits.timeout),
            "observers were not notified of the disconnection")
        expect(changes.names == ["disconnected"], "the disconnection was reported as \(changes.names)")
        expect(changes.last === device, "the disconnection was reported for another instance")
        expect(!device.isConnected, "isConnected is true after the disconnection")
        expect(!isListed, "the host still lists the device")
        expectRefusal(.disconnected, "open() of a disconnected device") { try device.open() }
        opened.close()

        advanceBriefly()
        try reconnect(id)
        expect(
            time.advance(until: { changes.names.count >= 2 }, limit: traits.timeout),
            "observers were not notified of the reconnection")
        expect(
            changes.names == ["disconnected", "connected"],
            "the disconnection and reconnection were reported as \(changes.names)")
        guard let newDevice = host.devices.first(where: { $0.descriptor.uniqueID == id }) else {
            return fail("the reconnected device is not listed with the same ID")
        }
        expect(newDevice !== device, "the reconnected device is the old instance")
        expect(changes.last === newDevice, "the reported instance is not the listed one")
        expect(newDevice.isConnected && !device.isConnected, "isConnected is wrong after the reconnection")
        expect(
            newDevice.descriptor == device.descriptor,
            "the reconnected device has another descriptor: \(newDevice.descriptor)")
        expect(newDevice.formats == device.formats, "the reconnected device has other formats")
        // Other devices of the same hardware may reappear after this one, so the order can take time.
        let isInOrder = time.advance(
            until: { host.devices.map(\.descriptor.uniqueID) == order }, limit: traits.timeout)
        expect(isInOrder, "the reconnected device has another position in the list")
        expectRefusal(.disconnected, "open() of the old instance") { try device.open() }
        let format = try testFormat()
        let checks = with(newDevice)
        try checks.run(checks.stream(checks.open(), format), format)
        expect(cancelled.names.isEmpty, "a cancelled observation received \(cancelled.names)")
        observation.cancel()
    }

    func disconnectionEndsTheStream() throws {
        let disconnect = try action(\.disconnect, "disconnect a device")
        let reconnect = try action(\.reconnect, "reconnect a device")
        let format = try testFormat()
        let opened = try open()
        let stream = try stream(opened, format)
        let receiver = try start(stream, retaining: 2)
        try wait(receiver, 3, format)
        advanceBriefly()
        try disconnect(id)
        expectEnd(receiver, .disconnected, format)
        expect(
            time.advance(until: { !device.isConnected }, limit: traits.timeout),
            "isConnected is true after the disconnection")
        expectRefusal(.disconnected, "start after disconnection", format) { try stream.start { _ in } }
        expectRefusal(.disconnected, "makeStream after disconnection", format) { try self.stream(opened, format) }
        stream.stop()
        expect(receiver.changedRetainedFrames.isEmpty, "retained frames changed at the disconnection", format)
        opened.close()
        receiver.release()

        advanceBriefly()
        try reconnect(id)
        expect(time.advance(until: { isListed }, limit: traits.timeout), "the device is not listed again")
        guard let newDevice = host.devices.first(where: { $0.descriptor.uniqueID == id }) else { return }
        let checks = with(newDevice)
        try checks.run(checks.stream(checks.open(), format), format)
        // Calls on the disconnected device do not affect the new one.
        stream.stop()
        opened.close()
        expect(newDevice.isConnected, "closing the old device disconnected the new one")
    }

    /// Checks that the stream fails once with an error code.
    private func expectEnd(_ receiver: ConformanceReceiver, _ code: DeviceError.Code, _ format: StreamFormat) {
        let ended = time.advance(until: { receiver.isOver }, limit: traits.timeout)
        advanceFrames(3, format)
        reportProblems(of: receiver, format)
        guard ended, case .failed(let error)? = receiver.events.last?.kind else {
            return fail(
                "the stream did not fail; the last event was \(receiver.events.last.map { "\($0.kind)" } ?? "none")")
        }
        expect(error.code == code, "the stream failed with .\(error.code.rawValue), not .\(code.rawValue)", format)
        expect(error.device == id, "the error names the device \(error.device)", format)
        expect(!error.message.isEmpty, "the error has no message", format)
    }

    func lostFramesAreReported() throws {
        let lose = try action(\.loseFrames, "lose frames")
        let format = try testFormat()
        let opened = try open()
        let stream = try stream(opened, format)
        let receiver = try start(stream)
        try wait(receiver, 3, format)
        advanceBriefly()
        try lose(id, 2)
        try wait(receiver, receiver.payloadCount + 4, format)
        stop(stream, receiver, format)
        switch format.media {
        case .video, .depth:
            let drops = receiver.drops.filter { $0 == .discontinuity }
            expect(drops.count == 2, "2 frames were lost, but \(receiver.drops) were reported", format)
            checkSequenceNumbers(receiver.events, format)
        case .audio:
            var next: Int64 = 0
            var lost: Int64 = 0
            for chunk in receiver.events where chunk.kind == .audio {
                let gap = chunk.samplePosition - next
                expect(gap >= 0, "an audio chunk is at sample \(chunk.samplePosition), before \(next)", format)
                expect(
                    (gap > 0) == chunk.followsDiscontinuity,
                    "followsDiscontinuity is wrong for a gap of \(gap) samples", format)
                lost += gap
                next = chunk.samplePosition + Int64(chunk.frameCount)
            }
            expect(lost > 0, "audio was lost, but the sample positions have no gap", format)
        }
        opened.close()
    }

    func damagedFramesAreReported() throws {
        let damage = try action(\.damageFrame, "damage a frame")
        let format = try testFormat(.video)
        let opened = try open()
        let stream = try stream(opened, format)
        let receiver = try start(stream)
        try wait(receiver, 2, format)
        advanceBriefly()
        try damage(id)
        let isReported = time.advance(until: { receiver.drops.contains(.damaged) }, limit: traits.timeout)
        expect(isReported, "a damaged frame was not reported: \(receiver.drops)", format)
        try wait(receiver, receiver.payloadCount + 2, format)
        stop(stream, receiver, format)
        checkSequenceNumbers(receiver.events, format)
        opened.close()
    }

    func failureEndsTheStream() throws {
        let failStream = try action(\.failStream, "make a stream fail")
        let format = try testFormat()
        let opened = try open()
        let stream = try stream(opened, format)
        let receiver = try start(stream)
        try wait(receiver, 2, format)
        advanceBriefly()
        let code = try failStream(id)
        expectEnd(receiver, code, format)
        expect(device.isConnected, "a failed stream disconnected its device")
        // A failed stream can be started again.
        try run(stream, format)
        opened.close()
    }
}
