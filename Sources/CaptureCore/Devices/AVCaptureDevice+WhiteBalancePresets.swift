extension AVCaptureDevice.WhiteBalanceTemperatureAndTintValues {
    /// Light bulbs.
    ///
    /// - Note: Apple does not document the values of the presets; these are customary.
    public static let tungsten = Self(temperature: 3200, tint: 0)
    /// Fluorescent tubes.
    public static let fluorescent = Self(temperature: 4000, tint: 0)
    /// The sun.
    public static let daylight = Self(temperature: 5200, tint: 0)
    /// A cloudy sky.
    public static let cloudy = Self(temperature: 6000, tint: 0)
    /// The shadow under a blue sky.
    public static let shadow = Self(temperature: 7000, tint: 0)
}
