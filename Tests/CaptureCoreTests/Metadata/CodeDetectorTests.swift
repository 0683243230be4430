import CaptureHAL
import Dispatch
import MediaTypes
import SimDevices
import XCTest

@testable import CaptureCore

final class CodeDetectorTests: XCTestCase {
    private static let all = CGRect(x: 0, y: 0, width: 1, height: 1)

    /// Copies the frames that it receives.
    private final class FrameCopies: AVCaptureVideoDataOutputSampleBufferDelegate, Sendable {
        let queue = DispatchQueue(label: "test.frames")
        let frames = Lock<[(time: CMTime, pixels: CVPixelBuffer)]>([])

        func captureOutput(
            _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
        ) {
            guard let copy = CMSampleBufferGetImageBuffer(sampleBuffer).flatMap(CodeDetectorTests.copy) else { return }
            frames.withLock { $0.append((CMSampleBufferGetPresentationTimeStamp(sampleBuffer), copy)) }
        }
    }

    /// Returns the last frames of a camera in front of the shelf, at 30 fps, after the automatic modes have settled.
    private func frames(_ count: Int, change: ((SimHost) throws -> Void)? = nil) throws -> [(CMTime, CVPixelBuffer)] {
        // Without a marker, which would change with each frame.
        let fixture = try CaptureFixture { clock in
            [
                try SimHost(
                    profiles: [try .builtIn("phone")], scene: .shelf, orientation: .landscapeLeft, clock: clock)
            ]
        }
        let output = fixture.inSystem { AVCaptureVideoDataOutput() }
        let copies = FrameCopies()
        output.setSampleBufferDelegate(copies, queue: copies.queue)
        let session = try fixture.makeSession(
            camera: "phone.back-wide", microphone: nil, preset: .hd1280x720, [output])
        session.startRunning()
        fixture.advance(milliseconds: 500)
        try change?(fixture.host)
        fixture.advance(milliseconds: 34 * count)
        session.stopRunning()
        return copies.frames.withLock { $0.suffix(count).map { ($0.time, $0.pixels) } }
    }

    private static func copy(_ source: CVPixelBuffer) -> CVPixelBuffer? {
        var copy: CVPixelBuffer?
        let (width, height) = (CVPixelBufferGetWidth(source), CVPixelBufferGetHeight(source))
        CVPixelBufferCreate(nil, width, height, CVPixelBufferGetPixelFormatType(source), nil, &copy)
        guard let copy else { return nil }
        source.withPlane(0) { from in
            copy.withPlane(0) { to in
                for row in 0..<height {
                    UnsafeMutableRawPointer(mutating: to.baseAddress + row * to.bytesPerRow)
                        .copyMemory(from: from.baseAddress + row * from.bytesPerRow, byteCount: width)
                }
            }
        }
        return copy
    }

    func testEachTypeIsReadAloneAsWithAllOthers() throws {
        let (time, frame) = try XCTUnwrap(try frames(1).last)
        let together = CodeDetector().detections(of: CodeDetector.types, in: frame, at: time, region: Self.all)
        XCTAssertEqual(
            Set(together.compactMap(\.text)),
            ["https://example.org/obscura", "4012345678901", "01234565", "OBSCURA-2026"])
        for type in CodeDetector.types {
            let alone = CodeDetector().detections(of: [type], in: frame, at: time, region: Self.all)
            XCTAssertEqual(alone.map(\.text), together.filter { $0.type == type }.map(\.text), type.rawValue)
        }
    }

    func testAFrameThatDiffersOnlyByNoiseIsNotScanned() throws {
        let frames = try frames(12)
        let detector = CodeDetector()
        var texts: [[String?]] = []
        for (time, frame) in frames {
            texts.append(detector.detections(of: [.qr, .ean13], in: frame, at: time, region: Self.all).map(\.text))
        }
        XCTAssertEqual(Set(texts), [["https://example.org/obscura", "4012345678901"]])
        XCTAssertEqual(detector.scanCount, 1)
        // Other types need another scan, and so does a frame after half a second.
        let (time, frame) = try XCTUnwrap(frames.last)
        XCTAssertEqual(
            detector.detections(of: [.code128], in: frame, at: time, region: Self.all).map(\.text), ["OBSCURA-2026"])
        XCTAssertEqual(detector.scanCount, 2)
        _ = detector.detections(
            of: [.code128], in: frame, at: time + CMTime(value: 1, timescale: 2), region: Self.all)
        XCTAssertEqual(detector.scanCount, 3)
    }

    func testACodeThatMovesIsFoundAtEachPosition() throws {
        let frames = try frames(6) { host in
            try host.changeSceneObject(SceneObjectChange("qr", x: -0.05, duration: CMTime(value: 1, timescale: 2)))
        }
        let detector = CodeDetector()
        var positions: [CGFloat] = []
        for (time, frame) in frames {
            let code = detector.detections(of: [.qr], in: frame, at: time, region: Self.all).first
            if let code { positions.append(code.bounds.midX) }
        }
        XCTAssertGreaterThan(positions.count, 3)
        XCTAssertTrue(zip(positions, positions.dropFirst()).allSatisfy { $0 < $1 }, "\(positions)")
    }
}
