import AVFoundation
import CaptureTesting
import CodeReader
import XCTest

final class CodeReaderTests: XCTestCase {
    private func makeScreenLayer() -> CALayer {
        let layer = CALayer()
        layer.bounds = CGRect(x: 0, y: 0, width: 360, height: 640)
        return layer
    }

    private func scene(_ codes: String) throws -> SimScene {
        .file(try .init(yaml: "scene: 1\nname: codes\ncodes:\n\(codes)", file: "codes.yaml"))
    }

    func testQRAndRetailCodesAreReadAndFramedAtTheirPositions() throws {
        let scene = try scene(
            "  - {kind: qr, text: \"hello\", depth: 50 cm, y: 6 cm, module: 3 mm}\n"
                + "  - {kind: upc-e, text: \"0123456\", depth: 50 cm, y: -6 cm, module: 1.3 mm}\n")
        let simulated = try SimulatedSystem(scene: scene)
        let reader = try CodeReader(on: makeScreenLayer())
        reader.session.startRunning()
        XCTAssertTrue(simulated.advance(until: { reader.codes.count == 2 }, limit: .seconds(3)), "\(reader.codes)")
        let qr = try XCTUnwrap(reader.codes.first { $0.type == .qr })
        let retailCode = try XCTUnwrap(reader.codes.first { $0.type != .qr })
        XCTAssertEqual(qr.text, "hello")
        XCTAssertEqual(qr.frame.midX, 180, accuracy: 5)
        XCTAssertLessThan(qr.frame.maxY, 320, "above the center")
        XCTAssertGreaterThan(retailCode.frame.minY, 320, "below the center")
        XCTAssertTrue(retailCode.text.contains("123456"), retailCode.text)
        XCTAssertEqual(
            Set((reader.previewLayer.sublayers ?? []).map { $0.frame.midX.rounded() }),
            Set(reader.codes.map { $0.frame.midX.rounded() }))
        XCTAssertEqual(reader.previewLayer.sublayers?.count, 2)
    }

    func testWithoutCodesNothingIsReported() throws {
        let simulated = try SimulatedSystem(scene: .grey)
        let reader = try CodeReader(on: makeScreenLayer())
        reader.onChange = { XCTFail("\($0)") }
        reader.session.startRunning()
        simulated.advance(by: .milliseconds(500))
        XCTAssertEqual(reader.codes, [])
        XCTAssertNil(reader.previewLayer.sublayers?.first)
    }

    func testWithoutCameraTheReaderFails() throws {
        let simulated = try SimulatedSystem(profile: "usb-microphone")
        XCTAssertThrowsError(try CodeReader(on: makeScreenLayer())) {
            XCTAssertEqual($0 as? CodeReaderError, .noCamera)
        }
        withExtendedLifetime(simulated) {}
    }
}
