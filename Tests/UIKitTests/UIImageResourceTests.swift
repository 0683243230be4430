import Foundation
import UIKit
import XCTest

final class UIImageResourceTests: XCTestCase {
    private var folder = URL(fileURLWithPath: NSTemporaryDirectory())

    override func setUpWithError() throws {
        folder = folder.appendingPathComponent("images-\(UUID().uuidString).bundle")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    override func tearDownWithError() throws { try FileManager.default.removeItem(at: folder) }

    /// Creates a bundle with images of six rows; the dictionary has their widths by file name.
    private func bundle(_ names: [String: Int]) throws -> Bundle {
        for (name, width) in names {
            let format = UIGraphicsImageRendererFormat.default()
            format.scale = 1
            let image = UIGraphicsImageRenderer(size: CGSize(width: width, height: 6), format: format).image { _ in }
            let data = name.hasSuffix("png") ? image.pngData() : image.jpegData(compressionQuality: 0.5)
            try XCTUnwrap(data).write(to: folder.appendingPathComponent(name))
        }
        return try XCTUnwrap(Bundle(url: folder))
    }

    func testTheFileForTheScaleOfTheScreenIsUsed() throws {
        let bundle = try bundle(["a.png": 1, "a@2x.png": 2, "a@3x.png": 3, "b.png": 1, "b@2x.png": 2, "c@3x.png": 3])
        func image(_ name: String, _ scale: CGFloat) throws -> UIImage {
            let traits = UITraitCollection(displayScale: scale)
            return try XCTUnwrap(UIImage(named: name, in: bundle, compatibleWith: traits), "\(name) at \(scale)")
        }
        for scale in 1...3 {
            let image = try image("a", CGFloat(scale))
            XCTAssertEqual(image.scale, CGFloat(scale))
            XCTAssertEqual(image.cgImage?.width, scale)
            XCTAssertEqual(image.size, CGSize(width: 1, height: 6 / CGFloat(scale)))
        }
        XCTAssertEqual(try image("b", 3).scale, 2, "the largest scale that is smaller")
        XCTAssertEqual(try image("c", 1).scale, 3, "the next larger scale")
        XCTAssertEqual(UIImage(named: "a", in: bundle, compatibleWith: nil)?.scale, 3)
        XCTAssertEqual(UIImage(named: "a", in: bundle, compatibleWith: UITraitCollection())?.scale, 3)
    }

    func testAnExtensionSelectsTheKindOfFile() throws {
        let bundle = try bundle(["a.png": 2, "a.jpg": 8, "b.jpg": 8])
        XCTAssertEqual(UIImage(named: "a", in: bundle, compatibleWith: nil)?.cgImage?.width, 2)
        XCTAssertEqual(UIImage(named: "a.jpg", in: bundle, compatibleWith: nil)?.cgImage?.width, 8)
        XCTAssertEqual(UIImage(named: "b", in: bundle, compatibleWith: nil)?.cgImage?.width, 8)
        XCTAssertNil(UIImage(named: "b.png", in: bundle, compatibleWith: nil))
    }

    func testAMissingOrDamagedFileHasNoImage() throws {
        let bundle = try bundle([:])
        try Data("no picture".utf8).write(to: folder.appendingPathComponent("damaged.png"))
        XCTAssertNil(UIImage(named: "damaged", in: bundle, compatibleWith: nil))
        XCTAssertNil(UIImage(named: "missing", in: bundle, compatibleWith: nil))
        XCTAssertNil(UIImage(named: "missing"))
    }
}
