import MediaTypes
import QuartzCore
import VectorGraphics
import XCTest

final class CALayerRenderingTests: XCTestCase {
    private let red = CGColor(red: 1, green: 0, blue: 0, alpha: 1)
    private let green = CGColor(red: 0, green: 1, blue: 0, alpha: 1)
    private let blue = CGColor(red: 0, green: 0, blue: 1, alpha: 1)

    /// The pixels of a rendered layer; row 0 is the top.
    private struct RenderedImage {
        let width: Int
        let pixels: [UInt32]

        /// Returns the color of a pixel as the eight hexadecimal digits AARRGGBB.
        func callAsFunction(_ x: Int, _ y: Int) -> String {
            let text = String(pixels[y * width + x], radix: 16)
            return String(repeating: "0", count: 8 - text.count) + text
        }
    }

    private func context(_ width: Int, _ height: Int) throws -> CGContext {
        try XCTUnwrap(
            CGContext(
                data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: width * 4,
                space: CGColorSpaceCreateDeviceRGB(),
                bitmapInfo: CGBitmapInfo.byteOrder32Little.rawValue | CGImageAlphaInfo.premultipliedFirst.rawValue))
    }

    private func render(_ layer: CALayer, _ width: Int = 20, _ height: Int = 20) throws -> RenderedImage {
        let context = try context(width, height)
        context.translateBy(x: 0, y: CGFloat(height))
        context.scaleBy(x: 1, y: -1)
        layer.render(in: context)
        let data = try XCTUnwrap(context.data).assumingMemoryBound(to: UInt32.self)
        return RenderedImage(width: width, pixels: (0..<width * height).map { data[$0] })
    }

    private func layer(_ frame: CGRect, _ color: CGColor?) -> CALayer {
        let layer = CALayer()
        layer.frame = frame
        layer.backgroundColor = color
        return layer
    }

    /// Creates an image of 2x4 pixels that is red above and blue below.
    private func image() throws -> CGImage {
        let context = try context(2, 4)
        context.setFillColor(red)
        context.fill(CGRect(x: 0, y: 2, width: 2, height: 2))
        context.setFillColor(blue)
        context.fill(CGRect(x: 0, y: 0, width: 2, height: 2))
        return try XCTUnwrap(context.makeImage())
    }

    func testSublayersAreDrawnInOrder() throws {
        let root = layer(CGRect(x: 100, y: 100, width: 20, height: 20), .white)
        let raised = layer(CGRect(x: 2, y: 2, width: 10, height: 10), red)
        raised.zPosition = 1
        root.addSublayer(raised)
        root.addSublayer(layer(CGRect(x: 8, y: 2, width: 10, height: 4), blue))
        let hidden = layer(root.bounds, green)
        hidden.isHidden = true
        root.addSublayer(hidden)
        let rendered = try render(root)
        XCTAssertEqual(rendered(0, 0), "ffffffff")
        XCTAssertEqual(rendered(9, 3), "ffff0000")
        XCTAssertEqual(rendered(15, 3), "ff0000ff")
        XCTAssertEqual(rendered(15, 7), "ffffffff")
        raised.zPosition = 0
        XCTAssertEqual(try render(root)(9, 3), "ff0000ff")
    }

    func testCornersAreRoundedAndBordersDrawnInFrontOfSublayers() throws {
        let root = layer(CGRect(x: 0, y: 0, width: 20, height: 20), red)
        root.cornerRadius = 8
        root.maskedCorners = [.layerMinXMinYCorner]
        root.borderWidth = 2
        root.borderColor = blue
        root.addSublayer(layer(CGRect(x: 0, y: 5, width: 10, height: 1), green))
        let rendered = try render(root)
        XCTAssertEqual(rendered(0, 0), "00000000")
        XCTAssertEqual(rendered(19, 0), "ff0000ff")
        XCTAssertEqual(rendered(1, 19), "ff0000ff")
        XCTAssertEqual(rendered(10, 10), "ffff0000")
        XCTAssertEqual(rendered(2, 10), "ffff0000")
        XCTAssertEqual(rendered(5, 5), "ff00ff00")
        // The border is in front of sublayers.
        XCTAssertEqual(rendered(0, 15), "ff0000ff")
    }

