import CSimKernels
import Glibc
import MediaTypes

/// A drawing surface for the layers of a scene, with its own unit of length.
///
/// Confined. Colors are square roots of linear reflectance in 255ths, which is close to sRGB.
final class SceneCanvas {
    /// A color: the square roots of the linear reflectances, in 255ths.
    struct Color: Sendable {
        var red: UInt8
        var green: UInt8
        var blue: UInt8

        /// Creates a color from 0xRRGGBB.
        init(_ hex: UInt32) {
            red = UInt8(truncatingIfNeeded: hex >> 16)
            green = UInt8(truncatingIfNeeded: hex >> 8)
            blue = UInt8(truncatingIfNeeded: hex)
        }

        /// Creates a color from linear reflectances, 0 … 1.
        init(linear red: Double, _ green: Double, _ blue: Double) {
            func code(_ value: Double) -> UInt8 { UInt8((min(max(value, 0), 1).squareRoot() * 255).rounded()) }
            self.red = code(red)
            self.green = code(green)
            self.blue = code(blue)
        }

        /// Returns the color with its components multiplied by a factor, limited to 255.
        func scaled(_ factor: Double) -> Color {
            func scale(_ value: UInt8) -> UInt8 { UInt8(min(255, max(0, (Double(value) * factor).rounded()))) }
            var color = self
            color.red = scale(red)
            color.green = scale(green)
            color.blue = scale(blue)
            return color
        }
    }

    /// The noise texture of a surface.
    struct Texture {
        /// 0 … 255.
        var strength: Int
        /// Grain size in the canvas's units.
        var width: Double
        var height: Double
        var seed: UInt32
    }

    let width: Int
    let height: Int
    /// Pixels per unit.
    let scale: Double
    /// Position in pixels of the origin of the units. In pixels, y increases downwards; in units, upwards.
    let originX: Double
    let originY: Double
    private(set) var raw: csim_canvas
    private let memory: AlignedMemory

    /// Creates an empty canvas.
    ///
    /// - Parameters:
    ///   - width: Rounded up to an even number, as is the height.
    init(width: Int, height: Int, scale: Double, originX: Double, originY: Double) {
        self.width = Self.even(width)
        self.height = Self.even(height)
        self.scale = scale
        self.originX = originX
        self.originY = originY
        let count = self.width * self.height
        if let spare = Self.spare.withLock({ $0.acquire(4 * count) }) {
            spare.clear(byteCount: 4 * count)
            memory = spare
        } else {
            memory = SpareMemory.allocate(4 * count)
        }
        raw = csim_canvas(
            width: Int32(self.width), height: Int32(self.height), red: memory.bytes(), green: memory.bytes(at: count),
            blue: memory.bytes(at: 2 * count), coverage: memory.bytes(at: 3 * count))
    }

    deinit { Self.spare.withLock { [memory] in $0.recycle(memory) } }

    /// The memory of the last canvas, which the next one reuses: fresh memory from the system is slower.
    private static let spare = Lock(SpareMemory(), order: .primitive)

    private struct SpareMemory {
        /// The maximum size in bytes that is kept.
        private static let maximumByteCount = 16 << 20
        /// The size in bytes below which memory is not kept.
        private static let minimumByteCount = 1 << 20

        private var memory: AlignedMemory?

        /// Allocates memory. Large blocks have the maximum size, so that later canvases fit; untouched pages are not
        /// committed.
        static func allocate(_ byteCount: Int) -> AlignedMemory {
            AlignedMemory(byteCount: byteCount < minimumByteCount ? byteCount : max(byteCount, maximumByteCount))
        }

        /// Returns the spare memory with its previous contents, if it is large enough.
        mutating func acquire(_ byteCount: Int) -> AlignedMemory? {
            guard let memory, memory.byteCount >= byteCount else { return nil }
            self.memory = nil
            return memory
        }

        mutating func recycle(_ memory: AlignedMemory) {
            guard memory.byteCount <= Self.maximumByteCount, memory.byteCount >= self.memory?.byteCount ?? 0 else {
                return
            }
            self.memory = memory
        }
    }

    /// Rounds the width or height of a canvas up to an even number, at least 2.
    static func even(_ length: Int) -> Int { max(2, (length + 1) & ~1) }

    /// Fills a strip of level ground in perspective. Canvas units are lengths divided by the depth.
    ///
    /// - Parameters:
    ///   - left: The left edge, in meters from the center of the view.
    ///   - right: The right edge, in meters from the center of the view.
    ///   - near: The depth of the nearest edge in meters.
    ///   - far: The depth of the farthest edge in meters.
    ///   - eyeHeight: The height of the camera above the ground in meters.
    func fillGround(
        left: Double, right: Double, near: Double, far: Double, eyeHeight: Double, _ farColor: Color,
        _ nearColor: Color, texture: Texture? = nil
    ) {
        let nearY = -eyeHeight / near
        let farY = -eyeHeight / far
        let corners: [(x: Double, y: Double)] = [
            (x: left / near, y: nearY), (x: right / near, y: nearY),
            (x: right / far, y: farY), (x: left / far, y: farY),
        ]
        fill(corners, farColor, nearColor, texture: texture)
    }

