import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import MediaCodecs

final class MovieSampleFormatTests: XCTestCase {
    func testFormatsOfEncodersSurviveTheWayThroughADescription() throws {
        let dimensions = CMVideoDimensions(width: 160, height: 96)
        for codec in VideoSampleFormat.Codec.allCases {
            let settings = VideoEncoderSettings(
                codec: codec, dimensions: dimensions,
                color: ColorDescription(primaries: 6, transfer: 1, matrix: 6, isFullRange: true))
            let format = MovieSampleFormat.video(try VideoEncoder(settings).format)
            let description = try format.makeDescription()
            XCTAssertEqual(try MovieSampleFormat(description), format)
            XCTAssertEqual(description.parameterSets.isEmpty, codec == .jpeg)
            XCTAssertEqual(description.nalUnitHeaderLength, codec == .jpeg ? 0 : 4)
        }
        let input = AudioStreamFormat(sampleRate: 44100, channelCount: 2, sample: .int16)
        var aac = try AudioEncoder(AudioEncoderSettings(input: input)).format
        aac.bitRate = 0
        XCTAssertEqual(try MovieSampleFormat(try MovieSampleFormat.audio(aac).makeDescription()), .audio(aac))
        for sample in AudioStreamFormat.Sample.allCases {
            let pcm = AudioSampleFormat(codec: .pcm(sample), sampleRate: 8000, channelCount: 3)
            XCTAssertEqual(try MovieSampleFormat(try MovieSampleFormat.audio(pcm).makeDescription()), .audio(pcm))
        }
    }

    func testWhatAMovieCannotHoldIsRefused() throws {
        var refused: [CMFormatDescription] = []
        for code in [kCMVideoCodecType_H264, kCMVideoCodecType_HEVC, 0x6162_6364] {
            var description: CMFormatDescription?
            CMVideoFormatDescriptionCreate(
                allocator: nil, codecType: code, width: 64, height: 48, extensions: nil,
                formatDescriptionOut: &description)
            refused.append(try XCTUnwrap(description))
        }
        var stream = AudioStreamBasicDescription()
        (stream.mSampleRate, stream.mChannelsPerFrame) = (48000, 2)
        stream.mFormatID = kAudioFormatMPEG4AAC
        refused.append(try CMFormatDescription(audioStreamBasicDescription: stream))
        stream.mFormatID = kAudioFormatLinearPCM
        stream.mBitsPerChannel = 24
        refused.append(try CMFormatDescription(audioStreamBasicDescription: stream))
        for description in refused {
            XCTAssertThrowsError(try MovieSampleFormat(description)) {
                XCTAssertEqual(($0 as? MovieError)?.code, .unsupportedFormat)
            }
        }
    }

    func testDamagedDescriptorsHoldNoConfiguration() {
        let whole = ElementaryStreamDescriptor(configuration: Data([0x11, 0x90]), bitRate: 64000).bytes
        XCTAssertEqual(ElementaryStreamDescriptor.decoderSpecificInfo(in: Data(whole)), Data([0x11, 0x90]))
        XCTAssertEqual(
            ElementaryStreamDescriptor.decoderSpecificInfo(in: Data([0, 0, 0, 0] + whole)), Data([0x11, 0x90]))
        for count in 0..<whole.count - 6 {
            XCTAssertNil(ElementaryStreamDescriptor.decoderSpecificInfo(in: Data(whole.prefix(count))), "\(count)")
        }
    }
}
