package import Foundation
package import MediaTypes
import TextRendering

/// A line of text with a size and a weight.
///
/// The metrics are those of the system font of Apple's systems, relative to the size; the glyphs are those of
/// DejaVu Sans at the same height of capital letters. Heavier weights have thicker strokes.
package struct TextRun {
    private static let capHeight: CGFloat = 0.705
    package static let ascender: CGFloat = 0.952
    package static let descender: CGFloat = -0.241

    /// In points.
    package let width: CGFloat
    private let line: TextLine
    private let size: CGFloat
    private let weight: CGFloat

    /// Lays out a text.
    ///
    /// - Parameters:
    ///   - size: In points.
    ///   - weight: From -1 to 1; 0 is regular, 0.4 is bold.
    package init(_ text: String, size: CGFloat, weight: CGFloat = 0) {
        line = TextLine(text)
        (self.size, self.weight) = (size, weight)
        width = CGFloat(line.width) * size * Self.capHeight
    }

    /// The height of a line in points.
    package var height: CGFloat { (Self.ascender - Self.descender) * size }

    /// Draws the text in a context whose y axis points down.
    ///
    /// - Parameter origin: The upper left corner of the line.
    package func draw(at origin: CGPoint, color: CGColor, in context: CGContext) {
        let scale = size * Self.capHeight
        let baseline = origin.y + Self.ascender * size
        context.saveGState()
        context.beginPath()
        for contour in line.contours {
            context.addLines(
                between: contour.map {
                    CGPoint(x: origin.x + CGFloat($0.x) * scale, y: baseline - CGFloat($0.y) * scale)
                })
            context.closePath()
        }
        context.setFillColor(color)
        if weight > 0 {
            context.setStrokeColor(color)
            context.setLineWidth(weight * 0.1 * size)
            context.setLineJoin(.round)
            context.drawPath(using: .fillStroke)
        } else {
            context.fillPath()
        }
        context.restoreGState()
    }
}
