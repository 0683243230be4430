import Foundation
import XCTest

@testable import MediaTypes

final class FormatDescriptionDetailsTests: XCTestCase {
    func testATimeCodeDescriptionHasARate() throws {
        var description: CMFormatDescription?
        let duration = CMTime(value: 1001, timescale: 30000)
        XCTAssertEqual(
            CMTimeCodeFormatDescriptionCreate(
                allocator: nil, timeCodeFormatType: kCMTimeCodeFormatType_TimeCode32, frameDuration: duration,
                frameQuanta: 30, flags: kCMTimeCodeFlag_DropFrame, extensions: nil,
                formatDescriptionOut: &description), noErr)
        let timeCode = try XCTUnwrap(description)
        XCTAssertEqual(timeCode.mediaType, .timeCode)
        XCTAssertEqual(CMTimeCodeFormatDescriptionGetFrameDuration(timeCode), duration)
        XCTAssertEqual(CMTimeCodeFormatDescriptionGetFrameQuanta(timeCode), 30)
        XCTAssertEqual(CMTimeCodeFormatDescriptionGetTimeCodeFlags(timeCode), 1)
        XCTAssertEqual(
            CMTimeCodeFormatDescriptionCreate(
                allocator: nil, timeCodeFormatType: kCMTimeCodeFormatType_TimeCode32, frameDuration: .zero,
                frameQuanta: 30, flags: 0, extensions: nil, formatDescriptionOut: &description),
            kCMFormatDescriptionError_InvalidParameter)
    }

    func testATextDescriptionHasABoxAndAStyle() throws {
        var description: CMFormatDescription?
        let style: [String: Any] = [
            kCMTextFormatDescriptionStyle_Font: 3, kCMTextFormatDescriptionStyle_FontFace: 3,
            kCMTextFormatDescriptionStyle_FontSize: 18,
            kCMTextFormatDescriptionStyle_ForegroundColor: [
                kCMTextFormatDescriptionColor_Red: 0.5, kCMTextFormatDescriptionColor_Alpha: 1.0,
            ],
        ]
        let box: [String: Any] = [
            kCMTextFormatDescriptionRect_Top: 10, kCMTextFormatDescriptionRect_Left: 20,
            kCMTextFormatDescriptionRect_Bottom: 40, kCMTextFormatDescriptionRect_Right: 100,
        ]
        CMFormatDescriptionCreate(
            allocator: nil, mediaType: kCMMediaType_Subtitle, mediaSubType: kCMSubtitleFormatType_3GText,
            extensions: [
                kCMTextFormatDescriptionExtension_DefaultTextBox: box,
                kCMTextFormatDescriptionExtension_DefaultStyle: style,
                kCMTextFormatDescriptionExtension_FontTable: ["3": "Sans"],
            ], formatDescriptionOut: &description)
        let text = try XCTUnwrap(description)
        var rect = CGRect.zero
        XCTAssertEqual(
            CMTextFormatDescriptionGetDefaultTextBox(
                text, originIsAtTopLeft: false, heightOfTextTrack: 100, defaultTextBoxOut: &rect), noErr)
        XCTAssertEqual(rect, CGRect(x: 20, y: 60, width: 80, height: 30))
        var (font, size): (UInt16, CGFloat) = (0, 0)
        var (bold, underline): (DarwinBoolean, DarwinBoolean) = (false, true)
        var color = [CGFloat](repeating: -1, count: 4)
        XCTAssertEqual(
            CMTextFormatDescriptionGetDefaultStyle(
                text, localFontIDOut: &font, boldOut: &bold, italicOut: nil, underlineOut: &underline,
                fontSizeOut: &size, colorComponentsOut: &color), noErr)
        XCTAssertEqual([font, UInt16(size)], [3, 18])
        XCTAssertTrue(bold.boolValue && !underline.boolValue)
        XCTAssertEqual(color, [0.5, 0, 0, 1])
        var name: CFString?
        CMTextFormatDescriptionGetFontName(text, localFontID: 3, fontNameOut: &name)
        XCTAssertEqual(name, "Sans")
        var flags: CMTextDisplayFlags = 0
        XCTAssertEqual(
            CMTextFormatDescriptionGetDisplayFlags(text, displayFlagsOut: &flags),
            kCMFormatDescriptionError_ValueNotAvailable)
    }

