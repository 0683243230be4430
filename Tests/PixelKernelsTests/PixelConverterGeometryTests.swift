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
        _ picture: ReferencePicture, _ from: OSType, to: OSType, _ width: Int, _ height: Int,
        _ transform: PixelTransform
    ) throws -> ReferencePicture {
        let source = try ReferenceBuffer.make(picture.width, picture.height, from, matrix: matrix)
        try ReferenceBuffer.write(picture, to: source, matrix: matrix)
        let target = try ReferenceBuffer.make(width, height, to, matrix: matrix)
        try converter.convert(source, to: target, transform)
        return try ReferenceBuffer.read(target, matrix: matrix)
    }

    func testTurningAndMirroringMoveEveryPixelToItsPlace() throws {
        let picture = ReferencePicture.squares(width: 24, height: 14, seed: 1)
        for from in formats {
            for to in formats {
                for rotation in PixelRotation.allCases {
                    for isMirrored in [false, true] {
                        let transform = PixelTransform(rotation: rotation, isMirrored: isMirrored)
                        let size = transform.naturalSize(width: 24, height: 14)
                        let result = try convert(picture, from, to: to, size.width, size.height, transform)
                        let wanted = picture.turned(rotation.rawValue, isMirrored: isMirrored)
                        XCTAssertLessThanOrEqual(
                            result.distance(to: wanted), 5,
                            "\(fourCharacters(from)) to \(fourCharacters(to)), \(rotation), \(isMirrored)")
                    }
                }
            }
        }
    }

    func testACropShowsItsPartAlone() throws {
        let picture = ReferencePicture.squares(width: 24, height: 14, seed: 2)
        let crop = PixelRect(x: 6, y: 4, width: 12, height: 8)
        for format in formats {
            let result = try convert(
                picture, format, to: format, 8, 12, PixelTransform(crop: crop, rotation: .clockwise90))
            let wanted = picture.cropped(x: 6, y: 4, width: 12, height: 8).turned(90, isMirrored: false)
            XCTAssertLessThanOrEqual(result.distance(to: wanted), 5, fourCharacters(format))
        }
    }

    func testACropOutsideThePictureIsRefused() throws {
        let picture = ReferencePicture.squares(width: 8, height: 8, seed: 2)
        for crop in [
            PixelRect(x: 1, y: 0, width: 8, height: 8), PixelRect(x: -2, y: 0, width: 4, height: 4),
            PixelRect(x: 0, y: 0, width: 0, height: 4), PixelRect(x: .max, y: 0, width: .max, height: 1),
        ] {
            XCTAssertThrowsError(
                try convert(
                    picture, kCVPixelFormatType_32BGRA, to: kCVPixelFormatType_32BGRA, 4, 4, PixelTransform(crop: crop))
            ) { error in
                XCTAssertEqual((error as? PixelError)?.code, .invalidGeometry)
            }
        }
    }

    /// A picture without edges, which any good scaler leaves as it is.
    private func slope(_ width: Int, _ height: Int) -> ReferencePicture {
        ReferencePicture(width: width, height: height) { x, y in
            let (x, y) = ((Double(x) + 0.5) / Double(width), (Double(y) + 0.5) / Double(height))
            return .init(red: 40 + 160 * x, green: 40 + 160 * y, blue: 60 + 60 * x + 60 * y)
        }
    }

    func testScalingKeepsASlope() throws {
        for format in formats {
            for (width, height) in [(64, 48), (40, 24), (240, 180), (130, 94)] {
                let result = try convert(slope(128, 96), format, to: format, width, height, .identity)
                let psnr = result.psnr(to: slope(width, height))
                XCTAssertGreaterThan(psnr, 38, "\(fourCharacters(format)) to \(width)x\(height)")
            }
        }
    }

    func testFittingLeavesBlackBars() throws {
        let white = ReferencePicture(width: 32, height: 16) { _, _ in .init(red: 255, green: 255, blue: 255) }
        for format in formats {
            let result = try convert(white, format, to: format, 32, 32, PixelTransform(fitting: .fit))
            for y in 0..<32 {
                let level = (8..<24).contains(y) ? 255.0 : 0.0
                XCTAssertEqual(result[16, y].green, level, accuracy: 3, "\(fourCharacters(format)), row \(y)")
            }
            let turned = try convert(
                white, format, to: format, 32, 32, PixelTransform(rotation: .clockwise90, fitting: .fit))
            XCTAssertEqual(turned[0, 16].red, 0, accuracy: 3)
            XCTAssertEqual(turned[16, 0].red, 255, accuracy: 3)
        }
    }

    func testFillingCutsTheSidesOffEqually() throws {
        // Red, a middle of green as wide as high, red.
        let picture = ReferencePicture(width: 64, height: 32) { x, _ in
            (16..<48).contains(x) ? .init(red: 0, green: 200, blue: 0) : .init(red: 200, green: 0, blue: 0)
        }
        for format in formats {
            let result = try convert(picture, format, to: format, 32, 32, PixelTransform(fitting: .fill))
            let wanted = picture.cropped(x: 16, y: 0, width: 32, height: 32)
            XCTAssertLessThanOrEqual(result.distance(to: wanted), 5, fourCharacters(format))
        }
    }

    func testRotationsAreKnownByTheirDegrees() {
        XCTAssertEqual(PixelRotation(degrees: -90), .clockwise270)
        XCTAssertEqual(PixelRotation(degrees: 450), .clockwise90)
        XCTAssertEqual(PixelRotation(degrees: 0), PixelRotation.none)
        XCTAssertNil(PixelRotation(degrees: 45))
    }
}
