import Foundation

/// The NAL units of a stream in the byte format of Annex B (ITU-T H.264 and H.265).
struct ByteStream {
    /// Calls `body` for each NAL unit, without start codes and trailing zeros.
    static func forEachUnit(in bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
        guard let base = bytes.baseAddress else { return }
        let count = bytes.count
        /// Returns the range of the next start code at or after `offset`.
        func startCode(from offset: Int) -> (begin: Int, end: Int)? {
            var position = offset + 2
            while position < count, let found = memchr(base + position, 1, count - position) {
                let index = base.distance(to: UnsafeRawPointer(found))
                if bytes[index - 1] == 0, bytes[index - 2] == 0 { return (index - 2, index + 1) }
                position = index + 1
            }
            return nil
        }
        var current = startCode(from: 0)
        while let (_, begin) = current {
            let next = startCode(from: begin)
            var end = next?.begin ?? count
            while end > begin, bytes[end - 1] == 0 { end -= 1 }
            if end > begin { body(UnsafeRawBufferPointer(rebasing: bytes[begin..<end])) }
            current = next
        }
    }
}

/// Builds decoder configuration records from the parameter sets of an encoder.
struct ParameterSets {
    /// The NAL units, without start codes.
    private(set) var units: [[UInt8]] = []

    /// Splits an encoder's extra data.
    ///
    /// - Parameter extraData: Parameter sets, possibly with other NAL units, in byte-stream format.
    init(_ extraData: [UInt8]) {
        var units: [[UInt8]] = []
        extraData.withUnsafeBytes { bytes in
            ByteStream.forEachUnit(in: bytes) { units.append(Array($0)) }
        }
        self.units = units
    }

    /// Returns an `AVCDecoderConfigurationRecord` (ISO/IEC 14496-15, 5.3.3.1) for NAL units with four-byte lengths.
    func avcConfiguration() throws(EncodingError) -> Data {
        // Sequence and picture parameter sets (H.264, Table 7-1).
        let sequence = units.filter { $0[0] & 0x1f == 7 }
        let picture = units.filter { $0[0] & 0x1f == 8 }
        guard let first = sequence.first, first.count >= 4, !picture.isEmpty else {
            throw EncodingError(.codecFailed, "the H.264 encoder returned no parameter sets")
        }
        var record: [UInt8] = [1, first[1], first[2], first[3], 0xff, 0xe0 | UInt8(sequence.count)]
        Self.append(sequence, to: &record)
        record.append(UInt8(picture.count))
        Self.append(picture, to: &record)
        // The record of the High profiles also contains chroma format and bit depths: 4:2:0, 8 bits, no extensions.
        if ![66, 77, 88].contains(first[1]) { record += [0xfd, 0xf8, 0xf8, 0] as [UInt8] }
        return Data(record)
    }

    /// Returns an `HEVCDecoderConfigurationRecord` (ISO/IEC 14496-15, 8.3.3.1) for 4:2:0 or monochrome video and NAL
    /// units with four-byte lengths.
    func hevcConfiguration(bitsPerComponent: Int, isMonochrome: Bool = false) throws(EncodingError) -> Data {
        // Video, sequence and picture parameter sets (H.265, Table 7-1).
        let arrays: [(type: UInt8, units: [[UInt8]])] = [32, 33, 34].map { type in
            (type, units.filter { $0[0] >> 1 & 0x3f == type })
        }
        guard arrays.allSatisfy({ !$0.units.isEmpty }), let sequence = arrays[1].units.first else {
            throw EncodingError(.codecFailed, "the HEVC encoder returned no parameter sets")
        }
        // Two header bytes and one byte of counts precede the twelve bytes of profile, tier and level (H.265, 7.3.3).
        let payload = Self.withoutEmulationPrevention(sequence)
        guard payload.count >= 15 else {
            throw EncodingError(.codecFailed, "the HEVC encoder returned a truncated sequence parameter set")
        }
        let temporalLayerCount = payload[2] >> 1 & 7 + 1
        let temporalIDNesting = payload[2] & 1
        var record: [UInt8] = [1]
        record += payload[3..<15]
        record += [0xf0, 0]  // spatial segmentation unknown
        record.append(0xfc)  // parallelism unknown
        let depth = 0xf8 | UInt8(bitsPerComponent - 8)
        let chroma: UInt8 = isMonochrome ? 0xfc : 0xfd  // 4:0:0 or 4:2:0
        record += [chroma, depth, depth]
        record += [0, 0]  // average frame rate unknown
        record.append(temporalLayerCount << 3 | temporalIDNesting << 2 | 3)
        record.append(UInt8(arrays.count))
        for array in arrays {
            record.append(0x80 | array.type)
            record += [UInt8(array.units.count >> 8), UInt8(array.units.count & 0xff)]
            Self.append(array.units, to: &record)
        }
        return Data(record)
    }

    private static func append(_ units: [[UInt8]], to record: inout [UInt8]) {
        for unit in units {
            record += [UInt8(unit.count >> 8 & 0xff), UInt8(unit.count & 0xff)]
            record += unit
        }
    }

    /// Returns the unit without emulation prevention bytes (H.264, 7.4.1; H.265, 7.4.2).
    static func withoutEmulationPrevention(_ unit: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var zeros = 0
        for byte in unit {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            result.append(byte)
        }
        return result
    }
}
