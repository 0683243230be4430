import CaptureHAL
import Foundation
import MediaTypes
import SimDevices
import XCTest

@testable import CaptureCore

final class SubjectAreaMonitorTests: XCTestCase {
    /// Creates a frame of 128x72 pixels with horizontal bands of equal height, from top to bottom. Each byte of a band
    /// has the band's value.
    private func frame(_ bands: [UInt8], at seconds: Double, _ format: OSType) throws -> VideoFrame {
        var created: CVPixelBuffer?
        XCTAssertEqual(CVPixelBufferCreate(nil, 128, 72, format, nil, &created), kCVReturnSuccess)
        let pixels = try XCTUnwrap(created)
        pixels.withPlane(0) { plane in
            for y in 0..<72 {
                let row = UnsafeMutableRawPointer(plane.baseAddress) + y * plane.bytesPerRow
                let value = bands[y * bands.count / 72]
                memset(row, Int32(value), plane.bytesPerRow)
            }
        }
        return VideoFrame(
            payload: .pixels(pixels), presentationTime: CMTime(seconds: seconds, preferredTimescale: 1000),
            duration: CMTime(value: 1, timescale: 30), sequenceNumber: 0)
    }

    func testALargeChangeIsDetectedOnceInEachFormat() throws {
        for format in [
            kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_32BGRA, kCVPixelFormatType_422YpCbCr8,
            kCVPixelFormatType_422YpCbCr8_yuvs,
        ] {
            let monitor = SubjectAreaMonitor()
            XCTAssertFalse(monitor.hasChanged(in: try frame([200], at: 0, format)))
            monitor.isEnabled = true
            XCTAssertFalse(monitor.hasChanged(in: try frame([40, 200], at: 0, format)))
            XCTAssertFalse(monitor.hasChanged(in: try frame([46, 190], at: 1, format)), "a small change")
            XCTAssertFalse(monitor.hasChanged(in: try frame([200, 40], at: 1.05, format)), "within the interval")
            XCTAssertTrue(monitor.hasChanged(in: try frame([200, 40], at: 2, format)))
            XCTAssertFalse(monitor.hasChanged(in: try frame([200, 40], at: 3, format)), "unchanged")
            monitor.isEnabled = false
            XCTAssertFalse(monitor.hasChanged(in: try frame([40, 200], at: 4, format)))
        }
    }

    func testTheDevicePostsChangesOnlyWhileMonitoringIsEnabled() throws {
        let fixture = try CaptureFixture()
        let camera = try fixture.device(CaptureFixture.camera)
        let video = fixture.inSystem { AVCaptureVideoDataOutput() }
        let session = try fixture.makeSession(microphone: nil, [video])
        let count = Lock(0)
        let token = fixture.center.addObserver(
            forName: .AVCaptureDeviceSubjectAreaDidChange, object: camera, queue: nil
        ) { _ in count.withLock { $0 += 1 } }
        fixture.assertMisuse(.generic) { camera.isSubjectAreaChangeMonitoringEnabled = true }
        session.startRunning()
        fixture.advance(milliseconds: 2000)
        try camera.lockForConfiguration()
        camera.isSubjectAreaChangeMonitoringEnabled = true
        XCTAssertTrue(camera.isSubjectAreaChangeMonitoringEnabled)
        fixture.advance(milliseconds: 1000)
        XCTAssertEqual(count.withLock { $0 }, 0, "the scene is static")
        camera.setExposureModeCustom(duration: camera.activeFormat.minExposureDuration, iso: camera.activeFormat.minISO)
        fixture.advance(milliseconds: 1000)
        XCTAssertEqual(count.withLock { $0 }, 1, "the frame has turned black")
        camera.isSubjectAreaChangeMonitoringEnabled = false
        camera.exposureMode = .continuousAutoExposure
        fixture.advance(milliseconds: 2000)
        XCTAssertEqual(count.withLock { $0 }, 1)
        session.stopRunning()
        fixture.center.removeObserver(token)
        fixture.assertNoMisuse()
    }
}
