import MediaTypes
import VectorGraphics
import XCTest

final class CGContextTests: XCTestCase {
    /// Creates a context, without an alpha channel if `isOpaque` is true.
    private func context(_ width: Int, _ height: Int, isOpaque: Bool = false) throws -> CGContext {
        let alpha: CGImageAlphaInfo = isOpaque ? .noneSkipFirst : .premultipliedFirst
        return try XCTUnwrap(
            CGContext(
                data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: 0,
                space: CGColorSpaceCreateDeviceRGB(),
                bitmapInfo: CGBitmapInfo.byteOrder32Little.rawValue | alpha.rawValue))
    }

    /// Returns the pixel in a column and a row from the top as the eight hexadecimal digits AARRGGBB.
    private func pixel(_ context: CGContext, _ x: Int, _ y: Int) -> String {
        guard let data = context.data else { return "none" }
        let value = data.load(fromByteOffset: y * context.bytesPerRow + x * 4, as: UInt32.self)
        let text = String(value, radix: 16)
        return String(repeating: "0", count: 8 - text.count) + text
    }

    private let red = CGColor(red: 1, green: 0, blue: 0, alpha: 1)
    private let blue = CGColor(red: 0, green: 0, blue: 1, alpha: 1)

    func testTheOriginIsTheLowerLeftCorner() throws {
        let context = try context(8, 8)
        context.setFillColor(red)
        context.fill(CGRect(x: 0, y: 0, width: 2, height: 3))
        XCTAssertEqual(pixel(context, 1, 5), "ffff0000")
        XCTAssertEqual(pixel(context, 1, 4), "00000000")
        XCTAssertEqual(pixel(context, 2, 7), "00000000")
        context.clear(CGRect(x: 0, y: 0, width: 1, height: 1))
        XCTAssertEqual(pixel(context, 0, 7), "00000000")
        XCTAssertEqual(pixel(context, 0, 6), "ffff0000")
    }

    func testOtherFormatsAreRejected() {
        func make(_ bits: Int, _ bytesPerRow: Int, _ space: CGColorSpace, _ info: UInt32) -> CGContext? {
            CGContext(
                data: nil, width: 4, height: 4, bitsPerComponent: bits, bytesPerRow: bytesPerRow, space: space,
                bitmapInfo: info)
        }
        let rgb = CGColorSpaceCreateDeviceRGB()
        let info = CGBitmapInfo.byteOrder32Little.rawValue | CGImageAlphaInfo.premultipliedFirst.rawValue
        XCTAssertNotNil(make(8, 16, rgb, info))
        XCTAssertNil(make(16, 0, rgb, info))
        XCTAssertNil(make(8, 12, rgb, info))
        XCTAssertNil(make(8, 0, CGColorSpaceCreateDeviceGray(), info))
        // Apple's contexts have no straight alpha, no 24-bit pixels and no floating point at 8 bits either.
        for alpha in [CGImageAlphaInfo.first, .last, .none] { XCTAssertNil(make(8, 0, rgb, alpha.rawValue)) }
        XCTAssertNil(make(8, 0, rgb, CGBitmapInfo.floatComponents.rawValue | info))
    }

    /// Draws half a red over white in a layout, in the caller's memory, and returns the bytes of a pixel.
    private func bytes(_ alpha: CGImageAlphaInfo, _ order: CGBitmapInfo = [], isGray: Bool = false) throws -> [UInt8] {
        let count = isGray || alpha == .alphaOnly ? 1 : 4
        var memory = [UInt8](repeating: 0, count: 4 * (4 * count + 3))
        try memory.withUnsafeMutableBytes { memory in
            let context = try XCTUnwrap(
                CGContext(
                    data: memory.baseAddress, width: 4, height: 4, bitsPerComponent: 8, bytesPerRow: 4 * count + 3,
                    space: isGray ? CGColorSpaceCreateDeviceGray() : CGColorSpaceCreateDeviceRGB(),
                    bitmapInfo: alpha.rawValue | order.rawValue), "\(alpha) \(order)")
            XCTAssertEqual(context.alphaInfo, alpha)
            XCTAssertEqual(context.bitmapInfo.rawValue, alpha.rawValue | order.rawValue)
            XCTAssertEqual(context.bitsPerPixel, count * 8)
            XCTAssertEqual(context.data, memory.baseAddress)
            context.setFillColor(CGColor(red: 1, green: 0.2, blue: 0, alpha: 0.6))
            context.fill(CGRect(x: 1, y: 0, width: 1, height: 2))
            // The memory is current after each operation, and what the client writes into it stays.
            XCTAssertEqual(context.data, memory.baseAddress)
            memory[0] = 7
            context.fill(CGRect(x: 3, y: 3, width: 1, height: 1))
            XCTAssertEqual(memory[0], 7)
            XCTAssertEqual(context.makeImage()?.width, 4)
        }
        return Array(memory[2 * (4 * count + 3) + count..<2 * (4 * count + 3) + 2 * count])
    }

