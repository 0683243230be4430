import CaptureHAL
import MediaTypes

/// Checks of controls.
extension DeviceCheckContext {
    private func openWithControls() throws -> (opened: any OpenDevice, controls: [(DeviceControl, ControlRange)]) {
        let opened = try open()
        let controls = opened.controls.sorted { $0.key.rawValue < $1.key.rawValue }
        guard !controls.isEmpty else { throw ConformanceSkip("the device has no controls") }
        return (opened, controls.map { ($0.key, $0.value) })
    }

    func controlsReadInRange() throws {
        let (opened, controls) = try openWithControls()
        for (control, range) in controls {
            switch range {
            case .options(let options, let defaultValue):
                expect(options.contains(defaultValue), "\(control.rawValue)'s default is not among its options")
            case .number(let numbers, let step, let defaultValue):
                expect(numbers.contains(defaultValue), "\(control.rawValue)'s default is outside its range")
                expect(step >= 0, "\(control.rawValue)'s step is \(step)")
            case .flag, .point: break
            }
            do {
                let value = try opened.value(of: control)
                expect(range.contains(value), "\(control.rawValue) is \(value), outside \(range)")
            } catch {
                fail("\(control.rawValue) cannot be read: \(error)")
            }
        }
        expect(Set(opened.controls.keys) == Set(controls.map(\.0)), "the set of controls changed")
        opened.close()
    }

    func controlsReadBack() throws {
        let (opened, all) = try openWithControls()
        let controls = all.filter { !$0.0.isReadOnly }
        let before = controls.compactMap { control, _ in (try? opened.value(of: control)).map { (control, $0) } }
        makeManual(opened)
        // First the controls that automatic modes would lock, then the modes.
        for (control, range) in controls where !Self.isMode(control) {
            for value in Self.samples(range) { check(opened, control, value, range) }
        }
        // In reverse order, too, because settings can affect each other.
        for (control, range) in controls.reversed() where !Self.isMode(control) {
            if let value = Self.samples(range).first { check(opened, control, value, range) }
        }
        for (control, range) in controls where Self.isMode(control) {
            for value in Self.samples(range) { check(opened, control, value, range) }
        }
        for (control, range) in all {
            // A control that cannot be read has been reported above.
            guard let value = try? opened.value(of: control) else { continue }
            expect(range.contains(value), "after other settings \(control.rawValue) is \(value), outside \(range)")
        }
        restore(before, of: opened)
        opened.close()
    }

    /// Sets controls to the values before a check; modes last, because they control the others.
    private func restore(_ values: [(DeviceControl, ControlValue)], of opened: any OpenDevice) {
        makeManual(opened)
        for (control, value) in values.sorted(by: { !Self.isMode($0.0) && Self.isMode($1.0) }) {
            // The check reports a control that cannot be set.
            try? opened.set(control, to: value)
        }
    }

    func settingsStayAfterClosing() throws {
        let (opened, all) = try openWithControls()
        let controls = all.filter { !$0.0.isReadOnly }
        func values() -> [(DeviceControl, ControlValue)] {
            controls.compactMap { control, _ in (try? opened.value(of: control)).map { (control, $0) } }
        }
        let before = values()
        makeManual(opened)
        for (control, range) in controls where !Self.isMode(control) {
            let other = Self.samples(range).first { !Self.matches($0, range.defaultValue, range) }
            // A setting that the device refuses fails another check.
            if let other { try? opened.set(control, to: other) }
        }
        let changed = values()
        opened.close()
        let reopened = try open()
        for (control, value) in changed {
            guard let range = reopened.controls[control] else { continue }
            let read = try? reopened.value(of: control)
            // Drivers have one manual mode. Only the client that has set it knows whether it is locked or custom.
            let manual = [ControlMode.locked, .custom].map { ControlValue.integer($0.rawValue) }
            let isManual = Self.isMode(control) && manual.contains(value)
            expect(
                read.map { isManual ? manual.contains($0) : Self.matches($0, value, range) } ?? false,
                "\(control.rawValue) was \(value) when the device was closed; after reopening it is "
                    + (read.map { "\($0)" } ?? "unreadable"))
        }
        restore(before, of: reopened)
        reopened.close()
    }

