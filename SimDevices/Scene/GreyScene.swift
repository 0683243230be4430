/// A gray card that fills the frame.
struct GreyScene: PaintedScene {
    let light = SimScene.grey.light
    private let card: SceneBitmap

    init(view: SceneView) {
        let canvas = SceneCanvas(width: view.width, height: view.height, scale: 1, originX: 0, originY: 0)
        canvas.rectangle(
            0, 0, Double(view.width), -Double(view.height), SceneCanvas.Color(linear: 0.18, 0.18, 0.18))
        card = SceneBitmap(canvas)
    }

    var backdrop: [PlacedLayer] { [PlacedLayer(bitmap: card, x: 0, y: 0, depth: 1)] }
}
