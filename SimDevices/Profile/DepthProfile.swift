public import CaptureHAL
import MediaTypes

/// How a camera of a profile measures depth.
public struct DepthProfile: Sendable, Hashable {
    public enum Method: String, Sendable, Hashable {
        /// Compares what two cameras see.
        case stereo
        /// Compares a projected pattern with what a camera sees of it.
        case structuredLight
        /// Takes the time that light needs there and back.
        case timeOfFlight

        /// Whether it compares two views, so that depth is as exact as their differences are.
        public var triangulates: Bool { self != .timeOfFlight }
    }

    public var method: Method
    /// Metres; what lies outside is not measured.
    public var range: ClosedRange<Double>
    /// Standard deviation of the distances at 1 m, in metres.
    ///
    /// Triangulation gives disparities, all of the same deviation, so that the deviation of a distance grows with its
    /// square: K. Khoshelham, S. Oude Elberink, "Accuracy and Resolution of Kinect Depth Data for Indoor Mapping
    /// Applications", Sensors 12 (2012), eq. 9. That of the time of flight grows with the distance itself: light comes
    /// back by the inverse square, and the mean of n photons' times deviates by 1/√n.
    public var noiseMetres: Double
    /// Metres between the two eyes, of which the second is to the right; 0 for the time of flight.
    public var baselineMetres: Double
    /// The maps on offer, the preferred ones first.
    public var formats: [DepthStreamFormat]

    /// The maps that lie over pictures of a format: those of its shape. Sensors that average pixels measure none.
    func formats(for picture: VideoStreamFormat) -> [DepthStreamFormat] {
        guard !picture.isBinned else { return [] }
        let shape = Double(picture.dimensions.width) / Double(picture.dimensions.height)
        return formats.filter { format in
            abs(Double(format.dimensions.width) / Double(format.dimensions.height) / shape - 1) < 0.01
        }
    }
}
