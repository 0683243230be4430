import CFreeType
import MediaTypes

/// The outlines of the embedded font, DejaVu Sans, in font units.
///
/// Confined: FreeType's objects are not thread-safe.
final class FontFace {
    typealias Point = TextLine.Point

    /// The outline of a character.
    struct Glyph {
        var index: UInt32
        var advance: Double
        /// Closed polygons; y increases upwards from the baseline.
        var contours: [[Point]]
    }

    /// The face that all text uses.
    static let shared = Lock(FontFace(), order: .primitive)

    /// The height of capital letters in font units.
    private(set) var capHeight = 1.0
    /// FreeType reads the file from memory as long as the face exists.
    private let file: UnsafeMutableBufferPointer<UInt8>
    private let library: FT_Library
    private let face: FT_Face

    private init() {
        file = .allocate(capacity: PackageResources.DejaVuSans_ttf.count)
        _ = file.initialize(from: PackageResources.DejaVuSans_ttf)
        var library: FT_Library?
        var face: FT_Face?
        let error = FT_Init_FreeType(&library)
        guard error == 0, let library else { preconditionFailure("FreeType cannot be initialized: error \(error)") }
        let faceError = FT_New_Memory_Face(library, file.baseAddress, FT_Long(file.count), 0, &face)
        guard faceError == 0, let face else { preconditionFailure("the font cannot be read: error \(faceError)") }
        (self.library, self.face) = (library, face)
        capHeight = glyph("H").contours.joined().map(\.y).max() ?? 1
    }

    deinit {
        FT_Done_Face(face)
        FT_Done_FreeType(library)
        file.deallocate()
    }

    /// Returns the outline of a character; a box if the font does not have it.
    func glyph(_ character: Unicode.Scalar) -> Glyph {
        let index = UInt32(FT_Get_Char_Index(face, FT_ULong(character.value)))
        guard FT_Load_Glyph(face, index, cfreetype_load_no_scale) == 0, let slot = face.pointee.glyph else {
            return Glyph(index: index, advance: 0, contours: [])
        }
        var pen = OutlinePen()
        var functions = OutlinePen.functions
        let error = withUnsafeMutablePointer(to: &pen) { pen in
            FT_Outline_Decompose(&slot.pointee.outline, &functions, UnsafeMutableRawPointer(pen))
        }
        guard error == 0 else { return Glyph(index: index, advance: 0, contours: []) }
        return Glyph(index: index, advance: Double(slot.pointee.metrics.horiAdvance), contours: pen.contours)
    }

    /// Returns the correction of the distance between two adjacent glyphs in font units.
    func kerning(_ left: Glyph, _ right: Glyph) -> Double {
        var vector = FT_Vector()
        guard FT_Get_Kerning(face, left.index, right.index, FT_UInt(FT_KERNING_UNSCALED.rawValue), &vector) == 0 else {
            return 0
        }
        return Double(vector.x)
    }
}

/// Collects the contours of an outline and replaces curves with lines.
private struct OutlinePen {
    var contours: [[FontFace.Point]] = []

    /// The number of lines that replace a curve. At a letter height of 100 pixels, they differ from it by less than a
    /// quarter of a pixel.
    private static let lineCount = 8

    static let functions = FT_Outline_Funcs(
        move_to: { to, context in
            OutlinePen.change(context) { $0.contours.append([OutlinePen.point(to)]) }
        },
        line_to: { to, context in
            OutlinePen.change(context) { $0.append(OutlinePen.point(to)) }
        },
        conic_to: { control, to, context in
            OutlinePen.change(context) { $0.appendCurve(OutlinePen.point(control), OutlinePen.point(to)) }
        },
        // TrueType outlines have no cubic curves.
        cubic_to: { _, _, _, _ in 1 },
        shift: 0, delta: 0)

    private static func point(_ vector: UnsafePointer<FT_Vector>?) -> FontFace.Point {
        vector.map { FontFace.Point(x: Double($0.pointee.x), y: Double($0.pointee.y)) } ?? FontFace.Point(x: 0, y: 0)
    }

    private static func change(_ context: UnsafeMutableRawPointer?, _ body: (inout OutlinePen) -> Void) -> Int32 {
        guard let context else { return 1 }
        body(&context.assumingMemoryBound(to: OutlinePen.self).pointee)
        return 0
    }

    private mutating func append(_ point: FontFace.Point) { contours[contours.count - 1].append(point) }

    /// Appends a quadratic Bézier curve.
    private mutating func appendCurve(_ control: FontFace.Point, _ end: FontFace.Point) {
        guard let start = contours.last?.last else { return }
        for step in 1...Self.lineCount {
            let t = Double(step) / Double(Self.lineCount)
            let (a, b, c) = ((1 - t) * (1 - t), 2 * t * (1 - t), t * t)
            append(
                FontFace.Point(
                    x: a * start.x + b * control.x + c * end.x, y: a * start.y + b * control.y + c * end.y))
        }
    }
}
