import MediaTypes

/// An exposure that is locked and that biases move: each from where it was locked, so that the way back leads there.
package struct LockedExposure: Sendable, Hashable {
    private let exposure: Exposure
    /// The one with which it was locked.
    private let bias: Double

    package init(_ exposure: Exposure, bias: Double) {
        self.exposure = exposure
        self.bias = bias
    }

    /// The exposure with a bias.
    ///
    /// - Parameter longest: The longest time that the frame rate leaves, in seconds; what was locked may be longer.
    package func exposure(at bias: Double, by program: ExposureProgram, longest: Double) -> Exposure {
        guard bias != self.bias else { return exposure }
        return program.exposure(
            product: exposure.product * RepeatableMath.exp2(bias - self.bias), longest: max(longest, exposure.seconds))
    }
}
