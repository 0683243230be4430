import CaptureHAL
import MediaTypes

/// The parts of a person that a layer of a scene shows, for mattes.
///
/// - Important: Thread-safe.
final class PersonParts: Sendable {
    /// A part with its outline in the canvas of the layer. It covers the parts before it.
    struct Part: Sendable {
        /// The matte that contains the part; nil for a part that belongs to none, such as clothes.
        let matte: StillMatte?
        let bitmap: SceneBitmap
    }

    /// A part and the function that fills its outline with any color.
    typealias Shape = (matte: StillMatte?, fill: @Sendable (SceneCanvas) -> Void)

    private let makeCanvas: @Sendable () -> SceneCanvas
    private let shapes: [Shape]
    private let painted = Lock<[Part]?>(nil)

    /// - Parameters:
    ///   - makeCanvas: Returns an empty canvas with the geometry of the layer's.
    ///   - shapes: The parts from back to front.
    init(_ shapes: [Shape], makeCanvas: @escaping @Sendable () -> SceneCanvas) {
        self.shapes = shapes
        self.makeCanvas = makeCanvas
    }

    /// The parts from back to front, painted on first use.
    var parts: [Part] {
        if let painted = painted.withLock({ $0 }) { return painted }
        let parts = shapes.map { shape in
            let canvas = makeCanvas()
            shape.fill(canvas)
            return Part(matte: shape.matte, bitmap: SceneBitmap(canvas))
        }
        painted.withLock { $0 = parts }
        return parts
    }
}

extension ScenePerson {
    private static let opaque = SceneCanvas.Color(0xffffff)

    /// The parts of `paintBody`.
    var bodyParts: [PersonParts.Shape] {
        [
            (
                .skin,
                { canvas in
                    for side in [-1.0, 1.0] { canvas.ellipse(side * 0.262, -0.815, 0.042, 0.075, Self.opaque) }
                }
            ),
            (
                nil,
                { canvas in
                    canvas.fill(Self.coatOutline, Self.opaque)
                    canvas.fill(Self.collarOutline, Self.opaque)
                }
            ), (.skin, { $0.fill(Self.neckOutline, Self.opaque) }),
        ]
    }

    /// The parts of `paintHead`.
    var headParts: [PersonParts.Shape] {
        let hasLongHair = hasLongHair
        return [
            (
                .hair,
                { canvas in
                    if hasLongHair {
                        canvas.ellipse(0, 0.01, 0.105, 0.14, Self.opaque)
                        canvas.fill(Self.longHairOutline, Self.opaque)
                    } else {
                        canvas.ellipse(0, 0.035, 0.088, 0.105, Self.opaque)
                    }
                }
            ),
            (
                .skin,
                { canvas in
                    for side in [-1.0, 1.0] { canvas.ellipse(side * 0.08, -0.005, 0.014, 0.026, Self.opaque) }
                    canvas.fill(Self.faceOutline, Self.opaque)
                }
            ),
            (
                nil,
                { canvas in
                    for side in [-1.0, 1.0] { canvas.ellipse(side * 0.033, 0.014, 0.0175, 0.0085, Self.opaque) }
                    canvas.ellipse(0, -0.066, 0.029, 0.0105, Self.opaque)
                }
            ), (.hair, { $0.fill(Self.fringeOutline, Self.opaque) }),
        ]
    }
}
