/// The chunks of a WAVE file ("Multimedia Programming Interface and Data Specifications 1.0", and Microsoft's
/// `WAVEFORMATEXTENSIBLE`), with space for the 64-bit sizes of RF64 (EBU Tech 3306, 3.4).
///
///     RIFF size WAVE | JUNK (28) | fmt  | [fact] | data size, audio
struct WaveLayout: AudioFileLayout {
    private let format: AudioSampleFormat
    private let pcm: PCMFormat
    let header: [UInt8]
    /// The offset of the frame count in `fact`; nil if there is no such chunk.
    private var factOffset: Int64?
    /// The size of the contents of `JUNK`, which `ds64` replaces in a file with 64-bit sizes.
    private static let junkByteCount = 28

    init(_ format: AudioSampleFormat, _ pcm: PCMFormat) {
        self.format = format
        self.pcm = pcm
        var builder = LittleEndianBuilder()
        builder.code("RIFF")
        builder.unsigned32(0)
        builder.code("WAVE")
        builder.code("JUNK")
        builder.unsigned32(UInt32(Self.junkByteCount))
        builder.zeros(Self.junkByteCount)
        let isExtensible = format.channelCount > 2 || (!pcm.isFloat && pcm.bitsPerSample > 16)
        builder.code("fmt ")
        builder.unsigned32(isExtensible ? 40 : pcm.isFloat ? 18 : 16)
        builder.unsigned16(isExtensible ? 0xfffe : pcm.isFloat ? 3 : 1)
        let frameByteCount = pcm.byteCount * format.channelCount
        builder.unsigned16(UInt16(format.channelCount))
        builder.unsigned32(UInt32(format.sampleRate))
        builder.unsigned32(UInt32(Int(format.sampleRate) * frameByteCount))
        builder.unsigned16(UInt16(frameByteCount))
        builder.unsigned16(UInt16(pcm.bitsPerSample))
        if isExtensible {
            builder.unsigned16(22)
            builder.unsigned16(UInt16(pcm.bitsPerSample))
            builder.unsigned32(Self.channelMask(format.channelCount))
            // KSDATAFORMAT_SUBTYPE_PCM or …_IEEE_FLOAT.
            builder.unsigned32(pcm.isFloat ? 3 : 1)
            builder.data([0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71])
        } else if pcm.isFloat {
            builder.unsigned16(0)
        }
        if pcm.isFloat {
            builder.code("fact")
            builder.unsigned32(4)
            factOffset = Int64(builder.bytes.count)
            builder.unsigned32(0)
        }
        builder.code("data")
        builder.unsigned32(0)
        header = builder.bytes
    }

    var audioOffset: Int64 { Int64(header.count) }

    mutating func checkpoint(_ extent: AudioExtent) -> [AudioFilePatch] {
        // The pad byte after an odd number of bytes is only written on completion.
        sizePatches(extent, fileByteCount: audioOffset + extent.byteCount)
    }

    mutating func completion(_ extent: AudioExtent) -> [AudioFilePatch] {
        let isOdd = extent.byteCount % 2 == 1
        let pad = isOdd ? [AudioFilePatch(offset: audioOffset + extent.byteCount, bytes: [0])] : []
        return pad + sizePatches(extent, fileByteCount: audioOffset + extent.byteCount + (isOdd ? 1 : 0))
    }

    private func sizePatches(_ extent: AudioExtent, fileByteCount: Int64) -> [AudioFilePatch] {
        let isLarge = fileByteCount - 8 > Int64(UInt32.max)
        var patches: [AudioFilePatch] = []
        if isLarge {
            var table = LittleEndianBuilder()
            table.code("ds64")
            table.unsigned32(UInt32(Self.junkByteCount))
            table.unsigned64(UInt64(fileByteCount - 8))
            table.unsigned64(UInt64(extent.byteCount))
            table.unsigned64(UInt64(extent.validFrameCount))
            table.unsigned32(0)
            patches.append(AudioFilePatch(offset: 12, bytes: table.bytes))
        }
        if let factOffset {
            patches.append(Self.patch(UInt32(clamping: extent.validFrameCount), at: factOffset))
        }
        patches.append(Self.patch(isLarge ? .max : UInt32(extent.byteCount), at: audioOffset - 4))
        patches.append(Self.patch(isLarge ? .max : UInt32(fileByteCount - 8), at: 4))
        if isLarge { patches.append(AudioFilePatch(offset: 0, bytes: Array("RF64".utf8))) }
        return patches
    }

    private static func patch(_ value: UInt32, at offset: Int64) -> AudioFilePatch {
        var builder = LittleEndianBuilder()
        builder.unsigned32(value)
        return AudioFilePatch(offset: offset, bytes: builder.bytes)
    }

    /// Returns the default `dwChannelMask`: front left (0x1), front right (0x2), front center (0x4), low frequencies
    /// (0x8), back left and right (0x30), back center (0x100), side left and right (0x600).
    private static func channelMask(_ channelCount: Int) -> UInt32 {
        switch channelCount {
        case 1: 0x4
        case 2: 0x3
        case 3: 0x7
        case 4: 0x33
        case 5: 0x37
        case 6: 0x3f
        case 7: 0x70f
        default: 0x63f
        }
    }
}

/// Builds the bytes of RIFF chunks.
struct LittleEndianBuilder {
    private(set) var bytes: [UInt8] = []

    mutating func code(_ text: String) { bytes += Array(text.utf8) }

    mutating func unsigned16(_ value: UInt16) { append(value.littleEndian) }

    mutating func unsigned32(_ value: UInt32) { append(value.littleEndian) }

    mutating func unsigned64(_ value: UInt64) { append(value.littleEndian) }

    mutating func zeros(_ count: Int) { bytes += [UInt8](repeating: 0, count: count) }

    mutating func data(_ data: [UInt8]) { bytes += data }

    private mutating func append(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
    }
}