    func testMasksToBoundsClipsSublayers() throws {
        let root = layer(CGRect(x: 0, y: 0, width: 20, height: 20), nil)
        let box = layer(CGRect(x: 5, y: 5, width: 10, height: 10), nil)
        box.addSublayer(layer(CGRect(x: -5, y: -5, width: 20, height: 20), red))
        root.addSublayer(box)
        XCTAssertEqual(try render(root)(1, 1), "ffff0000")
        box.masksToBounds = true
        XCTAssertEqual(try render(root)(1, 1), "00000000")
        XCTAssertEqual(try render(root)(5, 5), "ffff0000")
        box.cornerRadius = 5
        XCTAssertEqual(try render(root)(5, 5), "00000000")
        XCTAssertEqual(try render(root)(10, 10), "ffff0000")
    }

    func testContentsFollowTheirGravity() throws {
        let root = layer(CGRect(x: 0, y: 0, width: 20, height: 20), nil)
        root.contents = try image()
        XCTAssertEqual(try render(root)(10, 1), "ffff0000")
        XCTAssertEqual(try render(root)(10, 18), "ff0000ff")
        root.contentsGravity = .resizeAspect
        XCTAssertEqual(try render(root)(4, 1), "00000000")
        XCTAssertEqual(try render(root)(6, 1), "ffff0000")
        root.contentsGravity = .resizeAspectFill
        root.masksToBounds = true
        XCTAssertEqual(try render(root)(0, 1), "ffff0000")
        root.contentsGravity = .topLeft
        XCTAssertEqual(try render(root)(1, 3), "ff0000ff")
        XCTAssertEqual(try render(root)(1, 4), "00000000")
        root.contentsScale = 2
        XCTAssertEqual(try render(root)(0, 1), "ff0000ff")
        root.contentsGravity = .resize
        root.contentsRect = CGRect(x: 0, y: 0.5, width: 1, height: 0.5)
        XCTAssertEqual(try render(root)(10, 1), "ff0000ff")
    }

    func testOpacityAppliesToTheLayerWithItsSublayers() throws {
        let root = layer(CGRect(x: 0, y: 0, width: 20, height: 20), red)
        root.addSublayer(layer(CGRect(x: 0, y: 0, width: 10, height: 20), blue))
        root.opacity = 0.5
        let rendered = try render(root)
        XCTAssertEqual(rendered(15, 5), "80800000")
        XCTAssertEqual(rendered(5, 5), "80000080")
    }

    func testAMaskHidesWhatItDoesNotCover() throws {
        let root = layer(CGRect(x: 0, y: 0, width: 20, height: 20), red)
        root.mask = layer(CGRect(x: 5, y: 5, width: 5, height: 5), blue)
        let rendered = try render(root)
        XCTAssertEqual(rendered(7, 7), "ffff0000")
        XCTAssertEqual(rendered(4, 7), "00000000")
        XCTAssertEqual(rendered(12, 12), "00000000")
    }

    func testTransformsApplyToSublayers() throws {
        let root = layer(CGRect(x: 0, y: 0, width: 20, height: 20), nil)
        let box = layer(CGRect(x: 8, y: 2, width: 4, height: 16), red)
        box.setAffineTransform(CGAffineTransform(rotationAngle: .pi / 2))
        root.addSublayer(box)
        XCTAssertEqual(try render(root)(3, 10), "ffff0000")
        XCTAssertEqual(try render(root)(10, 3), "00000000")
    }

    func testAShadowIsBelowTheLayer() throws {
        let root = layer(CGRect(x: 0, y: 0, width: 20, height: 20), nil)
        let box = layer(CGRect(x: 4, y: 4, width: 6, height: 6), red)
        box.shadowColor = blue
        box.shadowOpacity = 1
        box.shadowRadius = 0
        box.shadowOffset = CGSize(width: 4, height: 5)
        root.addSublayer(box)
        let rendered = try render(root)
        XCTAssertEqual(rendered(6, 6), "ffff0000")
        XCTAssertEqual(rendered(12, 13), "ff0000ff")
        XCTAssertEqual(rendered(12, 5), "00000000")
    }

    func testShapesAreDrawnOutsideOfTheirBounds() throws {
        let shape = CAShapeLayer()
        shape.path = CGPath(rect: CGRect(x: 2, y: 2, width: 10, height: 10), transform: nil)
        shape.fillColor = nil
        shape.strokeColor = red
        shape.lineWidth = 2
        let rendered = try render(shape)
        XCTAssertEqual(rendered(1, 5), "ffff0000")
        XCTAssertEqual(rendered(6, 6), "00000000")
        shape.fillColor = blue
        shape.lineDashPattern = [2, 100]
        XCTAssertEqual(try render(shape)(6, 6), "ff0000ff")
        XCTAssertEqual(try render(shape)(1, 8), "00000000")
    }

