import Foundation
import MediaCodecs
import MediaTypes
import XCTest

@testable import ImageIO

/// Tests the auxiliary images of files.
final class AuxiliaryDataTests: XCTestCase {
    private func gray() throws -> CVPixelBuffer {
        let gray = try XCTUnwrap(
            CVPixelBuffer(width: 40, height: 30, pixelFormat: kCVPixelFormatType_OneComponent8))
        gray.withPlane(0) { plane in
            for row in 0..<30 { memset(plane.baseAddress + row * plane.bytesPerRow, Int32(row * 8), 40) }
        }
        return gray
    }

    private func xmp(_ type: String) -> Data {
        var writer = XMPWriter(namespaces: [
            ("apdi", "http://ns.apple.com/pixeldatainfo/1.0/"), ("depthData", "http://ns.apple.com/depthData/1.0/"),
        ])
        let properties = [
            ("apdi:AuxiliaryImageType", type), ("apdi:NativeFormat", "\(kCVPixelFormatType_DisparityFloat32)"),
            ("apdi:FloatMinValue", "0.5"), ("apdi:FloatMaxValue", "3.05"), ("depthData:Accuracy", "absolute"),
        ]
        for (name, value) in properties { writer.add(name, value) }
        return Data(writer.text.utf8)
    }

    private func jpeg() throws -> Data {
        let pixels = try XCTUnwrap(CVPixelBuffer(width: 64, height: 48, pixelFormat: kCVPixelFormatType_32BGRA))
        var photo = try JPEGPhoto(JPEGCodec().encode(pixels))
        try photo.add(gray(), xmp: xmp("disparity"))
        return photo.fileData
    }

    private func heif() throws -> Data {
        let pixels = try XCTUnwrap(CVPixelBuffer(width: 64, height: 48, pixelFormat: kCVPixelFormatType_32BGRA))
        var photo = HEIFPhoto(try HEIFPicture(encoding: pixels, quality: 0.5))
        let map = try HEIFPicture(encoding: gray(), quality: 1)
        photo.auxiliaryImages = [
            HEIFPhoto.AuxiliaryImage(kind: .depth, picture: map, xmp: xmp("disparity")),
            HEIFPhoto.AuxiliaryImage(kind: .hairMatte, picture: map, xmp: nil),
        ]
        return try photo.fileData()
    }

    private func information(_ file: Data, _ type: CFString) throws -> [String: Any]? {
        let source = try XCTUnwrap(CGImageSourceCreateWithData(file, nil))
        XCTAssertNil(CGImageSourceCopyAuxiliaryDataInfoAtIndex(source, 1, type))
        return CGImageSourceCopyAuxiliaryDataInfoAtIndex(source, 0, type)
    }

    func testADisparityMapHasTheNativeFormatOfTheFile() throws {
        for file in [try jpeg(), try heif()] {
            let found = try XCTUnwrap(information(file, kCGImageAuxiliaryDataTypeDisparity))
            let description = found[kCGImageAuxiliaryDataInfoDataDescription] as? [String: Int]
            XCTAssertEqual(
                description,
                [
                    "Width": 40, "Height": 30, "BytesPerRow": 160,
                    "PixelFormat": Int(kCVPixelFormatType_DisparityFloat32),
                ])
            let data = try XCTUnwrap(found[kCGImageAuxiliaryDataInfoData] as? Data)
            XCTAssertEqual(data.count, 160 * 30)
            for row in [2, 15, 28] {
                let value = data.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: row * 160 + 80, as: Float.self) }
                XCTAssertEqual(value, 0.5 + Float(row) * 0.08, accuracy: 0.05)
            }
            let metadata = found[kCGImageAuxiliaryDataInfoMetadata] as? [String: Any]
            XCTAssertEqual(metadata?["depthData:Accuracy"] as? String, "absolute")
            XCTAssertNil(try information(file, kCGImageAuxiliaryDataTypeDepth))
            XCTAssertNil(try information(file, kCGImageAuxiliaryDataTypePortraitEffectsMatte))
            XCTAssertNil(try information(file, "unknown"))
        }
    }

    func testAMatteHasOneBytePerPixel() throws {
        let found = try XCTUnwrap(information(heif(), kCGImageAuxiliaryDataTypeSemanticSegmentationHairMatte))
        let data = try XCTUnwrap(found[kCGImageAuxiliaryDataInfoData] as? Data)
        XCTAssertEqual(data.count, 40 * 30)
        XCTAssertEqual(Int(data[15 * 40 + 20]), 120, accuracy: 5)
        XCTAssertNil(try information(jpeg(), kCGImageAuxiliaryDataTypeSemanticSegmentationHairMatte))
    }
}
