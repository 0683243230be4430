import CLinuxDevices

/// Inputs, standards and timings.
extension FakeV4L2Device {
    func handleInputRequest(_ request: UInt, _ argument: UnsafeMutableRawPointer) -> Int32 {
        guard inputs.indices.contains(input) else { return ENOTTY }
        let index = argument.assumingMemoryBound(to: Int32.self)
        let standard = argument.assumingMemoryBound(to: v4l2_std_id.self)
        let timings = argument.assumingMemoryBound(to: v4l2_dv_timings.self)
        switch request {
        case clinuxdevices_VIDIOC_ENUMINPUT:
            let entry = argument.assumingMemoryBound(to: v4l2_input.self)
            guard entry.pointee.index < inputs.count else { return EINVAL }
            entry.pointee.status = inputs[Int(entry.pointee.index)].status
            entry.pointee.capabilities = inputs[Int(entry.pointee.index)].capabilities
            entry.pointee.type = inputs[Int(entry.pointee.index)].type
            put(inputs[Int(entry.pointee.index)].name, into: &entry.pointee.name)
        case clinuxdevices_VIDIOC_G_INPUT: index.pointee = Int32(input)
        case clinuxdevices_VIDIOC_S_INPUT:
            guard inputs.indices.contains(Int(index.pointee)) else { return EINVAL }
            if !buffers.isEmpty { return EBUSY }
            input = Int(index.pointee)
            if let new = inputs[input].modes { modes = new }
        case clinuxdevices_VIDIOC_QUERY_DV_TIMINGS:
            guard let signal = inputs[input].signal else { return ENOLINK }
            (timings.pointee.bt.width, timings.pointee.bt.height) = signal
        case clinuxdevices_VIDIOC_S_DV_TIMINGS:
            if !buffers.isEmpty { return EBUSY }
            (width, height) = (timings.pointee.bt.width, timings.pointee.bt.height)
        case clinuxdevices_VIDIOC_QUERYSTD: standard.pointee = inputs[input].signalStandard
        default:
            if !buffers.isEmpty { return EBUSY }
            self.standard = standard.pointee
        }
        return 0
    }

    /// Receiver requests, according to v4l2-ioctl and vivid.
    func handleReceiverRequest(_ request: UInt, _ argument: UnsafeMutableRawPointer) -> Int32 {
        switch request {
        case clinuxdevices_VIDIOC_DV_TIMINGS_CAP:
            guard inputs.indices.contains(input), inputs[input].capabilities & UInt32(V4L2_IN_CAP_DV_TIMINGS) != 0
            else { return ENODATA }
            let limits = argument.assumingMemoryBound(to: v4l2_dv_timings_cap.self)
            (limits.pointee.bt.max_width, limits.pointee.bt.max_height) =
                (inputs[input].limits.width, inputs[input].limits.height)
            limits.pointee.bt.max_pixelclock = inputs[input].limits.pixelClock
            return 0
        case clinuxdevices_VIDIOC_G_EDID, clinuxdevices_VIDIOC_S_EDID:
            let edid = argument.assumingMemoryBound(to: v4l2_edid.self)
            let index = Int(edid.pointee.pad)
            guard inputs.indices.contains(index), let own = inputs[index].edid else { return EINVAL }
            if request == clinuxdevices_VIDIOC_S_EDID {
                let bytes = UnsafeBufferPointer(start: edid.pointee.edid, count: Int(edid.pointee.blocks) * 128)
                inputs[index].edid = Array(bytes)
            } else {
                edid.pointee.blocks = UInt32(own.count / 128)
            }
            return 0
        default:
            return handleTunerRequest(request, argument)
        }
    }

    private func handleTunerRequest(_ request: UInt, _ argument: UnsafeMutableRawPointer) -> Int32 {
        guard let tuner else { return ENOTTY }
        switch request {
        case clinuxdevices_VIDIOC_G_TUNER:
            let description = argument.assumingMemoryBound(to: v4l2_tuner.self)
            guard description.pointee.index == 0 else { return EINVAL }
            description.pointee.type = V4L2_TUNER_ANALOG_TV.rawValue
            description.pointee.capability = tuner.capability
            (description.pointee.rangelow, description.pointee.rangehigh) = (
                tuner.frequencyRange.lowerBound, tuner.frequencyRange.upperBound
            )
        case clinuxdevices_VIDIOC_G_FREQUENCY:
            let frequency = argument.assumingMemoryBound(to: v4l2_frequency.self)
            guard frequency.pointee.tuner == 0 else { return EINVAL }
            frequency.pointee.frequency = tuner.frequency
        default:
            let requested = argument.assumingMemoryBound(to: v4l2_frequency.self).pointee
            guard requested.tuner == 0, requested.type == V4L2_TUNER_ANALOG_TV.rawValue else { return EINVAL }
            self.tuner?.frequency = min(
                max(requested.frequency, tuner.frequencyRange.lowerBound), tuner.frequencyRange.upperBound)
        }
        return 0
    }
}
