import CLinuxDevices

/// Inputs, standards and timings.
extension FakeCamera {
    func answerOfInput(_ request: UInt, _ argument: UnsafeMutableRawPointer) -> Int32 {
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
}
