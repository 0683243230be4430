import Foundation

/// The fields of a sequence parameter set that format descriptions and configuration records contain.
struct SequenceParameterSet {
    /// In pixels, after cropping.
    let width: Int
    /// In pixels, after cropping.
    let height: Int
    /// `chroma_format_idc`: 0 for gray, 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4.
    let chromaFormat: Int
    /// The bit depths of luma and chroma samples, minus 8.
    let bitDepthsMinus8: (luma: Int, chroma: Int)
    /// The profile and level bytes: 3 in H.264, 12 in HEVC.
    let profileAndLevel: Data
    /// The number of temporal sublayers minus 1, and whether they are nested; 0 and false in H.264.
    let temporalSublayers: (countMinus1: Int, areNested: Bool)

    /// Parses an H.264 set (ITU-T H.264, 7.3.2.1.1) with its NAL unit header; nil if it is truncated or invalid.
    init?(h264 unit: Data) {
        guard unit.count > 4, unit[unit.startIndex] & 0x1f == 7 else { return nil }
        var bits = BitReader(unit.dropFirst(1))
        let profileAndLevel = bits.bytes(3)
        guard let profile = bits.read(8), bits.skip(16), bits.expGolomb() != nil else { return nil }
        var chroma = 1
        var bitDepthsMinus8 = (luma: 0, chroma: 0)
        var hasSeparatePlanes = false
        // The profiles with a chroma format and bit depths.
        if [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135].contains(profile) {
            guard let format = bits.expGolomb(), format <= 3 else { return nil }
            chroma = format
            if chroma == 3 { hasSeparatePlanes = bits.read(1) == 1 }
            guard let depths = bits.expGolombs(2), depths.allSatisfy({ $0 <= 6 }), bits.skip(1),
                let hasScalingMatrix = bits.read(1)
            else { return nil }
            bitDepthsMinus8 = (depths[0], depths[1])
            if hasScalingMatrix == 1 {
                for index in 0..<(chroma == 3 ? 12 : 8) {
                    guard let isPresent = bits.read(1) else { return nil }
                    if isPresent == 1, !bits.skipScalingList(count: index < 6 ? 16 : 64) { return nil }
                }
            }
        }
        // log2_max_frame_num_minus4, then the fields of the picture order count.
        guard bits.expGolomb() != nil, let pictureOrderCountType = bits.expGolomb() else { return nil }
        if pictureOrderCountType == 0 {
            guard bits.expGolomb() != nil else { return nil }
        } else if pictureOrderCountType == 1 {
            guard bits.skip(1), bits.expGolomb() != nil, bits.expGolomb() != nil, let count = bits.expGolomb(),
                count < 256
            else { return nil }
            for _ in 0..<count { guard bits.expGolomb() != nil else { return nil } }
        }
        // Sizes are in macroblocks of 16x16 pixels, minus 1. The height of interlaced video is that of one field.
        guard bits.expGolomb() != nil, bits.skip(1), let columns = bits.expGolomb(), let rows = bits.expGolomb(),
            let isFrameOnly = bits.read(1)
        else { return nil }
        if isFrameOnly == 0 { guard bits.skip(1) else { return nil } }
        guard bits.skip(1), let isCropped = bits.read(1) else { return nil }
        let isSubsampled = !hasSeparatePlanes && (chroma == 1 || chroma == 2)
        let cropColumns = isSubsampled ? 2 : 1
        let cropRows = (!hasSeparatePlanes && chroma == 1 ? 2 : 1) * (2 - isFrameOnly)
        self.init(
            width: (columns + 1) * 16, height: (rows + 1) * 16 * (2 - isFrameOnly),
            crop: isCropped == 1 ? bits.expGolombs(4) : [0, 0, 0, 0], unit: (cropColumns, cropRows),
            chromaFormat: chroma, bitDepthsMinus8: bitDepthsMinus8, profileAndLevel: profileAndLevel,
            temporalSublayers: (0, false))
    }

