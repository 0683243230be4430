import CaptureCore
import CaptureSimulation
import Foundation
import ImageTypes
import MediaCodecs
import MediaTypes
import Testing
import XCTest

@testable import CaptureTesting

final class PictureAssertionsTests: XCTestCase {
    private var folder = URL(fileURLWithPath: "/")

    override func setUpWithError() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("obscura-picture-tests-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    override func tearDown() {
        try? FileManager.default.removeItem(at: folder)
        try? FileManager.default.removeItem(at: TestReport.pictureFolder)
    }

    /// Creates a BGRA picture with a color, as red, green and blue, in the left half and another one in the right half.
    private func halves(
        _ left: (UInt8, UInt8, UInt8) = (200, 200, 200), _ right: (UInt8, UInt8, UInt8) = (50, 50, 50)
    ) throws -> CVPixelBuffer {
        let pixels = try XCTUnwrap(
            CVPixelBuffer(width: 64, height: 32, pixelFormat: kCVPixelFormatType_32BGRA))
        pixels.withPlane(0) { plane in
            for y in 0..<32 {
                let row = (plane.baseAddress + y * plane.bytesPerRow).assumingMemoryBound(to: UInt8.self)
                for x in 0..<64 {
                    let color = x < 32 ? left : right
                    (row[4 * x], row[4 * x + 1], row[4 * x + 2], row[4 * x + 3]) = (color.2, color.1, color.0, 255)
                }
            }
        }
        return pixels
    }

    private func failures(
        _ picture: any MeasurablePicture, _ requirements: PictureRequirement..., writesGoldens: Bool = false
    ) -> PictureCheck.Failures {
        PictureCheck(
            requirements: requirements, file: folder.appendingPathComponent("CameraTests.swift").path, line: 7,
            writesGoldens: writesGoldens
        ).failures { picture }
    }

    private let left = CGRect(x: 0, y: 0, width: 0.5, height: 1)

    func testPropertiesOfAPictureAreMeasured() throws {
        XCTAssertPicture(
            try halves(), .size(width: 64, height: 32), .brightness(0.48...0.5), .brightness(0.78...0.79, in: left),
            .neutral(accuracy: 0), .meanColor(red: 0.784, green: 0.784, blue: 0.784, in: left), .codes(),
            .sharpness(0...(.infinity)))
        let red = try halves((255, 0, 0), (255, 0, 0))
        XCTAssertPicture(red, .meanColor(red: 1, green: 0, blue: 0, accuracy: 0.001), .brightness(0.21...0.22))
    }

    func testEachFailureContainsTheExpectedAndTheMeasuredProperty() throws {
        let red = try halves((255, 0, 0), (255, 0, 0))
        let messages = failures(
            red, .size(width: 32, height: 64), .brightness(0.5...1), .neutral(accuracy: 0.1), .codes("a"),
            .sharpness(0.01...(.infinity)), .meanColor(red: 0, green: 0, blue: 0)
        ).messages
        XCTAssertEqual(messages.count, 6)
        XCTAssertEqual(messages.first, "expected size 32x64, seen: size 64x32")
        XCTAssertEqual(messages[1], "expected brightness 0.5 to 1, seen: brightness 0.213")
        XCTAssertTrue(messages[2].contains("a difference of 1"), messages[2])
        XCTAssertEqual(messages[3], "expected the codes a, seen: no codes")
        XCTAssertTrue(messages[4].hasPrefix("expected sharpness at least 0.01, seen: sharpness 0"), messages[4])
        XCTAssertTrue(
            messages[5].contains("\nthe pictures are in \(TestReport.pictureFolder.path): CameraTests-7-seen.png"))
    }

    func testFilesAndImagesAreMeasuredUpright() throws {
        let pixels = try halves()
        let png = folder.appendingPathComponent("a.png")
        try PNGCodec().encode(pixels).write(to: png)
        XCTAssertPicture(png, .size(width: 64, height: 32))
        let image = CGImage(pixelBuffer: pixels)
        XCTAssertPicture(image, .size(width: 64, height: 32))
        // The left side of the stored pixels is the top of the upright picture.
        let top = CGRect(x: 0, y: 0, width: 1, height: 0.5)
        XCTAssertPicture(
            UIImage(cgImage: image, scale: 1, orientation: .right), .size(width: 32, height: 64),
            .brightness(0.78...0.79, in: top))
        let jpeg = try XCTUnwrap(UIImage(cgImage: image, scale: 1, orientation: .right).jpegData(compressionQuality: 1))
        XCTAssertPicture(jpeg, .size(width: 32, height: 64), .brightness(0.77...0.8, in: top))
    }

    func testAPictureThatCannotBeReadFails() {
        XCTAssertEqual(failures(Data([1, 2, 3])).messages.count, 1)
        XCTAssertEqual(failures(UIImage()).messages, ["the picture cannot be read: the image has no pixels"])
        XCTAssertEqual(failures(folder.appendingPathComponent("none.jpg")).messages.count, 1)
    }

    // MARK: Golden pictures

