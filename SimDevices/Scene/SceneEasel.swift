/// Makes the layers of a scene that is seen straight on; metres, with the origin in the picture's middle.
struct SceneEasel {
    let view: SceneView

    /// A layer as large as the picture.
    func panel(depth: Double, brightness: Double = 1, paint: (SceneCanvas) -> Void) -> PlacedLayer {
        let canvas = SceneCanvas(
            width: view.width, height: view.height, scale: view.scale / depth, originX: Double(view.width) / 2,
            originY: Double(view.height) / 2)
        paint(canvas)
        return PlacedLayer(bitmap: SceneBitmap(canvas), x: 0, y: 0, depth: depth, brightness: brightness)
    }

    /// A layer that is no larger than what it shows, with its origin at `x`, `y`.
    ///
    /// - Parameters:
    ///   - left: How far it reaches from its origin to each side.
    func cutout(
        depth: Double, x: Double, y: Double, left: Double, right: Double, up: Double, down: Double,
        brightness: Double = 1, paint: (SceneCanvas) -> Void
    ) -> PlacedLayer {
        let scale = view.scale / depth
        let canvas = SceneCanvas(
            width: Int((left + right) * scale) + 2, height: Int((up + down) * scale) + 2, scale: scale,
            originX: left * scale, originY: up * scale)
        paint(canvas)
        let place = Self.place(view, depth: depth, x: x - left, y: y + up)
        return PlacedLayer(
            bitmap: SceneBitmap(canvas), x: place.x, y: place.y, depth: depth, brightness: brightness)
    }

    /// The pixel at which a point is seen.
    static func place(_ view: SceneView, depth: Double, x: Double, y: Double) -> (x: Int, y: Int) {
        let scale = view.scale / depth
        return (
            Int((Double(view.width) / 2 + x * scale).rounded(.down)),
            Int((Double(view.height) / 2 - y * scale).rounded(.down))
        )
    }

    /// Half of what is seen at a depth, in metres.
    func reach(_ depth: Double) -> (x: Double, y: Double) {
        let half = view.tangentOfHalfView * depth
        return (half, half * Double(view.height) / Double(view.width))
    }
}
