import Foundation
import MediaTypes

@testable import MediaCodecs

/// Synthetic video and audio for tests.
enum SyntheticMedia {
    /// Creates a frame with a gradient, a bar that moves with `number`, and some color.
    static func frame(
        _ number: Int, width: Int, height: Int,
        pixelFormat: OSType = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
    ) throws -> CVPixelBuffer {
        guard let buffer = CVPixelBuffer(width: width, height: height, pixelFormat: pixelFormat) else {
            throw BoxReader.Failure(description: "no pixel buffer")
        }
        let planes = buffer.planes
        let row = (0..<width).map { UInt8(40 + ($0 + number * 4) * 3 / 2 % 160) }
        for y in 0..<height {
            let target = planes[0].baseAddress + y * planes[0].bytesPerRow
            row.withUnsafeBytes { target.copyMemory(from: $0.baseAddress!, byteCount: width) }
            if (y + number * 2) % 64 < 8 { memset(target, 200, width) }
        }
        for plane in planes.dropFirst() {
            for y in 0..<height / 2 {
                memset(plane.baseAddress + y * plane.bytesPerRow, Int32(100 + (y + number) % 48), plane.bytesPerRow)
            }
        }
        return buffer
    }

    /// Returns interleaved 16-bit audio with the same samples in all channels.
    static func audio(frames: Range<Int>, channels: Int, _ value: (Int) -> Int16) -> [UInt8] {
        var bytes: [UInt8] = []
        for frame in frames {
            let sample = value(frame)
            for _ in 0..<channels {
                bytes.append(UInt8(truncatingIfNeeded: sample))
                bytes.append(UInt8(truncatingIfNeeded: sample >> 8))
            }
        }
        return bytes
    }

    /// Returns a sample of a tone of 440 Hz at a tenth of the full scale.
    static func tone(_ frame: Int, rate: Double = 48000) -> Int16 {
        Int16(3276 * sin(2 * Double.pi * 440 * Double(frame) / rate))
    }
}
