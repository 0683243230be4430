import MediaTypes
import UIKit
import XCTest

final class UIDrawingTests: XCTestCase {
    func testAnImageIsDrawnWithTheOriginAtTheTop() throws {
        let renderer = UIGraphicsImageRenderer(size: CGSize(width: 10, height: 20))
        renderer.format.scale = 2
        let image = renderer.image { context in
            UIColor.red.setFill()
            context.fill(CGRect(x: 0, y: 0, width: 10, height: 5))
            XCTAssertTrue(UIGraphicsGetCurrentContext() === context.cgContext)
            XCTAssertEqual(context.currentImage.size, CGSize(width: 10, height: 20))
        }
        XCTAssertNil(UIGraphicsGetCurrentContext())
        XCTAssertEqual(image.size, CGSize(width: 10, height: 20))
        XCTAssertEqual(image.cgImage?.height, 40)
        XCTAssertEqual(try pixel(image, 5, 9), "ffff0000")
        XCTAssertEqual(try pixel(image, 5, 10), "00000000")
        let opaque = UIGraphicsImageRendererFormat.default()
        opaque.opaque = true
        let black = UIGraphicsImageRenderer(size: CGSize(width: 1, height: 1), format: opaque).image { _ in }
        XCTAssertEqual(black.cgImage?.alphaInfo, .noneSkipFirst)
        XCTAssertNil(UIGraphicsImageRenderer(size: .zero).image { _ in }.cgImage)
    }

    func testTheImageContextFunctionsDrawAnImage() throws {
        UIGraphicsBeginImageContextWithOptions(CGSize(width: 4, height: 4), false, 0)
        UIColor.blue.set()
        UIRectFill(CGRect(x: 0, y: 0, width: 1, height: 1))
        let image = try XCTUnwrap(UIGraphicsGetImageFromCurrentImageContext())
        UIGraphicsEndImageContext()
        XCTAssertEqual(try pixel(image, 0, 0), "ff0000ff")
        XCTAssertEqual(try pixel(image, 1, 1), "00000000")
        XCTAssertNil(UIGraphicsGetImageFromCurrentImageContext())
    }

    func testImagesOfAllOrientationsAreDrawnUpright() throws {
        // Red at the upper left, green at the upper right, blue at the lower left.
        let upright = UIGraphicsImageRenderer(size: CGSize(width: 8, height: 6)).image { context in
            for (color, x, y) in [(UIColor.red, 0, 0), (.green, 4, 0), (.blue, 0, 3)] {
                color.setFill()
                context.fill(CGRect(x: x, y: y, width: 4, height: 3))
            }
        }
        for raw in 0..<8 {
            let orientation = try XCTUnwrap(UIImage.Orientation(rawValue: raw))
            // `pngData` rotates with the converter of pixels; drawing must result in the same image.
            let stored = UIImage(cgImage: try XCTUnwrap(upright.cgImage), scale: 1, orientation: orientation)
            let expected = try XCTUnwrap(UIImage(data: try XCTUnwrap(stored.pngData())))
            let drawn = UIGraphicsImageRenderer(size: stored.size).image { _ in stored.draw(at: .zero) }
            for (x, y) in [(1, 1), (Int(stored.size.width) - 2, 1), (1, Int(stored.size.height) - 2)] {
                XCTAssertEqual(try pixel(drawn, x, y), try pixel(expected, x, y), "\(orientation) \(x) \(y)")
            }
        }
    }

    func testBezierPathsAreFilledStrokedAndClipped() throws {
        let image = UIGraphicsImageRenderer(size: CGSize(width: 40, height: 40)).image { context in
            UIColor.red.setFill()
            UIBezierPath(
                roundedRect: CGRect(x: 0, y: 0, width: 20, height: 20), byRoundingCorners: .topLeft,
                cornerRadii: CGSize(width: 10, height: 10)
            ).fill()
            UIColor.blue.setStroke()
            let arc = UIBezierPath(
                arcCenter: CGPoint(x: 30, y: 10), radius: 6, startAngle: 0, endAngle: .pi, clockwise: true)
            arc.lineWidth = 4
            arc.stroke()
            UIBezierPath(ovalIn: CGRect(x: 0, y: 20, width: 20, height: 20)).addClip()
            UIColor.green.setFill()
            context.fill(CGRect(x: 0, y: 20, width: 40, height: 20))
        }
        XCTAssertEqual(try pixel(image, 1, 1), "00000000")
        XCTAssertEqual(try pixel(image, 19, 0), "ffff0000")
        // Clockwise on the screen from the right end is the lower half.
        XCTAssertEqual(try pixel(image, 30, 16), "ff0000ff")
        XCTAssertEqual(try pixel(image, 30, 4), "00000000")
        XCTAssertEqual(try pixel(image, 10, 30), "ff00ff00")
        XCTAssertEqual(try pixel(image, 1, 21), "00000000")
        XCTAssertEqual(try pixel(image, 30, 30), "00000000")
    }

