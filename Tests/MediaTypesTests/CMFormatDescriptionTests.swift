import Foundation
import XCTest

@testable import MediaTypes

final class CMFormatDescriptionTests: XCTestCase {
    func testAPicturesDescriptionTakesItsTags() throws {
        let picture = try XCTUnwrap(
            CVPixelBuffer(width: 32, height: 16, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange))
        CVBufferSetAttachment(
            picture, kCVImageBufferColorPrimariesKey, kCVImageBufferColorPrimaries_ITU_R_709_2, .shouldPropagate)
        var made: CMVideoFormatDescription?
        XCTAssertEqual(
            CMVideoFormatDescriptionCreateForImageBuffer(
                allocator: nil, imageBuffer: picture, formatDescriptionOut: &made), noErr)
        let description = try XCTUnwrap(made)
        XCTAssertEqual(description.mediaType, .video)
        XCTAssertEqual(description.dimensions, CMVideoDimensions(width: 32, height: 16))
        XCTAssertEqual(
            CMFormatDescriptionGetMediaSubType(description), kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
        XCTAssertEqual(
            description.extensions[.colorPrimaries]?.propertyListRepresentation as? String,
            kCMFormatDescriptionColorPrimaries_ITU_R_709_2)
        XCTAssertEqual(description.extensions[.fullRangeVideo]?.propertyListRepresentation as? Bool, true)
        XCTAssertTrue(CMVideoFormatDescriptionMatchesImageBuffer(description, imageBuffer: picture))
        CVBufferRemoveAllAttachments(picture)
        XCTAssertFalse(CMVideoFormatDescriptionMatchesImageBuffer(description, imageBuffer: picture))
    }

    func testEqualityIsByValue() throws {
        func make(_ width: Int, _ name: String) throws -> CMFormatDescription {
            try CMFormatDescription(
                videoCodecType: .h264, width: width, height: 16, extensions: .init([.formatName: .init(name)]))
        }
        XCTAssertEqual(try make(32, "a"), try make(32, "a"))
        XCTAssertNotEqual(try make(32, "a"), try make(48, "a"))
        XCTAssertNotEqual(try make(32, "a"), try make(32, "b"))
        XCTAssertTrue(
            CMFormatDescriptionEqualIgnoringExtensionKeys(
                try make(32, "a"), otherFormatDescription: try make(32, "b"),
                extensionKeysToIgnore: [kCMFormatDescriptionExtension_FormatName],
                sampleDescriptionExtensionAtomKeysToIgnore: nil))
        XCTAssertTrue(CMFormatDescriptionEqual(nil, otherFormatDescription: nil))
        XCTAssertThrowsError(try make(0, "a"))
    }

    func testParameterSetsComeFromTheConfigurationRecord() throws {
        let record = Data([1, 0x64, 0, 0x1f, 0xff, 0xe1, 0, 3, 0x67, 1, 2, 1, 0, 2, 0x68, 5])
        func make(_ record: Data) throws -> CMFormatDescription {
            try CMFormatDescription(
                videoCodecType: .h264, width: 32, height: 16,
                extensions: .init([.sampleDescriptionExtensionAtoms: .init(["avcC": record])]))
        }
        let description = try make(record)
        XCTAssertEqual(description.parameterSets, [Data([0x67, 1, 2]), Data([0x68, 5])])
        XCTAssertEqual(description.nalUnitHeaderLength, 4)
        for count in record.indices { XCTAssertEqual(try make(record.prefix(count)).parameterSets, []) }
    }

    func testHEVCParameterSetsComeFromTheirArrays() throws {
        var record = Data([1] + [UInt8](repeating: 0, count: 20) + [3, 2])
        record += [0x20, 0, 1, 0, 2, 0x40, 1]
        record += [0x21, 0, 2, 0, 1, 0x42, 0, 1, 0x43]
        let description = try CMFormatDescription(
            videoCodecType: .hevc, width: 32, height: 16,
            extensions: .init([.sampleDescriptionExtensionAtoms: .init(["hvcC": record])]))
        XCTAssertEqual(description.parameterSets, [Data([0x40, 1]), Data([0x42]), Data([0x43])])
    }

    func testSoundKeepsStreamLayoutAndCookie() throws {
        var stream = AudioStreamBasicDescription.linearPCM(sampleRate: 48000, channels: 2)
        XCTAssertEqual(stream.mBytesPerFrame, 4)
        var layout = AudioChannelLayout(tag: kAudioChannelLayoutTag_Stereo)
        let cookie: [UInt8] = [1, 2, 3]
        var made: CMAudioFormatDescription?
        XCTAssertEqual(
            CMAudioFormatDescriptionCreate(
                allocator: nil, asbd: &stream, layoutSize: MemoryLayout<AudioChannelLayout>.size, layout: &layout,
                magicCookieSize: 3, magicCookie: cookie, extensions: nil, formatDescriptionOut: &made), noErr)
        let description = try XCTUnwrap(made)
        XCTAssertEqual(CMAudioFormatDescriptionGetStreamBasicDescription(description)?.pointee, stream)
        XCTAssertEqual(
            CMAudioFormatDescriptionGetChannelLayout(description, sizeOut: nil)?.pointee.mChannelLayoutTag,
            kAudioChannelLayoutTag_Stereo)
        XCTAssertEqual(description.magicCookie, Data(cookie))
        XCTAssertEqual(description.mediaSubType, .linearPCM)
        XCTAssertEqual(description.dimensions, CMVideoDimensions())
        let other = try CMFormatDescription(audioStreamBasicDescription: stream)
        XCTAssertNotEqual(description, other)
        XCTAssertNil(CMAudioFormatDescriptionGetChannelLayout(other, sizeOut: nil))
        XCTAssertEqual(
            MemoryLayout<AudioStreamBasicDescription>.size, 40, "the layout is that of Apple's C struct")
    }

    func testApertureAndPixelShape() throws {
        let description = try CMFormatDescription(
            videoCodecType: .h264, width: 720, height: 480,
            extensions: .init([
                .cleanAperture: .init(["Width": 704, "Height": 470, "VerticalOffset": 5] as [String: Any]),
                .pixelAspectRatio: .init(["HorizontalSpacing": 10, "VerticalSpacing": 11]),
            ]))
        XCTAssertEqual(description.presentationDimensions(), CGSize(width: 640, height: 470))
        XCTAssertEqual(description.cleanAperture().minY, 10)
        XCTAssertEqual(description.cleanAperture(originIsAtTopLeft: false).minY, 0)
    }
}
