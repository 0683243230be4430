import Foundation

/// The parameter sets of a codec's configuration record, at an address that does not move.
///
/// Reads `avcC` (ISO/IEC 14496-15, 5.3.3.1) and `hvcC` (8.3.3.1).
final class ParameterSetStore: @unchecked Sendable {
    // SAFETY: written in `init` only.
    let sets: [UnsafeRawBufferPointer]
    /// Bytes of a NAL unit's length in the samples.
    let nalUnitHeaderLength: Int
    private let bytes: UnsafeMutableRawBufferPointer

    /// Reads the record of a codec; nil where there is none, or it is cut short.
    init?(codec: CMVideoCodecType, atoms: [String: Any]?) {
        let name = codec == kCMVideoCodecType_HEVC ? "hvcC" : (codec == kCMVideoCodecType_H264 ? "avcC" : "")
        guard let atom = atoms?[name], let record = (atom as? Data) ?? (atom as? [Any])?.first as? Data,
            let found = name == "avcC" ? ParameterSetStore.avc(record) : ParameterSetStore.hevc(record)
        else { return nil }
        let count = found.sets.reduce(0) { $0 + $1.count }
        bytes = .allocate(byteCount: max(1, count), alignment: 16)
        var place = 0
        var sets: [UnsafeRawBufferPointer] = []
        for set in found.sets {
            let target = UnsafeMutableRawBufferPointer(rebasing: bytes[place..<place + set.count])
            target.copyBytes(from: set)
            sets.append(UnsafeRawBufferPointer(target))
            place += set.count
        }
        self.sets = sets
        nalUnitHeaderLength = found.headerLength
    }

    deinit { bytes.deallocate() }

    private typealias Found = (sets: [Data], headerLength: Int)

    private static func avc(_ record: Data) -> Found? {
        var reader = ByteReader(record)
        guard reader.byte() == 1, reader.skip(3), let length = reader.byte(), let sequenceCount = reader.byte()
        else { return nil }
        var sets: [Data] = []
        for _ in 0..<Int(sequenceCount & 0x1f) {
            guard let set = reader.sized() else { return nil }
            sets.append(set)
        }
        guard let pictureCount = reader.byte() else { return nil }
        for _ in 0..<Int(pictureCount) {
            guard let set = reader.sized() else { return nil }
            sets.append(set)
        }
        return (sets, Int(length & 3) + 1)
    }

    private static func hevc(_ record: Data) -> Found? {
        var reader = ByteReader(record)
        guard reader.byte() == 1, reader.skip(20), let length = reader.byte(), let arrayCount = reader.byte()
        else { return nil }
        var sets: [Data] = []
        for _ in 0..<Int(arrayCount) {
            guard reader.skip(1), let unitCount = reader.word() else { return nil }
            for _ in 0..<unitCount {
                guard let set = reader.sized() else { return nil }
                sets.append(set)
            }
        }
        return (sets, Int(length & 3) + 1)
    }
}

/// Reads big-endian numbers from bytes, and nil past their end.
struct ByteReader {
    private let data: Data
    private var place: Int

    init(_ data: Data) {
        self.data = data
        place = data.startIndex
    }

    mutating func byte() -> UInt8? {
        guard place < data.endIndex else { return nil }
        defer { place += 1 }
        return data[place]
    }

    mutating func word() -> Int? {
        guard let high = byte(), let low = byte() else { return nil }
        return Int(high) << 8 | Int(low)
    }

    mutating func skip(_ count: Int) -> Bool {
        guard data.endIndex - place >= count else { return false }
        place += count
        return true
    }

    /// Bytes behind a 16-bit count of them.
    mutating func sized() -> Data? {
        guard let count = word(), data.endIndex - place >= count else { return nil }
        defer { place += count }
        return Data(data[place..<place + count])
    }
}
