import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes
import TestSupport
import XCTest

@testable import AssetTypes
@testable import MediaAssets
@testable import MediaEditing

final class ReaderOutputTests: XCTestCase {
    private func item(_ key: String, _ type: String, _ value: any NSCopying & NSObjectProtocol) -> AVMetadataItem {
        let item = AVMutableMetadataItem()
        item.identifier = AVMetadataIdentifier(rawValue: "mdta/com.example.\(key)")
        item.dataType = type
        item.value = value
        return item
    }

    func testTimedMetadataIsReadAsItWasWritten() throws {
        let fixture = try AssetWriterFixture()
        let items = [
            item("text", kCMMetadataBaseDataType_UTF8, "ä" as NSString),
            item("wide", kCMMetadataBaseDataType_UTF16, "ö" as NSString),
            item("small", kCMMetadataBaseDataType_SInt16, NSNumber(value: -2)),
            item("large", kCMMetadataBaseDataType_UInt64, NSNumber(value: 1 << 40)),
            item("float", kCMMetadataBaseDataType_Float64, NSNumber(value: 0.25)),
            item("raw", kCMMetadataBaseDataType_RawData, NSData(data: Data([1, 2, 3]))),
        ]
        func time(_ count: Int64) -> CMTime { AssetWriterFixture.start + CMTime(value: count, timescale: 2) }
        let first = AVTimedMetadataGroup(items: items, timeRange: CMTimeRange(start: time(0), end: time(1)))
        let second = AVTimedMetadataGroup(items: [items[2]], timeRange: CMTimeRange(start: time(3), end: time(4)))
        let description = try XCTUnwrap(first.copyFormatDescription())
        let input = fixture.system.run {
            AVAssetWriterInput(mediaType: .metadata, outputSettings: nil, sourceFormatHint: description)
        }
        let writing = AVAssetWriterInputMetadataAdaptor(assetWriterInput: input)
        let writer = try fixture.makeWriter("a.mov")
        writer.add(input)
        writer.startWriting()
        writer.startSession(atSourceTime: AssetWriterFixture.start)
        for group in [first, second] { XCTAssertTrue(writing.append(group)) }
        fixture.finish(writer)

        let asset = fixture.system.run { AVURLAsset(url: fixture.url("a.mov")) }
        let reader = try AVAssetReader(asset: asset)
        let output = AVAssetReaderTrackOutput(track: try XCTUnwrap(asset.tracks.first), outputSettings: nil)
        let reading = AVAssetReaderOutputMetadataAdaptor(assetReaderTrackOutput: output)
        reader.add(output)
        reader.startReading()
        let group = try XCTUnwrap(reading.nextTimedMetadataGroup())
        XCTAssertEqual(group.items.map(\.identifier), items.map(\.identifier))
        XCTAssertEqual(group.items.map(\.dataType), items.map(\.dataType))
        XCTAssertEqual(group.items.map(\.stringValue), items.map(\.stringValue))
        XCTAssertEqual(group.items.map(\.numberValue), items.map(\.numberValue))
        XCTAssertEqual(group.items.last?.dataValue, Data([1, 2, 3]))
        XCTAssertEqual(group.timeRange, CMTimeRange(start: .zero, end: CMTime(value: 1, timescale: 2)))
        let last = try XCTUnwrap(reading.nextTimedMetadataGroup())
        XCTAssertEqual(last.items.map(\.numberValue), [-2])
        XCTAssertEqual(last.timeRange.start, CMTime(value: 3, timescale: 2))
        XCTAssertNil(reading.nextTimedMetadataGroup())
        XCTAssertEqual(reader.status, .completed)
        fixture.assertNoMisuse()
    }

