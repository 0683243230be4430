/// What stands before the simulated cameras.
public enum SimScene: String, Sendable, Hashable, CaseIterable {
    /// A street by day with moving cars and walkers.
    case street
    /// Patches of known reflectance, a slanted edge, a Siemens star; as large as the picture.
    case chart
    /// A card of 18 % reflectance that fills the picture.
    case grey

    /// The scene of this name.
    ///
    /// - Throws: `ProfileError` that names the scenes there are.
    public static func named(_ name: String) throws(ProfileError) -> SimScene {
        guard let scene = SimScene(rawValue: name) else {
            throw ProfileError(
                file: name,
                message: "there is no scene \"\(name)\"; \(suggestion(for: name, among: allCases.map(\.rawValue)))")
        }
        return scene
    }
}

/// From where a scene is seen.
struct SceneView: Hashable {
    /// Pixels; both even.
    var width: Int
    var height: Int
    /// The tangent of half the horizontal field of view.
    var tangentOfHalfView: Double

    /// Pixels for one unit of x / z.
    var scale: Double { Double(width) / 2 / tangentOfHalfView }
}

/// A bitmap in its place at one moment.
struct PlacedLayer {
    var bitmap: SceneBitmap
    /// Of the left top pixel.
    var x: Int
    var y: Int
    /// Metres, for the light of torch and flash.
    var depth: Double
    /// How much of the scene's light is on it; more than 1 for what shines itself, as the sky.
    var brightness: Double = 1
    /// For ground, whose depth changes with the row: pixels by which a row moves when the camera moves by 1 m.
    var rowParallax: [Double]?
    /// Where the camera is, in metres to the right; used with `rowParallax`.
    var cameraOffset: Double = 0
}

/// A scene as seen from one view, painted and ready to be placed in time.
///
/// - Important: Thread-safe, immutable.
protocol PaintedScene: Sendable {
    var light: SceneLight { get }
    /// From back to front; the same time gives the same layers.
    func layers(at nanoseconds: Int64) -> [PlacedLayer]
}

extension SimScene {
    /// Paints the scene; takes some tenths of a second for large views.
    func painted(for view: SceneView, seed: UInt64) -> any PaintedScene {
        switch self {
        case .street: StreetScene(view: view, seed: seed)
        case .chart: ChartScene(view: view)
        case .grey: GreyScene(view: view)
        }
    }
}

extension SimScene {
    /// The light of the scene, also before it is painted.
    public var light: SceneLight {
        switch self {
        case .street: SceneLight(lux: 9000, kelvin: 5600)
        case .chart: SceneLight(lux: 1000, kelvin: 5000)
        case .grey: SceneLight(lux: 500, kelvin: 5000)
        }
    }
}
