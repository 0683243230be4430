import Foundation

/// The contents of a sequence parameter set that format descriptions and configuration records need.
struct SequenceParameterSet {
    /// In pixels, after cropping.
    let width: Int
    /// In pixels, after cropping.
    let height: Int
    /// 0 gray, 1 4:2:0, 2 4:2:2, 3 4:4:4.
    let chromaFormat: Int
    /// The bit depths of luma and chroma samples minus 8.
    let extraBits: (luma: Int, chroma: Int)
    /// The profile and level bytes: 3 in H.264, 12 in HEVC.
    let profile: Data
    /// The number of temporal sublayers after the first, and whether they are nested; 0 and false in H.264.
    let layers: (extra: Int, areNested: Bool)

    /// Parses an H.264 set (ITU-T H.264, 7.3.2.1.1) with its NAL unit header; nil if it is truncated or invalid.
    init?(h264 unit: Data) {
        guard unit.count > 4, unit[unit.startIndex] & 0x1f == 7 else { return nil }
        var bits = BitReader(unit.dropFirst(1))
        let head = bits.bytes(3)
        guard let profile = bits.read(8), bits.skip(16), bits.golomb() != nil else { return nil }
        var chroma = 1
        var extraBits = (luma: 0, chroma: 0)
        var isSeparate = false
        if [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135].contains(profile) {
            guard let format = bits.golomb(), format <= 3 else { return nil }
            chroma = format
            if chroma == 3 { isSeparate = bits.read(1) == 1 }
            guard let depths = bits.golombs(2), depths.allSatisfy({ $0 <= 6 }), bits.skip(1),
                let hasMatrix = bits.read(1)
            else { return nil }
            extraBits = (depths[0], depths[1])
            if hasMatrix == 1 {
                for index in 0..<(chroma == 3 ? 12 : 8) {
                    guard let isPresent = bits.read(1) else { return nil }
                    if isPresent == 1, !bits.skipScalingList(count: index < 6 ? 16 : 64) { return nil }
                }
            }
        }
        guard bits.golomb() != nil, let orderType = bits.golomb() else { return nil }
        if orderType == 0 {
            guard bits.golomb() != nil else { return nil }
        } else if orderType == 1 {
            guard bits.skip(1), bits.golomb() != nil, bits.golomb() != nil, let count = bits.golomb(), count < 256
            else { return nil }
            for _ in 0..<count { guard bits.golomb() != nil else { return nil } }
        }
        guard bits.golomb() != nil, bits.skip(1), let columns = bits.golomb(), let rows = bits.golomb(),
            let isFrameOnly = bits.read(1)
        else { return nil }
        if isFrameOnly == 0 { guard bits.skip(1) else { return nil } }
        guard bits.skip(1), let isCropped = bits.read(1) else { return nil }
        let isSubsampled = !isSeparate && (chroma == 1 || chroma == 2)
        let cropColumns = isSubsampled ? 2 : 1
        let cropRows = (!isSeparate && chroma == 1 ? 2 : 1) * (2 - isFrameOnly)
        self.init(
            width: (columns + 1) * 16, height: (rows + 1) * 16 * (2 - isFrameOnly),
            crop: isCropped == 1 ? bits.golombs(4) : [0, 0, 0, 0], unit: (cropColumns, cropRows), chromaFormat: chroma,
            extraBits: extraBits, profile: head, layers: (0, false))
    }

    /// Parses an HEVC set (ITU-T H.265, 7.3.2.2.1) with its NAL unit header; nil if it is truncated or invalid.
    init?(hevc unit: Data) {
        guard unit.count > 16, unit[unit.startIndex] >> 1 & 0x3f == 33 else { return nil }
        var bits = BitReader(unit.dropFirst(2))
        guard bits.skip(4), let layers = bits.read(3), let isNested = bits.read(1) else { return nil }
        let head = bits.bytes(12)
        guard bits.skip(96) else { return nil }
        var presence: [(profile: Int, level: Int)] = []
        for _ in 0..<layers {
            guard let profile = bits.read(1), let level = bits.read(1) else { return nil }
            presence.append((profile, level))
        }
        if layers > 0 { guard bits.skip(2 * (8 - layers)) else { return nil } }
        for layer in presence { guard bits.skip(layer.profile * 88 + layer.level * 8) else { return nil } }
        guard bits.golomb() != nil, let chroma = bits.golomb(), chroma <= 3 else { return nil }
        if chroma == 3 { guard bits.skip(1) else { return nil } }
        guard let columns = bits.golomb(), let rows = bits.golomb(), let isCropped = bits.read(1) else { return nil }
        let crop = isCropped == 1 ? bits.golombs(4) : [0, 0, 0, 0]
        guard let depths = bits.golombs(2), depths.allSatisfy({ $0 <= 8 }) else { return nil }
        self.init(
            width: columns, height: rows, crop: crop,
            unit: (chroma == 1 || chroma == 2 ? 2 : 1, chroma == 1 ? 2 : 1), chromaFormat: chroma,
            extraBits: (depths[0], depths[1]), profile: head, layers: (layers, isNested == 1))
    }

    /// Crops the image at its left, right, top and bottom; `unit` is the number of columns and rows per crop unit.
    private init?(
        width: Int, height: Int, crop: [Int]?, unit: (columns: Int, rows: Int), chromaFormat: Int,
        extraBits: (luma: Int, chroma: Int), profile: Data, layers: (extra: Int, areNested: Bool)
    ) {
        guard let crop else { return nil }
        self.width = width - (crop[0] + crop[1]) * unit.columns
        self.height = height - (crop[2] + crop[3]) * unit.rows
        self.chromaFormat = chromaFormat
        self.extraBits = extraBits
        self.profile = profile
        self.layers = layers
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

    /// Reads an unsigned Exp-Golomb number of at most 31 bits (ITU-T H.264, 9.1); signed ones have the same code.
    mutating func golomb() -> Int? {
        var zeros = 0
        while let bit = read(1) {
            if bit == 1 { return read(zeros).map { (1 << zeros) - 1 + $0 } }
            zeros += 1
            if zeros > 31 { return nil }
        }
        return nil
    }

    mutating func golombs(_ count: Int) -> [Int]? {
        var numbers: [Int] = []
        for _ in 0..<count {
            guard let number = golomb() else { return nil }
            numbers.append(number)
        }
        return numbers
    }

    /// Skips a scaling list (ITU-T H.264, 7.3.2.1.1.1).
    mutating func skipScalingList(count: Int) -> Bool {
        var (last, next) = (8, 8)
        for _ in 0..<count {
            if next != 0 {
                guard let code = golomb() else { return false }
                let delta = code % 2 == 1 ? (code + 1) / 2 : -(code / 2)
                next = (last + delta + 256) % 256
            }
            if next != 0 { last = next }
        }
        return true
    }
}
