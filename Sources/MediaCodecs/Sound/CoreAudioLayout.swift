import Foundation
import MediaTypes

/// The chunks of a Core Audio file (Apple, "Core Audio Format Specification 1.0").
///
///     caff | desc | [kuki] | [pakt with room] | data with open end, sound | [pakt]
///
/// The sound's chunk reaches to the end of the file while it grows, as the format allows for the last chunk. Packets of
/// compressed sound are found by their sizes: the table grows in room set aside before the sound, and its header, which
/// tells how many entries count, is written after them. A table that outgrows its room is written behind the sound.
struct CoreAudioLayout: SoundFileLayout {
    private let format: AudioSampleFormat
    let header: [UInt8]
    /// Where the table of packet sizes begins, and the bytes set aside for it; 0 bytes for none.
    private let tableOffset: Int64
    private let tableRoom: Int
    /// Entries that are in the room already, and their bytes.
    private var writtenEntryCount = 0
    private var writtenByteCount = 0

    private static let tableHeaderByteCount = 24

    /// - Parameter packetRoom: For how many packets room is set aside.
    init(_ format: AudioSampleFormat, packetRoom: Int) {
        self.format = format
        var builder = BoxBuilder()
        builder.code("caff")
        builder.unsigned16(1)
        builder.unsigned16(0)
        builder.code("desc")
        builder.signed64(32)
        Self.appendDescription(format, to: &builder)
        if let cookie = Self.cookie(format) {
            builder.code("kuki")
            builder.signed64(Int64(cookie.count))
            builder.data(cookie)
        }
        // A packet of 16 kB or more takes three bytes in the table; hardly any has 128 or less.
        tableRoom = format.isPCM || packetRoom == 0 ? 0 : Self.tableHeaderByteCount + 2 * packetRoom + 64
        tableOffset = Int64(builder.bytes.count) + 12
        if tableRoom > 0 {
            builder.code("pakt")
            builder.signed64(Int64(tableRoom))
            builder.zeros(tableRoom)
        }
        builder.code("data")
        builder.signed64(-1)
        builder.unsigned32(0)
        header = builder.bytes
    }

    var soundOffset: Int64 { Int64(header.count) }

    mutating func checkpoint(_ extent: SoundExtent) -> [SoundFilePatch] {
        guard tableRoom > 0 else { return [] }
        var table = BoxBuilder()
        let room = tableRoom - Self.tableHeaderByteCount
        var shown = extent
        var count = writtenEntryCount
        for size in extent.packetSizes.dropFirst(writtenEntryCount) {
            let entry = Self.entry(size)
            // Twelve bytes stay for the header of a chunk over what is left at the end.
            guard writtenByteCount + table.bytes.count + entry.count <= room - 12 else { break }
            table.data(entry)
            count += 1
        }
        if count < extent.packetSizes.count {
            shown.remainderFrameCount = 0
            shown.validFrameCount = max(0, Int64(count * format.framesPerPacket) - extent.primingFrameCount)
        }
        let start = tableOffset + Int64(Self.tableHeaderByteCount + writtenByteCount)
        writtenEntryCount = count
        writtenByteCount += table.bytes.count
        return [
            SoundFilePatch(offset: start, bytes: table.bytes),
            SoundFilePatch(offset: tableOffset, bytes: Self.tableHeader(shown, packetCount: count)),
        ]
    }

    mutating func completion(_ extent: SoundExtent) -> [SoundFilePatch] {
        var patches: [SoundFilePatch] = []
        if !format.isPCM {
            patches += checkpoint(extent)
            if tableRoom > 0, writtenEntryCount == extent.packetSizes.count {
                patches += closeRoom()
            } else {
                patches += tableBehindSound(extent)
            }
        }
        var size = BoxBuilder()
        size.signed64(extent.byteCount + 4)
        patches.append(SoundFilePatch(offset: soundOffset - 12, bytes: size.bytes))
        if !format.isPCM, tableRoom > 0, writtenEntryCount < extent.packetSizes.count {
            // The table behind the sound counts now.
            patches.append(SoundFilePatch(offset: tableOffset - 12, bytes: Array("free".utf8)))
        }
        return patches
    }

