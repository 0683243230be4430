import MediaTypes

/// A painted scene that is described by a file.
final class DescribedScene: PaintedScene, @unchecked Sendable {
    // SAFETY: all properties are immutable except the movies' bitmaps, which are protected by their lock.

    /// An image, movie or code in front of the base, or a layer of the base's backdrop.
    private struct Part {
        enum Source {
            /// A layer that does not change.
            case still(PlacedLayer)
            case movie(SceneMovie, SceneLayer)
        }

        var source: Source
        /// Meters.
        var depth: Double
        /// Identifies the part in `renderings`.
        var number: Int
    }

    /// The bitmap of a movie's current frame.
    private struct Rendering {
        /// The number of the part.
        var part: Int
        /// The index of the frame in the movie.
        var frame: Int
        /// Nil if the layer is outside the view.
        var layer: PlacedLayer?
    }

    let light: SceneLight
    let backdrop: [PlacedLayer]
    private let view: SceneView
    /// Time at which movies start, in nanoseconds.
    private let startNanoseconds: Int64
    private let base: (any PaintedScene)?
    /// Layers that are composed for each frame, from back to front.
    private let moving: [Part]
    /// The last rendering of each movie.
    private let renderings = Lock<[Rendering]>([])
    /// The names of objects that are painted completely, including the parts outside the view.
    private let movable: Set<String>

    init(_ file: SceneFile, view: SceneView, movable: Set<String> = [], seed: UInt64, startNanoseconds: Int64) {
        self.movable = movable
        light = file.light
        self.view = view
        self.startNanoseconds = startNanoseconds
        let builder = SceneLayerBuilder(view: view)
        let isShelf = file.base == .shelf
        let base: (any PaintedScene)? =
            isShelf
            ? ShelfScene(view: view, codes: file.codes, light: file.light)
            : file.base?.painted(for: view, movable: movable, seed: seed, startNanoseconds: startNanoseconds)
        self.base = base
        var parts: [Part] = []
        for layer in file.layers {
            switch layer.content {
            case .image(let image):
                let isCropped = !(layer.name.map(movable.contains) ?? false)
                guard let placed = image.placed(layer, in: view, isCropped: isCropped) else { continue }
                parts.append(Part(source: .still(placed), depth: layer.depth, number: parts.count))
            case .movie(let movie):
                parts.append(Part(source: .movie(movie, layer), depth: layer.depth, number: parts.count))
            }
        }
        for code in isShelf ? [] : file.codes {
            parts.append(Part(source: .still(code.layer(builder)), depth: code.depth, number: parts.count))
        }
        // From back to front; parts at the same depth in the file's order.
        parts.sort { ($0.depth, $1.number) > ($1.depth, $0.number) }
        let wall = (parts.map(\.depth).max() ?? 1) + 1
        var still = base?.backdrop ?? [builder.panel(depth: wall) { Self.paintWall($0, builder.halfSize(wall)) }]
        var moving: [Part] = []
        for part in parts {
            guard case .still(let layer) = part.source else {
                moving.append(part)
                continue
            }
            let position = still.firstIndex { $0.rowDepth == nil && $0.depth < part.depth } ?? still.count
            // Layers behind the first one, which fills the frame, are hidden.
            if position > 0 { still.insert(layer, at: position) }
        }
        // Layers in front of a moving one cannot be part of the backdrop.
        let movingDepths = base?.movingLayers(at: startNanoseconds).map(\.depth) ?? []
        let farthest = (moving.map(\.depth) + movingDepths).max() ?? 0
        let first = still.dropFirst().firstIndex { $0.rowDepth == nil && $0.depth < farthest } ?? still.count
        for (index, layer) in still[first...].enumerated() {
            moving.append(Part(source: .still(layer), depth: layer.depth, number: parts.count + index))
        }
        moving.sort { ($0.depth, $1.number) > ($1.depth, $0.number) }
        backdrop = Array(still[..<first])
        self.moving = moving
    }

    func movingLayers(at nanoseconds: Int64) -> [PlacedLayer] {
        let baseLayers = base?.movingLayers(at: nanoseconds) ?? []
        guard !moving.isEmpty else { return baseLayers }
        var layers: [PlacedLayer] = []
        layers.reserveCapacity(moving.count + baseLayers.count)
        var remaining = baseLayers[...]
        // At the same depth, the moving layers of the base are in front, because a head is in front of its body.
        for part in moving {
            while let next = remaining.first, next.depth > part.depth { layers.append(remaining.removeFirst()) }
            if let layer = layer(of: part, at: nanoseconds) { layers.append(layer) }
        }
        return layers + remaining
    }

    /// The faces of the base. Faces in pictures and movies are not detected.
    func faces(at nanoseconds: Int64) -> [SceneFace] { base?.faces(at: nanoseconds) ?? [] }

    private func layer(of part: Part, at nanoseconds: Int64) -> PlacedLayer? {
        guard case .movie(let movie, let layer) = part.source else {
            if case .still(let layer) = part.source { return layer }
            return nil
        }
        guard let frame = movie.frame(at: nanoseconds - startNanoseconds) else { return nil }
        return renderings.withLock { renderings in
            if let known = renderings.first(where: { $0.part == part.number && $0.frame == frame.index }) {
                return known.layer
            }
            let isCropped = !(layer.name.map(movable.contains) ?? false)
            var placed = layer.placed(frame.pixels, transfer: .bt709, in: view, isCropped: isCropped)
            placed?.isTransient = true
            renderings.removeAll { $0.part == part.number }
            renderings.append(Rendering(part: part.number, frame: frame.index, layer: placed))
            return placed
        }
    }

    private static func paintWall(_ canvas: SceneCanvas, _ halfSize: (x: Double, y: Double)) {
        let gray = SceneCanvas.Color(linear: 0.18, 0.18, 0.18)
        canvas.rectangle(-halfSize.x - 1, halfSize.y + 1, halfSize.x + 1, -halfSize.y - 1, gray)
    }
}
