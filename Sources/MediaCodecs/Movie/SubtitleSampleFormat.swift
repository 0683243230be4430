package import Foundation

/// The format of subtitles: `tx3g`, 3GPP timed text (3GPP TS 26.245, 5.16).
package struct SubtitleSampleFormat: Sendable, Hashable {
    /// The handler type of the track: `sbtl` for subtitles, `text` for other text.
    package var handler: String
    /// The contents of the sample entry after the data reference index.
    package var entry: Data

    /// Creates a format from a sample entry.
    ///
    /// - Parameter entry: The contents after the data reference index.
    package init(handler: String, entry: Data) {
        self.handler = handler
        self.entry = entry
    }

    /// Creates a format for white centered text at the bottom of a box.
    ///
    /// - Parameters:
    ///   - width: The width of the box in pixels; 0 if unknown.
    ///   - height: The height of the box in pixels; 0 if unknown.
    package init(handler: String, width: Int, height: Int) {
        var box = BoxBuilder()
        box.unsigned32(0)  // display flags
        box.unsigned8(1)  // centered
        box.unsigned8(0xff)  // bottom
        box.unsigned32(0)  // transparent background
        TimedTextSample.TextBox(top: 0, left: 0, bottom: height, right: width).append(to: &box)
        TimedTextSample.Style(range: 0..<0, color: TimedTextSample.white).append(to: &box)
        let font = "Sans-Serif"
        box.box("ftab") { table in
            table.unsigned16(1)
            table.unsigned16(TimedTextSample.Style.font)
            table.unsigned8(UInt8(font.utf8.count))
            table.data(font.utf8)
        }
        self.init(handler: handler, entry: Data(box.bytes))
    }

    /// The color of text without a style, as RGBA with 8 bits per component.
    package var defaultColor: UInt32 {
        var reader = ByteReader(Array(entry))
        // Before the style: flags, justification, background color, box. Before its color: range, font, face, size.
        guard (try? reader.skip(4 + 2 + 4 + 8 + 8)) != nil, let color = try? reader.unsigned32() else {
            return TimedTextSample.white
        }
        return color
    }

    func appendSampleEntry(to builder: inout BoxBuilder) {
        builder.box("tx3g") { box in
            box.zeros(6)
            box.unsigned16(1)
            box.data(entry)
        }
    }
}
