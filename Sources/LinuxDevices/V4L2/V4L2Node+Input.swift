import CLinuxDevices
import Glibc

/// A socket or sensor behind a node.
struct V4L2Input: Sendable, Hashable {
    var index: UInt32
    /// What the driver calls it.
    var name: String
    /// `V4L2_INPUT_TYPE_…`
    var type: UInt32
    /// The index of its tuner, where it has one.
    var tuner: UInt32
    /// `V4L2_IN_ST_…`
    var status: UInt32
    /// `V4L2_IN_CAP_…`
    var capabilities: UInt32

    init(_ input: v4l2_input) {
        (index, name, type, tuner) = (input.index, text(input.name), input.type, input.tuner)
        (status, capabilities) = (input.status, input.capabilities)
    }

    /// Whether nothing can come from it.
    var isDead: Bool {
        let flags =
            V4L2_IN_ST_NO_POWER | V4L2_IN_ST_NO_SIGNAL | V4L2_IN_ST_NO_H_LOCK | V4L2_IN_ST_NO_SYNC
            | V4L2_IN_ST_NO_CARRIER
        return status & UInt32(flags) != 0
    }

    /// Whether its format is that of a digital signal.
    var isDigital: Bool { capabilities & UInt32(V4L2_IN_CAP_DV_TIMINGS) != 0 }
    /// Whether its format is that of an analogue television standard.
    var isAnalogue: Bool { capabilities & UInt32(V4L2_IN_CAP_STD) != 0 }
}

extension V4L2Node {
    /// Sees to it that the node captures from an input that delivers, as its signal is.
    ///
    /// A capture card has several sockets and one stream, so it is one camera. The input in force stays where it has a
    /// signal; else the first that has one takes its place. Analogue standard and digital timings follow the signal, as
    /// drivers never change them by themselves. A receiver that tells sources nothing of itself gets an EDID, as no
    /// source sends anything to it. A device that is in use is left as it is.
    ///
    /// - Parameter mayChangeInput: Whether another input may take the place of one without a signal.
    func adoptSignal(mayChangeInput: Bool = true) throws(KernelError) {
        guard var current = try currentInput() else { return }
        do {
            // Told what it may send, the source may do so at once.
            if current.isDigital, try offerModes(current), let again = try input(current.index) { current = again }
            if mayChangeInput, current.isDead, let living = try inputs().first(where: { !$0.isDead }) {
                var index = Int32(living.index)
                try request(clinuxdevices_VIDIOC_S_INPUT, "VIDIOC_S_INPUT", &index)
                current = living
            }
            if current.isDigital {
                var timings = v4l2_dv_timings()
                try request(clinuxdevices_VIDIOC_QUERY_DV_TIMINGS, "VIDIOC_QUERY_DV_TIMINGS", &timings)
                try request(clinuxdevices_VIDIOC_S_DV_TIMINGS, "VIDIOC_S_DV_TIMINGS", &timings)
            }
            if current.isAnalogue {
                var standard = v4l2_std_id()
                try request(clinuxdevices_VIDIOC_QUERYSTD, "VIDIOC_QUERYSTD", &standard)
                // None where the signal is not recognized.
                if standard != 0 { try request(clinuxdevices_VIDIOC_S_STD, "VIDIOC_S_STD", &standard) }
            }
        } catch  where Self.isNoAnswer(error.number) {
            // No signal, one out of range, or a device in use: what is in force stays.
        }
    }

    private static func isNoAnswer(_ number: Int32) -> Bool {
        [EBUSY, ENOLINK, ENOLCK, ERANGE, ENODATA, EINVAL, ENOTTY].contains(number)
    }

    /// The inputs, in the driver's order; none where it knows of none.
    func inputs() throws(KernelError) -> [V4L2Input] {
        var inputs: [V4L2Input] = []
        for index in 0..<UInt32(64) {
            guard let input = try input(index) else { break }
            inputs.append(input)
        }
        return inputs
    }

    /// The input in force; nil where the driver knows of none.
    func currentInput() throws(KernelError) -> V4L2Input? {
        var index: Int32 = 0
        do {
            try request(clinuxdevices_VIDIOC_G_INPUT, "VIDIOC_G_INPUT", &index)
        } catch  where error.number == EINVAL || error.number == ENOTTY {
            return nil
        }
        return index < 0 ? nil : try input(UInt32(index))
    }

    /// Asks to be told when the signal changes (V4L2_EVENT_SOURCE_CHANGE), which is so by input.
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

    /// The number of EDID blocks that an input shows to its source; nil where it has no say in that.
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

    /// Gives the input in force an EDID of the modes that it can take, where it has none at all.
    ///
    /// - Returns: Whether it did.
    private func offerModes(_ input: V4L2Input) throws(KernelError) -> Bool {
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
