import Foundation
import StrictYAML

/// What stands before the simulated cameras.
public enum SimScene: Sendable, Hashable, CaseIterable {
    /// A street by day with moving cars and walkers.
    case street
    /// Patches of known reflectance, a slanted edge, a Siemens star; as large as the picture.
    case chart
    /// A card of 18 % reflectance that fills the picture.
    case grey
    /// Three people in a room, at 0.9, 1.6 and 2.4 m.
    case portrait
    /// The street by night, with lamps and lit windows.
    case night
    /// Someone before a window, outside of which it is fifty times as bright.
    case backlight
    /// Products on a shelf with QR, EAN-13, UPC-E and Code 128 codes; see `codes`.
    case shelf
    /// What a file describes.
    indirect case file(SceneFile)

    /// The built-in scenes.
    public static let allCases: [SimScene] = [.street, .chart, .grey, .portrait, .night, .backlight, .shelf]

    /// What the scene is called.
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

    /// The built-in scene of this name, or the one that a YAML file describes.
    ///
    /// - Parameter nameOrPath: A path where it holds a slash or ends in `.yaml` or `.yml`.
    /// - Throws: `ProfileError` that names the scenes there are, or tells what is wrong with the file, and where.
    public static func named(_ nameOrPath: String) throws(ProfileError) -> SimScene {
        guard nameOrPath.contains("/") || nameOrPath.hasSuffix(".yaml") || nameOrPath.hasSuffix(".yml") else {
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
                message: isFolder.boolValue ? "\(nameOrPath) is a folder, no scene" : "there is no file \(nameOrPath)")
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

/// From where a scene is seen.
struct SceneView: Hashable {
    /// Pixels; both even.
    var width: Int
    var height: Int
    /// The tangent of half the horizontal field of view.
    var tangentOfHalfView: Double
    /// That of the widest camera that looks from the same place, as of a virtual camera's constituents.
    var widestTangent: Double

    /// - Parameter widestTangent: By default there is no wider camera.
    init(width: Int, height: Int, tangentOfHalfView: Double, widestTangent: Double? = nil) {
        self.width = width
        self.height = height
        self.tangentOfHalfView = tangentOfHalfView
        self.widestTangent = max(widestTangent ?? tangentOfHalfView, tangentOfHalfView)
    }

    /// Pixels for one unit of x / z.
    var scale: Double { Double(width) / 2 / tangentOfHalfView }
}

/// A bitmap in its place at one moment.
struct PlacedLayer {
    var bitmap: SceneBitmap
    /// Of the left top pixel.
    var x: Int
    var y: Int
    /// Metres, for focus and for the light of torch and flash.
    var depth: Double
    /// How much of the scene's light is on it; more than 1 for what shines itself, as the sky.
    var brightness: Double = 1
    /// For ground, whose depth changes with the row: the depth of each row of the bitmap.
    var rowDepth: [Double]?
    /// Pixels a second to the right, for what moves.
    var speed: Double = 0
    /// Whether its bitmap is not to be seen again, as a movie's, and nothing made from it is worth keeping.
    var isFleeting = false
}

/// A scene as seen from one view, painted and ready to be placed in time.
///
/// - Important: Thread-safe, immutable.
protocol PaintedScene: Sendable {
    var light: SceneLight { get }
    /// What stands still, from back to front; the first covers the picture.
    var backdrop: [PlacedLayer] { get }
    /// What moves before it, from back to front; the same time gives the same layers.
    func movers(at nanoseconds: Int64) -> [PlacedLayer]
}

extension PaintedScene {
    func movers(at nanoseconds: Int64) -> [PlacedLayer] { [] }
}

extension SimScene {
    /// Paints the scene; takes some tenths of a second for large views.
    ///
    /// - Parameter startNanoseconds: When the world, and with it a movie in the scene, begins.
    func painted(for view: SceneView, seed: UInt64, startNanoseconds: Int64) -> any PaintedScene {
        switch self {
        case .street: StreetScene(view: view, seed: seed)
        case .chart: ChartScene(view: view)
        case .grey: GreyScene(view: view)
        case .portrait: PortraitScene(view: view)
        case .night: NightScene(view: view, seed: seed)
        case .backlight: BacklightScene(view: view)
        case .shelf: ShelfScene(view: view)
        case .file(let file): DescribedScene(file, view: view, seed: seed, startNanoseconds: startNanoseconds)
        }
    }

    /// The light of the scene, also before it is painted.
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

    /// The machine-readable codes in the scene, and where they are.
    public var codes: [SceneCode] {
        switch self {
        case .shelf: ShelfScene.codes
        case .file(let file): file.codes
        case .street, .chart, .grey, .portrait, .night, .backlight: []
        }
    }

    /// How the cameras before it are held; nil where they stand still.
    var shake: HandShake? {
        if case .file(let file) = self { file.shake } else { nil }
    }

    /// Metres to what a camera focuses on while it starts.
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
