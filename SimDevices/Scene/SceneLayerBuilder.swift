/// Creates layers perpendicular to the optical axis. Coordinates are in meters from the optical axis, y upwards.
struct SceneLayerBuilder {
    let view: SceneView

    /// Creates a layer that fills the frame.
    func panel(depth: Double, brightness: Double = 1, paint: (SceneCanvas) -> Void) -> PlacedLayer {
        let canvas = SceneCanvas(
            width: view.width, height: view.height, scale: view.scale / depth, originX: Double(view.width) / 2,
            originY: Double(view.height) / 2)
        paint(canvas)
        return PlacedLayer(bitmap: SceneBitmap(canvas), x: 0, y: 0, depth: depth, brightness: brightness)
    }

    /// Creates a layer no larger than its contents, with its origin at `x`, `y`.
    ///
    /// - Parameters:
    ///   - left: Extent to the left of the origin. `right`, `up` and `down` are the extents in the other directions.
    ///   - parts: The parts of the person that the layer shows; empty for other layers.
    func cutout(
        depth: Double, x: Double, y: Double, left: Double, right: Double, up: Double, down: Double,
        brightness: Double = 1, parts: [PersonParts.Shape] = [], paint: (SceneCanvas) -> Void
    ) -> PlacedLayer {
        let scale = view.scale / depth
        @Sendable func makeCanvas() -> SceneCanvas {
            SceneCanvas(
                width: Int((left + right) * scale) + 2, height: Int((up + down) * scale) + 2, scale: scale,
                originX: left * scale, originY: up * scale)
        }
        let canvas = makeCanvas()
        paint(canvas)
        let corner = Self.pixel(view, depth: depth, x: x - left, y: y + up)
        var layer = PlacedLayer(
            bitmap: SceneBitmap(canvas), x: corner.x, y: corner.y, depth: depth, brightness: brightness)
        if !parts.isEmpty { layer.person = PersonParts(parts, makeCanvas: makeCanvas) }
        return layer
    }

    /// Returns the pixel at a point.
    static func pixel(_ view: SceneView, depth: Double, x: Double, y: Double) -> (x: Int, y: Int) {
        let scale = view.scale / depth
        return (
            Int((Double(view.width) / 2 + x * scale).rounded(.down)),
            Int((Double(view.height) / 2 - y * scale).rounded(.down))
        )
    }

    /// Returns half the width and height of the visible area at a depth, in meters.
    func halfSize(_ depth: Double) -> (x: Double, y: Double) {
        let half = view.tangentOfHalfView * depth
        return (half, half * Double(view.height) / Double(view.width))
    }
}
