import Foundation
package import MediaCodecs
package import MediaTypes

extension SampleEntry {
    /// Creates the equivalent format description for sample buffers; nil if the entry is invalid.
    ///
    /// - Parameters:
    ///   - handler: The track's media type.
    ///   - timescale: The track's time scale. It is the sample rate of audio if the entry does not contain one.
    package func makeDescription(handler: String, timescale: CMTimeScale) -> CMFormatDescription? {
        switch content {
        case .video(let video): makeDescription(video)
        case .audio(let audio): makeDescription(audio, timescale: timescale)
        case .other: makeDescription(handler: handler)
        }
    }

    private var fourCharacterCode: FourCharCode { FourCharCode(fourCharacters: code) }

    /// The types of the boxes that configure video decoders.
    private static let videoConfigurations: Set<String> = [
        "avcC", "hvcC", "vvcC", "esds", "vpcC", "av1C", "jpgC", "dvc1", "glbl", "SMI ",
    ]

    private func makeDescription(_ video: Video) -> CMFormatDescription? {
        guard video.dimensions.width > 0, video.dimensions.height > 0 else { return nil }
        var extensions: [String: Any] = color?.extensions ?? [:]
        let records = atoms.filter { Self.videoConfigurations.contains($0.key) }
        if !records.isEmpty {
            extensions[kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms] = records as [String: Any]
        }
        if !video.name.isEmpty { extensions[kCMFormatDescriptionExtension_FormatName] = video.name }
        if video.depth > 0 { extensions[kCMFormatDescriptionExtension_Depth] = video.depth }
        extensions[kCMFormatDescriptionExtension_PixelAspectRatio] = pixelAspectRatio?.extensionValue
        extensions[kCMFormatDescriptionExtension_CleanAperture] = cleanAperture?.extensionValue
        var result: CMFormatDescription?
        CMVideoFormatDescriptionCreate(
            allocator: nil, codecType: fourCharacterCode, width: video.dimensions.width,
            height: video.dimensions.height, extensions: extensions, formatDescriptionOut: &result)
        return result
    }

    /// The `colr` box of type nclx or nclc (ISO/IEC 14496-12, 12.1.5; QTFF, "Color Parameter Atoms").
    package var color: ColorDescription? {
        guard let data = atoms["colr"] else { return nil }
        var reader = ByteReader(Array(data))
        guard let kind = try? reader.code(), kind == "nclx" || kind == "nclc", let primaries = try? reader.unsigned16(),
            let transfer = try? reader.unsigned16(), let matrix = try? reader.unsigned16()
        else { return nil }
        // QuickTime's type nclc has no range flag.
        let range = kind == "nclx" ? (try? reader.unsigned8()) ?? 0 : 0
        return ColorDescription(
            primaries: primaries, transfer: transfer, matrix: matrix, isFullRange: range & 0x80 != 0)
    }

    /// The `pasp` box; nil if there is none or if it is invalid.
    private var pixelAspectRatio: PixelAspectRatio? {
        guard let data = atoms["pasp"] else { return nil }
        var reader = ByteReader(Array(data))
        guard let horizontal = try? reader.unsigned32(), let vertical = try? reader.unsigned32(), horizontal > 0,
            vertical > 0
        else { return nil }
        return PixelAspectRatio(horizontalSpacing: horizontal, verticalSpacing: vertical)
    }

    /// The `clap` box: four fractions, the size and the offset of its center (ISO/IEC 14496-12, 12.1.4); nil if there
    /// is none or if it is invalid.
    private var cleanAperture: CleanAperture? {
        guard let data = atoms["clap"] else { return nil }
        var reader = ByteReader(Array(data))
        var values: [CleanAperture.Fraction] = []
        for _ in 0..<4 {
            guard let numerator = try? reader.signed32(), let denominator = try? reader.signed32(), denominator > 0
            else { return nil }
            values.append(CleanAperture.Fraction(numerator, denominator))
        }
        guard values[0].doubleValue > 0, values[1].doubleValue > 0 else { return nil }
        return CleanAperture(
            width: values[0], height: values[1], horizontalOffset: values[2], verticalOffset: values[3])
    }