    func testViewsDrawTheirHierarchy() throws {
        final class Spot: UIView {
            override func draw(_ rect: CGRect) {
                UIColor.green.setFill()
                UIBezierPath(ovalIn: rect).fill()
            }
            override func layoutSubviews() { subviews.first?.frame = CGRect(x: 0, y: 0, width: 4, height: 4) }
        }
        try MainActor.assumeIsolated {
            let view = UIView(frame: CGRect(x: 50, y: 50, width: 20, height: 20))
            view.backgroundColor = .white
            let spot = Spot(frame: CGRect(x: 10, y: 10, width: 10, height: 10))
            spot.backgroundColor = .red
            view.addSubview(spot)
            let corner = UIView()
            corner.backgroundColor = .blue
            spot.addSubview(corner)
            XCTAssertFalse(view.drawHierarchy(in: view.bounds, afterScreenUpdates: true))
            let image = UIGraphicsImageRenderer(size: CGSize(width: 40, height: 40)).image { _ in
                XCTAssertTrue(
                    view.drawHierarchy(in: CGRect(x: 0, y: 0, width: 40, height: 40), afterScreenUpdates: true))
            }
            XCTAssertEqual(try pixel(image, 5, 5), "ffffffff")
            XCTAssertEqual(try pixel(image, 30, 30), "ff00ff00")
            XCTAssertEqual(try pixel(image, 39, 39), "ffff0000")
            XCTAssertEqual(try pixel(image, 21, 21), "ff0000ff")
        }
    }

    func testLabelsHaveTheSizeOfTheirText() throws {
        try MainActor.assumeIsolated {
            let label = UILabel()
            label.font = .monospacedDigitSystemFont(ofSize: 20, weight: .semibold)
            label.text = "00:00:00"
            label.sizeToFit()
            let size = label.bounds.size
            XCTAssertEqual(size.height, label.font.lineHeight.rounded(.up))
            label.text = "12:34:58"
            label.sizeToFit()
            XCTAssertEqual(label.bounds.size, size)
            XCTAssertFalse(label.isUserInteractionEnabled)
            label.text = "I"
            label.textColor = .red
            label.textAlignment = .right
            let image = UIGraphicsImageRenderer(size: size).image { _ in
                label.drawHierarchy(in: label.bounds, afterScreenUpdates: true)
            }
            let row = Int(size.height / 2)
            let inkedColumns = try (0..<Int(size.width)).filter { try pixel(image, $0, row) != "00000000" }
            XCTAssertGreaterThan(try XCTUnwrap(inkedColumns.first), Int(size.width) - 10)
            XCTAssertEqual(try pixel(image, inkedColumns[inkedColumns.count / 2], row), "ffff0000")
        }
    }

    func testImageViewsFollowTheContentMode() throws {
        try MainActor.assumeIsolated {
            let image = UIGraphicsImageRenderer(size: CGSize(width: 2, height: 4)).image { context in
                UIColor.red.setFill()
                context.fill(CGRect(x: 0, y: 0, width: 2, height: 4))
            }
            let view = UIImageView(image: image)
            XCTAssertEqual(view.bounds.size, CGSize(width: 2, height: 4))
            view.frame = CGRect(x: 0, y: 0, width: 8, height: 8)
            @MainActor func pixels() throws -> [Bool] {
                let drawn = UIGraphicsImageRenderer(size: CGSize(width: 8, height: 8)).image { _ in
                    view.drawHierarchy(in: view.bounds, afterScreenUpdates: true)
                }
                return try [(0, 4), (4, 0), (2, 4), (3, 3)].map { try pixel(drawn, $0.0, $0.1) == "ffff0000" }
            }
            XCTAssertEqual(try pixels(), [true, true, true, true])
            view.contentMode = .scaleAspectFit
            XCTAssertEqual(try pixels(), [false, true, true, true])
            view.contentMode = .center
            XCTAssertEqual(try pixels(), [false, false, false, true])
            view.contentMode = .scaleAspectFill
            XCTAssertEqual(try pixels(), [true, true, true, true])
        }
    }

    func testALabelReducesTheFontSizeOfTextThatIsTooWide() throws {
        try MainActor.assumeIsolated {
            let label = UILabel(frame: CGRect(x: 0, y: 0, width: 40, height: 30))
            label.font = .systemFont(ofSize: 20)
            label.text = "IIIIIIIIIIIIIIII."
            XCTAssertGreaterThan(label.sizeThatFits(.zero).width, 60)
            // Returns the last column that is not transparent, which is that of the dot at the end of the text.
            @MainActor func lastInkedColumn() throws -> Int? {
                let image = UIGraphicsImageRenderer(size: CGSize(width: 200, height: 30)).image { _ in
                    label.drawText(in: label.bounds)
                }
                return try (0..<200).last { x in try (0..<30).contains { try pixel(image, x, $0) != "00000000" } }
            }
            XCTAssertGreaterThan(try XCTUnwrap(lastInkedColumn()), 40)
            label.adjustsFontSizeToFitWidth = true
            XCTAssertLessThan(try XCTUnwrap(lastInkedColumn()), 40)
            label.minimumScaleFactor = 0.9
            XCTAssertGreaterThan(try XCTUnwrap(lastInkedColumn()), 40)
        }
    }

    func testFontsAreFoundByTheirName() {
        XCTAssertEqual(UIFont(name: "DejaVuSans", size: 12)?.pointSize, 12)
        XCTAssertNil(UIFont(name: "IBM Plex Sans", size: 12))
        XCTAssertNil(UIImage(systemName: "camera", withConfiguration: UIImage.SymbolConfiguration(pointSize: 25)))
    }

    func testValuesHoldPointsSizesAndRectangles() {
        let (point, size) = (CGPoint(x: 1, y: 2.5), CGSize(width: 3, height: 4))
        XCTAssertEqual(NSValue(cgPoint: point).cgPointValue, point)
        XCTAssertEqual(NSValue(cgSize: size).cgSizeValue, size)
        XCTAssertEqual(
            NSValue(cgRect: CGRect(origin: point, size: size)).cgRectValue, CGRect(origin: point, size: size))
    }
}