    private static func isMode(_ control: DeviceControl) -> Bool {
        [.focusMode, .exposureMode, .whiteBalanceMode].contains(control)
    }

    /// Selects manual modes, because automatic modes can lock other controls.
    private func makeManual(_ opened: any OpenDevice) {
        for (control, range) in opened.controls where Self.isMode(control) {
            guard case .options(let options, _) = range else { continue }
            let manual = [ControlMode.custom, .locked].map(\.rawValue).first { options.contains($0) }
            // If the mode cannot be set, the checks of the locked controls fail.
            if let manual { try? opened.set(control, to: .integer(manual)) }
        }
    }

    private static func samples(_ range: ControlRange) -> [ControlValue] {
        switch range {
        case .flag: return [.flag(true), .flag(false)]
        case .options(let options, _): return options.sorted().map { .integer($0) }
        case .number(let numbers, _, let defaultValue):
            let middle = (numbers.lowerBound + numbers.upperBound) / 2
            return [numbers.lowerBound, numbers.upperBound, middle, defaultValue].map { .number($0) }
        case .point: return [.point(x: 0.25, y: 0.75), .point(x: 0.5, y: 0.5)]
        }
    }

    private func check(
        _ opened: any OpenDevice, _ control: DeviceControl, _ value: ControlValue, _ range: ControlRange
    ) {
        do {
            try opened.set(control, to: value)
            // Hardware can apply the value with a delay.
            _ = time.advance(
                until: { (try? opened.value(of: control)).map { Self.matches($0, value, range) } ?? false },
                limit: traits.timeout)
            let read = try opened.value(of: control)
            expect(Self.matches(read, value, range), "\(control.rawValue) was set to \(value) and reads \(read)")
        } catch {
            fail("\(control.rawValue) does not accept \(value), which is in its range: \(error)")
        }
    }

    /// Returns whether a value that was read matches the value that was set, within half a step of the control.
    private static func matches(_ read: ControlValue, _ set: ControlValue, _ range: ControlRange) -> Bool {
        switch (read, set, range) {
        case (.number(let one), .number(let two), .number(let numbers, let step, _)):
            // If the step is unknown, 1/50 of the range is tolerated.
            let tolerance = step > 0 ? step / 2 : (numbers.upperBound - numbers.lowerBound) / 50
            return abs(one - two) <= tolerance * 1.001
        case (.point(let x, let y), .point(let otherX, let otherY), _):
            return abs(x - otherX) < 0.01 && abs(y - otherY) < 0.01
        case (.integer(let one), .integer(let two), _):
            // A device in the mode `auto` changes to `locked` when it has finished.
            let isDone = two == ControlMode.auto.rawValue && one == ControlMode.locked.rawValue
            return one == two || isDone
        default: return read == set
        }
    }

