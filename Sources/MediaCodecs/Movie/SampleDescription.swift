import Foundation

/// Writes the sample descriptions of a track: an `stsd` box with an entry for each format (ISO/IEC 14496-12, 8.5.2 and
/// 12; QTFF, "Media Data Atom Types").
struct SampleDescription {
    private let formats: [MovieSampleFormat]
    private let container: MovieContainer

    init(_ track: MovieTrackConfiguration, _ container: MovieContainer) {
        formats = [track.format] + track.additionalFormats
        self.container = container
    }

    func appendBox(to builder: inout BoxBuilder) {
        builder.fullBox("stsd") { box in
            box.unsigned32(UInt32(formats.count))
            for format in formats { appendEntry(format, to: &box) }
        }
    }

    private func appendEntry(_ format: MovieSampleFormat, to box: inout BoxBuilder) {
        switch format {
        case .video(let video): appendVideo(video, to: &box)
        case .audio(let audio): appendAudio(audio, to: &box)
        case .timecode(let timecode): timecode.appendSampleEntry(to: &box)
        case .metadata(let metadata): metadata.appendSampleEntry(to: &box)
        case .text: appendText(to: &box)
        case .subtitle(let subtitle): subtitle.appendSampleEntry(to: &box)
        case .stored(let stored): box.data(stored.entry)
        }
    }

    private func appendVideo(_ video: VideoSampleFormat, to builder: inout BoxBuilder) {
        let (code, name, atom): (String, String, String?) =
            switch video.codec {
            case .h264: ("avc1", "H.264", "avcC")
            case .hevc: ("hvc1", "HEVC", "hvcC")
            case .jpeg: ("jpeg", "Photo - JPEG", nil)
            case .proRes422Proxy: ("apco", "Apple ProRes 422 Proxy", nil)
            case .proRes422LT: ("apcs", "Apple ProRes 422 LT", nil)
            case .proRes422: ("apcn", "Apple ProRes 422", nil)
            case .proRes422HQ: ("apch", "Apple ProRes 422 HQ", nil)
            case .proRes4444: ("ap4h", "Apple ProRes 4444", nil)
            }
        builder.box(code) { box in
            box.zeros(6)
            box.unsigned16(1)
            // Version, revision, vendor, temporal and spatial quality; zero in ISO files.
            box.zeros(16)
            box.unsigned16(UInt16(clamping: video.dimensions.width))
            box.unsigned16(UInt16(clamping: video.dimensions.height))
            box.fixed(72, fractionBits: 16)
            box.fixed(72, fractionBits: 16)
            box.unsigned32(0)
            box.unsigned16(1)
            box.unsigned8(UInt8(name.utf8.count))
            box.data(name.utf8)
            box.zeros(31 - name.utf8.count)
            box.unsigned16(24)
            box.signed16(-1)
            if let atom { box.box(atom) { $0.data(video.configuration) } }
            if let color = video.color { appendColor(color, to: &box) }
            if let aperture = video.cleanAperture { appendCleanAperture(aperture, to: &box) }
            if let ratio = video.pixelAspectRatio {
                box.box("pasp") { pasp in
                    pasp.unsigned32(ratio.horizontalSpacing)
                    pasp.unsigned32(ratio.verticalSpacing)
                }
            }
        }
    }

    private func appendCleanAperture(_ aperture: CleanAperture, to builder: inout BoxBuilder) {
        builder.box("clap") { box in
            for value in [aperture.width, aperture.height, aperture.horizontalOffset, aperture.verticalOffset] {
                box.signed32(value.numerator)
                box.signed32(value.denominator)
            }
        }
    }

    /// Appends a text entry (QTFF, "Text Sample Description") without text formatting.
    private func appendText(to builder: inout BoxBuilder) {
        builder.box("text") { box in
            box.zeros(6)
            box.unsigned16(1)
            box.unsigned32(1)  // not displayed
            box.unsigned32(0)  // justification
            box.zeros(6 + 8 + 8)  // background color, text box, reserved
            box.zeros(2 + 2 + 1 + 2)  // font number, font face, reserved
            box.zeros(6)  // foreground color
            box.unsigned8(0)  // font name
        }
    }

    /// Appends `colr` of type `nclc` in QuickTime (QTFF, "Color Parameter Atoms") or `nclx` in ISO files (ISO/IEC
    /// 14496-12, 12.1.5).
    private func appendColor(_ color: ColorDescription, to builder: inout BoxBuilder) {
        builder.box("colr") { box in
            box.code(container == .mov ? "nclc" : "nclx")
            box.unsigned16(color.primaries)
            box.unsigned16(color.transfer)
            box.unsigned16(color.matrix)
            if container != .mov { box.unsigned8(color.isFullRange ? 0x80 : 0) }
        }
    }

