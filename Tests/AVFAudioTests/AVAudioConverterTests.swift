import AssetTypes
import Foundation
import MediaTypes
import XCTest

@testable import AVFAudio

final class AVAudioConverterTests: XCTestCase {
    private func format(
        _ type: AVAudioCommonFormat, _ rate: Double, _ channels: AVAudioChannelCount, interleaved: Bool = true
    ) throws -> AVAudioFormat {
        try XCTUnwrap(
            AVAudioFormat(commonFormat: type, sampleRate: rate, channels: channels, interleaved: interleaved))
    }

    func testFormatsAreCreatedFromSettingsDescriptionsAndLayouts() throws {
        let standard = try XCTUnwrap(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
        XCTAssertTrue(standard.isStandard)
        XCTAssertEqual(standard.streamDescription.pointee.mBytesPerFrame, 4)
        XCTAssertEqual(AVAudioFormat(settings: standard.settings), standard)
        XCTAssertEqual(AVAudioFormat(cmAudioFormatDescription: standard.formatDescription), standard)
        XCTAssertNil(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 6))
        let layout = try XCTUnwrap(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A))
        XCTAssertEqual(AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: layout).channelCount, 6)
        XCTAssertEqual(try format(.pcmFormatInt16, 8000, 1).commonFormat, .pcmFormatInt16)
    }

    func testAFormatIsNotCreatedFromSettingsThatApplesHeaderRejects() throws {
        let stereo: [String: Any] = [
            AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2,
            AVLinearPCMBitDepthKey: 16, AVLinearPCMIsFloatKey: false, AVLinearPCMIsBigEndianKey: false,
            AVLinearPCMIsNonInterleaved: false,
        ]
        XCTAssertEqual(AVAudioFormat(settings: stereo), try format(.pcmFormatInt16, 48_000, 2))
        let surround = try XCTUnwrap(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A))
        let layout = Data(bytes: surround.layout, count: MemoryLayout<AudioChannelLayout>.size)
        let sixChannels: [String: Any] = [AVNumberOfChannelsKey: 6, AVChannelLayoutKey: layout]
        XCTAssertEqual(AVAudioFormat(settings: stereo.merging(sixChannels) { $1 })?.channelLayout, surround)
        let short: [String: Any] = [AVNumberOfChannelsKey: 6, AVChannelLayoutKey: layout.prefix(12)]
        XCTAssertEqual(AVAudioFormat(settings: stereo.merging(short) { $1 })?.channelCount, 6)
        let rejected: [[String: Any]] = [
            [AVFormatIDKey: "lpcm"], [AVSampleRateKey: "48000"], [AVSampleRateKey: 0], [AVSampleRateKey: -1],
            [AVSampleRateKey: Double.infinity], [AVNumberOfChannelsKey: 1.5], [AVNumberOfChannelsKey: 0],
            [AVNumberOfChannelsKey: 6], [AVNumberOfChannelsKey: 2, AVChannelLayoutKey: layout],
            [AVNumberOfChannelsKey: 6, AVChannelLayoutKey: layout.prefix(11)],
            [AVNumberOfChannelsKey: 6, AVChannelLayoutKey: "5.1"], [AVLinearPCMBitDepthKey: 7],
            [AVLinearPCMBitDepthKey: 12], [AVLinearPCMBitDepthKey: 64, AVLinearPCMIsFloatKey: true],
            [AVLinearPCMBitDepthKey: "16"], [AVLinearPCMIsFloatKey: "no"], [AVLinearPCMIsFloatKey: true],
            [AVLinearPCMIsBigEndianKey: "no"], [AVLinearPCMIsNonInterleaved: [1]],
        ]
        for change in rejected {
            XCTAssertNil(AVAudioFormat(settings: stereo.merging(change) { $1 }), "\(change)")
        }
    }

    func testABufferHasAPlaneForEachChannel() throws {
        let buffer = try XCTUnwrap(
            AVAudioPCMBuffer(
                pcmFormat: format(.pcmFormatFloat32, 48_000, 2, interleaved: false), frameCapacity: 16))
        XCTAssertEqual(buffer.frameLength, 0)
        buffer.frameLength = 99
        XCTAssertEqual(buffer.frameLength, 16)
        XCTAssertEqual(buffer.list.count, 2)
        XCTAssertEqual(buffer.list[1].mDataByteSize, 64)
        buffer.floatChannelData?[1][15] = 0.5
        XCTAssertEqual(buffer.list[1].mData?.load(fromByteOffset: 60, as: Float.self), 0.5)
        XCTAssertNil(buffer.int16ChannelData)
    }

    func testSampleTypesAndChannelsAreConverted() throws {
        let source = try XCTUnwrap(AVAudioPCMBuffer(pcmFormat: format(.pcmFormatInt16, 48_000, 1), frameCapacity: 4))
        source.frameLength = 4
        for (index, value) in [Int16(0), 16_384, -16_384, -32_768].enumerated() {
            source.int16ChannelData?[0][index] = value
        }
        let target = try XCTUnwrap(
            AVAudioPCMBuffer(
                pcmFormat: format(.pcmFormatFloat32, 48_000, 2, interleaved: false), frameCapacity: 4))
        let converter = try XCTUnwrap(AVAudioConverter(from: source.format, to: target.format))
        try converter.convert(to: target, from: source)
        let right = try XCTUnwrap(target.floatChannelData)[1]
        XCTAssertEqual((0..<4).map { right[$0] }, [0, 0.5, -0.5, -1])
        converter.channelMap = [0]
        XCTAssertThrowsError(try converter.convert(to: target, from: source), "the map has one of two channels")
    }

    func testTheSampleRateIsConvertedUntilTheStreamEnds() throws {
        let inputFormat = try format(.pcmFormatFloat32, 44_100, 1)
        let outputFormat = try format(.pcmFormatInt16, 16_000, 1)
        let converter = try XCTUnwrap(AVAudioConverter(from: inputFormat, to: outputFormat))
        var sentFrameCount = 0
        var samples: [Int16] = []
        var status = AVAudioConverterOutputStatus.haveData
        while status == .haveData {
            let output = try XCTUnwrap(AVAudioPCMBuffer(pcmFormat: outputFormat, frameCapacity: 1000))
            status = converter.convert(to: output, error: nil) { _, inputStatus in
                guard sentFrameCount < 44_100 else {
                    inputStatus.pointee = .endOfStream
                    return nil
                }
                inputStatus.pointee = .haveData
                let buffer = AVAudioPCMBuffer(pcmFormat: inputFormat, frameCapacity: 4410)
                buffer?.frameLength = 4410
                for index in 0..<4410 {
                    buffer?.floatChannelData?[0][index] = Float(
                        0.5 * sin(2 * .pi * 440 * Double(sentFrameCount + index) / 44_100))
                }
                sentFrameCount += 4410
                return buffer
            }
            for index in 0..<Int(output.frameLength) { samples.append(output.int16ChannelData?[0][index] ?? 0) }
        }
        XCTAssertEqual(status, .endOfStream)
        XCTAssertEqual(Double(samples.count), 16_000, accuracy: 32)
        let middle = samples[4000..<12_000]
        let crossings = zip(middle, middle.dropFirst()).filter { $0 < 0 && $1 >= 0 }.count
        XCTAssertEqual(crossings, 220, accuracy: 1)
        XCTAssertEqual(Double(middle.max() ?? 0), 16_384, accuracy: 200)
    }

    func testAConverterReportsThatItHasNoInput() throws {
        let format = try format(.pcmFormatInt32, 48_000, 2)
        let converter = try XCTUnwrap(AVAudioConverter(from: format, to: format))
        let output = try XCTUnwrap(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 8))
        XCTAssertEqual(
            converter.convert(to: output, error: nil) { _, status in
                status.pointee = .noDataNow
                return nil
            }, .inputRanDry)
        XCTAssertEqual(output.frameLength, 0)
    }
}