    func testAllLayoutsWithEightBitsPerComponentAreDrawn() throws {
        // Premultiplied: 0.6 x (255, 51, 0), as cairo rounds it.
        let (red, green, alpha): (UInt8, UInt8, UInt8) = (153, 30, 153)
        for order in [[], CGBitmapInfo.byteOrder32Big] {
            XCTAssertEqual(try bytes(.premultipliedFirst, order), [alpha, red, green, 0])
            XCTAssertEqual(try bytes(.premultipliedLast, order), [red, green, 0, alpha])
            XCTAssertEqual(try bytes(.noneSkipFirst, order), [255, red, green, 0])
            XCTAssertEqual(try bytes(.noneSkipLast, order), [red, green, 0, 255])
        }
        XCTAssertEqual(try bytes(.premultipliedLast, .byteOrder32Little), [alpha, 0, green, red])
        XCTAssertEqual(try bytes(.noneSkipLast, .byteOrder32Little), [255, 0, green, red])
        // 0.30 x 153 + 0.59 x 30
        XCTAssertEqual(try bytes(.none, isGray: true), [64])
        XCTAssertEqual(try bytes(.alphaOnly), [alpha])
        XCTAssertEqual(try bytes(.alphaOnly, isGray: true), [alpha])
    }

    func testOtherLayoutsDrawWhatCairosLayoutDraws() throws {
        func draw(_ info: UInt32, sharing: Bool) throws -> [UInt8] {
            let context = try XCTUnwrap(
                CGContext(
                    data: nil, width: 24, height: 24, bitsPerComponent: 8, bytesPerRow: 0,
                    space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: info))
            if sharing { XCTAssertNotNil(context.data) }
            context.setFillColor(red)
            context.setStrokeColor(blue)
            context.setLineWidth(3)
            context.fill(CGRect(x: 2, y: 3, width: 11, height: 7))
            context.setShadow(offset: CGSize(width: 3, height: -2), blur: 2)
            context.strokeEllipse(in: CGRect(x: 6.5, y: 7, width: 12, height: 9))
            context.setShadow(offset: .zero, blur: 0, color: nil)
            context.rotate(by: 0.3)
            context.move(to: CGPoint(x: 4, y: 14))
            context.addLines(between: [CGPoint(x: 4, y: 14), CGPoint(x: 20, y: 13), CGPoint(x: 4, y: 11)])
            context.strokePath()
            context.setAlpha(0.5)
            context.beginTransparencyLayer(auxiliaryInfo: nil)
            context.fill(CGRect(x: 8, y: 0, width: 5, height: 5))
            context.endTransparencyLayer()
            context.setBlendMode(.destinationIn)
            context.fillEllipse(in: CGRect(x: 2, y: -2, width: 20, height: 20))
            let image = try XCTUnwrap(context.makeImage())
            context.setBlendMode(.normal)
            context.draw(image, in: CGRect(x: 4, y: 4, width: 9, height: 9))
            return try [UInt8](XCTUnwrap(context.makeImage()?.dataProvider?.data))
        }
        let expected = try draw(
            CGBitmapInfo.byteOrder32Little.rawValue | CGImageAlphaInfo.premultipliedFirst.rawValue, sharing: false)
        let last = CGImageAlphaInfo.premultipliedLast.rawValue
        XCTAssertEqual(try draw(last, sharing: true), expected)
        XCTAssertEqual(try draw(last, sharing: false), expected)
    }

    func testTheTransformAndTheStateAreRestored() throws {
        let context = try context(8, 8)
        context.saveGState()
        context.translateBy(x: 4, y: 4)
        context.scaleBy(x: 2, y: 2)
        context.rotate(by: .pi)
        context.clip(to: CGRect(x: 0, y: 0, width: 1, height: 1))
        context.setFillColor(blue)
        context.fill(CGRect(x: -9, y: -9, width: 18, height: 18))
        XCTAssertEqual(context.boundingBoxOfClipPath.width, 1, accuracy: 1e-9)
        context.restoreGState()
        context.restoreGState()
        XCTAssertEqual(context.ctm, .identity)
        XCTAssertEqual(pixel(context, 2, 5), "ff0000ff")
        XCTAssertEqual(pixel(context, 3, 4), "ff0000ff")
        XCTAssertEqual(pixel(context, 4, 4), "00000000")
        XCTAssertEqual(pixel(context, 1, 5), "00000000")
        context.fill(CGRect(x: 7, y: 7, width: 1, height: 1))
        XCTAssertEqual(pixel(context, 7, 0), "ff000000")
    }

    func testPathsAreFilledAndStroked() throws {
        let context = try context(20, 20)
        context.setFillColor(red)
        context.setStrokeColor(blue)
        context.setLineWidth(2)
        context.addRect(CGRect(x: 3, y: 3, width: 14, height: 14))
        context.addEllipse(in: CGRect(x: 6, y: 6, width: 8, height: 8))
        context.drawPath(using: .eoFillStroke)
        XCTAssertTrue(context.isPathEmpty)
        XCTAssertEqual(pixel(context, 2, 10), "ff0000ff")
        XCTAssertEqual(pixel(context, 3, 10), "ff0000ff")
        XCTAssertEqual(pixel(context, 4, 10), "ffff0000")
        XCTAssertEqual(pixel(context, 10, 10), "00000000")
        XCTAssertEqual(pixel(context, 1, 10), "00000000")
    }

