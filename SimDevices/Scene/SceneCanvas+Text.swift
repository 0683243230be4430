import CSimKernels
import TextRendering

extension SceneCanvas {
    /// The horizontal alignment of a text relative to its position.
    enum TextAlignment {
        /// The text begins at the position.
        case leading
        /// The center of the text is at the position.
        case center
    }

    /// Draws a line of text.
    ///
    /// - Parameters:
    ///   - x: The horizontal position, according to `alignment`.
    ///   - y: The position of the baseline.
    ///   - height: The height of capital letters.
    ///   - maximumWidth: Wider text is scaled down to this width.
    func write(
        _ text: String, x: Double, y: Double, height: Double, maximumWidth: Double = .infinity,
        alignment: TextAlignment = .leading, _ color: Color
    ) {
        let line = TextLine(text)
        guard line.width > 0 else { return }
        let height = min(height, maximumWidth / line.width)
        let left = alignment == .center ? x - line.width * height / 2 : x
        let mask = line.mask(height: height * scale, x: originX + left * scale, y: originY - y * scale)
        mask.coverage.withUnsafeBufferPointer { coverage in
            var raw = self.raw
            var area = csim_mask(
                coverage: coverage.baseAddress, left: Int32(mask.left), top: Int32(mask.top), width: Int32(mask.width),
                height: Int32(mask.height))
            csim_fill_mask(&raw, &area, [color.red, color.green, color.blue])
        }
    }
}
