import Foundation
import StrictYAML

/// An image or movie that a scene file adds to a scene.
struct SceneLayer: Sendable, Hashable {
    enum Content: Sendable, Hashable {
        case image(SceneImage)
        case movie(SceneMovie)

        /// Size in pixels.
        var size: (width: Int, height: Int) {
            switch self {
            case .image(let image): (image.width, image.height)
            case .movie(let movie): (movie.width, movie.height)
            }
        }
    }

    /// The displayed size.
    enum Size: Sendable, Hashable {
        /// Fills the view at the layer's depth; the rest is cropped.
        case cover
        /// Fits into the view at the layer's depth.
        case contain
        /// Has a width in meters.
        case width(Double)
        /// Has a height in meters.
        case height(Double)
    }

    var content: Content
    var size: Size
    /// Position of the center in meters to the right of the optical axis.
    var x: Double
    /// Position of the center in meters above the optical axis.
    var y: Double
    /// Distance from the camera along the optical axis, in meters.
    var depth: Double
    /// Luminance of white relative to a white surface in the scene's light; greater than 1 for light sources.
    var brightness: Double
    /// Identifies the layer among the objects of the scene; nil for a layer that cannot be moved.
    var name: String?
    /// Whether the layer is initially visible.
    var isVisible: Bool

    init(_ value: YAMLValue) throws(YAMLError) {
        let map = try value.mapping(keys: [
            "picture", "movie", "end", "fit", "width", "height", "x", "y", "depth", "brightness", "name", "visible",
        ])
        switch (map["picture"], map["movie"]) {
        case (let picture?, nil):
            if let end = map["end"] { throw end.error("a picture has no end", "remove it") }
            content = .image(try SceneImage(picture))
        case (nil, let movie?):
            let loops: Bool = try map["end"]?.choice([("loop", true), ("hold", false)]) ?? true
            content = .movie(try SceneMovie(movie, loops: loops))
        case (nil, nil): throw value.error("the layer has no content", "add \"picture: FILE\" or \"movie: FILE\"")
        case (_?, let movie?): throw movie.error("the layer already has a picture", "write one layer for each")
        }
        let sizes = ["fit", "width", "height"].compactMap { map[$0] }
        if sizes.count > 1 {
            throw sizes[1].error("the layer's size is given twice", "keep one of fit, width and height")
        }
        if let width = map["width"] {
            size = .width(try width.quantity(.meters, in: 0.001...10_000))
        } else if let height = map["height"] {
            size = .height(try height.quantity(.meters, in: 0.001...10_000))
        } else {
            size = try map["fit"]?.choice([("cover", .cover), ("contain", .contain)]) ?? .cover
        }
        x = try map["x"]?.quantity(.meters, in: -1000...1000) ?? 0
        y = try map["y"]?.quantity(.meters, in: -1000...1000) ?? 0
        depth = try map.required("depth").quantity(.meters, in: 0.05...10_000)
        brightness = try map["brightness"]?.quantity(.none, in: 0.001...1000) ?? 1
        (name, isVisible) = try SceneObject.nameAndVisibility(map)
    }

    /// The layer as an object of the scene; nil without a name.
    var object: SceneObject? { name.map { SceneObject($0, x: x, y: y, isVisible: isVisible) } }

    /// Returns the position and size in a view, in pixels.
    func frame(in view: SceneView) -> (left: Double, top: Double, width: Double, height: Double) {
        let scale = view.scale / depth
        let (pixels, aspect) = (content.size, Double(content.size.height) / Double(content.size.width))
        let (viewWidth, viewHeight) = (Double(view.width), Double(view.height))
        let ratios = (viewWidth / Double(pixels.width), viewHeight / Double(pixels.height))
        let width: Double =
            switch size {
            case .cover: max(ratios.0, ratios.1) * Double(pixels.width)
            case .contain: min(ratios.0, ratios.1) * Double(pixels.width)
            case .width(let meters): meters * scale
            case .height(let meters): meters * scale / aspect
            }
        let height = width * aspect
        return (
            viewWidth / 2 + x * scale - width / 2, viewHeight / 2 - y * scale - height / 2, width, height
        )
    }
}

extension YAMLValue {
    /// Returns the path of the file that the value names. A relative name is relative to the folder of the YAML file.
    func siblingPath() throws(YAMLError) -> String {
        let name = try string()
        guard !name.hasPrefix("/") else { return name }
        return URL(fileURLWithPath: file).deletingLastPathComponent().appendingPathComponent(name).path
    }
}
