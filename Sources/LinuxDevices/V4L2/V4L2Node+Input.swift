import CLinuxDevices
import Glibc

/// An input of a node: a connector or a sensor.
struct V4L2Input: Sendable, Hashable {
    var index: UInt32
    /// The driver's name for the input.
    var name: String
    /// `V4L2_INPUT_TYPE_…`
    var type: UInt32
    /// The index of the input's tuner, for television inputs.
    var tuner: UInt32
    /// `V4L2_IN_ST_…`
    var status: UInt32
    /// `V4L2_IN_CAP_…`
    var capabilities: UInt32

    init(_ input: v4l2_input) {
        (index, name, type, tuner) = (input.index, text(input.name), input.type, input.tuner)
        (status, capabilities) = (input.status, input.capabilities)
    }

    /// Whether the input has no power or no signal.
    var hasNoSignal: Bool {
        let flags =
            V4L2_IN_ST_NO_POWER | V4L2_IN_ST_NO_SIGNAL | V4L2_IN_ST_NO_H_LOCK | V4L2_IN_ST_NO_SYNC
            | V4L2_IN_ST_NO_CARRIER
        return status & UInt32(flags) != 0
    }

    /// Whether the input's format follows a digital signal.
    var isDigital: Bool { capabilities & UInt32(V4L2_IN_CAP_DV_TIMINGS) != 0 }
    /// Whether the input's format follows an analog television standard.
    var isAnalog: Bool { capabilities & UInt32(V4L2_IN_CAP_STD) != 0 }
}

extension V4L2Node {
    /// Configures the node for the current signal: selects an input with a signal, and sets the signal's timings.
    ///
    /// A capture card has several connectors but one stream, so it is one camera. The current input is kept if it has a
    /// signal; otherwise, the first input with a signal is selected. The analog standard or the digital timings of the
    /// signal are set, because drivers do not change them automatically. A receiver without an EDID gets one, because
    /// sources send no signal without it. A device that is in use is not changed.
    ///
    /// - Parameter mayChangeInput: Whether to select another input if the current one has no signal.
    func configureForSignal(mayChangeInput: Bool = true) throws(KernelError) {
        guard var current = try currentInput() else { return }
        do {
            // With an EDID, the source may send a signal immediately.
            if current.isDigital, try setEDID(current), let updated = try input(current.index) { current = updated }
            if mayChangeInput, current.hasNoSignal, let alternative = try inputs().first(where: { !$0.hasNoSignal }) {
                var index = Int32(alternative.index)
                try request(clinuxdevices_VIDIOC_S_INPUT, "VIDIOC_S_INPUT", &index)
                current = alternative
            }
            if current.isDigital {
                var timings = v4l2_dv_timings()
                try request(clinuxdevices_VIDIOC_QUERY_DV_TIMINGS, "VIDIOC_QUERY_DV_TIMINGS", &timings)
                try request(clinuxdevices_VIDIOC_S_DV_TIMINGS, "VIDIOC_S_DV_TIMINGS", &timings)
            }
            if current.isAnalog {
                var standard = v4l2_std_id()
                try request(clinuxdevices_VIDIOC_QUERYSTD, "VIDIOC_QUERYSTD", &standard)
                // 0 if the signal is not recognized.
                if standard != 0 { try request(clinuxdevices_VIDIOC_S_STD, "VIDIOC_S_STD", &standard) }
            }
        } catch  where Self.isUnavailable(error.number) {
            // No signal, an unsupported signal, or a device in use: the remaining steps are skipped.
        }
    }

    private static func isUnavailable(_ number: Int32) -> Bool {
        [EBUSY, ENOLINK, ENOLCK, ERANGE, ENODATA, EINVAL, ENOTTY].contains(number)
    }

    /// The inputs in the driver's order; empty if it has none.
    func inputs() throws(KernelError) -> [V4L2Input] {
        var inputs: [V4L2Input] = []
        // The limit applies if a driver does not end its list.
        for index in 0..<UInt32(64) {
            guard let input = try input(index) else { break }
            inputs.append(input)
        }
        return inputs
    }

    /// The current input; nil if the driver has no inputs.
    func currentInput() throws(KernelError) -> V4L2Input? {
        var index: Int32 = 0
        do {
            try request(clinuxdevices_VIDIOC_G_INPUT, "VIDIOC_G_INPUT", &index)
        } catch  where error.number == EINVAL || error.number == ENOTTY {
            return nil
        }
        return index < 0 ? nil : try input(UInt32(index))
    }

    /// Subscribes to signal changes of the current input (V4L2_EVENT_SOURCE_CHANGE).
    func subscribeSourceChanges() throws(KernelError) {
        var subscription = v4l2_event_subscription()
        subscription.type = UInt32(V4L2_EVENT_SOURCE_CHANGE)
        subscription.id = try currentInput()?.index ?? 0
        try request(clinuxdevices_VIDIOC_SUBSCRIBE_EVENT, "VIDIOC_SUBSCRIBE_EVENT", &subscription)
    }

    private func input(_ index: UInt32) throws(KernelError) -> V4L2Input? {
        var input = v4l2_input()
        input.index = index
        do {
            try request(clinuxdevices_VIDIOC_ENUMINPUT, "VIDIOC_ENUMINPUT", &input)
        } catch  where error.number == EINVAL || error.number == ENOTTY {
            return nil
        }
        return V4L2Input(input)
    }

    // MARK: EDID

    /// The number of EDID blocks that an input presents to its source; nil if the input does not support an EDID.
    func edidBlockCount(_ input: V4L2Input) throws(KernelError) -> Int? {
        var edid = v4l2_edid()
        edid.pad = input.index
        do {
            try request(clinuxdevices_VIDIOC_G_EDID, "VIDIOC_G_EDID", &edid)
        } catch  where error.number == ENODATA {
            return 0
        } catch  where error.number == EINVAL || error.number == ENOTTY {
            return nil
        }
        return Int(edid.blocks)
    }

    /// Sets an EDID with the modes that an input supports, if the input has no EDID.
    ///
    /// - Returns: Whether the EDID was set.
    private func setEDID(_ input: V4L2Input) throws(KernelError) -> Bool {
        guard try edidBlockCount(input) == 0 else { return false }
        var limits = v4l2_dv_timings_cap()
        try request(clinuxdevices_VIDIOC_DV_TIMINGS_CAP, "VIDIOC_DV_TIMINGS_CAP", &limits)
        let description = V4L2EDID(
            maximumWidth: Int(limits.bt.max_width), maximumHeight: Int(limits.bt.max_height),
            maximumPixelClock: Int(clamping: limits.bt.max_pixelclock))
        guard let description else { return false }
        let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: description.bytes.count)
        defer { memory.deallocate() }
        _ = memory.initialize(from: description.bytes)
        var edid = v4l2_edid()
        edid.pad = input.index
        edid.blocks = UInt32(description.bytes.count / V4L2EDID.blockByteCount)
        edid.edid = memory.baseAddress
        try request(clinuxdevices_VIDIOC_S_EDID, "VIDIOC_S_EDID", &edid)
        return true
    }
}
