import CaptureHAL
import MediaTypes

/// Checks of opening and closing.
extension DeviceCheckContext {
    func openIsExclusive() throws {
        let format = try testFormat()
        let opened = try open()
        expect(!device.isInUseByAnotherApplication, "isInUseByAnotherApplication is true for a client of this process")
        expectRefusal(.busy, "a second open()") { try device.open() }
        try run(stream(opened, format), format)
        opened.close()
        try open().close()
    }

    func closeReleasesTheDevice() throws {
        let format = try testFormat()
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
        let reopened = try open()
        try run(stream(reopened, format), format)
        // Calls on the closed device do not affect the new client.
        opened.close()
        closed.stop()
        try run(stream(reopened, format), format)
        reopened.close()
    }

    func closeStopsStreams() throws {
        let format = try testFormat()
        let opened = try open()
        let running = try stream(opened, format)
        let receiver = try start(running, retaining: 2)
        try wait(receiver, 3, format)
        opened.close()
        receiver.close()
        advanceFrames(3, format)
        reportProblems(of: receiver, format)
        context.forget(opened)
        expect(receiver.changedRetainedFrames.isEmpty, "a frame that was retained after close() has changed", format)
        receiver.release()
    }

    func deallocationReleasesTheDevice() throws {
        let format = try testFormat()
        let receiver = try runAndRelease(format)
        receiver.close()
        advanceFrames(3, format)
        reportProblems(of: receiver, format)
        let reopened = Lock<(any OpenDevice)?>(nil)
        let openError = Lock("")
        let isReleased = time.advance(
            until: {
                do {
                    let opened = try device.open()
                    reopened.withLock { $0 = opened }
                    return true
                } catch {
                    openError.withLock { $0 = "\(error)" }
                    return false
                }
            }, limit: traits.timeout)
        expect(isReleased, "a released device cannot be opened again: \(openError.withLock { $0 })")
        reopened.withLock { $0 }?.close()
    }

    /// Uses the device, and releases it and its running stream without closing them.
    @inline(never)
    private func runAndRelease(_ format: StreamFormat) throws -> ConformanceReceiver {
        let opened = try device.open()
        let running = try stream(opened, format)
        let receiver = try start(running)
        do { try wait(receiver, 1, format) } catch {
            opened.close()
            throw error
        }
        return receiver
    }

    func useByAnotherApplicationIsBusy() throws {
        let beginUse = try action(\.beginUseByAnotherApplication, "make another application use a device")
        let endUse = try action(\.endUseByAnotherApplication, "make another application stop using a device")
        expect(
            !device.isInUseByAnotherApplication,
            "isInUseByAnotherApplication is true before another application uses the device")
        advanceBriefly()
        try beginUse(id)
        expect(
            device.isInUseByAnotherApplication,
            "isInUseByAnotherApplication is false while another application uses the device")
        expectRefusal(.busy, "open() of a device that another application uses") { try device.open() }
        // A host that reports the use in `condition` must also report its end, because sessions wait for it.
        let isEndReported = Lock(false)
        let observation = device.observeCondition { condition in
            if !condition.isInUseByAnotherApplication { isEndReported.withLock { $0 = true } }
        }
        defer { observation.cancel() }
        let reportsUse = device.condition.isInUseByAnotherApplication
        advanceBriefly()
        try endUse(id)
        expect(
            !device.isInUseByAnotherApplication,
            "isInUseByAnotherApplication is true after the other application stopped")
        let isReported = !reportsUse || time.advance(until: { isEndReported.withLock { $0 } }, limit: traits.timeout)
        expect(isReported, "the start of the use was reported in `condition`, but not its end")
        let format = try testFormat()
        try run(stream(open(), format), format)
    }

    func deniedPermissionIsReported() throws {
        let denyPermission = try action(\.denyPermission, "deny permission")
        let grantPermission = try action(\.grantPermission, "grant permission")
        advanceBriefly()
        try denyPermission(id)
        expectRefusal(.notPermitted, "open() without permission") { try device.open() }
        advanceBriefly()
        try grantPermission(id)
        let format = try testFormat()
        try run(stream(open(), format), format)
    }
}