    /// Cuts the table to what it holds, and makes a chunk of nothing over the rest.
    private func closeRoom() -> [SoundFilePatch] {
        let used = Self.tableHeaderByteCount + writtenByteCount
        var rest = BoxBuilder()
        rest.code("free")
        rest.signed64(Int64(tableRoom - used - 12))
        var size = BoxBuilder()
        size.signed64(Int64(used))
        return [
            SoundFilePatch(offset: tableOffset + Int64(used), bytes: rest.bytes),
            SoundFilePatch(offset: tableOffset - 8, bytes: size.bytes),
        ]
    }

    private func tableBehindSound(_ extent: SoundExtent) -> [SoundFilePatch] {
        var table = BoxBuilder()
        let entries = extent.packetSizes.flatMap { Self.entry($0) }
        table.code("pakt")
        table.signed64(Int64(Self.tableHeaderByteCount + entries.count))
        table.data(Self.tableHeader(extent, packetCount: extent.packetSizes.count))
        table.data(entries)
        return [SoundFilePatch(offset: soundOffset + extent.byteCount, bytes: table.bytes)]
    }

    private static func tableHeader(_ extent: SoundExtent, packetCount: Int) -> [UInt8] {
        var builder = BoxBuilder()
        builder.signed64(Int64(packetCount))
        builder.signed64(extent.validFrameCount)
        builder.signed32(Int32(clamping: extent.primingFrameCount))
        builder.signed32(Int32(clamping: extent.remainderFrameCount))
        return builder.bytes
    }

    /// A number in groups of seven bits, the highest first, all but the last with the upper bit set.
    private static func entry(_ value: UInt32) -> [UInt8] {
        var groups = [UInt8(value & 0x7f)]
        var rest = value >> 7
        while rest > 0 {
            groups.append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        return groups.reversed()
    }

    /// `CAFAudioDescription`.
    private static func appendDescription(_ format: AudioSampleFormat, to builder: inout BoxBuilder) {
        builder.float64(Double(format.sampleRate))
        var bits = 0
        var bytesPerPacket = 0
        switch format.codec {
        case .pcm(let pcm):
            builder.code("lpcm")
            builder.unsigned32((pcm.isFloat ? 1 : 0) | (pcm.isBigEndian ? 0 : 2))
            bits = pcm.bitsPerSample
            bytesPerPacket = pcm.byteCount * format.channelCount
        case .aac:
            builder.code("aac ")
            builder.unsigned32(2)  // the object type of AAC-LC
        case .alac(let configuration):
            builder.code("alac")
            // The source's bits, by Core Audio's flags: 1 for 16, 2 for 20, 3 for 24, 4 for 32.
            let depth = configuration.dropFirst(5).first ?? 16
            builder.unsigned32(depth <= 16 ? 1 : depth <= 20 ? 2 : depth <= 24 ? 3 : 4)
        case .opus:
            builder.code("opus")
            builder.unsigned32(0)
        }
        builder.unsigned32(UInt32(bytesPerPacket))
        builder.unsigned32(UInt32(format.framesPerPacket))
        builder.unsigned32(UInt32(format.channelCount))
        builder.unsigned32(UInt32(bits))
    }

    /// What the decoder must know: the `ES_Descriptor` of AAC, `ALACSpecificConfig`, `OpusHead`.
    private static func cookie(_ format: AudioSampleFormat) -> [UInt8]? {
        switch format.codec {
        case .pcm: nil
        case .aac(let configuration):
            ElementaryStreamDescriptor(configuration: configuration, bitRate: format.bitRate).bytes
        case .alac(let configuration): Array(configuration)
        case .opus(let configuration): OpusConfiguration(specificBox: Array(configuration))?.header
        }
    }
}
