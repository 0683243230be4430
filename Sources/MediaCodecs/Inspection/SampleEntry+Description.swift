import Foundation
package import MediaTypes

extension SampleEntry {
    /// The same as a description for sample buffers; nil where the entry does not make sense.
    ///
    /// - Parameters:
    ///   - handler: The track's kind of media.
    ///   - timescale: The track's, which for sound tells rates that the entry cannot.
    package func makeDescription(handler: String, timescale: CMTimeScale) -> CMFormatDescription? {
        switch content {
        case .video(let video): makeDescription(video)
        case .audio(let audio): makeDescription(audio, timescale: timescale)
        case .other: makeDescription(handler: handler)
        }
    }

    private var fourCharacterCode: FourCharCode {
        code.unicodeScalars.reduce(0) { $0 << 8 | UInt32($1.value & 0xff) }
    }

    private func makeDescription(_ video: Video) -> CMFormatDescription? {
        guard video.dimensions.width > 0, video.dimensions.height > 0 else { return nil }
        var extensions: [String: Any] = color?.extensions ?? [:]
        let records = atoms.filter { ["avcC", "hvcC", "esds", "vpcC", "av1C", "jpgC"].contains($0.key) }
        if !records.isEmpty {
            extensions[kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms] = records as [String: Any]
        }
        if !video.name.isEmpty { extensions[kCMFormatDescriptionExtension_FormatName] = video.name }
        if video.depth > 0 { extensions[kCMFormatDescriptionExtension_Depth] = video.depth }
        extensions[kCMFormatDescriptionExtension_PixelAspectRatio] = pixelAspectRatio
        extensions[kCMFormatDescriptionExtension_CleanAperture] = cleanAperture
        var result: CMFormatDescription?
        CMVideoFormatDescriptionCreate(
            allocator: nil, codecType: fourCharacterCode, width: video.dimensions.width,
            height: video.dimensions.height, extensions: extensions, formatDescriptionOut: &result)
        return result
    }

    /// `colr` of the kinds nclx and nclc (ISO/IEC 14496-12, 12.1.5; QTFF, "Color Parameter Atoms").
    package var color: ColorDescription? {
        guard let data = atoms["colr"] else { return nil }
        var reader = ByteReader(Array(data))
        guard let kind = try? reader.code(), kind == "nclx" || kind == "nclc", let primaries = try? reader.unsigned16(),
            let transfer = try? reader.unsigned16(), let matrix = try? reader.unsigned16()
        else { return nil }
        // QuickTime's kind has no range.
        let range = kind == "nclx" ? (try? reader.unsigned8()) ?? 0 : 0
        return ColorDescription(
            primaries: primaries, transfer: transfer, matrix: matrix, isFullRange: range & 0x80 != 0)
    }

    private var pixelAspectRatio: [String: Any]? {
        guard let data = atoms["pasp"] else { return nil }
        var reader = ByteReader(Array(data))
        guard let horizontal = try? reader.unsigned32(), let vertical = try? reader.unsigned32(), horizontal > 0,
            vertical > 0
        else { return nil }
        return [
            kCMFormatDescriptionKey_PixelAspectRatioHorizontalSpacing: Int(horizontal),
            kCMFormatDescriptionKey_PixelAspectRatioVerticalSpacing: Int(vertical),
        ]
    }

