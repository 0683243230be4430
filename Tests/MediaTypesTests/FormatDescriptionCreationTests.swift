import Foundation
import MediaTypes
import XCTest

final class FormatDescriptionCreationTests: XCTestCase {
    private func audio(rate: Double, channels: UInt32) throws -> CMFormatDescription {
        try CMFormatDescription(
            audioStreamBasicDescription: AudioStreamBasicDescription(
                mSampleRate: rate, mFormatID: kAudioFormatMPEG4AAC, mFormatFlags: 0, mBytesPerPacket: 0,
                mFramesPerPacket: 1024, mBytesPerFrame: 0, mChannelsPerFrame: channels, mBitsPerChannel: 0,
                mReserved: 0),
            layout: AudioChannelLayout(
                mChannelLayoutTag: channels == 2 ? kAudioChannelLayoutTag_Stereo : kAudioChannelLayoutTag_Mono,
                mChannelBitmap: [], mNumberChannelDescriptions: 0, mChannelDescriptions: AudioChannelDescription()))
    }

    private func summary(_ descriptions: [Any]) -> (status: OSStatus, summary: CMFormatDescription?) {
        var result: CMFormatDescription?
        let status = CMAudioFormatDescriptionCreateSummary(
            allocator: nil, formatDescriptionArray: descriptions, flags: 0, formatDescriptionOut: &result)
        return (status, result)
    }

    func testASummaryOfAudioHasTheHighestRateAndChannelCount() throws {
        let result = summary([try audio(rate: 96000, channels: 1), try audio(rate: 44100, channels: 2)])
        XCTAssertEqual(result.status, noErr)
        let stream = try XCTUnwrap(result.summary?.audioStreamBasicDescription)
        XCTAssertEqual(stream.mFormatID, kAudioFormatLinearPCM)
        XCTAssertEqual(stream.mSampleRate, 96000)
        XCTAssertEqual(stream.mChannelsPerFrame, 2)
        XCTAssertEqual(stream.mBytesPerFrame, 8)
        XCTAssertEqual(result.summary?.audioChannelLayout?.mChannelLayoutTag, kAudioChannelLayoutTag_Stereo)
    }

    func testASummaryRequiresAudioDescriptionsOnly() throws {
        let video = try CMFormatDescription(videoCodecType: .h264, width: 2, height: 2)
        for descriptions in [[], [video], [try audio(rate: 48000, channels: 1), video]] as [[Any]] {
            XCTAssertEqual(summary(descriptions).status, kCMFormatDescriptionError_InvalidParameter)
        }
    }

    private func tagCollections(_ entries: [CFString: Any], _ codec: CMVideoCodecType = kCMVideoCodecType_HEVC) throws
        -> [[CMTag]]?
    {
        var description: CMFormatDescription?
        CMVideoFormatDescriptionCreate(
            allocator: nil, codecType: codec, width: 64, height: 64, extensions: entries,
            formatDescriptionOut: &description)
        return try XCTUnwrap(description).tagCollections
    }

    func testTheLayersOfStereoVideoHaveTags() throws {
        let eyes: [CFString: Any] = [
            kCMFormatDescriptionExtension_HasLeftStereoEyeView: true,
            kCMFormatDescriptionExtension_HasRightStereoEyeView: true,
        ]
        XCTAssertEqual(
            try tagCollections(eyes),
            [[.videoLayerID(0), .stereoView(.leftEye)], [.videoLayerID(1), .stereoView(.rightEye)]])
        let hero = [kCMFormatDescriptionExtension_HeroEye: kCMFormatDescriptionHeroEye_Right]
        XCTAssertEqual(
            try tagCollections(eyes.merging(hero) { $1 }),
            [[.videoLayerID(0), .stereoView(.rightEye)], [.videoLayerID(1), .stereoView(.leftEye)]])
        XCTAssertNil(try tagCollections(eyes, kCMVideoCodecType_H264))
        XCTAssertNil(try tagCollections([kCMFormatDescriptionExtension_HasLeftStereoEyeView: true]))
    }

    private func metadata(_ keys: [Any]?, type: CMMetadataFormatType = kCMMetadataFormatType_Boxed) -> (
        status: OSStatus, description: CMFormatDescription?
    ) {
        var result: CMFormatDescription?
        let status = CMMetadataFormatDescriptionCreateWithKeys(
            allocator: nil, metadataType: type, keys: keys, formatDescriptionOut: &result)
        return (status, result)
    }

    private func key(_ entries: [CFString: Any]) -> [CFString: Any] {
        let key: [CFString: Any] = [
            kCMMetadataFormatDescriptionKey_Namespace: 0x6D64_7461 as UInt32,
            kCMMetadataFormatDescriptionKey_Value: Data("com.example.key".utf8),
            kCMMetadataFormatDescriptionKey_LocalID: 7 as UInt32,
        ]
        return key.merging(entries) { $1 }
    }

    func testMetadataKeysHaveIdentifiersTypesAndLocalIDs() throws {
        let second = key([
            kCMMetadataFormatDescriptionKey_LocalID: NSNumber(value: 9),
            kCMMetadataFormatDescriptionKey_Value: "com.example.other",
            kCMMetadataFormatDescriptionKey_DataType: Data([0, 0, 0, 67]),
            kCMMetadataFormatDescriptionKey_DataTypeNamespace: 0,
        ])
        let named = key([
            kCMMetadataFormatDescriptionKey_LocalID: 1,
            kCMMetadataFormatDescriptionKey_DataType: Data(kCMMetadataBaseDataType_UTF8.utf8),
            kCMMetadataFormatDescriptionKey_DataTypeNamespace: 1,
        ])
        let (status, created) = metadata([key([:]), second, named])
        XCTAssertEqual(status, noErr)
        let description = try XCTUnwrap(created)
        XCTAssertEqual(
            CMMetadataFormatDescriptionGetIdentifiers(description),
            ["mdta/com.example.key", "mdta/com.example.other", "mdta/com.example.key"])
        let types = [7, 9, 1, 2].map {
            CMMetadataFormatDescriptionGetKeyWithLocalID(description, localKeyID: $0)?[
                kCMMetadataFormatDescriptionMetadataSpecificationKey_DataType] as? String
        }
        XCTAssertEqual(
            types,
            [kCMMetadataBaseDataType_RawData, kCMMetadataBaseDataType_SInt32, kCMMetadataBaseDataType_UTF8, nil])
    }

    func testInvalidMetadataKeysAreRejected() {
        let invalidKeys: [[Any]?] = [
            nil, [], ["key"], [key([:]), key([:])], [key([kCMMetadataFormatDescriptionKey_Value: 5])],
            [key([kCMMetadataFormatDescriptionKey_DataType: Data([0, 0, 1, 0])])],
            [key([kCMMetadataFormatDescriptionKey_Namespace: "mdta"])],
        ]
        for keys in invalidKeys {
            XCTAssertEqual(metadata(keys).status, kCMFormatDescriptionError_InvalidParameter, "\(keys ?? [])")
        }
        XCTAssertEqual(metadata(nil, type: kCMMetadataFormatType_ICY).status, noErr)
    }
}
