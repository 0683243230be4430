import CaptureHAL
import MediaTypes

/// Something that a file has at a place; places are nanoseconds from the file's beginning, counted on through loops.
struct RecordedItem: Sendable {
    enum Content: Sendable {
        /// A picture; without pixels where all buffers were in use.
        case frame(CVPixelBuffer?)
        case sound(Sound)
        /// Data that could not be decoded, and what the decoder said.
        case damaged(String)
    }

    /// Samples without a gap.
    struct Sound: Sendable {
        var data: CMBlockBuffer
        var format: AudioStreamFormat
        var frameCount: Int
        /// In frames from the file's beginning.
        var position: Int64
        var followsDiscontinuity: Bool
    }

    var content: Content
    /// Where it begins.
    var place: Int64
    /// How long it lasts.
    var length: Int64

    /// When it can be delivered: a picture at its begin, sound when its last sample has been heard.
    var due: Int64 {
        switch content {
        case .frame, .damaged: place
        case .sound: place + length
        }
    }
}

/// Decodes one medium of a file, item by item, in the order of their places.
///
/// - Important: Confined.
protocol RecordedItems: AnyObject {
    /// The next item; nil behind the last one.
    func next() throws(DeviceError) -> RecordedItem?
    /// Where the last item that was returned ended.
    var end: Int64 { get }
}