    /// `clap`: four fractions, the size and the offset of its centre (ISO/IEC 14496-12, 12.1.4).
    private var cleanAperture: [String: Any]? {
        guard let data = atoms["clap"] else { return nil }
        var reader = ByteReader(Array(data))
        var values: [Double] = []
        for _ in 0..<4 {
            guard let numerator = try? reader.signed32(), let denominator = try? reader.signed32(), denominator != 0
            else { return nil }
            values.append(Double(numerator) / Double(denominator))
        }
        guard values[0] > 0, values[1] > 0 else { return nil }
        return [
            kCMFormatDescriptionKey_CleanApertureWidth: values[0],
            kCMFormatDescriptionKey_CleanApertureHeight: values[1],
            kCMFormatDescriptionKey_CleanApertureHorizontalOffset: values[2],
            kCMFormatDescriptionKey_CleanApertureVerticalOffset: values[3],
        ]
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
            stream.mFramesPerPacket = UInt32(clamping: framesPerPacket(audio, stream.mFormatID))
            if let configuration = elementaryStream.flatMap(AudioSpecificConfiguration.init) {
                stream.mSampleRate = configuration.sampleRate ?? stream.mSampleRate
                stream.mChannelsPerFrame = configuration.channelCount.map { UInt32($0) } ?? stream.mChannelsPerFrame
                stream.mFramesPerPacket = UInt32(configuration.framesPerPacket)
            }
            if stream.mFormatID == kAudioFormatOpus { stream.mSampleRate = 48000 }
        }
        guard stream.mSampleRate >= 1, stream.mSampleRate < 1e9, (1...64).contains(stream.mChannelsPerFrame) else {
            return nil
        }
        // What is wrong beyond that has no description.
        return try? CMFormatDescription(audioStreamBasicDescription: stream, magicCookie: cookie)
    }

    /// The coding and what its decoder must know beforehand.
    private var coding: (AudioFormatID, Data?) {
        switch code {
        case "mp4a":
            let descriptor = atoms["esds"].map { $0.dropFirst(4) }.map { Data($0) }
            return (
                objectType == 0x69 || objectType == 0x6b ? kAudioFormatMPEGLayer3 : kAudioFormatMPEG4AAC, descriptor
            )
        case "alac": return (kAudioFormatAppleLossless, atoms["alac"].map { Data($0.dropFirst(4)) })
        case "Opus":
            let configuration = atoms["dOps"].flatMap { OpusConfiguration(specificBox: Array($0)) }
            return (kAudioFormatOpus, configuration.map { Data($0.header) })
        case "fLaC": return (kAudioFormatFLAC, atoms["dfLa"].map { Data($0.dropFirst(4)) })
        case "ac-3": return (kAudioFormatAC3, atoms["dac3"])
        case "ec-3": return (kAudioFormatEnhancedAC3, atoms["dec3"])
        case ".mp3": return (kAudioFormatMPEGLayer3, nil)
        default: return (fourCharacterCode, nil)
        }
    }

    /// The decoder configuration of `esds`; nil where there is none.
    private var elementaryStream: Data? {
        atoms["esds"].flatMap { ElementaryStreamDescriptor.decoderSpecificInfo(in: $0) }
    }

    /// `objectTypeIndication` (ISO/IEC 14496-1, 7.2.6.6): behind the descriptors of tag 3 and 4.
    private var objectType: UInt8 {
        guard let data = atoms["esds"], let index = data.dropFirst(4).firstIndex(of: 4) else { return 0x40 }
        let rest = data[data.index(after: index)...].drop { $0 & 0x80 != 0 }
        return rest.dropFirst().first ?? 0x40
    }

    private func framesPerPacket(_ audio: Audio, _ format: AudioFormatID) -> Int {
        switch format {
        case kAudioFormatMPEG4AAC: return 1024
        case kAudioFormatMPEGLayer3: return 1152
        case kAudioFormatAC3, kAudioFormatEnhancedAC3: return 1536
        case kAudioFormatOpus: return 960
        case kAudioFormatAppleLossless:
            var reader = ByteReader(Array(atoms["alac"]?.dropFirst(4) ?? Data()))
            return (try? reader.unsigned32()).map { Int($0) } ?? 4096
        default: return audio.framesPerPacket
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
            default: handler.unicodeScalars.reduce(0) { $0 << 8 | UInt32($1.value & 0xff) }
            }
        var result: CMFormatDescription?
        CMFormatDescriptionCreate(
            allocator: nil, mediaType: media, mediaSubType: fourCharacterCode,
            extensions: [kCMFormatDescriptionExtension_VerbatimSampleDescription: bytes],
            formatDescriptionOut: &result)
        return result
    }
}

/// The begin of AAC's `AudioSpecificConfig` (ISO/IEC 14496-3, 1.6.2.1).
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
        func take(_ count: Int) -> Int? {
            guard bits.count >= count else { return nil }
            defer { bits = bits.dropFirst(count) }
            return bits.prefix(count).reduce(0) { $0 << 1 | Int($1) }
        }
        func rate() -> Double?? {
            guard let index = take(4) else { return nil }
            if index == 15 { return take(24).map { Double($0) } }
            return .some(Self.rates.indices.contains(index) ? Self.rates[index] : nil)
        }
        guard var object = take(5) else { return nil }
        if object == 31, let more = take(6) { object = 32 + more }
        guard let base = rate(), let channels = take(4) else { return nil }
        channelCount = channels == 0 ? nil : channels == 7 ? 8 : channels
        // Spectral band replication told openly doubles the rate.
        let isDoubled = object == 5 || object == 29
        sampleRate = isDoubled ? rate() ?? base : base
        framesPerPacket = isDoubled ? 2048 : 1024
    }
}
