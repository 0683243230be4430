public import MediaTypes

/// A visible code in each simulated frame, which contains the frame counter and the capture time.
///
/// The code is in the top left corner, inside a black border of one cell. It has 4 rows of 32 cells, white for 1 and
/// black for 0, most significant bit first: 32 bits counter, 64 bits time in nanoseconds, 32 bits CRC of both. A cell's
/// side is 1/120 of the frame's width; 1/80 if the frame is narrower than 960 pixels, 1/40 below 640. The code
/// remains readable after compression with H.264 at CRF 28 or JPEG at quality 60, scaling to half, and rotating or
/// mirroring the whole frame.
public struct FrameMarker: Sendable, Hashable {
    /// The index of the frame in its stream, from 0, modulo 2^32.
    public var counter: UInt32
    /// The start of the frame's exposure on the clock of the capture system.
    public var nanoseconds: Int64

    static let columns = 32
    static let rows = 4

    /// Creates a marker.
    public init(counter: UInt32, nanoseconds: Int64) {
        self.counter = counter
        self.nanoseconds = nanoseconds
    }

    /// The start of the exposure as a `CMTime`.
    public var time: CMTime { CMTime(nanoseconds: nanoseconds) }

    /// The 128 cells in row-major order.
    var bits: [Bool] {
        let words = words
        return (0..<128).map { cell in
            let bit: UInt32 = 1 << UInt32(31 - cell % 32)
            return words[cell / 32] & bit != 0
        }
    }

    /// Decodes 128 cells; returns nil if the checksum does not match.
    init?(bits: [Bool]) {
        guard bits.count == 128 else { return nil }
        var words: [UInt32] = [0, 0, 0, 0]
        for (index, bit) in bits.enumerated() where bit { words[index / 32] |= 1 << UInt32(31 - index % 32) }
        self.init(
            counter: words[0], nanoseconds: Int64(bitPattern: UInt64(words[1]) << 32 | UInt64(words[2])))
        guard words == self.words else { return nil }
    }

    private var words: [UInt32] {
        let time = UInt64(bitPattern: nanoseconds)
        let payload = [counter, UInt32(time >> 32), UInt32(truncatingIfNeeded: time)]
        return payload + [Self.checksum(payload)]
    }

    /// CRC-32 (ISO/IEC 8802-3) of the words' bytes, most significant first.
    private static func checksum(_ words: [UInt32]) -> UInt32 {
        var crc: UInt32 = 0xffff_ffff
        for word in words {
            for shift in [24, 16, 8, 0] as [UInt32] {
                crc ^= word >> shift & 0xff
                for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1 }
            }
        }
        return ~crc
    }

    /// Returns the number of cells into which a frame's width is divided.
    static func divisor(forWidth width: Int) -> Int { width >= 960 ? 120 : width >= 640 ? 80 : 40 }
}