    func invalidControlsAreRefused() throws {
        let opened = try open()
        let controls = opened.controls
        for control in DeviceControl.allCases where controls[control] == nil {
            expectRefusal(.unsupportedControl, "value(of: .\(control.rawValue)), which is not declared,") {
                try opened.value(of: control)
            }
            expectRefusal(.unsupportedControl, "set(.\(control.rawValue)), which is not declared,") {
                try opened.set(control, to: .number(0.5))
            }
        }
        for (control, range) in controls.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let before = try? opened.value(of: control)
            for value in Self.wrongValues(range) + (control.isReadOnly ? Self.samples(range) : []) {
                expectRefusal(.unsupportedControl, "set(.\(control.rawValue), to: \(value))") {
                    try opened.set(control, to: value)
                }
            }
            let isUnchanged = (try? opened.value(of: control)) == before
            expect(isUnchanged, "\(control.rawValue) changed although the setting was refused")
        }
        opened.close()
    }

    private static func wrongValues(_ range: ControlRange) -> [ControlValue] {
        switch range {
        case .flag: [.integer(1), .number(1)]
        case .options(let options, _): [.integer((options.max() ?? 0) + 1), .integer(.min), .flag(true)]
        case .number(let numbers, _, _):
            [
                .number(numbers.lowerBound - 1), .number(numbers.upperBound + 1), .number(.nan), .number(.infinity),
                .flag(true),
            ]
        case .point: [.point(x: -0.1, y: 0.5), .point(x: 0.5, y: 1.1), .point(x: .nan, y: 0), .number(0.5)]
        }
    }

    func settingsAppearInFrames() throws {
        let format = try testFormat(.video)
        let (opened, controls) = try openWithControls()
        makeManual(opened)
        let stream = try stream(opened, format)
        let receiver = try start(stream)
        try wait(receiver, 2, format)
        var reportedCount = 0
        for (control, range) in controls {
            guard case .number(let numbers, _, _) = range, let read = Self.reading(control) else { continue }
            // An exposure that is longer than the frame duration would change the frame rate.
            let maximum = min(numbers.upperBound, control == .exposureDuration ? 0.02 : .infinity)
            let target = numbers.lowerBound + (maximum - numbers.lowerBound) * 0.4
            // A control that does not accept the value is reported by another check.
            guard (try? opened.set(control, to: .number(target))) != nil else { continue }
            let count = receiver.payloadCount
            func matches(_ event: ConformanceReceiver.ReceivedEvent) -> Bool {
                read(event.settings).map { Self.matches(.number($0), .number(target), range) } ?? false
            }
            let hasAppeared = time.advance(
                until: { receiver.payloads.dropFirst(count).contains(where: matches) || receiver.isOver },
                limit: traits.timeout)
            let values = receiver.payloads.dropFirst(count).map { read($0.settings) }
            // The device does not report the setting.
            if values.allSatisfy({ $0 == nil }) { continue }
            reportedCount += 1
            expect(
                hasAppeared,
                "\(control.rawValue) was set to \(target), but frames report \(values.last.map { "\($0 ?? 0)" } ?? "")")
        }
        stop(stream, receiver, format)
        opened.close()
        if reportedCount == 0 { throw ConformanceSkip("the frames report no setting that can be changed") }
    }

    /// Returns the setting of frames that corresponds to a control.
    private static func reading(_ control: DeviceControl) -> (@Sendable (FrameSettings) -> Double?)? {
        switch control {
        case .exposureDuration: { $0.exposureDuration?.seconds }
        case .iso: { $0.iso }
        case .lensPosition: { $0.lensPosition }
        case .zoomFactor: { $0.zoomFactor }
        case .whiteBalanceTemperature: { $0.whiteBalanceKelvin }
        default: nil
        }
    }

    func mutedDeviceIsSilent() throws {
        let format = try testFormat(.audio)
        let (opened, controls) = try openWithControls()
        guard controls.contains(where: { $0.0 == .mute }) else { throw ConformanceSkip("the device cannot be muted") }
        let stream = try stream(opened, format)
        let before = try opened.value(of: .mute)
        try opened.set(.mute, to: .flag(true))
        let received = try run(stream, format, frames: 4)
        try opened.set(.mute, to: before)
        expect(
            received.filter { $0.kind == .audio }.allSatisfy(\.isSilent), "a muted device does not deliver silence",
            format)
        opened.close()
    }

    func controlChangesAreReported() throws {
        let change = try action(\.changeControl, "make a device change a control")
        let opened = try open()
        let reported = Lock<[DeviceControl]>([])
        let observation = opened.observeControls { control, _ in reported.withLock { $0.append(control) } }
        let cancelled = Lock(0)
        opened.observeControls { _, _ in cancelled.withLock { $0 += 1 } }.cancel()
        advanceBriefly()
        let control = try change(id, opened)
        expect(
            time.advance(until: { reported.withLock { $0.contains(control) } }, limit: traits.timeout),
            "\(control.rawValue) changed, but the observer was not notified")
        expect(cancelled.withLock { $0 } == 0, "a cancelled observation received a change")
        observation.cancel()
        opened.close()
    }
}

extension ControlRange {
    fileprivate var defaultValue: ControlValue {
        switch self {
        case .number(_, _, let value): .number(value)
        case .options(_, let value): .integer(value)
        case .flag(let value): .flag(value)
        case .point(let x, let y): .point(x: x, y: y)
        }
    }
}
