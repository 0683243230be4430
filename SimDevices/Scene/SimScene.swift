import Foundation
import MediaTypes
import StrictYAML

/// The scene in front of the simulated cameras.
public enum SimScene: Sendable, Hashable, CaseIterable {
    /// A street by day with moving cars and pedestrians.
    case street
    /// Patches of known reflectance, a slanted edge, a Siemens star; fills the frame.
    case chart
    /// A card of 18 % reflectance that fills the frame.
    case grey
    /// Three people in a room, at 0.9, 1.6 and 2.4 m.
    case portrait
    /// The street at night, with lamps and lit windows.
    case night
    /// A person in front of a window. The light outside is fifty times as bright as inside.
    case backlight
    /// Products on a shelf with QR, EAN-13, UPC-E and Code 128 codes; see `codes`.
    case shelf
    /// A scene described by a file.
    indirect case file(SceneFile)

    /// The built-in scenes.
    public static let allCases: [SimScene] = [.street, .chart, .grey, .portrait, .night, .backlight, .shelf]

    /// The name of the scene.
    public var name: String {
        switch self {
        case .street: "street"
        case .chart: "chart"
        case .grey: "grey"
        case .portrait: "portrait"
        case .night: "night"
        case .backlight: "backlight"
        case .shelf: "shelf"
        case .file(let file): file.name
        }
    }

    /// Returns the built-in scene with a name, or reads a scene from a YAML file.
    ///
    /// - Parameter nameOrPath: A path if it contains a slash or ends in `.yaml` or `.yml`.
    /// - Throws: `ProfileError` with the known names, or with the position and description of an error in the file.
    public static func named(_ nameOrPath: String) throws(ProfileError) -> SimScene {
        guard DeviceProfile.isPath(nameOrPath) else {
            if let scene = allCases.first(where: { $0.name == nameOrPath }) { return scene }
            throw ProfileError(
                file: nameOrPath,
                message:
                    "there is no scene \"\(nameOrPath)\"; \(suggestion(for: nameOrPath, among: allCases.map(\.name)))"
            )
        }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: nameOrPath, isDirectory: &isFolder), !isFolder.boolValue else {
            throw ProfileError(
                file: nameOrPath,
                message: isFolder.boolValue
                    ? "\(nameOrPath) is a folder, not a scene" : "there is no file \(nameOrPath)")
        }
        guard let data = FileManager.default.contents(atPath: nameOrPath) else {
            throw ProfileError(file: nameOrPath, message: "\(nameOrPath): the scene cannot be read")
        }
        guard let text = String(data: data, encoding: .utf8) else {
            throw ProfileError(file: nameOrPath, message: "\(nameOrPath): the scene is not UTF-8 text")
        }
        return .file(try SceneFile(yaml: text, file: nameOrPath))
    }
}

/// The perspective of a camera.
struct SceneView: Hashable {
    /// Size of the frame in pixels; both even.
    var width: Int
    var height: Int
    /// The tangent of half the horizontal field of view.
    var tangentOfHalfView: Double
    /// The tangent for the widest camera at this position, such as the widest constituent of a virtual camera.
    var widestTangent: Double

    /// Creates a view.
    ///
    /// - Parameter widestTangent: Nil if there is no wider camera.
    init(width: Int, height: Int, tangentOfHalfView: Double, widestTangent: Double? = nil) {
        self.width = width
        self.height = height
        self.tangentOfHalfView = tangentOfHalfView
        self.widestTangent = max(widestTangent ?? tangentOfHalfView, tangentOfHalfView)
    }

    /// The tangent of half the field of view along the longer side, which is the same if the view is rotated.
    ///
    /// Scenes that generate their contents for the visible area use it, so that they do not depend on the orientation.
    var longerTangent: Double { tangentOfHalfView * (Double(max(width, height)) / Double(width)) }

    /// The focal length in pixels: pixels per unit of x / z.
    var scale: Double { Double(width) / 2 / tangentOfHalfView }
}

