import MediaTypes
import XCTest

@testable import PixelKernels

final class PixelConverterGeometryTests: XCTestCase {
    private let converter = PixelConverter()
    private let matrix = kCVImageBufferYCbCrMatrix_ITU_R_601_4
    private let formats = [
        kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8Planar, kCVPixelFormatType_32BGRA,
        kCVPixelFormatType_24RGB, kCVPixelFormatType_422YpCbCr8,
    ]

    private func convert(
        _ image: ReferenceImage, _ from: OSType, to: OSType, _ width: Int, _ height: Int,
        _ transform: PixelTransform
    ) throws -> ReferenceImage {
        let source = try ReferenceBuffer.make(image.width, image.height, from, matrix: matrix)
        try ReferenceBuffer.write(image, to: source, matrix: matrix)
        let target = try ReferenceBuffer.make(width, height, to, matrix: matrix)
        try converter.convert(source, to: target, transform)
        return try ReferenceBuffer.read(target, matrix: matrix)
    }

    func testRotationAndMirroringPlaceEveryPixelCorrectly() throws {
        let image = ReferenceImage.squares(width: 24, height: 14, seed: 1)
        for from in formats {
            for to in formats {
                for rotation in PixelRotation.allCases {
                    for isMirrored in [false, true] {
                        let transform = PixelTransform(rotation: rotation, isMirrored: isMirrored)
                        let size = transform.naturalSize(width: 24, height: 14)
                        let result = try convert(image, from, to: to, size.width, size.height, transform)
                        let expected = image.rotated(rotation.rawValue, isMirrored: isMirrored)
                        XCTAssertLessThanOrEqual(
                            result.distance(to: expected), 5,
                            "\(fourCharacterText(from)) to \(fourCharacterText(to)), \(rotation), \(isMirrored)")
                    }
                }
            }
        }
    }

    func testACropContainsOnlyItsPart() throws {
        let image = ReferenceImage.squares(width: 24, height: 14, seed: 2)
        let crop = PixelRect(x: 6, y: 4, width: 12, height: 8)
        for format in formats {
            let result = try convert(
                image, format, to: format, 8, 12, PixelTransform(crop: crop, rotation: .clockwise90))
            let expected = image.cropped(x: 6, y: 4, width: 12, height: 8).rotated(90, isMirrored: false)
            XCTAssertLessThanOrEqual(result.distance(to: expected), 5, fourCharacterText(format))
        }
    }

    func testACropOutsideTheImageIsRejected() throws {
        let image = ReferenceImage.squares(width: 8, height: 8, seed: 2)
        for crop in [
            PixelRect(x: 1, y: 0, width: 8, height: 8), PixelRect(x: -2, y: 0, width: 4, height: 4),
            PixelRect(x: 0, y: 0, width: 0, height: 4), PixelRect(x: .max, y: 0, width: .max, height: 1),
        ] {
            XCTAssertThrowsError(
                try convert(
                    image, kCVPixelFormatType_32BGRA, to: kCVPixelFormatType_32BGRA, 4, 4, PixelTransform(crop: crop))
            ) { error in
                XCTAssertEqual((error as? ImageError)?.code, .invalidGeometry)
            }
        }
    }

    /// A gradient without edges, which scaling should not change.
    private func gradient(_ width: Int, _ height: Int) -> ReferenceImage {
        ReferenceImage(width: width, height: height) { x, y in
            let (x, y) = ((Double(x) + 0.5) / Double(width), (Double(y) + 0.5) / Double(height))
            return .init(red: 40 + 160 * x, green: 40 + 160 * y, blue: 60 + 60 * x + 60 * y)
        }
    }

    func testScalingPreservesAGradient() throws {
        for format in formats {
            for (width, height) in [(64, 48), (40, 24), (240, 180), (130, 94)] {
                let result = try convert(gradient(128, 96), format, to: format, width, height, .identity)
                let psnr = result.psnr(to: gradient(width, height))
                XCTAssertGreaterThan(psnr, 38, "\(fourCharacterText(format)) to \(width)x\(height)")
            }
        }
    }

    func testFittingLeavesBlackBars() throws {
        let white = ReferenceImage(width: 32, height: 16) { _, _ in .init(red: 255, green: 255, blue: 255) }
        for format in formats {
            let result = try convert(white, format, to: format, 32, 32, PixelTransform(fitting: .fit))
            for y in 0..<32 {
                let level = (8..<24).contains(y) ? 255.0 : 0.0
                XCTAssertEqual(result[16, y].green, level, accuracy: 3, "\(fourCharacterText(format)), row \(y)")
            }
            let rotated = try convert(
                white, format, to: format, 32, 32, PixelTransform(rotation: .clockwise90, fitting: .fit))
            XCTAssertEqual(rotated[0, 16].red, 0, accuracy: 3)
            XCTAssertEqual(rotated[16, 0].red, 255, accuracy: 3)
        }
    }

    func testFillingCropsBothSidesEqually() throws {
        // A green square between two red bars.
        let image = ReferenceImage(width: 64, height: 32) { x, _ in
            (16..<48).contains(x) ? .init(red: 0, green: 200, blue: 0) : .init(red: 200, green: 0, blue: 0)
        }
        for format in formats {
            let result = try convert(image, format, to: format, 32, 32, PixelTransform(fitting: .fill))
            let expected = image.cropped(x: 16, y: 0, width: 32, height: 32)
            XCTAssertLessThanOrEqual(result.distance(to: expected), 5, fourCharacterText(format))
        }
    }

    func testRotationsAreCreatedFromDegrees() {
        XCTAssertEqual(PixelRotation(degrees: -90), .clockwise270)
        XCTAssertEqual(PixelRotation(degrees: 450), .clockwise90)
        XCTAssertEqual(PixelRotation(degrees: 0), PixelRotation.none)
        XCTAssertNil(PixelRotation(degrees: 45))
    }
}
