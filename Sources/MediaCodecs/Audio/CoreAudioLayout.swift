import Foundation
import MediaTypes

/// The chunks of a Core Audio file (Apple, "Core Audio Format Specification 1.0").
///
///     caff | desc | [kuki] | [pakt with reserved space] | data with the size -1, audio | [pakt]
///
/// While the file grows, the data chunk extends to the end of the file, which the format permits for the last chunk.
/// The packet table contains the sizes of compressed packets. It grows into space reserved before the audio. The header
/// of the table, with the number of valid entries, is written after the entries. If the reserved space is too small, a
/// complete table is written after the audio.
struct CoreAudioLayout: AudioFileLayout {
    private let format: AudioSampleFormat
    let header: [UInt8]
    /// The offset of the packet table and the bytes reserved for it; 0 bytes if there is no table.
    private let tableOffset: Int64
    private let tableCapacity: Int
    /// The number of entries written to the table, and their size in bytes.
    private var writtenEntryCount = 0
    private var writtenByteCount = 0

    /// The size of a chunk header: the type in 4 bytes and the size in 8 bytes.
    private static let chunkHeaderByteCount = 12
    private static let tableHeaderByteCount = 24

    /// Creates the layout of a file.
    ///
    /// - Parameter packetCapacity: The number of packets to reserve table space for.
    init(_ format: AudioSampleFormat, packetCapacity: Int) {
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
        // An entry has two bytes for a packet of 128 to 16383 bytes. 64 bytes are reserved for three-byte entries of
        // larger packets and for the header of the `free` chunk.
        tableCapacity = format.isPCM || packetCapacity == 0 ? 0 : Self.tableHeaderByteCount + 2 * packetCapacity + 64
        tableOffset = Int64(builder.bytes.count + Self.chunkHeaderByteCount)
        if tableCapacity > 0 {
            builder.code("pakt")
            builder.signed64(Int64(tableCapacity))
            builder.zeros(tableCapacity)
        }
        builder.code("data")
        builder.signed64(-1)
        builder.unsigned32(0)
        header = builder.bytes
    }

    var audioOffset: Int64 { Int64(header.count) }

    mutating func checkpoint(_ extent: AudioExtent) -> [AudioFilePatch] {
        guard tableCapacity > 0 else { return [] }
        var table = BoxBuilder()
        let capacity = tableCapacity - Self.tableHeaderByteCount
        var described = extent
        var count = writtenEntryCount
        for size in extent.packetSizes.dropFirst(writtenEntryCount) {
            let entry = Self.entry(size)
            // Space is reserved for the header of the `free` chunk that covers the unused part.
            guard writtenByteCount + table.bytes.count + entry.count <= capacity - Self.chunkHeaderByteCount else {
                break
            }
            table.data(entry)
            count += 1
        }
        if count < extent.packetSizes.count {
            described.remainderFrameCount = 0
            described.validFrameCount = max(0, Int64(count * format.framesPerPacket) - extent.primingFrameCount)
        }
        let start = tableOffset + Int64(Self.tableHeaderByteCount + writtenByteCount)
        writtenEntryCount = count
        writtenByteCount += table.bytes.count
        return [
            AudioFilePatch(offset: start, bytes: table.bytes),
            AudioFilePatch(offset: tableOffset, bytes: Self.tableHeader(described, packetCount: count)),
        ]
    }

    mutating func completion(_ extent: AudioExtent) -> [AudioFilePatch] {
        var patches: [AudioFilePatch] = []
        if !format.isPCM {
            patches += checkpoint(extent)
            if tableCapacity > 0, writtenEntryCount == extent.packetSizes.count {
                patches += freeUnusedTable()
            } else {
                patches += tableAfterAudio(extent)
            }
        }
        // The size of the data chunk includes the edit count of 4 bytes between its header and the audio.
        var size = BoxBuilder()
        size.signed64(extent.byteCount + 4)
        patches.append(AudioFilePatch(offset: audioOffset - 12, bytes: size.bytes))
        if !format.isPCM, tableCapacity > 0, writtenEntryCount < extent.packetSizes.count {
            // The table after the audio replaces the one before it.
            let chunkOffset = tableOffset - Int64(Self.chunkHeaderByteCount)
            patches.append(AudioFilePatch(offset: chunkOffset, bytes: Array("free".utf8)))
        }
        return patches
    }

    /// Shortens the table to its entries and covers the remaining space with a `free` chunk.
    private func freeUnusedTable() -> [AudioFilePatch] {
        let used = Self.tableHeaderByteCount + writtenByteCount
        var rest = BoxBuilder()
        rest.code("free")
        rest.signed64(Int64(tableCapacity - used - Self.chunkHeaderByteCount))
        var size = BoxBuilder()
        size.signed64(Int64(used))
        return [
            AudioFilePatch(offset: tableOffset + Int64(used), bytes: rest.bytes),
            AudioFilePatch(offset: tableOffset - 8, bytes: size.bytes),
        ]
    }

    private func tableAfterAudio(_ extent: AudioExtent) -> [AudioFilePatch] {
        var table = BoxBuilder()
        let entries = extent.packetSizes.flatMap { Self.entry($0) }
        table.code("pakt")
        table.signed64(Int64(Self.tableHeaderByteCount + entries.count))
        table.data(Self.tableHeader(extent, packetCount: extent.packetSizes.count))
        table.data(entries)
        return [AudioFilePatch(offset: audioOffset + extent.byteCount, bytes: table.bytes)]
    }

    private static func tableHeader(_ extent: AudioExtent, packetCount: Int) -> [UInt8] {
        var builder = BoxBuilder()
        builder.signed64(Int64(packetCount))
        builder.signed64(extent.validFrameCount)
        builder.signed32(Int32(clamping: extent.primingFrameCount))
        builder.signed32(Int32(clamping: extent.remainderFrameCount))
        return builder.bytes
    }

    /// Encodes a size in groups of seven bits, the most significant first; all but the last have the upper bit set.
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
            // The bit depth as Core Audio's flags: 1 for 16, 2 for 20, 3 for 24, 4 for 32 bits.
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

    /// The decoder configuration: the `ES_Descriptor` of AAC, `ALACSpecificConfig` or `OpusHead`.
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
