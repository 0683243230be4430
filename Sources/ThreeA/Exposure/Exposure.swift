/// An exposure: time, sensitivity and the light that the aperture admits.
package struct Exposure: Sendable, Hashable {
    /// At least 1.
    package var nanoseconds: Int64
    /// ISO, or any other number that is proportional to the image's linear light.
    package var iso: Double
    /// The area of the aperture, relative to that of the lens's default aperture; 1 for a fixed aperture.
    package var apertureArea: Double

    /// Creates an exposure.
    package init(nanoseconds: Int64, iso: Double, apertureArea: Double = 1) {
        self.nanoseconds = nanoseconds
        self.iso = iso
        self.apertureArea = apertureArea
    }

    /// The exposure time in seconds.
    package var seconds: Double { Double(nanoseconds) / 1e9 }
    /// Time multiplied by sensitivity and the area of the aperture, which is proportional to the image's linear light.
    package var product: Double { seconds * iso * apertureArea }
}
