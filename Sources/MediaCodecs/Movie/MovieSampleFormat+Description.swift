import Foundation
package import MediaTypes

extension MovieSampleFormat {
    /// Creates the format of samples that are already compressed.
    ///
    /// - Throws: `.unsupportedFormat` for codecs other than H.264, HEVC, JPEG, ProRes, AAC, ALAC, Opus and interleaved
    ///   PCM, or if the codec's configuration is missing.
    package init(_ description: CMFormatDescription) throws(MovieError) {
        switch CMFormatDescriptionGetMediaType(description) {
        case kCMMediaType_Video: self = .video(try VideoSampleFormat(description))
        case kCMMediaType_Audio: self = .audio(try AudioSampleFormat(description))
        case let other:
            throw MovieError(.unsupportedFormat, "a movie cannot contain media of type \(fourCharacterText(other))")
        }
    }

    /// Creates the equivalent format description for sample buffers.
    package func makeDescription() throws(MovieError) -> CMFormatDescription {
        switch self {
        case .video(let video): try video.makeDescription()
        case .audio(let audio): try audio.makeDescription()
        case .timecode, .metadata, .text, .subtitle, .stored:
            throw MovieError(.unsupportedFormat, "samples of a \(handler) track cannot be described for sample buffers")
        }
    }
}

extension VideoSampleFormat.Codec {
    /// The codec type and the box of its configuration, if the codec has one.
    fileprivate var description: (code: CMVideoCodecType, atom: String?) {
        switch self {
        case .h264: (kCMVideoCodecType_H264, "avcC")
        case .hevc: (kCMVideoCodecType_HEVC, "hvcC")
        case .jpeg: (kCMVideoCodecType_JPEG, nil)
        case .proRes422Proxy: (kCMVideoCodecType_AppleProRes422Proxy, nil)
        case .proRes422LT: (kCMVideoCodecType_AppleProRes422LT, nil)
        case .proRes422: (kCMVideoCodecType_AppleProRes422, nil)
        case .proRes422HQ: (kCMVideoCodecType_AppleProRes422HQ, nil)
        case .proRes4444: (kCMVideoCodecType_AppleProRes4444, nil)
        }
    }
}

extension VideoSampleFormat {
    fileprivate init(_ description: CMFormatDescription) throws(MovieError) {
        let code = CMFormatDescriptionGetMediaSubType(description)
        guard let codec = Codec.allCases.first(where: { $0.description.code == code }) else {
            throw MovieError(.unsupportedFormat, "a movie cannot contain video of type \(fourCharacterText(code))")
        }
        var configuration = Data()
        if let atom = codec.description.atom {
            let atoms =
                CMFormatDescriptionGetExtension(
                    description, extensionKey: kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms)
                as? [String: Any]
            guard let data = atoms?[atom] as? Data, !data.isEmpty else {
                throw MovieError(.unsupportedFormat, "the format description of \(codec) video has no \(atom)")
            }
            configuration = data
        }
        self.init(
            codec: codec, dimensions: CMVideoFormatDescriptionGetDimensions(description), configuration: configuration,
            color: ColorDescription(description))
        pixelAspectRatio = PixelAspectRatio(description)
        cleanAperture = CleanAperture(description)
    }

    fileprivate func makeDescription() throws(MovieError) -> CMFormatDescription {
        var extensions = color?.extensions ?? [:]
        if let atom = codec.description.atom {
            extensions[kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms] = [atom: configuration]
        }
        extensions[kCMFormatDescriptionExtension_PixelAspectRatio] = pixelAspectRatio?.extensionValue
        extensions[kCMFormatDescriptionExtension_CleanAperture] = cleanAperture?.extensionValue
        var result: CMFormatDescription?
        let status = CMVideoFormatDescriptionCreate(
            allocator: nil, codecType: codec.description.code, width: dimensions.width, height: dimensions.height,
            extensions: extensions, formatDescriptionOut: &result)
        guard let result else {
            throw MovieError(.unsupportedFormat, "\(codec) video cannot be described: status \(status)")
        }
        return result
    }
}

extension ColorDescription {
    /// Creates a description from Core Video's names; nil if one is unknown.
    package init?(primaries: String, transfer: String, matrix: String, isFullRange: Bool = false) {
        self.init(
            primaries: UInt16(CVColorPrimariesGetIntegerCodePointForString(primaries)),
            transfer: UInt16(CVTransferFunctionGetIntegerCodePointForString(transfer)),
            matrix: UInt16(CVYCbCrMatrixGetIntegerCodePointForString(matrix)), isFullRange: isFullRange)
        guard ![self.primaries, self.transfer, self.matrix].contains(Self.unspecified) else { return nil }
    }

    /// Creates a description from the extensions of a format description, with 2 (unspecified) for missing values; nil
    /// if all values are missing.
    init?(_ description: CMFormatDescription) {
        func name(_ key: CFString) -> String? {
            CMFormatDescriptionGetExtension(description, extensionKey: key) as? String
        }
        let isFullRange =
            CMFormatDescriptionGetExtension(
                description, extensionKey: kCMFormatDescriptionExtension_FullRangeVideo) as? Bool
        self.init(
            primaries: UInt16(
                CVColorPrimariesGetIntegerCodePointForString(name(kCMFormatDescriptionExtension_ColorPrimaries))),
            transfer: UInt16(
                CVTransferFunctionGetIntegerCodePointForString(name(kCMFormatDescriptionExtension_TransferFunction))),
            matrix: UInt16(CVYCbCrMatrixGetIntegerCodePointForString(name(kCMFormatDescriptionExtension_YCbCrMatrix))),
            isFullRange: isFullRange ?? false)
        guard isFullRange != nil || [primaries, transfer, matrix] != [UInt16](repeating: Self.unspecified, count: 3)
        else { return nil }
    }