    /// Parses an HEVC set (ITU-T H.265, 7.3.2.2.1) with its NAL unit header; nil if it is truncated or invalid.
    init?(hevc unit: Data) {
        guard unit.count > 16, unit[unit.startIndex] >> 1 & 0x3f == 33 else { return nil }
        var bits = BitReader(unit.dropFirst(2))
        guard bits.skip(4), let sublayersMinus1 = bits.read(3), let isNested = bits.read(1) else { return nil }
        // The general profile, tier and level.
        let profileAndLevel = bits.bytes(12)
        guard bits.skip(96) else { return nil }
        // Each sublayer can have a profile of 88 bits and a level of 8 bits.
        var presence: [(profile: Int, level: Int)] = []
        for _ in 0..<sublayersMinus1 {
            guard let profile = bits.read(1), let level = bits.read(1) else { return nil }
            presence.append((profile, level))
        }
        if sublayersMinus1 > 0 { guard bits.skip(2 * (8 - sublayersMinus1)) else { return nil } }
        for sublayer in presence { guard bits.skip(sublayer.profile * 88 + sublayer.level * 8) else { return nil } }
        guard bits.expGolomb() != nil, let chroma = bits.expGolomb(), chroma <= 3 else { return nil }
        if chroma == 3 { guard bits.skip(1) else { return nil } }
        guard let columns = bits.expGolomb(), let rows = bits.expGolomb(), let isCropped = bits.read(1) else {
            return nil
        }
        let crop = isCropped == 1 ? bits.expGolombs(4) : [0, 0, 0, 0]
        guard let depths = bits.expGolombs(2), depths.allSatisfy({ $0 <= 8 }) else { return nil }
        self.init(
            width: columns, height: rows, crop: crop,
            unit: (chroma == 1 || chroma == 2 ? 2 : 1, chroma == 1 ? 2 : 1), chromaFormat: chroma,
            bitDepthsMinus8: (depths[0], depths[1]), profileAndLevel: profileAndLevel,
            temporalSublayers: (sublayersMinus1, isNested == 1))
    }

    /// Creates the fields with the size after cropping.
    ///
    /// - Parameters:
    ///   - crop: The crop at the left, right, top and bottom edges in crop units; nil if it is truncated.
    ///   - unit: The number of columns and rows per crop unit.
    private init?(
        width: Int, height: Int, crop: [Int]?, unit: (columns: Int, rows: Int), chromaFormat: Int,
        bitDepthsMinus8: (luma: Int, chroma: Int), profileAndLevel: Data,
        temporalSublayers: (countMinus1: Int, areNested: Bool)
    ) {
        guard let crop else { return nil }
        self.width = width - (crop[0] + crop[1]) * unit.columns
        self.height = height - (crop[2] + crop[3]) * unit.rows
        self.chromaFormat = chromaFormat
        self.bitDepthsMinus8 = bitDepthsMinus8
        self.profileAndLevel = profileAndLevel
        self.temporalSublayers = temporalSublayers
        let sides = 1...PixelMemoryLayout.maximumSide
        guard sides.contains(self.width), sides.contains(self.height) else { return nil }
    }
}

/// Reads bits of a NAL unit's payload, most significant first, skipping emulation prevention bytes.
private struct BitReader {
    private var bytes: [UInt8] = []
    private var position = 0

    init(_ payload: Data) {
        var zeros = 0
        for byte in payload {
            if zeros >= 2 && byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            bytes.append(byte)
        }
    }

    mutating func read(_ count: Int) -> Int? {
        guard position + count <= bytes.count * 8 else { return nil }
        var value = 0
        for _ in 0..<count {
            value = value << 1 | Int(bytes[position / 8] >> UInt8(7 - position % 8) & 1)
            position += 1
        }
        return value
    }

    /// Returns the next bytes from a byte boundary; fewer at the end.
    func bytes(_ count: Int) -> Data { Data(bytes.dropFirst(position / 8).prefix(count)) }

    mutating func skip(_ count: Int) -> Bool {
        guard position + count <= bytes.count * 8 else { return false }
        position += count
        return true
    }

    /// Reads an unsigned Exp-Golomb number with at most 31 leading zeros (ITU-T H.264, 9.1); signed numbers have the
    /// same length.
    mutating func expGolomb() -> Int? {
        var zeros = 0
        while let bit = read(1) {
            if bit == 1 { return read(zeros).map { (1 << zeros) - 1 + $0 } }
            zeros += 1
            if zeros > 31 { return nil }
        }
        return nil
    }

    mutating func expGolombs(_ count: Int) -> [Int]? {
        var numbers: [Int] = []
        for _ in 0..<count {
            guard let number = expGolomb() else { return nil }
            numbers.append(number)
        }
        return numbers
    }

    /// Skips a scaling list (ITU-T H.264, 7.3.2.1.1.1).
    mutating func skipScalingList(count: Int) -> Bool {
        var (last, next) = (8, 8)
        for _ in 0..<count {
            if next != 0 {
                guard let code = expGolomb() else { return false }
                let delta = code % 2 == 1 ? (code + 1) / 2 : -(code / 2)
                next = (last + delta + 256) % 256
            }
            if next != 0 { last = next }
        }
        return true
    }
}
