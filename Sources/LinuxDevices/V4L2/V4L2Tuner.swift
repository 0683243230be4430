import CLinuxDevices
import Glibc

/// The tuner of a television input.
struct V4L2Tuner: Sendable, Hashable {
    private let index: UInt32
    private let type: UInt32
    /// The size of the driver's frequency step in hertz.
    let hertzPerStep: Double
    /// The frequency range in steps.
    let steps: ClosedRange<UInt32>

    /// The frequency range in hertz.
    var range: ClosedRange<Double> { Double(steps.lowerBound) * hertzPerStep...Double(steps.upperBound) * hertzPerStep }

    /// Creates the tuner of the current input; nil if it has none.
    init?(_ node: V4L2Node) throws(KernelError) {
        guard let input = try node.currentInput(), input.type == UInt32(V4L2_INPUT_TYPE_TUNER) else { return nil }
        var tuner = v4l2_tuner()
        tuner.index = input.tuner
        do {
            try node.request(clinuxdevices_VIDIOC_G_TUNER, "VIDIOC_G_TUNER", &tuner)
        } catch  where error.number == EINVAL || error.number == ENOTTY {
            return nil
        }
        guard tuner.rangelow <= tuner.rangehigh else { return nil }
        (index, type, steps) = (tuner.index, tuner.type, tuner.rangelow...tuner.rangehigh)
        if tuner.capability & UInt32(V4L2_TUNER_CAP_1HZ) != 0 {
            hertzPerStep = 1
        } else {
            hertzPerStep = tuner.capability & UInt32(V4L2_TUNER_CAP_LOW) != 0 ? 62.5 : 62_500
        }
    }

    /// The current frequency in hertz.
    func frequency(_ node: V4L2Node) throws(KernelError) -> Double {
        var frequency = v4l2_frequency()
        frequency.tuner = index
        try node.request(clinuxdevices_VIDIOC_G_FREQUENCY, "VIDIOC_G_FREQUENCY", &frequency)
        return Double(frequency.frequency) * hertzPerStep
    }

    /// Sets the frequency to the nearest step.
    ///
    /// - Parameter hertz: A frequency inside the range.
    func tune(_ node: V4L2Node, to hertz: Double) throws(KernelError) {
        var frequency = v4l2_frequency()
        (frequency.tuner, frequency.type) = (index, type)
        let step = (hertz / hertzPerStep).rounded()
        frequency.frequency = min(max(UInt32(exactly: step) ?? steps.lowerBound, steps.lowerBound), steps.upperBound)
        try node.request(clinuxdevices_VIDIOC_S_FREQUENCY, "VIDIOC_S_FREQUENCY", &frequency)
    }
}
