import Foundation
import MediaTypes
import XCTest

@testable import ImageTypes

final class UIImageTests: XCTestCase {
    /// Creates an image of 16x8 pixels: red on the left, blue on the right, with a white top row.
    private func makePixelBuffer() throws -> CVPixelBuffer {
        let pixels = try XCTUnwrap(CVPixelBuffer(width: 16, height: 8, pixelFormat: kCVPixelFormatType_32BGRA))
        pixels.withPlane(0) { plane in
            for y in 0..<8 {
                for x in 0..<16 {
                    let pixel = y == 0 ? [255, 255, 255, 255] : x < 8 ? [0, 0, 255, 255] : [255, 0, 0, 255]
                    let target = plane.baseAddress + y * plane.bytesPerRow + 4 * x
                    for (index, value) in pixel.enumerated() {
                        target.storeBytes(of: UInt8(value), toByteOffset: index, as: UInt8.self)
                    }
                }
            }
        }
        return pixels
    }

    /// Returns the B, G and R values of a pixel.
    private func color(_ image: CGImage?, _ x: Int, _ y: Int) -> [UInt8]? {
        guard let image, let data = image.dataProvider?.data else { return nil }
        let start = y * image.bytesPerRow + 4 * x
        return [UInt8](data[start..<start + 3])
    }

    func testAnImageOfCoreImageHasItsPixels() throws {
        let source = CIImage(cvPixelBuffer: try makePixelBuffer()).cropped(to: CGRect(x: 0, y: 0, width: 8, height: 4))
        let image = UIImage(ciImage: source, scale: 2, orientation: .right)
        XCTAssertTrue(image.ciImage === source)
        XCTAssertNil(image.cgImage)
        XCTAssertEqual(image.size, CGSize(width: 2, height: 4))
        let decoded = try XCTUnwrap(image.pngData().flatMap { UIImage(data: $0) })
        XCTAssertEqual(decoded.size, CGSize(width: 4, height: 8))
        XCTAssertEqual(color(decoded.cgImage, 2, 2), [0, 0, 255])
        XCTAssertEqual(UIImage(data: try XCTUnwrap(image.jpegData(compressionQuality: 1)))?.imageOrientation, .right)
        XCTAssertEqual(CIImage(image: image)?.extent.size, CGSize(width: 8, height: 4))
        XCTAssertTrue(image.withRenderingMode(.alwaysTemplate).ciImage === source)
        XCTAssertNil(UIImage(cgImage: CGImage(pixelBuffer: try makePixelBuffer())).ciImage)
        XCTAssertNil(UIImage().ciImage)
    }

    func testPNGDataIsUpright() throws {
        let image = UIImage(cgImage: CGImage(pixelBuffer: try makePixelBuffer()), scale: 2, orientation: .right)
        XCTAssertEqual(image.size, CGSize(width: 4, height: 8))
        let decoded = try XCTUnwrap(image.pngData().flatMap { UIImage(data: $0) })
        XCTAssertEqual(decoded.size, CGSize(width: 8, height: 16))
        XCTAssertEqual(decoded.imageOrientation, .up)
        // Rotated clockwise, the left half is at the top and the top row on the right.
        XCTAssertEqual(color(decoded.cgImage, 2, 2), [0, 0, 255])
        XCTAssertEqual(color(decoded.cgImage, 2, 14), [255, 0, 0])
        XCTAssertEqual(color(decoded.cgImage, 7, 5), [255, 255, 255])
    }

    func testJPEGDataKeepsTheOrientation() throws {
        let image = UIImage(
            cgImage: CGImage(pixelBuffer: try makePixelBuffer()), scale: 1, orientation: .leftMirrored)
        let decoded = try XCTUnwrap(image.jpegData(compressionQuality: 0.9).flatMap { UIImage(data: $0, scale: 2) })
        XCTAssertEqual(decoded.imageOrientation, .leftMirrored)
        XCTAssertEqual(decoded.cgImage?.width, 16)
        XCTAssertEqual(decoded.size, CGSize(width: 4, height: 8))
        let red = try XCTUnwrap(color(decoded.cgImage, 3, 5))
        XCTAssertGreaterThan(red[2], 180)
        XCTAssertNotNil(image.jpegData(compressionQuality: -3))
        XCTAssertNotNil(image.jpegData(compressionQuality: 7))
    }

    func testTheOrientationOfAPNGFileIsRead() throws {
        // A red and a blue pixel side by side; the EXIF orientation displays them one below the other.
        let file = Data(
            base64Encoded: """
                iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAAGmVYSWZNTQAqAAAACAABARIAAwAA
                AAEABgAAAAAAANZnS2kAAAANSURBVHjaY/jPAAT/AQcAAf89fYxJAAAAAElFTkSuQmCC
                """, options: .ignoreUnknownCharacters)
        let image = try XCTUnwrap(UIImage(data: try XCTUnwrap(file)))
        XCTAssertEqual(image.imageOrientation, .right)
        XCTAssertEqual(image.size, CGSize(width: 1, height: 2))
        XCTAssertEqual(color(image.cgImage, 0, 0), [0, 0, 255])
        XCTAssertEqual(color(image.cgImage, 1, 0), [255, 0, 0])
    }

