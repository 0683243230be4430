public import MediaTypes

/// The frame counter and the device's time, as a block code that each simulated frame carries.
///
/// The code lies in the left top corner, inside a black rim of one cell: 4 rows of 32 cells, white for 1 and black for
/// 0, most significant bit first: 32 bits counter, 64 bits time in nanoseconds, 32 bits CRC of both. A cell's side is
/// the picture's width divided by 120; by 80 where the picture is narrower than 960 pixels, by 40 under 640. It
/// survives H.264 at CRF 28, JPEG at quality 60, scaling to half, and turning or mirroring of the whole picture.
public struct FrameMarker: Sendable, Hashable {
    /// Counts the frames of a stream from 0, modulo 2^32.
    public var counter: UInt32
    /// The begin of the frame's exposure on the system's clock.
    public var nanoseconds: Int64

    static let columns = 32
    static let rows = 4

    public init(counter: UInt32, nanoseconds: Int64) {
        self.counter = counter
        self.nanoseconds = nanoseconds
    }

    /// The device's time as a `CMTime`.
    public var time: CMTime { CMTime(nanoseconds: nanoseconds) }

    /// The 128 cells, first the left one of the top row.
    var bits: [Bool] {
        let words = words
        return (0..<128).map { words[$0 / 32] >> UInt32(31 - $0 % 32) & 1 == 1 }
    }

    /// What 128 cells say; nil where their check sum is wrong.
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

    /// CRC-32 (ISO/IEC 8802-3) over the words' bytes, most significant first.
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

    /// Into how many cells the width of a picture is divided when the marker is drawn.
    static func divisor(forWidth width: Int) -> Int { width >= 960 ? 120 : width >= 640 ? 80 : 40 }
}
