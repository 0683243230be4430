import CLinuxDevices
import Glibc

extension V4L2Node {
    /// Sees to it that the node captures from an input that delivers, as its signal is.
    ///
    /// A capture card has several sockets and one stream, so it is one camera. The input in force stays where it has a
    /// signal; else the first that has one takes its place. Analogue standard and digital timings follow the signal, as
    /// drivers never change them by themselves. A device that is in use is left as it is.
    func adoptSignal() throws(KernelError) {
        let inputs = try inputs()
        guard !inputs.isEmpty, var current = try currentInput(), inputs.indices.contains(current) else { return }
        do {
            if inputs[current].isDead, let living = inputs.firstIndex(where: { !$0.isDead }) {
                var index = Int32(living)
                try request(clinuxdevices_VIDIOC_S_INPUT, "VIDIOC_S_INPUT", &index)
                current = living
            }
            if inputs[current].capabilities & UInt32(V4L2_IN_CAP_DV_TIMINGS) != 0 {
                var timings = v4l2_dv_timings()
                try request(clinuxdevices_VIDIOC_QUERY_DV_TIMINGS, "VIDIOC_QUERY_DV_TIMINGS", &timings)
                try request(clinuxdevices_VIDIOC_S_DV_TIMINGS, "VIDIOC_S_DV_TIMINGS", &timings)
            }
            if inputs[current].capabilities & UInt32(V4L2_IN_CAP_STD) != 0 {
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

    /// A socket or sensor behind the node.
    private struct Input {
        /// `V4L2_IN_ST_…`
        var status: UInt32
        /// `V4L2_IN_CAP_…`
        var capabilities: UInt32

        /// Whether nothing can come from it.
        var isDead: Bool {
            let flags =
                V4L2_IN_ST_NO_POWER | V4L2_IN_ST_NO_SIGNAL | V4L2_IN_ST_NO_H_LOCK | V4L2_IN_ST_NO_SYNC
                | V4L2_IN_ST_NO_CARRIER
            return status & UInt32(flags) != 0
        }
    }

    private func inputs() throws(KernelError) -> [Input] {
        var inputs: [Input] = []
        for index in 0..<UInt32(64) {
            var input = v4l2_input()
            input.index = index
            do {
                try request(clinuxdevices_VIDIOC_ENUMINPUT, "VIDIOC_ENUMINPUT", &input)
            } catch  where error.number == EINVAL || error.number == ENOTTY {
                break
            }
            inputs.append(Input(status: input.status, capabilities: input.capabilities))
        }
        return inputs
    }

    private func currentInput() throws(KernelError) -> Int? {
        var index: Int32 = 0
        do {
            try request(clinuxdevices_VIDIOC_G_INPUT, "VIDIOC_G_INPUT", &index)
        } catch  where error.number == EINVAL || error.number == ENOTTY {
            return nil
        }
        return Int(index)
    }
}