    func testImagesAreDecodedFromTheDataOfFiles() throws {
        let image = UIImage(
            cgImage: CGImage(pixelBuffer: try makePixelBuffer()), scale: 1, orientation: .leftMirrored)
        let jpeg = try XCTUnwrap(CGDataProvider(data: try XCTUnwrap(image.jpegData(compressionQuality: 0.9))))
        let png = try XCTUnwrap(CGDataProvider(data: try XCTUnwrap(image.pngData())))
        func decodeJPEG(_ source: CGDataProvider) -> CGImage? {
            CGImage(jpegDataProviderSource: source, decode: nil, shouldInterpolate: true, intent: .defaultIntent)
        }
        func decodePNG(_ source: CGDataProvider) -> CGImage? {
            CGImage(pngDataProviderSource: source, decode: nil, shouldInterpolate: true, intent: .defaultIntent)
        }
        // The pixels of a JPEG file are not rotated; those of a PNG file are upright.
        XCTAssertEqual(decodeJPEG(jpeg)?.width, 16)
        XCTAssertEqual(decodePNG(png)?.width, 8)
        XCTAssertNil(decodeJPEG(png))
        XCTAssertNil(decodePNG(jpeg))
    }

    func testAPNGFileKeepsAlpha() throws {
        let pixels = try makePixelBuffer()
        pixels.withPlane(0) { plane in
            // Half transparent red, multiplied by alpha.
            for (index, value) in [UInt8(0), 0, 128, 128].enumerated() {
                plane.baseAddress.storeBytes(
                    of: value, toByteOffset: 3 * plane.bytesPerRow + 4 * 2 + index, as: UInt8.self)
            }
        }
        for orientation in [UIImage.Orientation.up, .right] {
            let image = UIImage(
                cgImage: CGImage(pixelBuffer: pixels, hasAlpha: true), scale: 1, orientation: orientation)
            let decoded = try XCTUnwrap(UIImage(data: try XCTUnwrap(image.pngData()))?.cgImage)
            XCTAssertEqual(decoded.alphaInfo, .premultipliedFirst)
            let (x, y) = orientation == .up ? (2, 3) : (8 - 1 - 3, 2)
            let data = try XCTUnwrap(decoded.dataProvider?.data)
            let start = y * decoded.bytesPerRow + 4 * x
            XCTAssertEqual([UInt8](data[start..<start + 4]), [0, 0, 128, 128])
            XCTAssertEqual(color(decoded, 0, orientation == .up ? 3 : 0), [0, 0, 255])
        }
        let opaque = UIImage(cgImage: CGImage(pixelBuffer: try makePixelBuffer()))
        let decoded = try XCTUnwrap(UIImage(data: try XCTUnwrap(opaque.pngData()))?.cgImage)
        XCTAssertEqual(decoded.alphaInfo, .noneSkipFirst)
        XCTAssertEqual(decoded.colorSpace?.name, CGColorSpace.sRGB)
    }

    func testAnEmptyImageHasNoSize() {
        XCTAssertNil(UIImage().cgImage)
        XCTAssertEqual(UIImage().size, .zero)
        XCTAssertNil(UIImage().pngData())
    }

    func testInvalidDataIsNotDecoded() {
        XCTAssertNil(UIImage(data: Data()))
        XCTAssertNil(UIImage(data: Data([0x89, 0x50, 0x4e, 0x47, 1, 2, 3])))
        XCTAssertNil(UIImage(contentsOfFile: "/nowhere.jpg"))
        XCTAssertNil(CIImage(data: Data("text".utf8)))
    }

    func testCoreImageCropsWithYPointingUp() throws {
        let image = CIImage(cvPixelBuffer: try makePixelBuffer())
        XCTAssertEqual(image.extent, CGRect(x: 0, y: 0, width: 16, height: 8))
        let cropped = image.cropped(to: CGRect(x: 0, y: 6, width: 4, height: 10))
        XCTAssertEqual(cropped.extent, CGRect(x: 0, y: 6, width: 4, height: 2))
        let context = CIContext()
        let croppedImage = context.createCGImage(cropped, from: cropped.extent)
        XCTAssertEqual(croppedImage?.width, 4)
        XCTAssertEqual(color(croppedImage, 1, 0), [255, 255, 255])
        XCTAssertEqual(color(croppedImage, 1, 1), [0, 0, 255])
        XCTAssertNil(context.createCGImage(cropped, from: CGRect(x: 100, y: 0, width: 4, height: 4)))
        let rotated = image.oriented(.right)
        XCTAssertEqual(rotated.extent.size, CGSize(width: 8, height: 16))
        let target = try XCTUnwrap(CVPixelBuffer(width: 8, height: 16, pixelFormat: kCVPixelFormatType_32BGRA))
        context.render(rotated, to: target)
        XCTAssertEqual(color(CGImage(pixelBuffer: target), 2, 2), [0, 0, 255])
    }
}
