/// Sets `nal_ref_idc` of H.264 slices to 0 (ITU-T H.264, 7.3.3), which marks their picture as a non-reference picture.
///
/// The slice header of a non-reference picture has no `dec_ref_pic_marking`, so those bits are removed.
struct AVCSliceEditor {
    // The fields of the parameter sets that determine the syntax of the slice header.
    private let frameNumberBitCount: Int
    private let orderCountBitCount: Int
    private let usesCABAC: Bool
    private let hasDeblockingControl: Bool

    /// Parses the parameter sets.
    ///
    /// - Returns: nil for unsupported streams: interlaced, with weighted prediction, or with a picture order count type
    ///   other than 0.
    init?(_ sets: ParameterSets) {
        guard let sequence = sets.units.first(where: { $0[0] & 0x1f == 7 }),
            let picture = sets.units.first(where: { $0[0] & 0x1f == 8 })
        else { return nil }
        var bits = BitString(unit: sequence)
        let profile = bits.read(8)
        _ = bits.read(16)
        _ = bits.readGolomb()
        // The Baseline, Main and Extended profiles have no chroma format fields.
        if ![66, 77, 88].contains(profile) {
            let chroma = bits.readGolomb()
            guard chroma == 1 else { return nil }
            _ = (bits.readGolomb(), bits.readGolomb(), bits.read(1))
            guard bits.read(1) == 0 else { return nil }  // scaling matrices
        }
        frameNumberBitCount = bits.readGolomb() + 4
        guard bits.readGolomb() == 0 else { return nil }
        orderCountBitCount = bits.readGolomb() + 4
        _ = (bits.readGolomb(), bits.read(1), bits.readGolomb(), bits.readGolomb())
        guard bits.read(1) == 1, !bits.isExhausted else { return nil }

        bits = BitString(unit: picture)
        _ = (bits.readGolomb(), bits.readGolomb())
        usesCABAC = bits.read(1) == 1
        guard bits.read(1) == 0, bits.readGolomb() == 0 else { return nil }  // field order, slice groups
        _ = (bits.readGolomb(), bits.readGolomb())
        guard bits.read(1) == 0 else { return nil }  // weighted prediction
        _ = bits.read(2)
        _ = (bits.readGolomb(), bits.readGolomb(), bits.readGolomb())
        hasDeblockingControl = bits.read(1) == 1
        _ = bits.read(1)
        guard bits.read(1) == 0, !bits.isExhausted else { return nil }  // redundant pictures
    }

    /// Returns a P slice (a NAL unit of type 1) with `nal_ref_idc` set to 0.
    ///
    /// - Returns: The same unit if its `nal_ref_idc` is already 0; nil for other slice or unit types.
    func markedAsNonReference(_ unit: [UInt8]) -> [UInt8]? {
        guard unit[0] & 0x1f == 1 else { return nil }
        if unit[0] >> 5 & 3 == 0 { return unit }
        var bits = BitString(unit: unit)
        _ = bits.readGolomb()
        guard bits.readGolomb() % 5 == 0 else { return nil }  // slice type: 0 and 5 are P
        _ = bits.readGolomb()
        _ = bits.read(frameNumberBitCount + orderCountBitCount)
        if bits.read(1) == 1 { _ = bits.readGolomb() }  // number of references
        if bits.read(1) == 1 {
            // Modifications of the reference picture list; the value 3 ends them.
            while bits.readGolomb() != 3 {
                _ = bits.readGolomb()
                guard !bits.isExhausted else { return nil }
            }
        }
        let markingStart = bits.position
        guard bits.read(1) == 0 else { return nil }
        let markingEnd = bits.position
        if usesCABAC { _ = bits.readGolomb() }
        _ = bits.readGolomb()
        if hasDeblockingControl, bits.readGolomb() != 1 { _ = (bits.readGolomb(), bits.readGolomb()) }
        guard !bits.isExhausted else { return nil }

        var result = BitString()
        result.append(bits.slice(0..<markingStart))
        result.append(bits.slice(markingEnd..<bits.position))
        if usesCABAC {
            // `cabac_alignment_one_bit` fills the header's last byte; the slice data is byte-aligned.
            while !result.isAligned { result.append([1]) }
            result.append(bits.slice((bits.position + 7) / 8 * 8..<bits.count))
        } else {
            guard let end = bits.lastOne else { return nil }
            result.append(bits.slice(bits.position..<end + 1))
            while !result.isAligned { result.append([0]) }
        }
        return result.unit(header: unit[0] & 0x9f)
    }
}

/// The payload of a NAL unit as a sequence of bits, most significant first.
///
/// Reads beyond the end return zeros and set `isExhausted`.
private struct BitString {
    private var bits: [UInt8] = []
    private(set) var position = 0
    private(set) var isExhausted = false

    init() {}

    init(unit: [UInt8]) {
        for byte in ParameterSets.withoutEmulationPrevention(Array(unit.dropFirst())) {
            for shift in 0..<8 { bits.append(byte >> UInt8(7 - shift) & 1) }
        }
    }

    var count: Int { bits.count }
    var isAligned: Bool { bits.count % 8 == 0 }
    var lastOne: Int? { bits.lastIndex(of: 1) }

    mutating func read(_ count: Int) -> Int {
        guard position + count <= bits.count else {
            isExhausted = true
            return 0
        }
        defer { position += count }
        return bits[position..<position + count].reduce(0) { $0 << 1 | Int($1) }
    }

    /// Reads an unsigned Exp-Golomb code (9.1). Signed codes have the same length.
    mutating func readGolomb() -> Int {
        var zeros = 0
        while read(1) == 0 {
            zeros += 1
            guard zeros < 32, !isExhausted else {
                isExhausted = true
                return 0
            }
        }
        return (1 << zeros) - 1 + read(zeros)
    }

    func slice(_ range: Range<Int>) -> ArraySlice<UInt8> { bits[range.clamped(to: 0..<bits.count)] }

    mutating func append(_ more: some Sequence<UInt8>) { bits.append(contentsOf: more) }

    /// Returns the bits as a NAL unit, with emulation prevention bytes (7.4.1).
    func unit(header: UInt8) -> [UInt8] {
        var result = [header]
        var zeros = 0
        for start in stride(from: 0, to: bits.count, by: 8) {
            let byte = bits[start..<start + 8].reduce(0) { $0 << 1 | $1 }
            if zeros >= 2, byte <= 3 {
                result.append(3)
                zeros = 0
            }
            zeros = byte == 0 ? zeros + 1 : 0
            result.append(byte)
        }
        return result
    }
}
