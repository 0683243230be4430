import CLinuxDevices

/// The EDID that an HDMI receiver presents to its source, which sends no signal without one.
///
/// The base block follows VESA E-EDID Standard, Release A, Revision 1 (EDID 1.3). The extension block follows CTA-861
/// (extension version 3).
struct V4L2EDID: Sendable, Hashable {
    /// A video mode of CTA-861.
    struct Mode: Sendable, Hashable {
        /// The video identification code.
        var code: UInt8
        var pixelClockKilohertz: Int
        /// Pixels per row: active, blanking, front porch, sync width.
        var columns: (active: Int, blank: Int, front: Int, sync: Int)
        /// Rows per frame, in the same order.
        var rows: (active: Int, blank: Int, front: Int, sync: Int)
        /// Whether both sync polarities are positive.
        var hasPositiveSync: Bool

        static func == (left: Mode, right: Mode) -> Bool { left.code == right.code }
        func hash(into hasher: inout Hasher) { hasher.combine(code) }
    }

    /// The progressive modes that a receiver may offer, in the order of preference. Most sources support them.
    static let modes: [Mode] = [
        Mode(
            code: 16, pixelClockKilohertz: 148_500, columns: (1920, 280, 88, 44), rows: (1080, 45, 4, 5),
            hasPositiveSync: true),
        Mode(
            code: 31, pixelClockKilohertz: 148_500, columns: (1920, 720, 528, 44), rows: (1080, 45, 4, 5),
            hasPositiveSync: true),
        Mode(
            code: 34, pixelClockKilohertz: 74_250, columns: (1920, 280, 88, 44), rows: (1080, 45, 4, 5),
            hasPositiveSync: true),
        Mode(
            code: 33, pixelClockKilohertz: 74_250, columns: (1920, 720, 528, 44), rows: (1080, 45, 4, 5),
            hasPositiveSync: true),
        Mode(
            code: 4, pixelClockKilohertz: 74_250, columns: (1280, 370, 110, 40), rows: (720, 30, 5, 5),
            hasPositiveSync: true),
        Mode(
            code: 19, pixelClockKilohertz: 74_250, columns: (1280, 700, 440, 40), rows: (720, 30, 5, 5),
            hasPositiveSync: true),
        Mode(
            code: 18, pixelClockKilohertz: 27_000, columns: (720, 144, 12, 64), rows: (576, 49, 5, 5),
            hasPositiveSync: false),
        Mode(
            code: 3, pixelClockKilohertz: 27_000, columns: (720, 138, 16, 62), rows: (480, 45, 9, 6),
            hasPositiveSync: false),
        // CTA-861 requires all sources to support this mode.
        Mode(
            code: 1, pixelClockKilohertz: 25_175, columns: (640, 160, 16, 96), rows: (480, 45, 10, 2),
            hasPositiveSync: false),
    ]

    static let blockByteCount = 128
    /// The base block and one extension block.
    let bytes: [UInt8]

    /// Creates an EDID with the modes within the limits of a receiver; nil if there are none. A limit of 0 is no limit.
    ///
    /// - Parameters:
    ///   - maximumWidth: The maximum number of active pixels per row.
    ///   - maximumHeight: The maximum number of active rows.
    ///   - maximumPixelClock: The maximum pixel clock in hertz.
    init?(maximumWidth: Int, maximumHeight: Int, maximumPixelClock: Int) {
        func isWithin(_ value: Int, _ limit: Int) -> Bool { limit <= 0 || value <= limit }
        let modes = Self.modes.filter { mode in
            isWithin(mode.columns.active, maximumWidth) && isWithin(mode.rows.active, maximumHeight)
                && isWithin(mode.pixelClockKilohertz * 1000, maximumPixelClock)
        }
        guard let preferred = modes.first else { return nil }
        bytes = Self.baseBlock(preferred, modes) + Self.extensionBlock(modes)
    }

    // MARK: Blocks

