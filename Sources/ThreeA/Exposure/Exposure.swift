/// An exposure as a sensor takes it: time and sensitivity.
package struct Exposure: Sendable, Hashable {
    /// At least 1.
    package var nanoseconds: Int64
    /// ISO, or any other number in proportion to which the picture's linear light grows.
    package var iso: Double

    package init(nanoseconds: Int64, iso: Double) {
        self.nanoseconds = nanoseconds
        self.iso = iso
    }

    package var seconds: Double { Double(nanoseconds) / 1e9 }
    /// What the picture's light is proportional to, at a given aperture and scene.
    package var product: Double { seconds * iso }
}
