public import CaptureHAL
import MediaTypes

/// The depth measurement of a camera profile.
public struct DepthProfile: Sendable, Hashable {
    /// A method of measuring depth.
    public enum Method: String, Sendable, Hashable {
        /// Triangulation between two cameras.
        case stereo
        /// Triangulation between a projected pattern and a camera.
        case structuredLight
        /// Measurement of the time in which light travels to the object and back.
        case timeOfFlight

        /// Whether depth is computed from disparity.
        public var triangulates: Bool { self != .timeOfFlight }
    }

    /// The measuring method.
    public var method: Method
    /// Measurable distances in meters.
    public var range: ClosedRange<Double>
    /// Standard deviation of the distances at 1 m, in meters.
    ///
    /// The disparity of triangulation has a constant deviation, so that the deviation of a distance increases with its
    /// square: K. Khoshelham, S. Oude Elberink, "Accuracy and Resolution of Kinect Depth Data for Indoor Mapping
    /// Applications", Sensors 12 (2012), eq. 9. With time of flight it increases linearly: the light decreases with the
    /// square of the distance, and the mean of n photons' times has a deviation proportional to 1/√n.
    public var noiseMeters: Double
    /// Distance in meters from the first camera to the second, which is to its right; 0 for time of flight.
    public var baselineMeters: Double
    /// The depth formats, in order of preference.
    public var formats: [DepthStreamFormat]

    /// Returns the depth formats for a video format: those with its aspect ratio. Binned formats have none.
    func formats(for video: VideoStreamFormat) -> [DepthStreamFormat] {
        guard !video.isBinned else { return [] }
        let aspectRatio = Double(video.dimensions.width) / Double(video.dimensions.height)
        return formats.filter { format in
            abs(Double(format.dimensions.width) / Double(format.dimensions.height) / aspectRatio - 1) < 0.01
        }
    }
}