    func testTextIsAligned() throws {
        let text = CATextLayer()
        text.frame = CGRect(x: 0, y: 0, width: 60, height: 20)
        text.string = "II"
        text.fontSize = 16
        text.foregroundColor = red
        func columns() throws -> [Int] {
            let rendered = try render(text, 60, 20)
            return (0..<60).filter { x in (0..<20).contains { rendered(x, $0) != "00000000" } }
        }
        let left = try columns()
        XCTAssertLessThan(try XCTUnwrap(left.first), 4)
        text.alignmentMode = .right
        XCTAssertGreaterThan(try XCTUnwrap(columns().last), 56)
        text.alignmentMode = .center
        let center = try columns()
        XCTAssertEqual(try XCTUnwrap(center.first), 60 - 1 - (try XCTUnwrap(center.last)), accuracy: 1)
        text.string = 7
        XCTAssertEqual(try columns(), [])
    }

    func testSubclassesAndDelegatesDraw() throws {
        final class Circle: CALayer, @unchecked Sendable {
            // SAFETY: no state.
            override func draw(in ctx: CGContext) {
                ctx.fillEllipse(in: bounds.insetBy(dx: -50, dy: -50))
            }
        }
        final class Painter: CALayerDelegate {
            func display(_ layer: CALayer) { layer.backgroundColor = CGColor(red: 0, green: 1, blue: 0, alpha: 1) }
            func draw(_ layer: CALayer, in ctx: CGContext) { ctx.fill(CGRect(x: 0, y: 0, width: 2, height: 2)) }
        }
        let circle = Circle()
        circle.frame = CGRect(x: 0, y: 0, width: 10, height: 10)
        XCTAssertEqual(try render(circle)(9, 9), "ff000000")
        XCTAssertEqual(try render(circle)(10, 10), "00000000")
        let painter = Painter()
        let delegatedLayer = layer(CGRect(x: 0, y: 0, width: 10, height: 10), nil)
        delegatedLayer.delegate = painter
        delegatedLayer.setNeedsDisplay()
        XCTAssertEqual(try render(delegatedLayer)(1, 1), "ff000000")
        XCTAssertEqual(try render(delegatedLayer)(5, 5), "ff00ff00")
    }

    /// Renders a layer as for a movie: with the y axis up, at a time in seconds.
    private func renderUpward(_ layer: CALayer, at time: CFTimeInterval = 0) throws -> RenderedImage {
        let context = try context(20, 20)
        layer.render(in: context, at: time)
        let data = try XCTUnwrap(context.data).assumingMemoryBound(to: UInt32.self)
        return RenderedImage(width: 20, pixels: (0..<400).map { data[$0] })
    }

    func testInMoviesTheYAxisPointsUpAndContentsAreUpright() throws {
        let root = layer(CGRect(x: 0, y: 0, width: 20, height: 20), nil)
        let box = layer(CGRect(x: 0, y: 0, width: 10, height: 6), green)
        let picture = layer(CGRect(x: 10, y: 10, width: 4, height: 8), nil)
        picture.contents = try image()
        let shape = CAShapeLayer()
        shape.frame = CGRect(x: 14, y: 0, width: 6, height: 6)
        shape.path = CGPath(rect: CGRect(x: 0, y: 0, width: 6, height: 2), transform: nil)
        shape.fillColor = blue
        for sublayer in [box, picture, shape] { root.addSublayer(sublayer) }
        let upward = try renderUpward(root)
        XCTAssertEqual(upward(1, 14), "ff00ff00")
        XCTAssertEqual(upward(1, 13), "00000000")
        XCTAssertEqual(upward(11, 2), "ffff0000")
        XCTAssertEqual(upward(11, 9), "ff0000ff")
        XCTAssertEqual(upward(15, 19), "ff0000ff")
        XCTAssertEqual(upward(15, 17), "00000000")
        XCTAssertFalse(box.contentsAreFlipped())
        root.isGeometryFlipped = true
        XCTAssertTrue(box.contentsAreFlipped())
        let downward = try renderUpward(root)
        XCTAssertEqual(downward.pixels, try render(root).pixels)
        XCTAssertEqual(downward(1, 5), "ff00ff00")
        XCTAssertEqual(downward(11, 10), "ffff0000")
        XCTAssertEqual(downward(11, 17), "ff0000ff")
        XCTAssertEqual(downward(15, 1), "ff0000ff")
        // Two flips cancel each other.
        picture.isGeometryFlipped = true
        XCTAssertEqual(try renderUpward(root)(11, 10), "ffff0000")
        XCTAssertEqual(root.convert(CGPoint(x: 0, y: 0), from: picture), CGPoint(x: 10, y: 18))
    }

