package import Foundation
package import MediaTypes

/// The format of timecode samples (QTFF, "Timecode Sample Description").
package struct TimecodeSampleFormat: Sendable, Hashable {
    /// The duration of one frame, with the time scale of the track.
    package let frameDuration: CMTime
    /// The nominal number of frames in a second of timecode; 30 for 29.97 frames per second.
    package let framesPerSecond: UInt8

    /// Creates a format.
    ///
    /// - Returns: nil for frame rates below 1 or above 255 frames per second.
    package init?(frameDuration: CMTime) {
        guard frameDuration.isNumeric, frameDuration > .zero else { return nil }
        let rate = 1 / frameDuration.seconds
        guard rate.rounded() >= 1, rate.rounded() <= 255, frameDuration.value <= Int64(Int32.max) else { return nil }
        self.frameDuration = frameDuration
        framesPerSecond = UInt8(rate.rounded())
    }

    /// Whether frame numbers are dropped so that the timecode corresponds to real time (SMPTE ST 12-1, 5.2.2).
    package var dropsFrameNumbers: Bool {
        guard framesPerSecond == 30 || framesPerSecond == 60 else { return false }
        let nominal = CMTime(value: 1001, timescale: CMTimeScale(framesPerSecond) * 1000)
        return CMTimeCompare(frameDuration, nominal) == 0
    }

    /// Returns the bytes of a sample: the number of the frame at a time of day.
    package func sample(secondsSinceMidnight: Double) -> Data {
        let frame = UInt32(clamping: Int64((secondsSinceMidnight / frameDuration.seconds).rounded()))
        return withUnsafeBytes(of: frame.bigEndian) { Data($0) }
    }

    func appendSampleEntry(to builder: inout BoxBuilder) {
        builder.box("tmcd") { box in
            box.zeros(6)
            box.unsigned16(1)
            box.zeros(4)
            // Flags: 1 drop frame, 2 restart at 0 after 24 hours.
            box.unsigned32(2 | (dropsFrameNumbers ? 1 : 0))
            box.unsigned32(UInt32(frameDuration.timescale))
            box.unsigned32(UInt32(frameDuration.value))
            box.unsigned8(framesPerSecond)
            box.unsigned8(0)
        }
    }
}