    func testOnlyNumbersThatAnIntegerTypeCanRepresentAreWritten() {
        func bytes(_ dataType: UInt32, _ number: NSNumber) -> Data? {
            let key = TimedMetadataFormat.Key(name: "com.example.number", dataType: dataType, localID: 1)
            // The data type of the item has no effect.
            let item = item("number", kCMMetadataBaseDataType_SInt32, number)
            return TimedMetadataFormat(keys: [key]).bytes(of: item, key: key)
        }
        // The well-known types of QTFF: 67 is a signed 32-bit, 74 a signed 64-bit, 75 an unsigned 8-bit and 78 an
        // unsigned 64-bit integer.
        XCTAssertEqual(bytes(67, NSNumber(value: -2)), Data([0xff, 0xff, 0xff, 0xfe]))
        XCTAssertEqual(bytes(67, NSNumber(value: 3.0)), Data([0, 0, 0, 3]))
        XCTAssertNil(bytes(67, NSNumber(value: 3.7)))
        XCTAssertEqual(bytes(75, NSNumber(value: 255)), Data([255]))
        XCTAssertNil(bytes(75, NSNumber(value: 256)))
        XCTAssertEqual(bytes(74, NSNumber(value: Int64.min)), Data([0x80, 0, 0, 0, 0, 0, 0, 0]))
        XCTAssertNil(bytes(74, NSNumber(value: UInt64.max)))
        XCTAssertEqual(bytes(78, NSNumber(value: UInt64.max)), Data(repeating: 0xff, count: 8))
        XCTAssertNil(bytes(78, NSNumber(value: -1)))
    }

    func testSampleReferencesLocateTheDataInTheFile() throws {
        let fixture = try AssetWriterFixture()
        let writer = try fixture.makeWriter("a.mov")
        try fixture.writeMedia(1, writer, video: fixture.makeVideoInput(), audio: fixture.makeAudioInput())
        let asset = fixture.system.run { AVURLAsset(url: fixture.url("a.mov")) }
        let file = try Data(contentsOf: fixture.url("a.mov"))
        for track in asset.tracks {
            let reader = try AVAssetReader(asset: asset)
            let references = AVAssetReaderSampleReferenceOutput(track: track)
            let samples = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
            for output in [references, samples] { reader.add(output) }
            reader.startReading()
            var count = 0
            while let sample = samples.copyNextSampleBuffer() {
                let reference = try XCTUnwrap(references.copyNextSampleBuffer())
                XCTAssertNil(reference.dataBuffer)
                XCTAssertEqual(reference.presentationTimeStamp, sample.presentationTimeStamp)
                XCTAssertEqual(reference.numSamples, sample.numSamples)
                let url = CMGetAttachment(
                    reference, key: kCMSampleBufferAttachmentKey_SampleReferenceURL, attachmentModeOut: nil)
                XCTAssertEqual(url as? URL, fixture.url("a.mov"))
                let offset = CMGetAttachment(
                    reference, key: kCMSampleBufferAttachmentKey_SampleReferenceByteOffset, attachmentModeOut: nil)
                let start = try XCTUnwrap(offset as? NSNumber).intValue
                let bytes = try XCTUnwrap(sample.dataBuffer?.dataBytes())
                XCTAssertEqual(file[start..<start + bytes.count], bytes)
                count += 1
            }
            XCTAssertGreaterThan(count, 10)
            XCTAssertNil(references.copyNextSampleBuffer())
            XCTAssertEqual(reader.status, .completed)
        }
        fixture.assertNoMisuse()
    }

    func testOutputsAndGeneratorsKeepTheirSettings() throws {
        let fixture = try AssetWriterFixture()
        let writer = try fixture.makeWriter("a.mov")
        try fixture.writeMedia(1, writer, video: fixture.makeVideoInput(), audio: fixture.makeAudioInput())
        let asset = fixture.system.run { AVURLAsset(url: fixture.url("a.mov")) }
        let output = AVAssetReaderTrackOutput(track: asset.tracks[0], outputSettings: nil)
        output.audioTimePitchAlgorithm = .varispeed
        XCTAssertEqual(output.audioTimePitchAlgorithm, .varispeed)
        fixture.assertMisuse(.invalidArgument, "must read a metadata track") {
            _ = AVAssetReaderOutputMetadataAdaptor(assetReaderTrackOutput: output)
        }
        let generator = AVAssetImageGenerator(asset: asset)
        XCTAssertEqual(generator.dynamicRangePolicy, .forceSDR)
        generator.dynamicRangePolicy = .matchSource
        XCTAssertEqual(generator.dynamicRangePolicy, .matchSource)
    }

