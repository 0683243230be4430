/// An exposure: time and sensitivity.
package struct Exposure: Sendable, Hashable {
    /// At least 1.
    package var nanoseconds: Int64
    /// ISO, or any other number that is proportional to the image's linear light.
    package var iso: Double

    /// Creates an exposure.
    package init(nanoseconds: Int64, iso: Double) {
        self.nanoseconds = nanoseconds
        self.iso = iso
    }

    /// The exposure time in seconds.
    package var seconds: Double { Double(nanoseconds) / 1e9 }
    /// Time multiplied by sensitivity, which is proportional to the image's linear light.
    package var product: Double { seconds * iso }
}
