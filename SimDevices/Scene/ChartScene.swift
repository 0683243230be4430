/// A test chart: patches of known reflectance, a gray scale, a slanted edge, a Siemens star.
///
/// It fills the frame, or that of the widest constituent of a virtual camera.
struct ChartScene: PaintedScene {
    let light = SimScene.chart.light
    private let chart: SceneBitmap
    /// Distance in meters.
    static let depth = 1.5

    /// Linear reflectances (BT.709 primaries) of the patches, four rows of six, similar to those of the ColorChecker.
    static let patches: [(red: Double, green: Double, blue: Double)] = [
        (0.17, 0.08, 0.06), (0.54, 0.30, 0.22), (0.11, 0.19, 0.33), (0.10, 0.15, 0.05), (0.23, 0.21, 0.42),
        (0.13, 0.51, 0.41), (0.70, 0.20, 0.03), (0.07, 0.10, 0.38), (0.53, 0.09, 0.12), (0.11, 0.04, 0.14),
        (0.34, 0.50, 0.05), (0.75, 0.36, 0.03), (0.03, 0.05, 0.29), (0.06, 0.29, 0.07), (0.43, 0.03, 0.04),
        (0.83, 0.57, 0.01), (0.50, 0.09, 0.30), (0.01, 0.24, 0.38), (0.90, 0.90, 0.90), (0.59, 0.59, 0.59),
        (0.36, 0.36, 0.36), (0.18, 0.18, 0.18), (0.09, 0.09, 0.09), (0.03, 0.03, 0.03),
    ]

    /// Returns the position of a patch as fractions of the chart's width and height. Its inner half is suitable for
    /// measurements.
    static func patchFrame(_ index: Int) -> (x: Double, y: Double, width: Double, height: Double) {
        (0.05 + Double(index % 6) * 0.09, 0.2 + Double(index / 6) * 0.17, 0.08, 0.15)
    }

    init(view: SceneView) {
        // One unit is the chart's width. Heights are fractions of the chart's height.
        let aspect = Double(view.height) / Double(view.width)
        let scale = Double(view.width) * view.widestTangent / view.tangentOfHalfView
        let canvas = SceneCanvas(
            width: view.width, height: view.height, scale: scale, originX: (Double(view.width) - scale) / 2,
            originY: (Double(view.height) - scale * aspect) / 2)
        typealias Color = SceneCanvas.Color
        let paper = Color(linear: 0.36, 0.36, 0.36)
        let white = Color(linear: 0.9, 0.9, 0.9)
        let black = Color(linear: 0.03, 0.03, 0.03)
        func box(_ x: Double, _ y: Double, _ w: Double, _ h: Double, _ color: Color) {
            canvas.rectangle(x, -y * aspect, x + w, -(y + h) * aspect, color)
        }
        box(0, 0, 1, 1, paper)
        box(0.03, 0.17, 0.56, 0.73, black)
        for (index, patch) in Self.patches.enumerated() {
            let frame = Self.patchFrame(index)
            box(frame.x, frame.y, frame.width, frame.height, Color(linear: patch.red, patch.green, patch.blue))
        }
        // Siemens star of 36 line pairs.
        let (starX, starY, radius) = (0.78, -0.37 * aspect, min(0.3 * aspect, 0.175))
        canvas.ellipse(starX, starY, radius * 1.05, radius * 1.05, white)
        for wedge in 0..<36 {
            let arc = (0...4).map { step -> (x: Double, y: Double) in
                let end = Circle.sineAndCosine(turns: (Double(wedge) + Double(step) / 8) / 36)
                return (starX + radius * end.cosine, starY + radius * end.sine)
            }
            canvas.fill([(starX, starY)] + arc, black)
        }
        // A square rotated by 5 degrees: slanted edges as in ISO 12233.
        let (squareX, squareY, half) = (0.7, -0.82 * aspect, min(0.1 * aspect, 0.058))
        let turn = Circle.sineAndCosine(turns: 5.0 / 360)
        box(0.63, 0.69, 0.14, 0.27, white)
        canvas.fill(
            [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map { corner in
                (
                    squareX + half * (corner.0 * turn.cosine - corner.1 * turn.sine),
                    squareY + half * (corner.0 * turn.sine + corner.1 * turn.cosine)
                )
            }, black)
        // Bar groups of increasing frequency. Widths are in 1,920ths of the chart's width.
        box(0.79, 0.69, 0.17, 0.27, white)
        var x = 0.8
        for barWidth in [8.0, 6, 4, 3, 2] {
            for bar in 0..<3 {
                box(x + Double(bar) * 2 * barWidth / 1920, 0.71, barWidth / 1920, 0.23, black)
            }
            x += 6 * barWidth / 1920 + 0.012
        }
        chart = SceneBitmap(canvas)
    }

    var backdrop: [PlacedLayer] { [PlacedLayer(bitmap: chart, x: 0, y: 0, depth: Self.depth)] }
}