    func testMetadataDescriptionsAreMerged() throws {
        func description(_ keys: [String]) throws -> CMFormatDescription {
            var result: CMFormatDescription?
            CMMetadataFormatDescriptionCreateWithMetadataSpecifications(
                allocator: nil, metadataType: kCMMetadataFormatType_Boxed,
                metadataSpecifications: keys.map {
                    [
                        kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier: "mdta/\($0)",
                        kCMMetadataFormatDescriptionMetadataSpecificationKey_DataType: kCMMetadataBaseDataType_UTF8,
                    ]
                }, formatDescriptionOut: &result)
            return try XCTUnwrap(result)
        }
        var merged: CMFormatDescription?
        CMMetadataFormatDescriptionCreateByMergingMetadataFormatDescriptions(
            allocator: nil, sourceDescription: try description(["a", "b"]),
            otherSourceDescription: try description(["b", "c"]), formatDescriptionOut: &merged)
        let result = try XCTUnwrap(merged)
        XCTAssertEqual(CMMetadataFormatDescriptionGetIdentifiers(result), ["mdta/a", "mdta/b", "mdta/c"])
        let key = CMMetadataFormatDescriptionGetKeyWithLocalID(result, localKeyID: 3)
        XCTAssertEqual(key?[kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier] as? String, "mdta/c")
        XCTAssertNil(CMMetadataFormatDescriptionGetKeyWithLocalID(result, localKeyID: 0))
    }

    func testMergedMetadataDescriptionsHaveDistinctLocalIDs() throws {
        func description(_ keys: [(String, UInt32)]) throws -> CMFormatDescription {
            var result: CMFormatDescription?
            CMMetadataFormatDescriptionCreateWithKeys(
                allocator: nil, metadataType: kCMMetadataFormatType_Boxed,
                keys: keys.map { name, id in
                    [
                        kCMMetadataFormatDescriptionKey_Namespace: 0x6d64_7461 as UInt32,
                        kCMMetadataFormatDescriptionKey_Value: name, kCMMetadataFormatDescriptionKey_LocalID: id,
                    ] as [String: Any]
                }, formatDescriptionOut: &result)
            return try XCTUnwrap(result)
        }
        var merged: CMFormatDescription?
        CMMetadataFormatDescriptionCreateByMergingMetadataFormatDescriptions(
            allocator: nil, sourceDescription: try description([("a", 1), ("b", 4)]),
            otherSourceDescription: try description([("b", 1), ("c", 4), ("d", 2)]), formatDescriptionOut: &merged)
        let result = try XCTUnwrap(merged)
        // The keys of the first description keep their IDs; the others get the lowest free IDs.
        let identifiers = (1...5).map { id in
            CMMetadataFormatDescriptionGetKeyWithLocalID(result, localKeyID: id)?[
                kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier] as? String
        }
        XCTAssertEqual(identifiers, ["mdta/a", "mdta/c", "mdta/d", "mdta/b", nil])
    }

    func testAudioDescriptionsAreComparedByParts() throws {
        var stream = AudioStreamBasicDescription()
        stream.mFormatID = kAudioFormatLinearPCM
        let first = try CMFormatDescription(audioStreamBasicDescription: stream, magicCookie: Data([1]))
        let second = try CMFormatDescription(audioStreamBasicDescription: stream, magicCookie: Data([2]))
        var equal: CMAudioFormatDescriptionMask = 0
        XCTAssertFalse(
            CMAudioFormatDescriptionEqual(
                first, otherFormatDescription: second, equalityMask: kCMAudioFormatDescriptionMask_All,
                equalityMaskOut: &equal))
        XCTAssertEqual(equal, kCMAudioFormatDescriptionMask_All & ~kCMAudioFormatDescriptionMask_MagicCookie)
        XCTAssertTrue(
            CMAudioFormatDescriptionEqual(
                first, otherFormatDescription: second, equalityMask: equal, equalityMaskOut: nil))
    }