    func testDashedLinesHaveGaps() throws {
        let context = try context(12, 4)
        context.setStrokeColor(red)
        context.setLineWidth(4)
        context.setLineDash(phase: 0, lengths: [3, 3])
        context.strokeLineSegments(between: [CGPoint(x: 0, y: 2), CGPoint(x: 12, y: 2)])
        XCTAssertEqual(
            [0, 2, 3, 5, 6, 8, 9].map { pixel(context, $0, 1) == "ffff0000" },
            [true, true, false, false, true, true, false])
    }

    func testAnImageIsDrawnUprightScaledAndTransparent() throws {
        let source = try context(2, 2)
        source.setFillColor(red)
        source.fill(CGRect(x: 0, y: 1, width: 2, height: 1))
        source.setFillColor(blue)
        source.fill(CGRect(x: 0, y: 0, width: 1, height: 1))
        let image = try XCTUnwrap(source.makeImage())
        XCTAssertEqual(image.alphaInfo, .premultipliedFirst)
        let target = try context(8, 8, isOpaque: true)
        target.setFillColor(.white)
        target.fill(CGRect(x: 0, y: 0, width: 8, height: 8))
        target.interpolationQuality = .none
        target.draw(image, in: CGRect(x: 2, y: 2, width: 4, height: 4))
        XCTAssertEqual(pixel(target, 2, 2).suffix(6), "ff0000")
        XCTAssertEqual(pixel(target, 3, 4).suffix(6), "0000ff")
        XCTAssertEqual(pixel(target, 4, 4).suffix(6), "ffffff")
        XCTAssertEqual(pixel(target, 6, 2).suffix(6), "ffffff")
        target.setAlpha(0.5)
        target.draw(image, in: CGRect(x: 0, y: 0, width: 8, height: 8))
        XCTAssertEqual(pixel(target, 7, 0).suffix(6), "ff7f7f")
        XCTAssertEqual(try XCTUnwrap(target.makeImage()).alphaInfo, .noneSkipFirst)
    }

    func testATransparencyLayerIsComposedAsOneImage() throws {
        let context = try context(4, 4)
        context.setAlpha(0.5)
        context.beginTransparencyLayer(auxiliaryInfo: nil)
        for color in [red, blue] {
            context.setFillColor(color)
            context.fill(CGRect(x: 0, y: 0, width: 4, height: 4))
        }
        context.saveGState()
        context.endTransparencyLayer()
        // Not a mixture of both colors.
        XCTAssertEqual(pixel(context, 1, 1), "80000080")
        context.setBlendMode(.destinationIn)
        context.beginTransparencyLayer(auxiliaryInfo: nil)
        context.fill(CGRect(x: 0, y: 0, width: 2, height: 4))
        context.endTransparencyLayer()
        XCTAssertEqual(pixel(context, 3, 1), "00000000")
        XCTAssertNotEqual(pixel(context, 1, 1), "00000000")
    }

    func testAShadowIsOffsetAndBlurred() throws {
        let context = try context(40, 40)
        context.setFillColor(red)
        context.setShadow(offset: CGSize(width: 10, height: -10), blur: 0, color: blue)
        context.fill(CGRect(x: 10, y: 20, width: 10, height: 10))
        XCTAssertEqual(pixel(context, 12, 12), "ffff0000")
        XCTAssertEqual(pixel(context, 22, 22), "ff0000ff")
        XCTAssertEqual(pixel(context, 31, 22), "00000000")
        context.clear(CGRect(x: 0, y: 0, width: 40, height: 40))
        context.setShadow(offset: .zero, blur: 6, color: blue)
        context.fill(CGRect(x: 15, y: 15, width: 10, height: 10))
        let fading = (0..<6).map { pixel(context, 25 + $0, 20) }
        XCTAssertEqual(fading, fading.sorted(by: >))
        XCTAssertGreaterThan(Set(fading).count, 4)
        XCTAssertEqual(pixel(context, 20, 20), "ffff0000")
    }

    func testAContextDrawsToTheMemoryOfTheCaller() throws {
        var pixels = [UInt32](repeating: 0, count: 16)
        try pixels.withUnsafeMutableBytes { bytes in
            let context = try XCTUnwrap(
                CGContext(
                    data: bytes.baseAddress, width: 4, height: 4, bitsPerComponent: 8, bytesPerRow: 16,
                    space: CGColorSpaceCreateDeviceRGB(),
                    bitmapInfo: CGBitmapInfo.byteOrder32Little.rawValue | CGImageAlphaInfo.premultipliedFirst.rawValue))
            context.setFillColor(gray: 1, alpha: 1)
            context.fill(CGRect(x: 3, y: 3, width: 1, height: 1))
            context.flush()
        }
        XCTAssertEqual(pixels[3], 0xffff_ffff)
        XCTAssertEqual(pixels.filter { $0 != 0 }.count, 1)
    }
}