    func testAPictureIsComparedWithAGoldenPicture() throws {
        let golden = folder.appendingPathComponent("Golden")
        try FileManager.default.createDirectory(at: golden, withIntermediateDirectories: true)
        try PNGCodec().encode(halves()).write(to: golden.appendingPathComponent("halves.png"))
        let similar = try halves((202, 200, 200))
        XCTAssertEqual(failures(try halves(), .golden("Golden/halves.png")).messages, [])
        XCTAssertEqual(failures(similar, .golden("Golden/halves.png", psnr: 40, ssim: 0.99)).messages, [])
        for (picture, requirement) in [
            (similar, PictureRequirement.golden("Golden/halves.png")),
            (similar, .golden("Golden/halves.png", psnr: 60)),
            (try halves((200, 200, 200), (60, 60, 60)), .golden("Golden/halves.png", ssim: 0.999)),
        ] {
            let failures = failures(picture, requirement)
            XCTAssertEqual(failures.messages.count, 1)
            XCTAssertEqual(
                failures.pictures.map(\.name),
                ["CameraTests-7-seen.png", "CameraTests-7-expected.png", "CameraTests-7-difference.png"])
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: TestReport.pictureFolder.path).sorted()
        XCTAssertEqual(files, ["CameraTests-7-difference.png", "CameraTests-7-expected.png", "CameraTests-7-seen.png"])
        // The pixels that differ are red. In the last picture, these are the pixels of the right half.
        let difference = TestReport.pictureFolder.appendingPathComponent(files[0])
        XCTAssertPicture(
            difference, .neutral(accuracy: 0, in: left),
            .meanColor(
                red: 0.208, green: 0.051, blue: 0.051, accuracy: 0.01, in: CGRect(x: 0.5, y: 0, width: 0.5, height: 1)))
    }

    func testAPictureOfAnotherSizeThanTheGoldenPictureFails() throws {
        try PNGCodec().encode(halves()).write(to: folder.appendingPathComponent("halves.png"))
        let image = UIImage(cgImage: CGImage(pixelBuffer: try halves()), scale: 1, orientation: .left)
        let failures = failures(image, .golden("halves.png"))
        XCTAssertTrue(failures.messages.first?.contains("32x64 pixels instead of 64x32") == true, "\(failures)")
        XCTAssertEqual(failures.pictures.count, 2, "no differences")
    }

    func testAMissingGoldenPictureIsWrittenOnlyOnRequest() throws {
        let url = folder.appendingPathComponent("Golden/new.png")
        let missing = failures(try halves(), .golden("Golden/new.png")).messages
        XCTAssertEqual(missing.count, 1)
        XCTAssertTrue(missing[0].contains("there is no golden picture \(url.path)"), missing[0])
        XCTAssertTrue(missing[0].contains("OBSCURA_WRITE_GOLDEN_PICTURES=1"), missing[0])
        XCTAssertFalse(FileManager.default.fileExists(atPath: url.path))

        let written = failures(try halves(), .golden("Golden/new.png"), writesGoldens: true).messages
        XCTAssertEqual(written.count, 1, "a run that writes its expectation does not pass")
        XCTAssertTrue(written[0].contains("was written"), written[0])
        XCTAssertEqual(failures(try halves(), .golden("Golden/new.png")).messages, [])
        XCTAssertEqual(failures(try halves(), .golden("Golden/new.png"), writesGoldens: true).messages, [])
    }

    func testAGoldenJPEGFileKeepsTheBytesOfThePicture() throws {
        let url = folder.appendingPathComponent("a.jpg")
        let pixels = failures(try halves(), .golden("a.jpg"), writesGoldens: true).messages
        XCTAssertTrue(pixels.first?.contains("ends with .png") == true, "\(pixels)")
        XCTAssertFalse(FileManager.default.fileExists(atPath: url.path))
        let data = try JPEGCodec().encode(halves())
        _ = failures(data, .golden("a.jpg"), writesGoldens: true)
        XCTAssertEqual(try Data(contentsOf: url), data)
        XCTAssertEqual(failures(data, .golden("a.jpg")).messages, [])
    }

    // MARK: Both frameworks

    func testAFailureOfEitherFrameworkWritesItsPictures() throws {
        let reports = folder.appendingPathComponent("reports")
        let attachments = folder.appendingPathComponent("attachments")
        try FileManager.default.createDirectory(at: attachments, withIntermediateDirectories: true)
        let environment = ["OBSCURA_REPORTS": reports.path, "NO_COLOR": "1"]
        for result in [
            try TestFixtures.runXCTest("PictureFixtures/testFails", environment: environment),
            try TestFixtures.run(
                [
                    "--testing-library", "swift-testing", "--filter", "SwiftTestingPictureFixtures",
                    "--attachments-path", attachments.path,
                ], environment: environment),
        ] {
            XCTAssertNotEqual(result.status, 0, result.output)
            XCTAssertTrue(result.output.contains("expected brightness 0.9 to 1, seen: brightness"), result.output)
        }
        let pictures = reports.appendingPathComponent("pictures")
        let names = try FileManager.default.subpathsOfDirectory(atPath: pictures.path).filter { $0.hasSuffix(".png") }
        XCTAssertEqual(names.count, 2, "\(names)")
        XCTAssertTrue(names.contains { $0.hasPrefix("PictureFixtures.testFails/PictureAssertionsTests-") }, "\(names)")
        let attached = try FileManager.default.contentsOfDirectory(atPath: attachments.path)
        XCTAssertEqual(attached.filter { $0.hasSuffix("-seen.png") }.count, 1, "\(attached)")
    }
}

/// Tests that are run by `PictureAssertionsTests` in a separate process.
final class PictureFixtures: XCTestCase {
    override func invokeTest() {
        if TestFixtures.areEnabled { super.invokeTest() }
    }

    func testFails() throws {
        let pixels = try XCTUnwrap(CVPixelBuffer(width: 8, height: 8, pixelFormat: kCVPixelFormatType_32BGRA))
        XCTAssertPicture(pixels, .brightness(0.9...1))
    }
}

@Suite(.enabled(if: TestFixtures.areEnabled)) struct SwiftTestingPictureFixtures {
    @Test func fails() throws {
        let pixels = try #require(CVPixelBuffer(width: 8, height: 8, pixelFormat: kCVPixelFormatType_32BGRA))
        expectPicture(pixels, .brightness(0.9...1))
    }
}