/// A bitmap and its position in a view.
struct PlacedLayer {
    var bitmap: SceneBitmap
    /// Position of the top left pixel, in pixels of the view before it is rotated to the sensor.
    var x: Int
    var y: Int
    /// Distance in meters, for focus and for the light of torch and flash.
    var depth: Double
    /// Luminance relative to a surface in the scene's light; greater than 1 for light sources such as the sky.
    var brightness: Double = 1
    /// The depth of each row of the bitmap, for ground; nil if all rows have the same depth.
    var rowDepth: [Double]?
    /// Horizontal speed of moving layers in pixels per second, positive to the right.
    var speed: Double = 0
    /// Whether the bitmap is used only once, such as a frame of a movie. Data derived from it is then not cached.
    var isTransient = false
    /// The name of the scene object that the layer is part of; nil if a scene
    /// file cannot change the position of the layer.
    var object: String?
    /// The parts of the person that the layer shows; nil for other layers.
    var person: PersonParts?
}

/// A scene painted for one view.
///
/// - Important: Thread-safe, immutable.
protocol PaintedScene: Sendable {
    var light: SceneLight { get }
    /// The layers that do not move, from back to front. The first one covers the frame.
    var backdrop: [PlacedLayer] { get }
    /// Returns the layers that move, from back to front. They are in front of the backdrop and depend only on the time.
    func movingLayers(at nanoseconds: Int64) -> [PlacedLayer]
    /// Returns the faces that can be recognized if they are visible.
    func faces(at nanoseconds: Int64) -> [SceneFace]
}

extension PaintedScene {
    func movingLayers(at nanoseconds: Int64) -> [PlacedLayer] { [] }
    func faces(at nanoseconds: Int64) -> [SceneFace] { [] }
}

extension SimScene {
    /// Paints the scene, which takes some tenths of a second for large views.
    ///
    /// - Parameters:
    ///   - movable: The names of objects that are painted completely, including the parts outside the view.
    ///   - startNanoseconds: The time at which the simulated host was created and movies start, in nanoseconds of its clock.
    func painted(
        for view: SceneView, movable: Set<String> = [], seed: UInt64, startNanoseconds: Int64
    ) -> any PaintedScene {
        switch self {
        case .street: StreetScene(view: view, seed: seed)
        case .chart: ChartScene(view: view)
        case .grey: GreyScene(view: view)
        case .portrait: PortraitScene(view: view)
        case .night: NightScene(view: view, seed: seed)
        case .backlight: BacklightScene(view: view)
        case .shelf: ShelfScene(view: view)
        case .file(let file):
            DescribedScene(file, view: view, movable: movable, seed: seed, startNanoseconds: startNanoseconds)
        }
    }

    /// The default light of the scene.
    public var light: SceneLight {
        switch self {
        case .street: SceneLight(lux: 9000, kelvin: 5600)
        case .chart: SceneLight(lux: 1000, kelvin: 5000)
        case .grey: SceneLight(lux: 500, kelvin: 5000)
        case .portrait:
            SceneLight(lux: 300, kelvin: 3400, flicker: SceneLight.Flicker(mainsHertz: 50, depth: 0.1))
        case .night: SceneLight(lux: 6, kelvin: 2900, flicker: SceneLight.Flicker(mainsHertz: 50, depth: 0.2))
        case .backlight: SceneLight(lux: 200, kelvin: 5200)
        case .shelf: SceneLight(lux: 700, kelvin: 4000)
        case .file(let file): file.light
        }
    }

    /// The machine-readable codes in the scene and their positions.
    public var codes: [SceneCode] {
        switch self {
        case .shelf: ShelfScene.codes
        case .file(let file): file.codes
        case .street, .chart, .grey, .portrait, .night, .backlight: []
        }
    }

    /// The hand shake of the cameras; nil for none.
    var shake: HandShake? {
        if case .file(let file) = self { file.shake } else { nil }
    }

    /// Distance of the cameras' initial focus in meters.
    var subjectDistance: Double {
        switch self {
        case .street: 12
        case .chart: 1.5
        case .grey: 1
        case .portrait: 0.9
        case .night: 12
        case .backlight: 1.1
        case .shelf: 0.54
        case .file(let file): file.subjectDistance
        }
    }
}
