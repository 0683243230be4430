import CaptureHAL
import MediaTypes

/// Open and close.
extension DeviceBench {
    func openIsExclusive() throws {
        let format = try handyFormat()
        let opened = try open()
        expect(!device.isInUseByAnotherApplication, "the device counts its own client as another application")
        expectRefusal(.busy, "a second open()") { try device.open() }
        try run(stream(opened, format), format)
        opened.close()
        try open().close()
    }

    func closeGivesBack() throws {
        let format = try handyFormat()
        let opened = try open()
        let controls = opened.controls.keys
        let closed = try stream(opened, format)
        opened.close()
        opened.close()
        expectRefusal(.invalidState, "makeStream after close()", format) { try stream(opened, format) }
        expectRefusal(.invalidState, "start of a stream after close()", format) { try closed.start { _ in } }
        if let control = controls.first {
            expectRefusal(.invalidState, "value(of:) after close()") { try opened.value(of: control) }
        }
        closed.stop()
        let again = try open()
        try run(stream(again, format), format)
        // What is closed long ago has no power over the new client.
        opened.close()
        closed.stop()
        try run(stream(again, format), format)
        again.close()
    }

    func closeStopsStreams() throws {
        let format = try handyFormat()
        let opened = try open()
        let running = try stream(opened, format)
        let receiver = try start(running, holding: 2)
        try wait(receiver, 3, format)
        opened.close()
        receiver.close()
        passFrames(3, format)
        tell(receiver, format)
        bench.letGo(opened)
        expect(receiver.changedHeldFrames.isEmpty, "a frame that was kept beyond close() has changed", format)
        receiver.release()
    }

    func releaseGivesBack() throws {
        let format = try handyFormat()
        let receiver = try runAndLetGo(format)
        receiver.close()
        passFrames(3, format)
        tell(receiver, format)
        let again = Lock<(any OpenDevice)?>(nil)
        let refusal = Lock("")
        let isFree = time.pass(
            until: {
                do {
                    let opened = try device.open()
                    again.withLock { $0 = opened }
                    return true
                } catch {
                    refusal.withLock { $0 = "\(error)" }
                    return false
                }
            }, limit: .seconds(1))
        expect(isFree, "the device was released, and cannot be opened again: \(refusal.withLock { $0 })")
        again.withLock { $0 }?.close()
    }

    /// Uses the device, and releases it and its running stream without a word.
    @inline(never)
    private func runAndLetGo(_ format: StreamFormat) throws -> ConformanceReceiver {
        let opened = try device.open()
        let running = try stream(opened, format)
        let receiver = try start(running)
        do { try wait(receiver, 1, format) } catch {
            opened.close()
            throw error
        }
        return receiver
    }

    func takenByAnotherIsBusy() throws {
        let takeAway = try lever(\.takeAway, "let another application hold a device")
        let giveBack = try lever(\.giveBack, "let another application give a device back")
        expect(!device.isInUseByAnotherApplication, "the device counts as used before anyone uses it")
        passAMoment()
        try takeAway(id)
        expect(device.isInUseByAnotherApplication, "the device does not count as used by another application")
        expectRefusal(.busy, "open() of a device that another application holds") { try device.open() }
        // A host that tells in `condition` that a device is taken tells when it is free, too: a session waits for it.
        let isToldWhenFree = Lock(false)
        let observation = device.observeCondition { condition in
            if !condition.isInUseByAnotherApplication { isToldWhenFree.withLock { $0 = true } }
        }
        defer { observation.cancel() }
        let tells = device.condition.isInUseByAnotherApplication
        passAMoment()
        try giveBack(id)
        expect(!device.isInUseByAnotherApplication, "the device counts as used after it was given back")
        let isTold = !tells || time.pass(until: { isToldWhenFree.withLock { $0 } }, limit: .seconds(2))
        expect(isTold, "the device told in `condition` that it is taken, and never that it is free again")
        let format = try handyFormat()
        try run(stream(open(), format), format)
    }

    func deniedIsNotPermitted() throws {
        let deny = try lever(\.deny, "take the right to open a device")
        let allow = try lever(\.allow, "give the right to open a device back")
        passAMoment()
        try deny(id)
        expectRefusal(.notPermitted, "open() without permission") { try device.open() }
        passAMoment()
        try allow(id)
        let format = try handyFormat()
        try run(stream(open(), format), format)
    }
}
