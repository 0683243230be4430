/// The street at night, with lamps that are some hundred times as bright as the houses, and cars with headlights.
struct NightScene: PaintedScene {
    let light = SimScene.night.light
    let backdrop: [PlacedLayer]
    private let street: StreetScene
    private let lamps: StreetLamps
    private let glare: SceneBitmap
    private let view: SceneView

    init(view: SceneView, seed: UInt64) {
        typealias Color = SceneCanvas.Color
        self.view = view
        let lamps = StreetLamps(seed: seed)
        self.lamps = lamps
        let street = StreetScene(view: view, seed: seed, lamps: lamps)
        self.street = street
        // The sky is darker than surfaces lit by the lamps. Lit windows are in front of the houses.
        var layers = street.backdrop
        for index in layers.indices where layers[index].depth > 100 {
            layers[index].brightness = layers[index].depth > 1000 ? 0.004 : 0.008
        }
        let painter = StreetPainter(view: view, seed: seed)
        // The houses are at a depth of 22 m.
        let housesIndex = layers.lastIndex { $0.depth == 22 } ?? layers.count - 1
        layers.insert(painter.windows(), at: housesIndex + 1)
        layers.append(painter.lights())
        backdrop = layers
        let scale = view.scale / 12
        let canvas = SceneCanvas(
            width: Int(0.5 * scale) + 2, height: Int(0.5 * scale) + 2, scale: scale, originX: 0.25 * scale,
            originY: 0.25 * scale)
        canvas.ellipse(0, 0, 0.09, 0.07, Color(0xfff8e8))
        glare = SceneBitmap(canvas)
    }

    func movingLayers(at nanoseconds: Int64) -> [PlacedLayer] {
        var layers: [PlacedLayer] = []
        for var layer in street.movingLayers(at: nanoseconds) {
            let middle = (Double(layer.x) + Double(layer.bitmap.width - view.width) / 2) * layer.depth / view.scale
            // At about half the height of a car or pedestrian.
            layer.brightness = lamps.light(x: middle, y: -0.8, z: layer.depth)
            layers.append(layer)
            // Only cars are longer than 3 m; each has a visible headlight.
            let length = Double(layer.bitmap.width) * layer.depth / view.scale
            guard length > 3 else { continue }
            let scale = view.scale / layer.depth
            let headlightX = layer.speed > 0 ? length - 0.42 : 0.42
            layers.append(
                PlacedLayer(
                    bitmap: glare, x: layer.x + Int((headlightX - 0.25) * scale),
                    y: layer.y + layer.bitmap.height - Int(1.05 * scale), depth: layer.depth, brightness: 300,
                    speed: layer.speed))
        }
        return layers
    }
}
