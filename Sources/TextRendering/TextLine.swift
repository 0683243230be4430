/// A line of text in DejaVu Sans.
///
/// FreeType reads the outlines, unscaled and without hinting; `TextMask` fills them. FreeType's rasterizer is not used,
/// because its pixels differ between versions.
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

    /// Lays out a text. The font contains the characters of Western European languages; other characters are boxes.
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
    ///   - x: The horizontal position of the start of the baseline in pixels, not necessarily a whole number.
    ///   - y: The vertical position of the baseline in pixels, downwards, not necessarily a whole number.
    package func mask(height: Double, x: Double, y: Double) -> TextMask {
        TextMask(contours: contours.map { $0.map { Point(x: x + $0.x * height, y: y - $0.y * height) } })
    }
}
