import AssetTypes
package import Foundation
import MediaAssets
package import MediaCodecs
import MediaTypes

extension AVCaptionGroup: CaptionSample {
    package func text(defaultColor: UInt32, in size: CGSize?) -> TimedTextSample {
        TimedTextSample(self, defaultColor: defaultColor, in: size)
    }
}

extension TimedTextSample {
    /// Creates the sample of a group. Each caption begins a new line of the text. The text box is the first region of a
    /// caption that is in percent.
    ///
    /// - Parameters:
    ///   - defaultColor: The track's color of text without a specified color, as 0xRRGGBBAA.
    ///   - size: The size of the track in pixels; nil omits the text box.
    init(_ group: AVCaptionGroup, defaultColor: UInt32, in size: CGSize?) {
        let captions = group.captions.map { $0.content.withLock { $0 } }
        self.init(text: captions.map(\.text).joined(separator: "\n"))
        var position = 0
        for caption in captions {
            styles += Self.styles(of: caption, from: position, defaultColor)
            position += caption.text.unicodeScalars.count + 1
        }
        let region = captions.lazy.compactMap { $0.region?.layout.withLock { $0 }.percentRect }.first
        if let region, let size, size.width > 0, size.height > 0 {
            func pixels(_ percent: CGFloat, of length: CGFloat) -> Int { Int((percent * length / 100).rounded()) }
            textBox = TextBox(
                top: pixels(region.minY, of: size.height), left: pixels(region.minX, of: size.width),
                bottom: pixels(region.maxY, of: size.height), right: pixels(region.maxX, of: size.width))
        }
    }

    /// Returns the styles of a caption.
    ///
    /// - Parameters:
    ///   - position: The index of the caption's first character in the text of the sample, in Unicode scalars.
    ///   - defaultColor: The color of text without a specified color, as 0xRRGGBBAA.
    private static func styles(
        of caption: AVCaption.Content, from position: Int, _ defaultColor: UInt32
    ) -> [Style] {
        var styles: [Style] = []
        var (utf16Index, scalarIndex) = (0, position)
        for scalar in caption.text.unicodeScalars {
            if let style = Style(caption.styles[utf16Index], scalarIndex..<scalarIndex + 1, defaultColor) {
                if let last = styles.last, last.range.upperBound == scalarIndex, last.hasSameAttributes(as: style) {
                    styles[styles.count - 1].range = last.range.lowerBound..<scalarIndex + 1
                } else {
                    styles.append(style)
                }
            }
            utf16Index += UTF16.width(scalar)
            scalarIndex += 1
        }
        return styles
    }

    /// Creates the caption of a sample.
    ///
    /// - Parameters:
    ///   - defaultColor: The color of text without a specified color, as 0xRRGGBBAA.
    ///   - size: The size of the track in pixels; zero results in a caption without a region.
    func caption(_ timeRange: CMTimeRange, defaultColor: UInt32, in size: CGSize) -> AVCaption {
        var content = AVCaption.Content(text, timeRange)
        content.styles = []
        for (index, scalar) in text.unicodeScalars.enumerated() {
            let style = styles.last { $0.range.contains(index) }.map { AVCaption.Style($0, defaultColor) }
            content.styles += Array(repeating: style ?? AVCaption.Style(), count: UTF16.width(scalar))
        }
        if let textBox, size.width > 0, size.height > 0 {
            let rect = CGRect(
                x: CGFloat(textBox.left) / size.width, y: CGFloat(textBox.top) / size.height,
                width: CGFloat(textBox.right - textBox.left) / size.width,
                height: CGFloat(textBox.bottom - textBox.top) / size.height)
            let percent = CGRect(
                x: rect.minX * 100, y: rect.minY * 100, width: rect.width * 100, height: rect.height * 100)
            content.region = AVCaptionRegion(AVCaptionRegion.Layout(percent: percent, displayAlignment: .after))
        }
        return AVCaption(content)
    }
}

extension TimedTextSample.Style {
    /// Creates a style; nil if the caption's style specifies nothing that 3GPP text supports.
    ///
    /// - Parameter defaultColor: The color if the caption's style has none: each 3GPP style has a color.
    fileprivate init?(_ style: AVCaption.Style, _ range: Range<Int>, _ defaultColor: UInt32) {
        let (isBold, isItalic) = (style.fontWeight == .bold, style.fontStyle == .italic)
        let isUnderlined = style.decoration.contains(.underline)
        guard isBold || isItalic || isUnderlined || style.textColor != nil else { return nil }
        self.init(
            range: range, isBold: isBold, isItalic: isItalic, isUnderlined: isUnderlined,
            color: style.textColor?.rgba ?? defaultColor)
    }

    fileprivate func hasSameAttributes(as other: TimedTextSample.Style) -> Bool {
        var other = other
        other.range = range
        return self == other
    }
}

extension AVCaption.Style {
    fileprivate init(_ style: TimedTextSample.Style, _ defaultColor: UInt32) {
        fontWeight = style.isBold ? .bold : .normal
        fontStyle = style.isItalic ? .italic : .normal
        decoration = style.isUnderlined ? .underline : []
        textColor = style.color == defaultColor ? nil : CGColor(rgba: style.color)
    }
}

extension CGColor {
    /// The color as 0xRRGGBBAA.
    fileprivate var rgba: UInt32 {
        let values = components ?? []
        let all = values.count == 2 ? [values[0], values[0], values[0], values[1]] : values
        return all.prefix(4).reduce(0) { $0 << 8 | UInt32((min(max($1, 0), 1) * 255).rounded()) }
    }

    fileprivate convenience init(rgba: UInt32) {
        func component(_ shift: UInt32) -> CGFloat { CGFloat(rgba >> shift & 0xff) / 255 }
        self.init(red: component(24), green: component(16), blue: component(8), alpha: component(0))
    }
}
