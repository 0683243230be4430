import CaptureHAL
import MediaFiles
import MediaTypes

/// A decoded frame or audio chunk of a file, or damage in it.
///
/// Media times are nanoseconds from the file's beginning. They continue to increase when the file loops.
struct RecordedItem: Sendable {
    enum Content: Sendable {
        /// A video frame; nil if all buffers were in use.
        case frame(CVPixelBuffer?)
        case audio(Audio)
        /// Data that could not be decoded, with the decoder's message.
        case damaged(String)
    }

    /// Contiguous audio samples.
    struct Audio: Sendable {
        var data: CMBlockBuffer
        var format: AudioStreamFormat
        var frameCount: Int
        /// Sample frames from the file's beginning.
        var position: Int64
        var followsDiscontinuity: Bool
    }

    var content: Content
    /// The media time at which the item begins.
    var mediaTime: Int64
    /// The duration in nanoseconds.
    var duration: Int64

    /// The media time of delivery: the beginning of a frame, or the end of the last audio sample.
    var deliveryTime: Int64 {
        switch content {
        case .frame, .damaged: mediaTime
        case .audio: mediaTime + duration
        }
    }
}

/// A decoder of one track of a file that returns items in the order of their media times.
///
/// - Important: Confined to one thread at a time.
protocol RecordedItemDecoder: AnyObject {
    /// Returns the next item; nil after the last one.
    func next() throws(DeviceError) -> RecordedItem?
    /// The media time at which the last returned item ends.
    var endTime: Int64 { get }
    /// The jumps in the file's timestamps that were removed so far.
    var jumps: [TimestampJump] { get }
}