    /// Fills a polygon with a vertical gradient from `top` to `bottom`; nil for a uniform color.
    func fill(_ points: [(x: Double, y: Double)], _ top: Color, _ bottom: Color? = nil, texture: Texture? = nil) {
        let bottom = bottom ?? top
        func fixed(_ value: Double) -> Int32 { Int32(min(max((value * 256).rounded(), -4e8), 4e8)) }
        var flat: [Int32] = []
        flat.reserveCapacity(points.count * 2)
        for point in points {
            flat.append(fixed(originX + point.x * scale))
            flat.append(fixed(originY - point.y * scale))
        }
        func grain(_ size: Double) -> Int32 { Int32(min(max((size * scale * 256).rounded(), 128), 1e8)) }
        var paint = csim_paint()
        paint.top = (top.red, top.green, top.blue)
        paint.bottom = (bottom.red, bottom.green, bottom.blue)
        paint.texture = Int32(texture?.strength ?? 0)
        paint.grainX = texture.map { grain($0.width) } ?? 256
        paint.grainY = texture.map { grain($0.height) } ?? 256
        paint.seed = texture?.seed ?? 0
        csim_fill(&raw, flat, Int32(points.count), &paint)
    }

    /// Fills a rectangle given by two opposite corners.
    func rectangle(
        _ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double, _ top: Color, _ bottom: Color? = nil,
        texture: Texture? = nil
    ) {
        fill([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], top, bottom, texture: texture)
    }

    /// Fills an ellipse.
    func ellipse(
        _ x: Double, _ y: Double, _ radiusX: Double, _ radiusY: Double, _ top: Color, _ bottom: Color? = nil,
        texture: Texture? = nil
    ) {
        // The edges of the polygon differ by at most an eighth of a pixel from the ellipse: for a radius r, the
        // distance of the middle of an edge is r (1 - cos(pi / count)), about pi^2 r / (2 count^2).
        let radius = max(radiusX, radiusY) * scale
        let count = max(40, Int((radius * 4 * 9.87).squareRoot().rounded(.up)))
        let points = (0..<count).map { index -> (x: Double, y: Double) in
            let (sine, cosine) = Circle.sineAndCosine(turns: Double(index) / Double(count))
            return (x + radiusX * cosine, y + radiusY * sine)
        }
        fill(points, top, bottom, texture: texture)
    }

    /// Draws a thick line with round ends.
    func capsule(
        _ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double, _ radius: Double, _ top: Color, _ bottom: Color? = nil
    ) {
        let (dx, dy) = (x1 - x0, y1 - y0)
        let length = (dx * dx + dy * dy).squareRoot()
        let (ux, uy) = length > 0 ? (dx / length, dy / length) : (1, 0)
        var points: [(x: Double, y: Double)] = []
        for (x, y, direction) in [(x1, y1, 1.0), (x0, y0, -1.0)] {
            for step in 0...8 {
                let (sine, cosine) = Circle.sineAndCosine(turns: Double(step) / 16 - 0.25)
                let (ox, oy) = (cosine * direction, sine * direction)
                points.append((x + radius * (ox * ux - oy * uy), y + radius * (ox * uy + oy * ux)))
            }
        }
        fill(points, top, bottom)
    }

    /// Draws an image scaled to a rectangle. Each pixel is the mean of the light on its area.
    ///
    /// - Parameters:
    ///   - pixels: BGRA, 8 bits each, not premultiplied.
    ///   - light: Linear light of each value from 0 to 255, in 65,535ths.
    func draw(
        _ pixels: UnsafePointer<UInt8>, width: Int, height: Int, bytesPerRow: Int, light: [UInt16], in target: csim_rect
    ) {
        var (source, target) = (csim_source(), target)
        source.pixels = pixels
        (source.width, source.height) = (Int32(width), Int32(height))
        source.stride = Int32(bytesPerRow)
        let result = light.withUnsafeBufferPointer { light in
            source.light = light.baseAddress
            return csim_draw(&raw, &source, &target)
        }
        // If memory cannot be allocated, the image is not drawn.
        if result != 0 { clearCoverage() }
    }

    /// Makes the canvas transparent.
    private func clearCoverage() { memset(raw.coverage, 0, width * height) }

    /// Darkens the canvas according to the light of lamps.
    ///
    /// - Parameters:
    ///   - rows: Position of each row in the scene.
    ///   - ambient: Light from all directions; a light of 1 leaves colors unchanged.
    func illuminate(_ rows: [csim_surface_row], _ lamps: [csim_lamp], ambient: Double) {
        csim_illuminate(&raw, rows, lamps, Int32(lamps.count), ambient)
    }

    /// Draws clouds in the rows above `lastRow`.
    ///
    /// - Parameters:
    ///   - grain: The size of the largest structures in the canvas's units.
    ///   - threshold: 0 … 65,535; clouds appear where seeded noise exceeds it.
    func clouds(grain: Double, threshold: Int, lastRow: Int, seed: UInt32) {
        csim_clouds(&raw, Int32(grain * scale * 256), Int32(threshold), Int32(lastRow), seed)
    }
}

/// Trigonometric functions that return the same bits on all processors.
enum Circle {
    /// Returns sine and cosine of an angle in turns.
    static func sineAndCosine(turns: Double) -> (sine: Double, cosine: Double) {
        (sine(turns: turns), sine(turns: turns + 0.25))
    }

    /// Returns the sine of an angle in turns, by its Taylor series, with an error below 1e-12.
    static func sine(turns: Double) -> Double {
        var t = turns - turns.rounded(.down)
        var sign = 1.0
        if t >= 0.5 {
            t -= 0.5
            sign = -1
        }
        if t > 0.25 { t = 0.5 - t }
        let x = t * 6.283185307179586
        let square = x * x
        var term = x
        var sum = x
        for n in 1...9 {
            let divisor = 2 * n * (2 * n + 1)
            term *= -square / Double(divisor)
            sum += term
        }
        return sign * sum
    }
}
