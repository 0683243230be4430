package import ThreeA

/// How the loops of a real device move, whose delays are not known exactly.
package struct AutomaticDynamics: Sendable, Hashable {
    package var exposure: AutoExposure.Dynamics
    package var whiteBalance: AutoWhiteBalance.Dynamics
    package var focus: AutoFocus.Dynamics
    /// Frames from setting a value to the first one that shows it; USB cameras take two or three.
    ///
    /// Exposure and white balance settle where it is wrong by two either way, too; focus, which waits for the frame that
    /// shows a place, wants it at least as great as it is.
    package var lag: Int
    /// The most pictures that are measured in a second.
    package var measuresPerSecond: Double

    package init(
        exposure: AutoExposure.Dynamics = .forUnknownDelay,
        whiteBalance: AutoWhiteBalance.Dynamics = AutoWhiteBalance.Dynamics(),
        focus: AutoFocus.Dynamics = AutoFocus.Dynamics(), lag: Int = 3, measuresPerSecond: Double = 30
    ) {
        self.exposure = exposure
        self.whiteBalance = whiteBalance
        self.focus = focus
        self.lag = lag
        self.measuresPerSecond = measuresPerSecond
    }
}
