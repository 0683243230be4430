import CaptureHAL
import MediaTypes
import XCTest

@testable import SimDevices

/// Whether the codes on the shelf can be read from pictures of it.
final class ShelfPictureTests: XCTestCase {
    private static let all = [
        "CODE-128:OBSCURA-2026", "EAN-13:4012345678901", "QR-Code:https://example.org/obscura", "UPC-E:01234565",
    ]

    private func grey(_ frame: VideoFrame) throws -> ZBar.Grey {
        let plane = try frame.buffer.planes[0]
        var bytes: [UInt8] = []
        for row in 0..<plane.height {
            bytes += UnsafeRawBufferPointer(start: plane.baseAddress + row * plane.bytesPerRow, count: plane.width)
        }
        return ZBar.Grey(width: plane.width, height: plane.height, bytes: bytes)
    }

    func testAllCodesAreReadFromAPicture() throws {
        for size in [(Int32(1280), Int32(720)), (1920, 1080)] {
            let rig = try SimRig(scene: .shelf, size: size)
            try rig.start()
            rig.clock.advance(by: .milliseconds(1500))
            XCTAssertEqual(
                try ZBar.read([grey(try XCTUnwrap(rig.frames.last))]), [Self.all], "\(size)")
        }
    }

    func testCodesOutOfFocusAreReadAfterAutomaticFocus() throws {
        let rig = try SimRig(scene: .shelf, size: (1280, 720))
        try rig.device.set(.lensPosition, to: .number(0))
        try rig.start()
        rig.clock.advance(by: .milliseconds(500))
        let soft = try grey(try XCTUnwrap(rig.frames.last))
        try rig.device.set(.focusMode, to: .integer(ControlMode.auto.rawValue))
        var count = 0
        while try rig.device.value(of: .focusAdjusting) == .flag(true), count < 120 {
            rig.clear()
            rig.clock.advance(by: .nanoseconds(33_333_334))
            count += 1
        }
        rig.clear()
        rig.clock.advance(by: .milliseconds(100))
        let sharp = try grey(try XCTUnwrap(rig.frames.last))
        XCTAssertEqual(try ZBar.read([soft, sharp]), [[], Self.all], "after \(count) frames")
    }

    func testTheCodesAreWhereTheSceneSays() throws {
        XCTAssertEqual(SimScene.shelf.codes.count, 4)
        let bench = try PictureBench(size: (1280, 720)) { ShelfScene(view: $0) }
        bench.expose(seconds: 0.01, iso: 100)
        for code in SimScene.shelf.codes {
            bench.state.lensPosition = Optics.lensPosition(of: bench.profile.lens, distance: code.depth)
            bench.take()
            let scale = bench.view.scale / code.depth
            let middle = (x: 640 + code.x * scale, y: 360 - code.y * scale)
            // The quiet zones are light, the first and the last bar dark.
            for side in [-1.0, 1] {
                let edge = middle.x + side * code.width / 2 * scale
                let module = code.module * scale
                let outside = bench.light(Int(edge + side * 2.5 * module), Int(middle.y))
                // A finder's left side is seen in the upper half.
                let row = Int(middle.y - (code.kind == .qr ? 0.38 * code.height * scale : 0))
                let inside = bench.light(Int(edge - side * 0.5 * module), row)
                XCTAssertLessThan(inside, 0.45 * outside, "\(code.kind) \(side)")
            }
        }
    }
}