    private func appendAudio(_ audio: AudioSampleFormat, to builder: inout BoxBuilder) {
        switch audio.codec {
        case .aac(let configuration):
            builder.box("mp4a") { box in
                if container == .mov {
                    appendSound(audio, version: 1, compression: -2, to: &box)
                    box.unsigned32(UInt32(audio.framesPerPacket))
                    box.unsigned32(0)
                    box.unsigned32(0)
                    box.unsigned32(2)
                    // QTFF, "siDecompressionParam": the decoder configuration between `frma` and an empty terminator.
                    box.box("wave") { wave in
                        wave.box("frma") { $0.code("mp4a") }
                        wave.box("mp4a") { $0.unsigned32(0) }
                        appendElementaryStream(configuration, bitRate: audio.bitRate, to: &wave)
                        wave.box("\0\0\0\0") { _ in }
                    }
                } else {
                    appendSound(audio, version: 0, compression: 0, to: &box)
                    appendElementaryStream(configuration, bitRate: audio.bitRate, to: &box)
                }
            }
        case .alac(let configuration):
            builder.box("alac") { box in
                guard container == .mov else {
                    appendSound(audio, version: 0, compression: 0, to: &box)
                    return box.fullBox("alac") { $0.data(configuration) }
                }
                appendSound(audio, version: 1, compression: -2, to: &box)
                box.unsigned32(UInt32(audio.framesPerPacket))
                box.unsigned32(0)
                box.unsigned32(0)
                box.unsigned32(2)
                box.box("wave") { wave in
                    wave.box("frma") { $0.code("alac") }
                    wave.fullBox("alac") { $0.data(configuration) }
                    wave.box("\0\0\0\0") { _ in }
                }
            }
        case .opus(let configuration):
            builder.box("Opus") { box in
                appendSound(audio, version: 0, compression: 0, to: &box)
                box.box("dOps") { $0.data(configuration) }
            }
        case .pcm(let format)
        where format.bitsPerSample == 16 && audio.channelCount <= 2 && audio.sampleRate <= 0xffff:
            builder.box(format.isBigEndian ? "twos" : "sowt") {
                appendSound(audio, version: 0, compression: 0, to: &$0)
            }
        case .pcm(let format):
            builder.box("lpcm") { appendLinearPCM(audio, format, to: &$0) }
        }
    }

    /// Appends the common fields of QTFF, "Sound Sample Description" versions 0 and 1; version 0 is ISO's
    /// `AudioSampleEntry`.
    private func appendSound(
        _ audio: AudioSampleFormat, version: UInt16, compression: Int16, to builder: inout BoxBuilder
    ) {
        builder.zeros(6)
        builder.unsigned16(1)
        builder.unsigned16(version)
        builder.zeros(6)
        builder.unsigned16(UInt16(clamping: audio.channelCount))
        builder.unsigned16(16)
        builder.signed16(compression)
        builder.unsigned16(0)
        // The field is limited to 65535. For higher rates, readers use the time scale of the media.
        builder.unsigned32(audio.sampleRate > 0xffff ? 0 : UInt32(audio.sampleRate) << 16)
    }

    /// Appends the fields of QTFF, "Sound Sample Description (Version 2)".
    private func appendLinearPCM(
        _ audio: AudioSampleFormat, _ format: PCMFormat, to builder: inout BoxBuilder
    ) {
        builder.zeros(6)
        builder.unsigned16(1)
        builder.unsigned16(2)
        builder.zeros(6)
        builder.unsigned16(3)
        builder.unsigned16(16)
        builder.signed16(-2)
        builder.unsigned16(0)
        builder.unsigned32(65536)
        builder.unsigned32(72)
        builder.float64(Double(audio.sampleRate))
        builder.unsigned32(UInt32(audio.channelCount))
        builder.unsigned32(0x7f00_0000)
        builder.unsigned32(UInt32(format.bitsPerSample))
        builder.unsigned32(format.flags)
        builder.unsigned32(UInt32(format.byteCount * audio.channelCount))
        builder.unsigned32(1)
    }

    /// Appends `esds` (ISO/IEC 14496-14, 5.6).
    private func appendElementaryStream(_ configuration: Data, bitRate: Int, to builder: inout BoxBuilder) {
        builder.fullBox("esds") {
            $0.data(ElementaryStreamDescriptor(configuration: configuration, bitRate: bitRate).bytes)
        }
    }
}
