import Foundation
import MediaTypes
import XCTest

@testable import MediaCodecs

final class MovieSampleFormatTests: XCTestCase {
    func testEncoderFormatsAreRestoredFromFormatDescriptions() throws {
        let dimensions = CMVideoDimensions(width: 160, height: 96)
        for codec in VideoSampleFormat.Codec.allCases {
            let settings = VideoEncoderSettings(
                codec: codec, dimensions: dimensions,
                color: ColorDescription(primaries: 6, transfer: 1, matrix: 6, isFullRange: true))
            let format = MovieSampleFormat.video(try VideoEncoder(settings).format)
            let description = try format.makeDescription()
            XCTAssertEqual(try MovieSampleFormat(description), format)
            XCTAssertEqual(description.parameterSets.isEmpty, codec.isIntraOnly)
            XCTAssertEqual(description.nalUnitHeaderLength, codec.isIntraOnly ? 0 : 4)
        }
        let input = AudioStreamFormat(sampleRate: 44100, channelCount: 2, sample: .int16)
        var aac = try AudioEncoder(AudioEncoderSettings(input: input)).format
        aac.bitRate = 0
        XCTAssertEqual(try MovieSampleFormat(try MovieSampleFormat.audio(aac).makeDescription()), .audio(aac))
        for sample in [PCMFormat.int16, .int24, .int32, .float32, .float64] {
            for isBigEndian in [false, true] {
                let pcm = AudioSampleFormat(
                    codec: .pcm(sample.withByteOrder(isBigEndian: isBigEndian)), sampleRate: 8000, channelCount: 3)
                XCTAssertEqual(try MovieSampleFormat(try MovieSampleFormat.audio(pcm).makeDescription()), .audio(pcm))
            }
        }
        for codec in [AudioEncoderSettings.Codec.alac, .opus] {
            var coded = try AudioEncoder(
                AudioEncoderSettings(
                    codec: codec, input: AudioStreamFormat(sampleRate: 48000, channelCount: 2, sample: .int16))
            ).format
            coded.bitRate = 0
            XCTAssertEqual(try MovieSampleFormat(try MovieSampleFormat.audio(coded).makeDescription()), .audio(coded))
        }
    }

    func testPixelAspectRatioAndCleanApertureSurviveConversionToFormatDescriptions() throws {
        var format = VideoSampleFormat(
            codec: .jpeg, dimensions: CMVideoDimensions(width: 720, height: 480), configuration: Data())
        format.pixelAspectRatio = PixelAspectRatio(horizontalSpacing: 4, verticalSpacing: 3)
        format.cleanAperture = CleanAperture(
            width: .init(702), height: .init(1411, 3), horizontalOffset: .init(-1, 2))
        let description = try MovieSampleFormat.video(format).makeDescription()
        XCTAssertEqual(try MovieSampleFormat(description), .video(format))
        XCTAssertEqual(description.presentationDimensions().width, 936)
        XCTAssertEqual(description.cleanAperture().width, 702)
    }

    func testPixelAspectRatioAndCleanApertureOfClientsAreRead() throws {
        let extensions: [String: Any] = [
            kCMFormatDescriptionExtension_PixelAspectRatio: [
                kCMFormatDescriptionKey_PixelAspectRatioHorizontalSpacing: 10,
                kCMFormatDescriptionKey_PixelAspectRatioVerticalSpacing: 11,
            ],
            kCMFormatDescriptionExtension_CleanAperture: [
                kCMFormatDescriptionKey_CleanApertureWidth: 704,
                kCMFormatDescriptionKey_CleanApertureHeight: 470.5,
                kCMFormatDescriptionKey_CleanApertureVerticalOffset: 5.25,
            ] as [String: Any],
        ]
        var created: CMFormatDescription?
        CMVideoFormatDescriptionCreate(
            allocator: nil, codecType: kCMVideoCodecType_JPEG, width: 720, height: 480, extensions: extensions,
            formatDescriptionOut: &created)
        guard case .video(let video) = try MovieSampleFormat(try XCTUnwrap(created)) else { return XCTFail("no video") }
        XCTAssertEqual(video.pixelAspectRatio, PixelAspectRatio(horizontalSpacing: 10, verticalSpacing: 11))
        XCTAssertEqual(
            video.cleanAperture,
            CleanAperture(width: .init(704), height: .init(470_500, 1000), verticalOffset: .init(5250, 1000)))
    }

    func testTheOlderALACCookieIsRead() throws {
        let configuration = Data([0, 0, 16, 0] + (4..<24).map { UInt8($0) })
        var stream = AudioStreamBasicDescription()
        (stream.mSampleRate, stream.mChannelsPerFrame) = (44100, 2)
        stream.mFormatID = kAudioFormatAppleLossless
        let atom = Data([0, 0, 0, 12] + Array("frmaalac".utf8) + [0, 0, 0, 36] + Array("alac".utf8) + [0, 0, 0, 0])
        for cookie in [configuration, atom + configuration] {
            let description = try CMFormatDescription(audioStreamBasicDescription: stream, magicCookie: cookie)
            guard case .audio(let audio) = try MovieSampleFormat(description) else { return XCTFail("no audio") }
            XCTAssertEqual(audio.codec, .alac(configuration: configuration))
            XCTAssertEqual(audio.framesPerPacket, 4096)
        }
        stream.mFormatID = kAudioFormatOpus
        XCTAssertThrowsError(
            try MovieSampleFormat(
                CMFormatDescription(audioStreamBasicDescription: stream, magicCookie: Data([1, 2, 3]))))
    }

    func testUnsupportedFormatDescriptionsAreRejected() throws {
        var unsupported: [CMFormatDescription] = []
        for code in [kCMVideoCodecType_H264, kCMVideoCodecType_HEVC, 0x6162_6364] {
            var description: CMFormatDescription?
            CMVideoFormatDescriptionCreate(
                allocator: nil, codecType: code, width: 64, height: 48, extensions: nil,
                formatDescriptionOut: &description)
            unsupported.append(try XCTUnwrap(description))
        }
        var stream = AudioStreamBasicDescription()
        (stream.mSampleRate, stream.mChannelsPerFrame) = (48000, 2)
        stream.mFormatID = kAudioFormatMPEG4AAC
        unsupported.append(try CMFormatDescription(audioStreamBasicDescription: stream))
        stream.mFormatID = kAudioFormatLinearPCM
        stream.mBitsPerChannel = 24
        unsupported.append(try CMFormatDescription(audioStreamBasicDescription: stream))
        for description in unsupported {
            XCTAssertThrowsError(try MovieSampleFormat(description)) {
                XCTAssertEqual(($0 as? MovieError)?.code, .unsupportedFormat)
            }
        }
    }

    func testDamagedDescriptorsHaveNoConfiguration() {
        let descriptor = ElementaryStreamDescriptor(configuration: Data([0x11, 0x90]), bitRate: 64000).bytes
        XCTAssertEqual(ElementaryStreamDescriptor.decoderSpecificInfo(in: Data(descriptor)), Data([0x11, 0x90]))
        XCTAssertEqual(
            ElementaryStreamDescriptor.decoderSpecificInfo(in: Data([0, 0, 0, 0] + descriptor)), Data([0x11, 0x90]))
        for count in 0..<descriptor.count - 6 {
            XCTAssertNil(ElementaryStreamDescriptor.decoderSpecificInfo(in: Data(descriptor.prefix(count))), "\(count)")
        }
    }
}