    /// The extensions of a format description.
    package var extensions: [String: Any] {
        var result: [String: Any] = [kCMFormatDescriptionExtension_FullRangeVideo: isFullRange]
        result[kCMFormatDescriptionExtension_ColorPrimaries] =
            CVColorPrimariesGetStringForIntegerCodePoint(Int32(primaries))
        result[kCMFormatDescriptionExtension_TransferFunction] =
            CVTransferFunctionGetStringForIntegerCodePoint(Int32(transfer))
        result[kCMFormatDescriptionExtension_YCbCrMatrix] = CVYCbCrMatrixGetStringForIntegerCodePoint(Int32(matrix))
        return result
    }
}

extension AudioSampleFormat {
    fileprivate init(_ description: CMFormatDescription) throws(MovieError) {
        guard let stream = description.audioStreamBasicDescription, stream.mSampleRate >= 1,
            stream.mSampleRate <= Double(Int32.max), stream.mChannelsPerFrame > 0
        else {
            throw MovieError(
                .unsupportedFormat, "the format description of the audio has no sample rate or no channels")
        }
        let (rate, channelCount) = (Int32(stream.mSampleRate.rounded()), Int(stream.mChannelsPerFrame))
        let flags = stream.mFormatFlags
        switch stream.mFormatID {
        case kAudioFormatMPEG4AAC:
            guard let cookie = description.magicCookie, !cookie.isEmpty else {
                throw MovieError(
                    .unsupportedFormat, "the format description of AAC has no magic cookie with its configuration")
            }
            let configuration = ElementaryStreamDescriptor.decoderSpecificInfo(in: cookie) ?? cookie
            self.init(codec: .aac(configuration: configuration), sampleRate: rate, channelCount: channelCount)
        case kAudioFormatAppleLossless:
            // The cookie is the configuration, or a full box `alac` that contains it, possibly after a `frma` box.
            guard let cookie = description.magicCookie, cookie.count >= 24 else {
                throw MovieError(
                    .unsupportedFormat, "the format description of ALAC has no magic cookie with its configuration")
            }
            let tag = cookie.range(of: Data("alac\0\0\0\0".utf8))
            let configuration = tag.map { cookie[$0.upperBound...] } ?? cookie
            self.init(
                codec: .alac(configuration: Data(configuration.prefix(24))), sampleRate: rate,
                channelCount: channelCount)
        case kAudioFormatOpus:
            let cookie = Array(description.magicCookie ?? Data())
            guard let opus = OpusConfiguration(header: cookie) ?? OpusConfiguration(specificBox: cookie) else {
                throw MovieError(
                    .unsupportedFormat, "the format description of Opus has no magic cookie with its header")
            }
            self.init(
                codec: .opus(configuration: Data(opus.specificBox)), sampleRate: rate, channelCount: channelCount)
        case kAudioFormatLinearPCM where flags & kAudioFormatFlagIsNonInterleaved == 0:
            let format = PCMFormat(
                bitsPerSample: Int(stream.mBitsPerChannel), isFloat: flags & kAudioFormatFlagIsFloat != 0,
                isBigEndian: flags & kAudioFormatFlagIsBigEndian != 0)
            guard format.isValid, Int(stream.mBytesPerFrame) == format.byteCount * channelCount else {
                throw MovieError(
                    .unsupportedFormat,
                    "PCM of \(stream.mBitsPerChannel) bits in \(stream.mBytesPerFrame) bytes per frame of "
                        + "\(channelCount) channels is not supported: use packed samples of 16, 24 or 32 bits")
            }
            self.init(codec: .pcm(format), sampleRate: rate, channelCount: channelCount)
        default:
            throw MovieError(
                .unsupportedFormat, "a movie cannot contain audio of type \(fourCharacterText(stream.mFormatID))")
        }
    }

    fileprivate func makeDescription() throws(MovieError) -> CMFormatDescription {
        var stream = AudioStreamBasicDescription()
        stream.mSampleRate = Double(sampleRate)
        stream.mChannelsPerFrame = UInt32(channelCount)
        stream.mFramesPerPacket = UInt32(framesPerPacket)
        var cookie: Data?
        switch codec {
        case .aac(let configuration):
            stream.mFormatID = kAudioFormatMPEG4AAC
            cookie = Data(ElementaryStreamDescriptor(configuration: configuration, bitRate: bitRate).bytes)
        case .alac(let configuration):
            stream.mFormatID = kAudioFormatAppleLossless
            cookie = configuration
        case .opus(let configuration):
            stream.mFormatID = kAudioFormatOpus
            cookie = OpusConfiguration(specificBox: Array(configuration)).map { Data($0.header) }
        case .pcm(let format):
            stream.mFormatID = kAudioFormatLinearPCM
            stream.mFormatFlags = format.flags
            stream.mBitsPerChannel = UInt32(format.bitsPerSample)
            stream.mBytesPerFrame = UInt32(format.byteCount * channelCount)
            stream.mBytesPerPacket = stream.mBytesPerFrame
        }
        do {
            return try CMFormatDescription(audioStreamBasicDescription: stream, magicCookie: cookie)
        } catch {
            throw MovieError(.unsupportedFormat, "the audio format cannot be described: \(error)")
        }
    }
}

extension PCMFormat {
    /// The flags of Core Audio, also used in version 2 of QuickTime's sound description.
    var flags: UInt32 {
        kAudioFormatFlagIsPacked | (isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger)
            | (isBigEndian ? kAudioFormatFlagIsBigEndian : 0)
    }
}
