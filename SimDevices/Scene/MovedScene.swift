/// A painted scene with objects that are moved, hidden and shown.
struct MovedScene: PaintedScene {
    let light: SceneLight
    let backdrop: [PlacedLayer]
    private let base: any PaintedScene
    private let view: SceneView
    private let motions: [String: SceneObjectMotion]
    /// The layers of the backdrop that move, and those in front of them, from back to front.
    private let front: [PlacedLayer]

    /// Creates the scene.
    ///
    /// - Parameters:
    ///   - base: The scene, with the objects painted completely, including the parts outside the view.
    ///   - objects: The objects that move or are not always visible.
    ///   - steps: The changes in the order of their times.
    init(_ base: any PaintedScene, in view: SceneView, _ objects: [SceneObject], _ steps: [SceneObjectMotion.Step]) {
        (self.base, self.view, light) = (base, view, base.light)
        motions = Dictionary(objects.map { ($0.name, SceneObjectMotion($0, steps)) }) { first, _ in first }
        let names = Set(motions.keys)
        // Layers in front of a moving one cannot be part of the backdrop.
        let first = base.backdrop.firstIndex { $0.object.map(names.contains) ?? false } ?? base.backdrop.count
        backdrop = Array(base.backdrop[..<first])
        front = Array(base.backdrop[first...])
    }

    func movingLayers(at nanoseconds: Int64) -> [PlacedLayer] {
        var remaining = base.movingLayers(at: nanoseconds)[...]
        var layers: [PlacedLayer] = []
        // At the same depth, the moving layers of the base are in front, because a head is in front of its body.
        for layer in front {
            while let next = remaining.first, next.depth > layer.depth { layers.append(remaining.removeFirst()) }
            layers.append(layer)
        }
        return (layers + remaining).compactMap { layer in
            guard let name = layer.object, let motion = motions[name] else { return layer }
            let state = motion.state(at: nanoseconds)
            guard state.isVisible else { return nil }
            let scale = view.scale / layer.depth
            var moved = layer
            moved.x += Int((state.x * scale).rounded())
            // Layers begin at even rows.
            moved.y -= 2 * Int((state.y * scale / 2).rounded())
            moved.speed += state.speed * scale
            return moved
        }
    }

    func faces(at nanoseconds: Int64) -> [SceneFace] {
        base.faces(at: nanoseconds).compactMap { face in
            guard let name = face.object, let motion = motions[name] else { return face }
            let state = motion.state(at: nanoseconds)
            guard state.isVisible else { return nil }
            var moved = face
            moved.x += state.x * view.scale / face.depth
            moved.y -= state.y * view.scale / face.depth
            return moved
        }
    }
}
