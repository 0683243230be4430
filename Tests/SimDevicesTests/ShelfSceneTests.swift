import CaptureHAL
import MediaTypes
import XCTest

@testable import SimDevices

/// Reads the codes of the shelf scene from rendered frames.
final class ShelfSceneTests: XCTestCase {
    private static let all = [
        "CODE-128:OBSCURA-2026", "EAN-13:4012345678901", "QR-Code:https://example.org/obscura", "UPC-E:01234565",
    ]

    private func gray(_ frame: VideoFrame) throws -> ZBar.GrayImage {
        let plane = try frame.buffer.planes[0]
        var bytes: [UInt8] = []
        for row in 0..<plane.height {
            bytes += UnsafeRawBufferPointer(start: plane.baseAddress + row * plane.bytesPerRow, count: plane.width)
        }
        return ZBar.GrayImage(width: plane.width, height: plane.height, bytes: bytes)
    }

    func testAllCodesAreReadableInAFrame() throws {
        for size in [(Int32(1280), Int32(720)), (1920, 1080)] {
            let fixture = try SimDeviceFixture(scene: .shelf, size: size)
            try fixture.start()
            fixture.clock.advance(by: .milliseconds(1500))
            XCTAssertEqual(
                try ZBar.read([gray(try XCTUnwrap(fixture.frames.last))]), [Self.all], "\(size)")
        }
    }

    func testCodesOutOfFocusAreReadableAfterAutomaticFocus() throws {
        let fixture = try SimDeviceFixture(scene: .shelf, size: (1280, 720))
        try fixture.device.set(.lensPosition, to: .number(0))
        try fixture.start()
        fixture.clock.advance(by: .milliseconds(500))
        let soft = try gray(try XCTUnwrap(fixture.frames.last))
        try fixture.device.set(.focusMode, to: .integer(ControlMode.auto.rawValue))
        var count = 0
        while try fixture.device.value(of: .focusAdjusting) == .flag(true), count < 120 {
            fixture.clear()
            fixture.clock.advance(by: .nanoseconds(33_333_334))
            count += 1
        }
        fixture.clear()
        fixture.clock.advance(by: .milliseconds(100))
        let sharp = try gray(try XCTUnwrap(fixture.frames.last))
        XCTAssertEqual(try ZBar.read([soft, sharp]), [[], Self.all], "after \(count) frames")
    }

    func testANearCodeIsInFrontOfTheEdgesOfTheBoards() throws {
        let code = try SceneCode(.qr, "near", x: 0, y: 0, depth: 0.3, module: 0.002)
        let fixture = try RenderingFixture(size: (1280, 720)) { ShelfScene(view: $0, codes: [code]) }
        let depths = ShelfScene(view: fixture.view, codes: [code]).backdrop.map(\.depth)
        XCTAssertEqual(depths.last, 0.3)
        XCTAssertEqual(depths.filter { $0 < 0.5 && $0 != 0.3 }.count, 1, "the edges of the boards")
    }

    func testTheCodesAreAtTheirPositions() throws {
        XCTAssertEqual(SimScene.shelf.codes.count, 4)
        let fixture = try RenderingFixture(size: (1280, 720)) { ShelfScene(view: $0) }
        fixture.expose(seconds: 0.01, iso: 100)
        for code in SimScene.shelf.codes {
            fixture.state.lensPosition = Optics.lensPosition(of: fixture.profile.lens, distance: code.depth)
            fixture.render()
            let scale = fixture.view.scale / code.depth
            let middle = (x: 640 + code.x * scale, y: 360 - code.y * scale)
            // The quiet zones are light, the first and the last bar are dark.
            for side in [-1.0, 1] {
                let edge = middle.x + side * code.width / 2 * scale
                let module = code.module * scale
                let outside = fixture.light(Int(edge + side * 2.5 * module), Int(middle.y))
                // In a QR code, use a row through the upper finder patterns.
                let row = Int(middle.y - (code.kind == .qr ? 0.38 * code.height * scale : 0))
                let inside = fixture.light(Int(edge - side * 0.5 * module), row)
                XCTAssertLessThan(inside, 0.45 * outside, "\(code.kind) \(side)")
            }
        }
    }
}
