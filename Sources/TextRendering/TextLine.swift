/// A line of text in DejaVu Sans.
///
/// FreeType reads the outlines, unscaled and without hinting; `TextMask` fills them. The rasterizers of FreeType's
/// versions differ, so that its pixels would depend on the machine.
package struct TextLine: Sendable {
    /// A point relative to the start of the baseline; y increases upwards.
    package struct Point: Sendable {
        package var x: Double
        package var y: Double
    }

    /// The width of the text, relative to the height of capital letters.
    package let width: Double
    /// The outlines, relative to the height of capital letters: closed polygons, filled by the non-zero winding rule.
    package let contours: [[Point]]

    /// Sets a text. Characters that the font does not have are boxes; it has those of Western European languages.
    package init(_ text: String) {
        (width, contours) = FontFace.shared.withLock { face in
            let unit = 1 / face.capHeight
            var (x, contours) = (0.0, [[Point]]())
            var last: FontFace.Glyph?
            for character in text.unicodeScalars {
                let glyph = face.glyph(character)
                if let last { x += face.kerning(last, glyph) }
                for contour in glyph.contours {
                    contours.append(contour.map { Point(x: (x + $0.x) * unit, y: $0.y * unit) })
                }
                x += glyph.advance
                last = glyph
            }
            return (x * unit, contours)
        }
    }

    /// Returns the coverage of the text's pixels.
    ///
    /// - Parameters:
    ///   - height: The height of capital letters in pixels.
    ///   - x: The start of the baseline in pixels, with `y`, which increases downwards. Need not be whole numbers.
    package func mask(height: Double, x: Double, y: Double) -> TextMask {
        TextMask(contours: contours.map { $0.map { Point(x: x + $0.x * height, y: y - $0.y * height) } })
    }
}
