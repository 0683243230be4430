import MediaTypes

/// A locked exposure with a variable bias.
///
/// Each bias is applied to the original exposure. Resetting the bias therefore restores exactly that exposure.
package struct LockedExposure: Sendable, Hashable {
    private let exposure: Exposure
    /// The bias when the exposure was locked.
    private let bias: Double

    /// Creates a locked exposure.
    package init(_ exposure: Exposure, bias: Double) {
        self.exposure = exposure
        self.bias = bias
    }

    /// Returns the exposure with a bias.
    ///
    /// - Parameter longest: The longest exposure time that the frame rate allows, in seconds. The locked exposure may
    ///   be longer.
    package func exposure(at bias: Double, by program: ExposureProgram, longest: Double) -> Exposure {
        guard bias != self.bias else { return exposure }
        return program.exposure(
            product: exposure.product * RepeatableMath.exp2(bias - self.bias), longest: max(longest, exposure.seconds))
    }
}
