import AVFoundation
import CaptureGuide
import CaptureTesting
import TestSupport
import XCTest

/// The number in the name of a test is that of its row in docs/tutorials.md: `testS1_32…` tests S1-32.
final class StillTests: XCTestCase {
    /// Captures a still of the street, which is the default scene.
    private func still(_ preset: AVCaptureSession.Preset) throws -> StillCamera.Still {
        let simulated = try SimulatedSystem()
        defer { simulated.close() }
        let camera = StillCamera()
        let session = try makeSession(preset, camera.output)
        session.startRunning()
        simulated.advance(by: .milliseconds(300))
        let stills = Events<StillCamera.Still>()
        camera.capture { if let still = try? $0.get() { stills.add(still) } }
        XCTAssertTrue(simulated.advance(until: { stills.count == 1 }))
        return try XCTUnwrap(stills.last)
    }

    private func properties(of jpeg: Data?) throws -> [String: Any] {
        let source = try XCTUnwrap(CGImageSourceCreateWithData(try XCTUnwrap(jpeg) as CFData, nil))
        return try XCTUnwrap(CGImageSourceCopyPropertiesAtIndex(source, 0, nil))
    }

    func testS1_32ThePresetDeterminesTheSizeOfStills() throws {
        let sizes: [(AVCaptureSession.Preset, Int, Int)] = [
            (.medium, 480, 360), (.vga640x480, 640, 480), (.hd1280x720, 1280, 720), (.photo, 4032, 3024),
        ]
        for (preset, width, height) in sizes {
            let properties = try properties(of: try still(preset).jpeg)
            XCTAssertEqual(properties[kCGImagePropertyPixelWidth as String] as? Int, width, preset.rawValue)
            XCTAssertEqual(properties[kCGImagePropertyPixelHeight as String] as? Int, height, preset.rawValue)
        }
    }

    func testS1_33TheJPEGDataOfTheCameraIsNotReencoded() throws {
        let still = try still(.vga640x480)
        let buffer = try XCTUnwrap(still.sampleBuffer.dataBuffer)
        var capturedJPEG = Data(count: CMBlockBufferGetDataLength(buffer))
        let count = capturedJPEG.count
        capturedJPEG.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            CMBlockBufferCopyDataBytes(buffer, atOffset: 0, dataLength: count, destination: base)
        }
        // The entropy-coded data follows the marker SOS (start of scan). The segments before it contain the metadata.
        let scan = Data([0xff, 0xda])
        let start = try XCTUnwrap(capturedJPEG.range(of: scan)?.lowerBound)
        let file = try XCTUnwrap(still.jpeg)
        XCTAssertGreaterThan(capturedJPEG.count - start, 10_000)
        XCTAssertEqual(file.suffix(capturedJPEG.count - start), capturedJPEG.suffix(from: start))
    }

    func testS1_34EXIFIsReadAndChangedValuesAreWritten() throws {
        let still = try still(.vga640x480)
        XCTAssertEqual(still.exif[kCGImagePropertyExifFNumber as String] as? Double ?? 0, 1.78, accuracy: 0.01)
        XCTAssertNotNil(still.exif[kCGImagePropertyExifExposureTime as String])
        still.exif[kCGImagePropertyExifLensModel as String] = "a pinhole"
        still.exif[kCGImagePropertyExifUserComment as String] = "at the lake"
        let exif = try XCTUnwrap(
            try properties(of: still.jpeg)[kCGImagePropertyExifDictionary as String] as? [String: Any])
        XCTAssertEqual(exif[kCGImagePropertyExifLensModel as String] as? String, "a pinhole")
        XCTAssertEqual(exif[kCGImagePropertyExifUserComment as String] as? String, "at the lake")
        XCTAssertEqual(exif[kCGImagePropertyExifFNumber as String] as? Double ?? 0, 1.78, accuracy: 0.01)
    }
}
