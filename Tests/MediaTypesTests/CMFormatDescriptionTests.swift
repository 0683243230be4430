import Foundation
import XCTest

@testable import MediaTypes

final class CMFormatDescriptionTests: XCTestCase {
    func testAnImageBuffersDescriptionContainsItsAttachments() throws {
        let buffer = try XCTUnwrap(
            CVPixelBuffer(width: 32, height: 16, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange))
        CVBufferSetAttachment(
            buffer, kCVImageBufferColorPrimariesKey, kCVImageBufferColorPrimaries_ITU_R_709_2, .shouldPropagate)
        var created: CMVideoFormatDescription?
        XCTAssertEqual(
            CMVideoFormatDescriptionCreateForImageBuffer(
                allocator: nil, imageBuffer: buffer, formatDescriptionOut: &created), noErr)
        let description = try XCTUnwrap(created)
        XCTAssertEqual(description.mediaType, .video)
        XCTAssertEqual(description.dimensions.pixelSize, PixelSize(width: 32, height: 16))
        XCTAssertEqual(
            CMFormatDescriptionGetMediaSubType(description), kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
        XCTAssertEqual(
            description.extensions[.colorPrimaries]?.propertyListRepresentation as? String,
            kCMFormatDescriptionColorPrimaries_ITU_R_709_2)
        XCTAssertEqual(description.extensions[.fullRangeVideo]?.propertyListRepresentation as? Bool, true)
        XCTAssertTrue(CMVideoFormatDescriptionMatchesImageBuffer(description, imageBuffer: buffer))
        CVBufferRemoveAllAttachments(buffer)
        XCTAssertFalse(CMVideoFormatDescriptionMatchesImageBuffer(description, imageBuffer: buffer))
    }

    func testIntegersOfExtensionsAreComparedExactly() throws {
        func make(_ number: Any) throws -> CMFormatDescription {
            try CMFormatDescription(
                videoCodecType: .h264, width: 32, height: 16, extensions: .init(base: ["number": number]))
        }
        let large = Int64(1) << 53
        XCTAssertNotEqual(try make(large), try make(large + 1))
        XCTAssertNotEqual(try make(NSNumber(value: large)), try make(NSNumber(value: large + 1)))
        XCTAssertNotEqual(try make(UInt64.max), try make(UInt64.max - 1))
        XCTAssertEqual(try make(large + 1), try make(NSNumber(value: large + 1)))
        XCTAssertEqual(try make(UInt64.max), try make(NSNumber(value: UInt64.max)))
        XCTAssertEqual(try make(2), try make(2.0))
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

    func testParameterSetsAreReadFromTheConfigurationRecord() throws {
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

    func testHEVCParameterSetsAreReadFromTheirArrays() throws {
        var record = Data([1] + [UInt8](repeating: 0, count: 20) + [3, 2])
        record += [0x20, 0, 1, 0, 2, 0x40, 1]
        record += [0x21, 0, 2, 0, 1, 0x42, 0, 1, 0x43]
        let description = try CMFormatDescription(
            videoCodecType: .hevc, width: 32, height: 16,
            extensions: .init([.sampleDescriptionExtensionAtoms: .init(["hvcC": record])]))
        XCTAssertEqual(description.parameterSets, [Data([0x40, 1]), Data([0x42]), Data([0x43])])
    }

    func testAudioKeepsFormatLayoutAndMagicCookie() throws {
        var stream = AudioStreamBasicDescription.linearPCM(sampleRate: 48000, channels: 2)
        XCTAssertEqual(stream.mBytesPerFrame, 4)
        var layout = AudioChannelLayout(tag: kAudioChannelLayoutTag_Stereo)
        let cookie: [UInt8] = [1, 2, 3]
        var created: CMAudioFormatDescription?
        XCTAssertEqual(
            CMAudioFormatDescriptionCreate(
                allocator: nil, asbd: &stream, layoutSize: MemoryLayout<AudioChannelLayout>.size, layout: &layout,
                magicCookieSize: 3, magicCookie: cookie, extensions: nil, formatDescriptionOut: &created), noErr)
        let description = try XCTUnwrap(created)
        let stored = try XCTUnwrap(CMAudioFormatDescriptionGetStreamBasicDescription(description)).pointee
        XCTAssertTrue(stored.isEqual(to: stream), "\(stored)")
        XCTAssertEqual(
            CMAudioFormatDescriptionGetChannelLayout(description, sizeOut: nil)?.pointee.mChannelLayoutTag,
            kAudioChannelLayoutTag_Stereo)
        XCTAssertEqual(description.magicCookie, Data(cookie))
        XCTAssertEqual(description.mediaSubType, .linearPCM)
        XCTAssertEqual(description.dimensions.pixelSize, PixelSize(width: 0, height: 0))
        let other = try CMFormatDescription(audioStreamBasicDescription: stream)
        XCTAssertNotEqual(description, other)
        XCTAssertNil(CMAudioFormatDescriptionGetChannelLayout(other, sizeOut: nil))
        XCTAssertEqual(
            MemoryLayout<AudioStreamBasicDescription>.size, 40, "the size must equal that of Apple's C struct")
    }

    func testPresentationDimensionsFollowApertureAndPixelAspectRatio() throws {
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

    /// Parameter sets of `x264 --profile high` for 1920x1080 and of `x265` for 1280x720, as written by libavcodec.
    private let h264Sets = [
        Data([
            0x67, 0x64, 0x00, 0x28, 0xac, 0xd9, 0x40, 0x78, 0x02, 0x27, 0xe5, 0xc0, 0x44, 0x00, 0x00, 0x03, 0x00, 0x04,
            0x00, 0x00, 0x03, 0x00, 0xf0, 0x3c, 0x60, 0xc6, 0x58,
        ]), Data([0x68, 0xeb, 0xe3, 0xcb, 0x22, 0xc0]),
    ]
    private let hevcSets = [
        Data([
            0x40, 0x01, 0x0c, 0x01, 0xff, 0xff, 0x01, 0x60, 0x00, 0x00, 0x03, 0x00, 0x90, 0x00, 0x00, 0x03, 0x00, 0x00,
            0x03, 0x00, 0x5d, 0x95, 0x98, 0x09,
        ]),
        Data([
            0x42, 0x01, 0x01, 0x01, 0x60, 0x00, 0x00, 0x03, 0x00, 0x90, 0x00, 0x00, 0x03, 0x00, 0x00, 0x03, 0x00, 0x5d,
            0xa0, 0x02, 0x80, 0x80, 0x2d, 0x16, 0x59, 0x59, 0xa4, 0x93, 0x2b, 0xc0, 0x5a, 0x02, 0x00, 0x00, 0x03, 0x00,
            0x02, 0x00, 0x00, 0x03, 0x00, 0x3c, 0x10,
        ]), Data([0x44, 0x01, 0xc1, 0x72, 0xb4, 0x62, 0x40]),
    ]

    func testDimensionsAreReadFromParameterSets() throws {
        let h264 = try CMFormatDescription(h264ParameterSets: h264Sets)
        XCTAssertEqual(h264.dimensions.pixelSize, PixelSize(width: 1920, height: 1080))
        XCTAssertEqual(h264.parameterSets, h264Sets)
        let hevc = try CMFormatDescription(hevcParameterSets: hevcSets)
        XCTAssertEqual(hevc.dimensions.pixelSize, PixelSize(width: 1280, height: 720))
        XCTAssertEqual(hevc.parameterSets, hevcSets)
        var (pointer, size, count, length): (UnsafePointer<UInt8>?, Int, Int, Int32) = (nil, 0, 0, 0)
        XCTAssertEqual(
            CMVideoFormatDescriptionGetH264ParameterSetAtIndex(
                h264, parameterSetIndex: 1, parameterSetPointerOut: &pointer, parameterSetSizeOut: &size,
                parameterSetCountOut: &count, nalUnitHeaderLengthOut: &length), noErr)
        XCTAssertEqual(Data(bytes: try XCTUnwrap(pointer), count: size), h264Sets[1])
        XCTAssertEqual([count, Int(length)], [2, 4])
    }

    func testConfigurationRecordsEqualThoseOfLibavformat() throws {
        func record(_ description: CMFormatDescription, _ name: String) -> Data? {
            let atoms = description.extensions[.sampleDescriptionExtensionAtoms]?.propertyListRepresentation
            return (atoms as? [String: Any])?[name] as? Data
        }
        XCTAssertEqual(
            record(try CMFormatDescription(h264ParameterSets: h264Sets), "avcC"),
            Data([
                0x01, 0x64, 0x00, 0x28, 0xff, 0xe1, 0x00, 0x1b, 0x67, 0x64, 0x00, 0x28, 0xac, 0xd9, 0x40, 0x78, 0x02,
                0x27, 0xe5, 0xc0, 0x44, 0x00, 0x00, 0x03, 0x00, 0x04, 0x00, 0x00, 0x03, 0x00, 0xf0, 0x3c, 0x60, 0xc6,
                0x58, 0x01, 0x00, 0x06, 0x68, 0xeb, 0xe3, 0xcb, 0x22, 0xc0, 0xfd, 0xf8, 0xf8, 0x00,
            ]))
        XCTAssertEqual(
            record(try CMFormatDescription(hevcParameterSets: hevcSets), "hvcC"),
            Data([
                0x01, 0x01, 0x60, 0x00, 0x00, 0x00, 0x90, 0x00, 0x00, 0x00, 0x00, 0x00, 0x5d, 0xf0, 0x00, 0xfc, 0xfd,
                0xf8, 0xf8, 0x00, 0x00, 0x0f, 0x03, 0xa0, 0x00, 0x01, 0x00, 0x18, 0x40, 0x01, 0x0c, 0x01, 0xff, 0xff,
                0x01, 0x60, 0x00, 0x00, 0x03, 0x00, 0x90, 0x00, 0x00, 0x03, 0x00, 0x00, 0x03, 0x00, 0x5d, 0x95, 0x98,
                0x09, 0xa1, 0x00, 0x01, 0x00, 0x2b, 0x42, 0x01, 0x01, 0x01, 0x60, 0x00, 0x00, 0x03, 0x00, 0x90, 0x00,
                0x00, 0x03, 0x00, 0x00, 0x03, 0x00, 0x5d, 0xa0, 0x02, 0x80, 0x80, 0x2d, 0x16, 0x59, 0x59, 0xa4, 0x93,
                0x2b, 0xc0, 0x5a, 0x02, 0x00, 0x00, 0x03, 0x00, 0x02, 0x00, 0x00, 0x03, 0x00, 0x3c, 0x10, 0xa2, 0x00,
                0x01, 0x00, 0x07, 0x44, 0x01, 0xc1, 0x72, 0xb4, 0x62, 0x40,
            ]))
    }

    func testTruncatedParameterSetsAreRejected() {
        for count in 0..<10 {
            XCTAssertThrowsError(try CMFormatDescription(h264ParameterSets: [h264Sets[0].prefix(count), h264Sets[1]]))
            XCTAssertThrowsError(
                try CMFormatDescription(hevcParameterSets: [hevcSets[0], hevcSets[1].prefix(count), hevcSets[2]]))
        }
        XCTAssertThrowsError(try CMFormatDescription(h264ParameterSets: h264Sets, nalUnitHeaderLength: 3))
        XCTAssertThrowsError(try CMFormatDescription(hevcParameterSets: h264Sets))
    }

    func testMoreHEVCParameterSetsThanTheRecordCanCountAreRejected() throws {
        let most = [Data](repeating: hevcSets[2], count: 0xffff)
        XCTAssertEqual(
            try CMFormatDescription(hevcParameterSets: hevcSets.prefix(2) + most).parameterSets.count, 2 + 0xffff)
        XCTAssertThrowsError(try CMFormatDescription(hevcParameterSets: hevcSets + most))
    }

    func testPixelFormatsAreDescribed() throws {
        let planar = try XCTUnwrap(
            CVPixelFormatDescriptionCreateWithPixelFormatType(nil, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange))
        XCTAssertEqual((planar[kCVPixelFormatPlanes] as? [[String: Any]])?.count, 2)
        XCTAssertEqual(planar[kCVPixelFormatComponentRange] as? String, kCVPixelFormatComponentRange_VideoRange)
        let packed = try XCTUnwrap(CVPixelFormatDescriptionCreateWithPixelFormatType(nil, kCVPixelFormatType_24RGB))
        XCTAssertEqual(packed[kCVPixelFormatBitsPerBlock] as? Int, 24)
        XCTAssertNil(CVPixelFormatDescriptionCreateWithPixelFormatType(nil, 7))
    }
}