    private func makeDescription(_ audio: Audio, timescale: CMTimeScale) -> CMFormatDescription? {
        var stream = AudioStreamBasicDescription()
        stream.mSampleRate = audio.sampleRate >= 1 ? audio.sampleRate : Double(timescale)
        stream.mChannelsPerFrame = UInt32(clamping: audio.channelCount)
        var cookie: Data?
        if let linear = LinearFormat(self) {
            stream.mFormatID = kAudioFormatLinearPCM
            stream.mFormatFlags =
                kAudioFormatFlagIsPacked | (linear.isFloat ? kAudioFormatFlagIsFloat : 0)
                | (linear.isSigned && !linear.isFloat ? kAudioFormatFlagIsSignedInteger : 0)
                | (linear.isBigEndian && linear.bitsPerChannel > 8 ? kAudioFormatFlagIsBigEndian : 0)
            stream.mBitsPerChannel = UInt32(linear.bitsPerChannel)
            stream.mFramesPerPacket = 1
            stream.mBytesPerFrame = UInt32(clamping: linear.bitsPerChannel / 8 * audio.channelCount)
            stream.mBytesPerPacket = stream.mBytesPerFrame
        } else {
            (stream.mFormatID, cookie) = coding
            if let frameCount = framesPerPacket(stream.mFormatID) {
                stream.mFramesPerPacket = UInt32(clamping: frameCount)
            } else {
                stream.mFramesPerPacket = UInt32(clamping: audio.framesPerPacket)
                stream.mBytesPerPacket = UInt32(clamping: audio.bytesPerPacket)
            }
            if let channelCount = dolbyChannelCount { stream.mChannelsPerFrame = UInt32(channelCount) }
            if stream.mFormatID == kAudioFormatMPEG4AAC,
                let configuration = elementaryStream.flatMap(AudioSpecificConfiguration.init)
            {
                stream.mSampleRate = configuration.sampleRate ?? stream.mSampleRate
                stream.mChannelsPerFrame = configuration.channelCount.map { UInt32($0) } ?? stream.mChannelsPerFrame
                stream.mFramesPerPacket = UInt32(configuration.framesPerPacket)
            }
            if stream.mFormatID == kAudioFormatOpus { stream.mSampleRate = 48000 }
        }
        guard stream.mSampleRate >= 1, stream.mSampleRate < 1e9, (1...64).contains(stream.mChannelsPerFrame) else {
            return nil
        }
        // An invalid stream description results in nil.
        return try? CMFormatDescription(audioStreamBasicDescription: stream, magicCookie: cookie)
    }

    /// The codec and its magic cookie.
    private var coding: (AudioFormatID, Data?) {
        switch code {
        case "mp4a":
            let descriptor = atoms["esds"].map { $0.dropFirst(4) }.map { Data($0) }
            return (descriptor.flatMap(ElementaryStreamDescriptor.codecType) ?? kAudioFormatMPEG4AAC, descriptor)
        case "alac": return (kAudioFormatAppleLossless, atoms["alac"].map { Data($0.dropFirst(4)) })
        case "Opus":
            let configuration = atoms["dOps"].flatMap { OpusConfiguration(specificBox: Array($0)) }
            return (kAudioFormatOpus, configuration.map { Data($0.header) })
        case "fLaC": return (kAudioFormatFLAC, atoms["dfLa"].map { Data($0.dropFirst(4)) })
        case "ac-3": return (kAudioFormatAC3, atoms["dac3"])
        case "ec-3": return (kAudioFormatEnhancedAC3, atoms["dec3"])
        case ".mp3": return (kAudioFormatMPEGLayer3, nil)
        // Their decoders read the configuration from the QuickTime box.
        case "QDMC", "QDM2", "spex": return (fourCharacterCode, atoms["wave"])
        default: return (fourCharacterCode, nil)
        }
    }

