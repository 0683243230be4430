extension AVCaptureDevice.WhiteBalanceTemperatureAndTintValues {
    /// The light of incandescent bulbs.
    ///
    /// - Note: Apple does not document the values of the presets; these are commonly used.
    public static let tungsten = Self(temperature: 3200, tint: 0)
    /// The light of fluorescent tubes.
    public static let fluorescent = Self(temperature: 4000, tint: 0)
    /// Direct sunlight.
    public static let daylight = Self(temperature: 5200, tint: 0)
    /// The light of a cloudy sky.
    public static let cloudy = Self(temperature: 6000, tint: 0)
    /// Shadow under a blue sky.
    public static let shadow = Self(temperature: 7000, tint: 0)
}
