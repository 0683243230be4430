import Foundation

/// The parameter sets of a codec's configuration record, at a stable address.
///
/// Parses `avcC` (ISO/IEC 14496-15, 5.3.3.1) and `hvcC` (8.3.3.1).
final class ParameterSetStore: @unchecked Sendable {
    // SAFETY: immutable after `init`.
    /// The parameter sets without start codes or lengths; valid during the lifetime of this object.
    let sets: [UnsafeRawBufferPointer]
    /// The size in bytes of a NAL unit's length field in samples.
    let nalUnitHeaderLength: Int
    private let bytes: UnsafeMutableRawBufferPointer

    /// Parses a codec's record; nil if it is missing or truncated.
    init?(codec: CMVideoCodecType, atoms: [String: Any]?) {
        let name = codec == kCMVideoCodecType_HEVC ? "hvcC" : (codec == kCMVideoCodecType_H264 ? "avcC" : "")
        guard let atom = atoms?[name], let record = (atom as? Data) ?? (atom as? [Any])?.first as? Data,
            let parsed = name == "avcC" ? ParameterSetStore.avc(record) : ParameterSetStore.hevc(record)
        else { return nil }
        let count = parsed.sets.reduce(0) { $0 + $1.count }
        bytes = .allocate(byteCount: max(1, count), alignment: 16)
        var offset = 0
        var sets: [UnsafeRawBufferPointer] = []
        for set in parsed.sets {
            let target = UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<offset + set.count])
            target.copyBytes(from: set)
            sets.append(UnsafeRawBufferPointer(target))
            offset += set.count
        }
        self.sets = sets
        nalUnitHeaderLength = parsed.headerLength
    }

    deinit { bytes.deallocate() }

    private typealias ParsedRecord = (sets: [Data], headerLength: Int)

    /// Parses an `avcC` record; the skipped bytes are profile, compatibility and level.
    private static func avc(_ record: Data) -> ParsedRecord? {
        var reader = ConfigurationRecordReader(record)
        guard reader.byte() == 1, reader.skip(3), let lengthSize = reader.byte(), let sequenceCount = reader.byte()
        else { return nil }
        var sets: [Data] = []
        for _ in 0..<Int(sequenceCount & 0x1f) {
            guard let set = reader.lengthPrefixed() else { return nil }
            sets.append(set)
        }
        guard let pictureCount = reader.byte() else { return nil }
        for _ in 0..<Int(pictureCount) {
            guard let set = reader.lengthPrefixed() else { return nil }
            sets.append(set)
        }
        return (sets, Int(lengthSize & 3) + 1)
    }

    /// Parses an `hvcC` record; the skipped bytes are those between version and `lengthSizeMinusOne`.
    private static func hevc(_ record: Data) -> ParsedRecord? {
        var reader = ConfigurationRecordReader(record)
        guard reader.byte() == 1, reader.skip(20), let lengthSize = reader.byte(), let arrayCount = reader.byte()
        else { return nil }
        var sets: [Data] = []
        for _ in 0..<Int(arrayCount) {
            // The skipped byte is the NAL unit type.
            guard reader.skip(1), let unitCount = reader.uint16() else { return nil }
            for _ in 0..<unitCount {
                guard let set = reader.lengthPrefixed() else { return nil }
                sets.append(set)
            }
        }
        return (sets, Int(lengthSize & 3) + 1)
    }
}

/// Reads a codec's configuration record, whose numbers are big-endian; all methods return nil or false past the end.
struct ConfigurationRecordReader {
    private let data: Data
    private var position: Int

    init(_ data: Data) {
        self.data = data
        position = data.startIndex
    }

    mutating func byte() -> UInt8? {
        guard position < data.endIndex else { return nil }
        defer { position += 1 }
        return data[position]
    }

    mutating func uint16() -> Int? {
        guard let high = byte(), let low = byte() else { return nil }
        return Int(high) << 8 | Int(low)
    }

    mutating func skip(_ count: Int) -> Bool {
        guard data.endIndex - position >= count else { return false }
        position += count
        return true
    }

    /// Reads a 16-bit count and that many bytes.
    mutating func lengthPrefixed() -> Data? {
        guard let count = uint16(), data.endIndex - position >= count else { return nil }
        defer { position += count }
        return Data(data[position..<position + count])
    }
}