    func testTextIsUprightInMovies() throws {
        let text = CATextLayer()
        text.frame = CGRect(x: 0, y: 0, width: 20, height: 20)
        (text.string, text.fontSize) = ("L", 18)
        text.backgroundColor = .black
        XCTAssertEqual(try renderUpward(text).pixels, try render(text).pixels)
    }

    func testALayerIsShownFromItsBeginTimeForItsDuration() throws {
        let root = layer(CGRect(x: 0, y: 0, width: 20, height: 20), .white)
        let box = layer(root.bounds, red)
        root.addSublayer(box)
        (box.beginTime, box.duration) = (2, 3)
        let fade = CABasicAnimation(keyPath: "backgroundColor")
        // In the time of the layer, which begins with it.
        (fade.fromValue, fade.toValue, fade.beginTime, fade.duration) = (red, blue, 1, 1)
        fade.fillMode = .both
        box.add(fade, forKey: nil)
        for (time, color) in [
            (1.99, "ffffffff"), (2, "ffff0000"), (3, "ffff0000"), (3.5, "ff800080"), (4, "ff0000ff"),
            (4.99, "ff0000ff"), (5, "ffffffff"),
        ] { XCTAssertEqual(try renderUpward(root, at: time)(5, 5), color, "\(time)") }
        box.fillMode = .forwards
        XCTAssertEqual(try renderUpward(root, at: 5)(5, 5), "ff0000ff")
    }

    func testAStrokeEndsAtAFractionOfItsLength() throws {
        let shape = CAShapeLayer()
        shape.frame = CGRect(x: 0, y: 0, width: 20, height: 20)
        let path = CGMutablePath()
        path.move(to: CGPoint(x: 0, y: 5))
        path.addLine(to: CGPoint(x: 10, y: 5))
        path.addCurve(
            to: CGPoint(x: 20, y: 5), control1: CGPoint(x: 13, y: 5), control2: CGPoint(x: 17, y: 5))
        (shape.path, shape.strokeColor, shape.fillColor, shape.lineWidth) = (path, red, nil, 2)
        func columns() throws -> [Int] {
            let rendered = try render(shape)
            return (0..<20).filter { rendered($0, 5) == "ffff0000" }
        }
        XCTAssertEqual(try columns(), Array(0..<20))
        shape.strokeEnd = 0.75
        XCTAssertEqual(try columns(), Array(0..<15))
        shape.strokeStart = 0.2
        XCTAssertEqual(try columns(), Array(4..<15))
        shape.strokeStart = 0.8
        XCTAssertEqual(try columns(), [])
    }

    func testPathsAndMasksAreAnimated() throws {
        let root = layer(CGRect(x: 0, y: 0, width: 20, height: 20), green)
        let mask = CAShapeLayer()
        mask.frame = root.bounds
        root.mask = mask
        let grow = CABasicAnimation(keyPath: "path")
        grow.fromValue = CGPath(rect: CGRect(x: 0, y: 0, width: 0, height: 20), transform: nil)
        grow.toValue = CGPath(rect: CGRect(x: 0, y: 0, width: 20, height: 20), transform: nil)
        // The begin time is `AVCoreAnimationBeginTimeAtZero`.
        (grow.beginTime, grow.duration) = (1e-100, 2)
        mask.add(grow, forKey: nil)
        XCTAssertEqual(try renderUpward(root, at: 0)(0, 10), "00000000", "active at zero")
        let half = try renderUpward(root, at: 1)
        XCTAssertEqual(half(9, 10), "ff00ff00")
        XCTAssertEqual(half(10, 10), "00000000")
    }

    func testContentsAreDisplayedBeforeTheyAreDrawn() throws {
        final class Displaying: CALayer, @unchecked Sendable {
            // SAFETY: set before it is used.
            var image: CGImage?
            override func display() { contents = image }
        }
        for rendersAtTime in [false, true] {
            let root = layer(CGRect(x: 0, y: 0, width: 20, height: 20), nil)
            let displaying = Displaying()
            displaying.frame = root.bounds
            displaying.image = try image()
            root.addSublayer(displaying)
            displaying.setNeedsDisplay()
            let rendered = rendersAtTime ? try renderUpward(root) : try render(root)
            XCTAssertEqual(rendered(10, 1), "ffff0000")
            XCTAssertFalse(displaying.needsDisplay())
        }
    }
}