    private static func baseBlock(_ preferred: Mode, _ modes: [Mode]) -> [UInt8] {
        var block: [UInt8] = [0, 255, 255, 255, 255, 255, 255, 0]
        // Manufacturer "OBS" in five bits per letter, product code 1, no serial number, year 2026.
        block += [0x3c, 0x53, 1, 0, 0, 0, 0, 0, 0, 36]
        // Version 1.3; digital; unknown size; gamma 2.2; RGB color; the first detailed timing is the preferred one.
        block += [1, 3, 0x80, 0, 0, 120, 0x0a]
        // The primaries and white point of sRGB.
        block += [0xee, 0x91, 0xa3, 0x54, 0x4c, 0x99, 0x26, 0x0f, 0x50, 0x54]
        // Established timings: 640x480 at 60 Hz. No standard timings.
        block += [0x20, 0, 0] + [UInt8](repeating: 1, count: 16)
        block += timing(preferred)
        block += descriptor(0xfc, "Obscura")
        block += range(modes)
        // The fourth descriptor is unused.
        block += [0, 0, 0, 0x10] + [UInt8](repeating: 0, count: 14)
        // The number of extension blocks.
        block.append(1)
        return block + [checksum(block)]
    }

    private static func extensionBlock(_ modes: [Mode]) -> [UInt8] {
        // The header of the video data block: type 2 in the upper three bits, and the number of modes.
        var blocks: [UInt8] = [0x40 | UInt8(modes.count)]
        // Bit 7 marks the preferred mode as native. Only codes up to 64 have this bit.
        blocks += modes.enumerated().map { index, mode in index == 0 && mode.code < 65 ? mode.code | 0x80 : mode.code }
        // The HDMI vendor block, which distinguishes HDMI from DVI, with the CEC physical address 1.0.0.0.
        blocks += [0x65, 0x03, 0x0c, 0x00, 0x10, 0x00]
        // Revision 3; underscan, no audio, Y'CbCr 4:4:4 and 4:2:2, one native timing.
        var block: [UInt8] = [2, 3, UInt8(4 + blocks.count), 0xb1] + blocks
        block += [UInt8](repeating: 0, count: blockByteCount - 1 - block.count)
        return block + [checksum(block)]
    }

    /// A detailed timing descriptor, 18 bytes.
    private static func timing(_ mode: Mode) -> [UInt8] {
        let (x, y) = (mode.columns, mode.rows)
        let clock = mode.pixelClockKilohertz / 10
        func low(_ value: Int) -> UInt8 { UInt8(value & 0xff) }
        return [
            low(clock), low(clock >> 8), low(x.active), low(x.blank),
            low((x.active >> 8) << 4 | x.blank >> 8), low(y.active), low(y.blank),
            low((y.active >> 8) << 4 | y.blank >> 8), low(x.front), low(x.sync), low((y.front & 15) << 4 | y.sync & 15),
            low((x.front >> 8) << 6 | (x.sync >> 8) << 4 | (y.front >> 4) << 2 | y.sync >> 4), 0, 0, 0, 0, 0,
            mode.hasPositiveSync ? 0x1e : 0x18,
        ]
    }

    /// A display descriptor with a text of at most 12 characters.
    private static func descriptor(_ tag: UInt8, _ text: String) -> [UInt8] {
        var characters = Array(text.utf8.prefix(12)) + [0x0a]
        characters += [UInt8](repeating: 0x20, count: 13 - characters.count)
        return [0, 0, 0, tag, 0] + characters
    }

    /// The range limits descriptor: vertical rate in hertz (23 to 61), horizontal rate in kilohertz, and the maximum
    /// pixel clock in units of 10 MHz.
    private static func range(_ modes: [Mode]) -> [UInt8] {
        let kilohertz = modes.map { $0.pixelClockKilohertz / ($0.columns.active + $0.columns.blank) }
        let clock = ((modes.map(\.pixelClockKilohertz).max() ?? 0) + 9999) / 10_000
        return [
            0, 0, 0, 0xfd, 0, 23, 61, UInt8(kilohertz.min() ?? 15), UInt8((kilohertz.max() ?? 80) + 1), UInt8(clock),
        ]
            + [0, 0x0a] + [UInt8](repeating: 0x20, count: 6)
    }

    /// The byte that makes the sum of a block a multiple of 256.
    private static func checksum(_ bytes: [UInt8]) -> UInt8 { 0 &- bytes.reduce(0, &+) }
}
