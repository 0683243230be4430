package import ThreeA

/// The parameters of the control loops for real devices. Their delays are not known exactly.
package struct AutomaticDynamics: Sendable, Hashable {
    /// The parameters of automatic exposure.
    package var exposure: AutoExposure.Dynamics
    /// The parameters of automatic white balance.
    package var whiteBalance: AutoWhiteBalance.Dynamics
    /// The parameters of automatic focus.
    package var focus: AutoFocus.Dynamics
    /// The number of frames from setting a value to the first frame that it affects. It is 2 or 3 for USB cameras.
    ///
    /// Exposure and white balance also converge if the number is wrong by up to two frames. Focus does not work if the
    /// number is too small, because automatic focus measures a lens position in the first frame that the position
    /// affects.
    package var lag: Int
    /// The maximum number of frames measured per second.
    package var measurementsPerSecond: Double

    /// Creates parameters.
    package init(
        exposure: AutoExposure.Dynamics = .forUnknownDelay,
        whiteBalance: AutoWhiteBalance.Dynamics = AutoWhiteBalance.Dynamics(),
        focus: AutoFocus.Dynamics = AutoFocus.Dynamics(), lag: Int = 3, measurementsPerSecond: Double = 30
    ) {
        self.exposure = exposure
        self.whiteBalance = whiteBalance
        self.focus = focus
        self.lag = lag
        self.measurementsPerSecond = measurementsPerSecond
    }
}