    /// The number of channels of AC-3 and Enhanced AC-3 (ETSI TS 102 366, F.4 and F.6); nil for other codecs.
    ///
    /// The number in the entry is 2, whatever the stream contains (F.3).
    private var dolbyChannelCount: Int? {
        // The audio coding mode, three bits, and the flag of the low-frequency channel.
        let bits: UInt8
        switch code {
        case "ac-3":
            guard let record = atoms["dac3"], record.count >= 2 else { return nil }
            bits = record[record.startIndex + 1] >> 2 & 15
        case "ec-3":
            guard let record = atoms["dec3"], record.count >= 4 else { return nil }
            bits = record[record.startIndex + 3] & 15
        default: return nil
        }
        return [2, 1, 2, 3, 3, 4, 4, 5][Int(bits >> 1)] + Int(bits & 1)
    }

    /// The decoder configuration in `esds`; nil if there is none.
    private var elementaryStream: Data? {
        atoms["esds"].flatMap { ElementaryStreamDescriptor.decoderSpecificInfo(in: $0) }
    }

    /// The number of frames in a packet of a format whose packets differ in size; nil for other formats.
    private func framesPerPacket(_ format: AudioFormatID) -> Int? {
        switch format {
        case kAudioFormatMPEG4AAC: return 1024
        case kAudioFormatMPEGLayer3: return 1152
        case kAudioFormatAC3, kAudioFormatEnhancedAC3: return 1536
        case kAudioFormatOpus: return 960
        case kAudioFormatAppleLossless:
            var reader = ByteReader(Array(atoms["alac"]?.dropFirst(4) ?? Data()))
            return (try? reader.unsigned32()).map { Int($0) } ?? 4096
        default: return nil
        }
    }

    private func makeDescription(handler: String) -> CMFormatDescription? {
        let media: CMMediaType =
            switch handler {
            case "tmcd": kCMMediaType_TimeCode
            case "meta": kCMMediaType_Metadata
            case "text": kCMMediaType_Text
            case "sbtl": kCMMediaType_Subtitle
            case "clcp": kCMMediaType_ClosedCaption
            default: FourCharCode(fourCharacters: handler)
            }
        var extensions: [String: Any] = [kCMFormatDescriptionExtension_VerbatimSampleDescription: bytes]
        if code == "mebx", case .other(let body) = content {
            extensions[kCMFormatDescriptionExtensionKey_MetadataKeyTable] = Self.timedMetadata(body)?.keyTable
        }
        var result: CMFormatDescription?
        CMFormatDescriptionCreate(
            allocator: nil, mediaType: media, mediaSubType: fourCharacterCode, extensions: extensions,
            formatDescriptionOut: &result)
        return result
    }
}

/// The beginning of AAC's `AudioSpecificConfig` (ISO/IEC 14496-3, 1.6.2.1).
struct AudioSpecificConfiguration {
    let sampleRate: Double?
    let channelCount: Int?
    let framesPerPacket: Int

    private static let rates: [Double] = [
        96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350,
    ]

    init?(_ data: Data) {
        var bits = data.prefix(16).reduce(into: [UInt8]()) { bits, byte in
            for shift in stride(from: 7, through: 0, by: -1) { bits.append(byte >> UInt8(shift) & 1) }
        }[...]
        func read(_ count: Int) -> Int? {
            guard bits.count >= count else { return nil }
            defer { bits = bits.dropFirst(count) }
            return bits.prefix(count).reduce(0) { $0 << 1 | Int($1) }
        }
        /// Reads a sample rate; nil at the end of the data, `.some(nil)` for a reserved index.
        func rate() -> Double?? {
            guard let index = read(4) else { return nil }
            if index == 15 { return read(24).map { Double($0) } }
            return .some(Self.rates.indices.contains(index) ? Self.rates[index] : nil)
        }
        guard var object = read(5) else { return nil }
        if object == 31, let more = read(6) { object = 32 + more }
        guard let base = rate(), let channels = read(4) else { return nil }
        channelCount = channels == 0 ? nil : channels == 7 ? 8 : channels
        // Explicitly signaled spectral band replication (object types 5 and 29) doubles the sample rate.
        let isDoubled = object == 5 || object == 29
        sampleRate = isDoubled ? rate() ?? base : base
        framesPerPacket = isDoubled ? 2048 : 1024
    }
}