    func testColorsHaveCodePoints() {
        XCTAssertEqual(CVColorPrimariesGetIntegerCodePointForString(kCVImageBufferColorPrimaries_P3_D65), 12)
        XCTAssertEqual(CVYCbCrMatrixGetIntegerCodePointForString("unknown"), 2)
        XCTAssertEqual(
            CVTransferFunctionGetStringForIntegerCodePoint(16), kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ)
        XCTAssertNil(CVYCbCrMatrixGetStringForIntegerCodePoint(2))
        XCTAssertEqual(CVColorPrimariesGetStringForIntegerCodePoint(8), "ColorPrimaries#8")
        XCTAssertEqual(CVColorPrimariesGetIntegerCodePointForString("ColorPrimaries#8"), 8)
        XCTAssertEqual(CVTransferFunctionGetIntegerCodePointForString("ColorPrimaries#8"), 2)
    }

    func testAttributesAreResolved() {
        let (first, second): (CFDictionary, CFDictionary) = (
            [
                kCVPixelBufferPixelFormatTypeKey: [kCVPixelFormatType_32BGRA, kCVPixelFormatType_24RGB],
                kCVPixelBufferExtendedPixelsLeftKey: 2, kCVPixelBufferWidthKey: 8,
            ],
            [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA, kCVPixelBufferExtendedPixelsLeftKey: 4]
        )
        var result: CFDictionary?
        XCTAssertEqual(
            CVPixelBufferCreateResolvedAttributesDictionary(nil, [first, second], &result), kCVReturnSuccess)
        XCTAssertEqual(result?[kCVPixelBufferPixelFormatTypeKey] as? OSType, kCVPixelFormatType_32BGRA)
        XCTAssertEqual(result?[kCVPixelBufferExtendedPixelsLeftKey] as? Int, 4)
        XCTAssertEqual(result?[kCVPixelBufferWidthKey] as? Int, 8)
        XCTAssertEqual(
            CVPixelBufferCreateResolvedAttributesDictionary(nil, [first, [kCVPixelBufferWidthKey: 9]], &result),
            kCVReturnInvalidPixelBufferAttributes)
    }

    func testPixelsAroundTheImageRepeatItsEdges() throws {
        var buffer: CVPixelBuffer?
        let attributes: CFDictionary = [
            kCVPixelBufferExtendedPixelsLeftKey: 2, kCVPixelBufferExtendedPixelsTopKey: 2,
            kCVPixelBufferExtendedPixelsRightKey: 2, kCVPixelBufferExtendedPixelsBottomKey: 2,
        ]
        CVPixelBufferCreate(nil, 2, 2, kCVPixelFormatType_OneComponent8, attributes, &buffer)
        let pixels = try XCTUnwrap(buffer)
        CVPixelBufferLockBaseAddress(pixels, [])
        defer { CVPixelBufferUnlockBaseAddress(pixels, []) }
        let base = try XCTUnwrap(CVPixelBufferGetBaseAddress(pixels))
        let stride = CVPixelBufferGetBytesPerRow(pixels)
        for (index, value) in [1, 2, 3, 4].enumerated() {
            base.storeBytes(of: UInt8(value), toByteOffset: index / 2 * stride + index % 2, as: UInt8.self)
        }
        XCTAssertEqual(CVPixelBufferFillExtendedPixels(pixels), kCVReturnSuccess)
        let rows = (-2..<4).map { y in
            (-2..<4).map { x in base.load(fromByteOffset: y * stride + x, as: UInt8.self) }
        }
        let (upper, lower): ([UInt8], [UInt8]) = ([1, 1, 1, 2, 2, 2], [3, 3, 3, 4, 4, 4])
        XCTAssertEqual(rows, [upper, upper, upper, lower, lower, lower])
    }
}
