import CLinuxDevices
import Glibc
import MediaTypes

/// The first capture volume and the first capture switch of a card.
final class ALSAMixer: CaptureMixer {
    private struct State: @unchecked Sendable {
        // SAFETY: used only while holding the lock.
        var handle: OpaquePointer
        var volume: OpaquePointer?
        var captureSwitch: OpaquePointer?
    }

    private let state: Lock<State>
    private let name: String

    init?(_ name: String) {
        var handle: OpaquePointer?
        guard snd_mixer_open(&handle, 0) >= 0, let handle else { return nil }
        guard snd_mixer_attach(handle, name) >= 0, snd_mixer_selem_register(handle, nil, nil) >= 0,
            snd_mixer_load(handle) >= 0
        else {
            snd_mixer_close(handle)
            return nil
        }
        var state = State(handle: handle)
        var element = snd_mixer_first_elem(handle)
        while let current = element {
            if state.volume == nil, snd_mixer_selem_has_capture_volume(current) != 0 { state.volume = current }
            if state.captureSwitch == nil, snd_mixer_selem_has_capture_switch(current) != 0 {
                state.captureSwitch = current
            }
            element = snd_mixer_elem_next(current)
        }
        guard state.volume != nil || state.captureSwitch != nil else {
            snd_mixer_close(handle)
            return nil
        }
        self.name = name
        self.state = Lock(state)
    }

    deinit { state.withLock { _ = snd_mixer_close($0.handle) } }

    func volume() throws(KernelError) -> Double? {
        try state.withLock { state throws(KernelError) in
            guard let element = state.volume else { return nil }
            let range = try range(state, element)
            var value = 0
            try check(
                snd_mixer_selem_get_capture_volume(element, SND_MIXER_SCHN_FRONT_LEFT, &value),
                "snd_mixer_selem_get_capture_volume")
            return Double(value - range.lowerBound) / Double(range.upperBound - range.lowerBound)
        }
    }

    func setVolume(_ volume: Double) throws(KernelError) {
        try state.withLock { state throws(KernelError) in
            guard let element = state.volume else { throw KernelError("capture volume \(name)", ENOTSUP) }
            let range = try range(state, element)
            let value = range.lowerBound + Int((volume * Double(range.upperBound - range.lowerBound)).rounded())
            try check(
                snd_mixer_selem_set_capture_volume_all(element, value), "snd_mixer_selem_set_capture_volume_all")
        }
    }

    func isOn() throws(KernelError) -> Bool? {
        try state.withLock { state throws(KernelError) in
            guard let element = state.captureSwitch else { return nil }
            try refresh(state)
            var value: Int32 = 0
            try check(
                snd_mixer_selem_get_capture_switch(element, SND_MIXER_SCHN_FRONT_LEFT, &value),
                "snd_mixer_selem_get_capture_switch")
            return value != 0
        }
    }

    func setOn(_ isOn: Bool) throws(KernelError) {
        try state.withLock { state throws(KernelError) in
            guard let element = state.captureSwitch else { throw KernelError("capture switch \(name)", ENOTSUP) }
            try check(
                snd_mixer_selem_set_capture_switch_all(element, isOn ? 1 : 0), "snd_mixer_selem_set_capture_switch_all")
        }
    }

    func waitForChange(_ wake: Int32) throws(KernelError) {
        var polled = try state.withLock { state throws(KernelError) -> [pollfd] in
            let count = snd_mixer_poll_descriptors_count(state.handle)
            try check(count, "snd_mixer_poll_descriptors_count")
            var polled = [pollfd](repeating: pollfd(), count: Int(count))
            try check(
                snd_mixer_poll_descriptors(state.handle, &polled, UInt32(count)), "snd_mixer_poll_descriptors")
            return polled
        }
        polled.append(pollfd(fd: wake, events: Int16(POLLIN), revents: 0))
        // The lock is not held during the wait, so that the mixer can be read and set.
        while poll(&polled, nfds_t(polled.count), -1) < 0 {
            if errno != EINTR { throw KernelError("poll \(name)", errno) }
        }
        let events = polled.dropLast().reduce(0) { $0 | Int32($1.revents) }
        if events & (POLLERR | POLLHUP | POLLNVAL) != 0 { throw KernelError("poll \(name)", ENODEV) }
        if events & POLLIN != 0 { try state.withLock { state throws(KernelError) in try refresh(state) } }
    }

    private func range(_ state: State, _ element: OpaquePointer) throws(KernelError) -> ClosedRange<Int> {
        try refresh(state)
        var minimum = 0
        var maximum = 0
        try check(
            snd_mixer_selem_get_capture_volume_range(element, &minimum, &maximum),
            "snd_mixer_selem_get_capture_volume_range"
        )
        guard minimum < maximum else { throw KernelError("capture volume \(name)", ERANGE) }
        return minimum...maximum
    }

    /// Reads changes by other programs.
    private func refresh(_ state: State) throws(KernelError) {
        try check(snd_mixer_handle_events(state.handle), "snd_mixer_handle_events")
    }

    private func check(_ result: Int32, _ call: StaticString) throws(KernelError) {
        if result < 0 { throw KernelError("\(call) \(name)", -result) }
    }
}
