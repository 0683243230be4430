import MediaCodecs

/// Properties of a compressed frame, parsed from its NAL units or markers.
struct CompressedFrame {
    /// The codec, and the size in bytes of the length field before each NAL unit.
    enum Coding {
        case h264(lengthByteCount: Int)
        case hevc(lengthByteCount: Int)
        case jpeg

        static func isSupported(_ code: String) -> Bool { ["avc1", "avc3", "hvc1", "hev1", "jpeg"].contains(code) }

        /// Creates a coding; nil for other codecs, or if the configuration is missing (ISO/IEC 14496-15, 5.3.3.1 and
        /// 8.3.3.1).
        init?(_ entry: SampleEntry) {
            switch entry.code {
            case "avc1", "avc3":
                guard let record = entry.atoms["avcC"], record.count > 4 else { return nil }
                self = .h264(lengthByteCount: Int(record[record.startIndex + 4] & 3) + 1)
            case "hvc1", "hev1":
                guard let record = entry.atoms["hvcC"], record.count > 21 else { return nil }
                self = .hevc(lengthByteCount: Int(record[record.startIndex + 21] & 3) + 1)
            case "jpeg": self = .jpeg
            default: return nil
            }
        }
    }

    /// Whether decoding can start here.
    private(set) var isSync = false
    /// Whether no other frame refers to this one.
    private(set) var isDroppable = true
    /// Whether the frame refers to no other frame, as far as its slice headers indicate.
    private(set) var isIntraOnly = true

    /// Parses a frame; nil if it is incomplete.
    init?(_ bytes: [UInt8], _ coding: Coding) {
        switch coding {
        case .jpeg:
            // ITU-T T.81, B.1.1.3: start and end of image; padding may follow.
            guard bytes.starts(with: [0xff, 0xd8]), Self.hasEndMarker(bytes) else { return nil }
            isSync = true
        case .h264(let lengthByteCount):
            // ISO/IEC 14496-10, 7.4.1: `nal_ref_idc` and the type; type 5 is a slice of an IDR picture.
            let isComplete = Self.forEachUnit(bytes, lengthByteCount) { offset in
                let unit = bytes[offset]
                let type = unit & 31
                guard (1...5).contains(type) else { return }
                if type == 5 { isSync = true }
                if unit >> 5 & 3 != 0 { isDroppable = false }
                // Partitions B and C of a slice (types 3 and 4) have no slice type.
                if ![3, 4].contains(type), !Self.isIntraSlice(bytes, at: offset + 1) { isIntraOnly = false }
            }
            guard isComplete else { return nil }
        case .hevc(let lengthByteCount):
            // ITU-T H.265, table 7-1: 16 to 23 are random access points; even types below 16 are non-reference
            // pictures.
            let isComplete = Self.forEachUnit(bytes, lengthByteCount) { offset in
                let type = bytes[offset] >> 1 & 63
                guard type < 32 else { return }
                if (16...23).contains(type) { isSync = true }
                if type >= 16 || type % 2 == 1 { isDroppable = false }
                if !(16...23).contains(type) { isIntraOnly = false }
            }
            guard isComplete else { return nil }
        }
    }

    /// Whether a slice of H.264 contains only intra-coded macroblocks (ISO/IEC 14496-10, 7.4.3: types 2 and 4, and the
    /// same plus 5 if they apply to the whole picture).
    ///
    /// - Parameter offset: The index of the slice header, after the header of the NAL unit.
    private static func isIntraSlice(_ bytes: [UInt8], at offset: Int) -> Bool {
        var position = offset * 8
        func bit() -> UInt32? {
            guard position / 8 < bytes.count else { return nil }
            defer { position += 1 }
            return UInt32(bytes[position / 8] >> UInt8(7 - position % 8) & 1)
        }
        /// Reads an unsigned Exp-Golomb code (9.1).
        func code() -> UInt32? {
            var zeroCount = 0
            while let next = bit() {
                if next == 1 {
                    var value: UInt32 = 1
                    for _ in 0..<zeroCount {
                        guard let next = bit() else { return nil }
                        value = value << 1 | next
                    }
                    return value - 1
                }
                zeroCount += 1
                if zeroCount > 31 { return nil }
            }
            return nil
        }
        guard code() != nil, let type = code() else { return false }
        return [2, 4, 7, 9].contains(type)
    }

    /// Whether an end-of-image marker is in the last 512 bytes before trailing zeros. Compressed data cannot contain
    /// the marker.
    private static func hasEndMarker(_ bytes: [UInt8]) -> Bool {
        guard let last = bytes.lastIndex(where: { $0 != 0 }) else { return false }
        let tail = bytes[max(0, last - 512)...last]
        return zip(tail, tail.dropFirst()).contains { $0 == (0xff, 0xd9) }
    }

    /// Calls `body` with the offset of each NAL unit; returns false if the sample does not consist of complete units.
    @discardableResult
    static func forEachUnit(_ bytes: [UInt8], _ lengthByteCount: Int, _ body: (Int) -> Void) -> Bool {
        var position = 0
        while position < bytes.count {
            guard bytes.count - position > lengthByteCount else { return false }
            let length = bytes[position..<position + lengthByteCount].reduce(0) { $0 << 8 | Int($1) }
            position += lengthByteCount
            guard length > 0, length <= bytes.count - position else { return false }
            body(position)
            position += length
        }
        return position > 0
    }
}