    func testSettingsOfTheWrongTypeSizeOrCombinationAreMisuse() throws {
        let fixture = try AssetWriterFixture()
        let writer = try fixture.makeWriter("a.mov")
        try fixture.writeMedia(0.5, writer, video: fixture.makeVideoInput(), audio: fixture.makeAudioInput())
        let asset = fixture.system.run { AVURLAsset(url: writer.outputURL) }
        let tracks = asset.tracks
        let frames: [([String: Any], String)] = [
            ([kCVPixelBufferPixelFormatTypeKey: "420v"], kCVPixelBufferPixelFormatTypeKey),
            ([kCVPixelBufferPixelFormatTypeKey: [kCVPixelFormatType_32BGRA, "420v"] as [Any]], "420v"),
            ([kCVPixelBufferPixelFormatTypeKey: 1], "no pixel format"),
            ([kCVPixelBufferWidthKey: "320", kCVPixelBufferHeightKey: "240"], kCVPixelBufferWidthKey),
            ([kCVPixelBufferWidthKey: 320], "both required"),
            ([kCVPixelBufferWidthKey: 0, kCVPixelBufferHeightKey: 240], "1.0 to 16384.0"),
            ([kCVPixelBufferWidthKey: 320.5, kCVPixelBufferHeightKey: 240], "must be an integer"),
            ([kCVPixelBufferBytesPerRowAlignmentKey: "64"], kCVPixelBufferBytesPerRowAlignmentKey),
            ([AVVideoScalingModeKey: AVVideoScalingModeResize], AVVideoScalingModeKey),
            (["Format": 1], "no key is supported"),
        ]
        let sound: [([String: Any], String)] = [
            ([:], "AVFormatIDKey is missing"), ([AVFormatIDKey: "lpcm"], AVFormatIDKey),
            ([AVFormatIDKey: kAudioFormatMPEG4AAC], "cannot be compressed"),
            ([AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: "16"], AVLinearPCMBitDepthKey),
            ([AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: 12], "12-bit"),
            ([AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMIsFloatKey: "yes"], AVLinearPCMIsFloatKey),
            ([AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: "48000"], AVSampleRateKey),
            ([AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 44_100.5], "must be an integer"),
            ([AVFormatIDKey: kAudioFormatLinearPCM, AVNumberOfChannelsKey: "2"], AVNumberOfChannelsKey),
            ([AVFormatIDKey: kAudioFormatLinearPCM, AVNumberOfChannelsKey: 9], AVNumberOfChannelsKey),
            ([AVFormatIDKey: kAudioFormatLinearPCM, AVChannelLayoutKey: Data(count: 3)], "3 bytes"),
            (
                [
                    AVFormatIDKey: kAudioFormatLinearPCM, AVNumberOfChannelsKey: 2,
                    AVChannelLayoutKey: Data([0x64, 0, 0x01, 0]) + Data(count: 8),
                ], "AVChannelLayoutKey"
            ),
            (
                [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateConverterAudioQualityKey: 64],
                "AVSampleRateConverterAudioQualityKey"
            ),
        ]
        for (track, cases) in zip(tracks, [frames, sound]) {
            for (settings, text) in cases {
                fixture.assertMisuse(.invalidArgument, text) {
                    _ = AVAssetReaderTrackOutput(track: track, outputSettings: settings)
                }
            }
        }
        for (settings, text) in sound {
            fixture.assertMisuse(.invalidArgument, text) {
                _ = AVAssetReaderAudioMixOutput(audioTracks: [tracks[1]], audioSettings: settings)
            }
        }
        fixture.system.run {
            _ = AVAssetReaderTrackOutput(
                track: tracks[0],
                outputSettings: [kCVPixelBufferPixelFormatTypeKey: [1, kCVPixelFormatType_32BGRA]])
            _ = AVAssetReaderTrackOutput(
                track: tracks[1],
                outputSettings: [
                    AVFormatIDKey: kAudioFormatLinearPCM, AVNumberOfChannelsKey: 2,
                    AVChannelLayoutKey: Data([0x02, 0, 0x65, 0]) + Data(count: 8),
                ])
        }
        fixture.assertNoMisuse()
    }
}
