package import Foundation

/// A sample of 3GPP timed text: UTF-8 text with styles (3GPP TS 26.245, 5.17).
package struct TimedTextSample: Sendable, Equatable {
    /// The style of a part of the text.
    package struct Style: Sendable, Equatable {
        /// The number of the font in the font table of the format.
        static let font: UInt16 = 1
        /// The range of the text, in Unicode scalars.
        package var range: Range<Int>
        package var isBold = false
        package var isItalic = false
        package var isUnderlined = false
        /// The color as RGBA with 8 bits per component.
        package var color: UInt32

        /// Creates a style.
        package init(
            range: Range<Int>, isBold: Bool = false, isItalic: Bool = false, isUnderlined: Bool = false, color: UInt32
        ) {
            self.range = range
            self.isBold = isBold
            self.isItalic = isItalic
            self.isUnderlined = isUnderlined
            self.color = color
        }

        fileprivate init(_ reader: inout ByteReader) throws {
            let (start, end) = (Int(try reader.unsigned16()), Int(try reader.unsigned16()))
            try reader.skip(2)
            let face = try reader.unsigned8()
            try reader.skip(1)
            self.init(
                range: start..<max(start, end), isBold: face & 1 != 0, isItalic: face & 2 != 0,
                isUnderlined: face & 4 != 0, color: try reader.unsigned32())
        }

        func append(to box: inout BoxBuilder) {
            box.unsigned16(UInt16(clamping: range.lowerBound))
            box.unsigned16(UInt16(clamping: range.upperBound))
            box.unsigned16(Self.font)
            box.unsigned8((isBold ? 1 : 0) | (isItalic ? 2 : 0) | (isUnderlined ? 4 : 0))
            box.unsigned8(18)  // font size in pixels
            box.unsigned32(color)
        }
    }

    /// The rectangle of the text in pixels of the track.
    package struct TextBox: Sendable, Equatable {
        package var top: Int
        package var left: Int
        package var bottom: Int
        package var right: Int

        /// Creates a box.
        package init(top: Int, left: Int, bottom: Int, right: Int) {
            self.top = top
            self.left = left
            self.bottom = bottom
            self.right = right
        }

        func append(to box: inout BoxBuilder) {
            for side in [top, left, bottom, right] { box.signed16(Int16(clamping: side)) }
        }
    }

    /// Opaque white as RGBA with 8 bits per component.
    package static let white: UInt32 = 0xffff_ffff
    /// A sample without text, which ends the previous one.
    package static let empty = Data([0, 0])

    /// The text; lines are separated by line feeds.
    package var text: String
    /// The styles of parts of the text; their ranges do not overlap.
    package var styles: [Style]
    /// The rectangle of the text; nil for that of the format.
    package var textBox: TextBox?
    /// The types of unsupported boxes in a sample that was read.
    package private(set) var unsupportedBoxes: [String] = []

    /// Creates a sample.
    package init(text: String, styles: [Style] = [], textBox: TextBox? = nil) {
        self.text = text
        self.styles = styles
        self.textBox = textBox
    }

    /// Reads a sample; nil if it is damaged.
    package init?(_ data: Data) {
        let bytes = Array(data)
        guard bytes.count >= 2 else { return nil }
        let length = Int(bytes[0]) << 8 | Int(bytes[1])
        guard bytes.count >= 2 + length else { return nil }
        let content = Data(bytes[2..<2 + length])
        // UTF-16 begins with a byte order mark.
        let isUTF16 = content.starts(with: [0xfe, 0xff])
        self.init(
            text: isUTF16
                ? String(data: content.dropFirst(2), encoding: .utf16BigEndian) ?? ""
                : String(decoding: content, as: UTF8.self))
        for box in ByteReader(Array(bytes[(2 + length)...])).boxes() {
            var body = box.body
            switch box.type {
            case "styl":
                guard let count = try? body.unsigned16() else { return nil }
                for _ in 0..<count {
                    guard let style = try? Style(&body) else { return nil }
                    styles.append(style)
                }
            case "tbox":
                guard let top = try? body.signed16(), let left = try? body.signed16(),
                    let bottom = try? body.signed16(), let right = try? body.signed16()
                else { return nil }
                textBox = TextBox(top: Int(top), left: Int(left), bottom: Int(bottom), right: Int(right))
            // QuickTime's box with the text encoding; the text is read as UTF-8.
            case "encd": break
            default: unsupportedBoxes.append(box.type)
            }
        }
    }

    /// The bytes of the sample; nil if there are more than 65,535 bytes of text or more than 65,535 styles.
    package var data: Data? {
        guard let length = UInt16(exactly: text.utf8.count), let styleCount = UInt16(exactly: styles.count) else {
            return nil
        }
        var builder = BoxBuilder()
        builder.unsigned16(length)
        builder.data(text.utf8)
        if styleCount > 0 {
            builder.box("styl") { box in
                box.unsigned16(styleCount)
                for style in styles { style.append(to: &box) }
            }
        }
        if let textBox { builder.box("tbox") { textBox.append(to: &$0) } }
        return Data(builder.bytes)
    }
}
