import CaptureHAL
import MediaTypes

/// Devices that come, go and fail.
extension DeviceBench {
    /// What an observer was told about one device.
    private final class Changes: Sendable {
        private let all = Lock<[DeviceChange]>([])
        private let id: String

        init(_ id: String) { self.id = id }

        func note(_ change: DeviceChange) {
            if change.device.descriptor.uniqueID == id { all.withLock { $0.append(change) } }
        }

        var words: [String] {
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

    func unpluggingIsTold() throws {
        let unplug = try lever(\.unplug, "pull a device's plug")
        let plug = try lever(\.plug, "plug a device in")
        let order = host.devices.map(\.descriptor.uniqueID)
        let changes = Changes(id)
        let observation = host.observeDevices { changes.note($0) }
        let cancelled = Changes(id)
        host.observeDevices { cancelled.note($0) }.cancel()
        let opened = try open()

        passAMoment()
        try unplug(id)
        expect(
            time.pass(until: { changes.words.count >= 1 }, limit: traits.patience),
            "observers were not told of the unplugging")
        expect(changes.words == ["disconnected"], "unplugging was told as \(changes.words)")
        expect(changes.last === device, "another instance was told to have gone")
        expect(!device.isConnected, "the device says that it is connected")
        expect(!isListed, "the host still lists the device")
        expectRefusal(.disconnected, "open() of an unplugged device") { try device.open() }
        opened.close()

        passAMoment()
        try plug(id)
        expect(
            time.pass(until: { changes.words.count >= 2 }, limit: traits.patience),
            "observers were not told of the replugging")
        expect(changes.words == ["disconnected", "connected"], "a replug was told as \(changes.words)")
        guard let again = host.devices.first(where: { $0.descriptor.uniqueID == id }) else {
            return fail("the device is not listed again, or by another ID")
        }
        expect(again !== device, "the device that came back is the old instance")
        expect(changes.last === again, "another instance was told to have come than the host lists")
        expect(again.isConnected && !device.isConnected, "the old instance came to life again")
        expect(again.descriptor == device.descriptor, "the device came back as \(again.descriptor)")
        expect(again.formats == device.formats, "the device came back with other formats")
        // Others may hang on the same plug, and come back after it.
        let isInOrder = time.pass(
            until: { host.devices.map(\.descriptor.uniqueID) == order }, limit: traits.patience)
        expect(isInOrder, "the device came back to another place in the list")
        expectRefusal(.disconnected, "open() of the old instance") { try device.open() }
        let format = try handyFormat()
        let bench = with(again)
        try bench.run(bench.stream(bench.open(), format), format)
        expect(cancelled.words.isEmpty, "a cancelled observation was told of \(cancelled.words)")
        observation.cancel()
    }

    func unpluggingEndsTheStream() throws {
        let unplug = try lever(\.unplug, "pull a device's plug")
        let plug = try lever(\.plug, "plug a device in")
        let format = try handyFormat()
        let opened = try open()
        let stream = try stream(opened, format)
        let receiver = try start(stream, holding: 2)
        try wait(receiver, 3, format)
        passAMoment()
        try unplug(id)
        expectEnd(receiver, .disconnected, format)
        expect(
            time.pass(until: { !device.isConnected }, limit: traits.patience), "the device says that it is connected")
        expectRefusal(.disconnected, "start after unplugging", format) { try stream.start { _ in } }
        expectRefusal(.disconnected, "makeStream after unplugging", format) { try self.stream(opened, format) }
        stream.stop()
        expect(receiver.changedHeldFrames.isEmpty, "held frames changed when the plug was pulled", format)
        opened.close()
        receiver.release()

        passAMoment()
        try plug(id)
        expect(time.pass(until: { isListed }, limit: traits.patience), "the device is not listed again")
        guard let again = host.devices.first(where: { $0.descriptor.uniqueID == id }) else { return }
        let bench = with(again)
        try bench.run(bench.stream(bench.open(), format), format)
        // What is gone for good has no power over what came.
        stream.stop()
        opened.close()
        expect(again.isConnected, "closing the old device disconnected the new one")
    }

    /// Checks that the stream ends by this error, once.
    private func expectEnd(_ receiver: ConformanceReceiver, _ code: DeviceError.Code, _ format: StreamFormat) {
        let ended = time.pass(until: { receiver.isOver }, limit: traits.patience)
        passFrames(3, format)
        tell(receiver, format)
        guard ended, case .failed(let error)? = receiver.seen.last?.kind else {
            return fail(
                "the stream did not fail; the last event was \(receiver.seen.last.map { "\($0.kind)" } ?? "none")")
        }
        expect(error.code == code, "the stream failed by .\(error.code.rawValue), not .\(code.rawValue)", format)
        expect(error.device == id, "the error names the device \(error.device)", format)
        expect(!error.message.isEmpty, "the error says nothing", format)
    }

    func lostFramesAreTold() throws {
        let lose = try lever(\.loseFrames, "lose frames on purpose")
        let format = try handyFormat()
        let opened = try open()
        let stream = try stream(opened, format)
        let receiver = try start(stream)
        try wait(receiver, 3, format)
        passAMoment()
        try lose(id, 2)
        try wait(receiver, receiver.payloadCount + 4, format)
        stop(stream, receiver, format)
        switch format.media {
        case .video, .depth:
            let drops = receiver.drops.filter { $0 == .discontinuity }
            expect(drops.count == 2, "2 frames were lost, and \(receiver.drops) reported", format)
            checkNumbers(receiver.seen, format)
        case .audio:
            var next: Int64 = 0
            var lost: Int64 = 0
            for chunk in receiver.seen where chunk.kind == .audio {
                let gap = chunk.samplePosition - next
                expect(gap >= 0, "sound is at \(chunk.samplePosition) where \(next) was to come", format)
                expect((gap > 0) == chunk.followsDiscontinuity, "a gap of \(gap) samples and its sign disagree", format)
                lost += gap
                next = chunk.samplePosition + Int64(chunk.frameCount)
            }
            expect(lost > 0, "sound was lost, and the positions do not tell it", format)
        }
        opened.close()
    }

    func damagedFramesAreTold() throws {
        let damage = try lever(\.damageFrame, "damage a frame on purpose")
        let format = try handyFormat(.video)
        let opened = try open()
        let stream = try stream(opened, format)
        let receiver = try start(stream)
        try wait(receiver, 2, format)
        passAMoment()
        try damage(id)
        let came = time.pass(until: { receiver.drops.contains(.damaged) }, limit: traits.patience)
        expect(came, "a frame was damaged, and not reported so: \(receiver.drops)", format)
        try wait(receiver, receiver.payloadCount + 2, format)
        stop(stream, receiver, format)
        checkNumbers(receiver.seen, format)
        opened.close()
    }

    func failureEndsTheStream() throws {
        let failStream = try lever(\.failStream, "let a stream fail on purpose")
        let format = try handyFormat()
        let opened = try open()
        let stream = try stream(opened, format)
        let receiver = try start(stream)
        try wait(receiver, 2, format)
        passAMoment()
        let code = try failStream(id)
        expectEnd(receiver, code, format)
        expect(device.isConnected, "a failed stream disconnected its device")
        // Over is stopped: it can begin again.
        try run(stream, format)
        opened.close()
    }
}
