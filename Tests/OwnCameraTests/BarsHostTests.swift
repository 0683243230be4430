import AVFoundation
import CaptureHAL
import CaptureTesting
import OwnCamera
import XCTest

final class BarsHostTests: XCTestCase {
    func testTheHostConforms() {
        HostConformance("bars") { _ in
            let clock = SimClock()
            return ConformanceSubject(host: BarsHost(clock: clock), time: .virtual(clock))
        }.check(skipping: [
            // The camera is part of the program: it is never disconnected, used by other applications, damaged or
            // denied. It has neither automatic modes nor audio.
            .useByAnotherApplicationIsBusy, .deniedPermissionIsReported, .controlChangesAreReported,
            .disconnectionIsReported, .disconnectionEndsTheStream, .lostFramesAreReported, .damagedFramesAreReported,
            .failureEndsTheStream, .endIsReported, .audioHasNoGaps, .mutedDeviceIsSilent,
        ])
    }

    /// Collects the color of each frame at a quarter of the width in the first row, as 0xAARRGGBB, and the times of the
    /// frames in seconds.
    private final class Frames: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, @unchecked Sendable {
        // SAFETY: the delegate's queue runs one callback at a time, and the test reads after it has stopped the
        // session.
        var colors: [UInt32] = []
        var seconds: [Double] = []

        func captureOutput(
            _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
        ) {
            guard let pixels = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
            CVPixelBufferLockBaseAddress(pixels, .readOnly)
            defer { CVPixelBufferUnlockBaseAddress(pixels, .readOnly) }
            guard let base = CVPixelBufferGetBaseAddress(pixels) else { return }
            let offset = CVPixelBufferGetWidth(pixels) / 4 * 4
            colors.append(base.loadUnaligned(fromByteOffset: offset, as: UInt32.self).littleEndian)
            seconds.append(CMSampleBufferGetPresentationTimeStamp(sampleBuffer).seconds)
        }
    }

    func testAnAppUsesTheCamera() throws {
        let clock = SimClock()
        let system = CaptureSystem(hosts: [BarsHost(clock: clock)], clock: clock)
        let frames = Frames()
        let queue = DispatchQueue(label: "frames")
        let (session, camera) = try system.run {
            let camera = try XCTUnwrap(AVCaptureDevice.default(for: .video))
            let output = AVCaptureVideoDataOutput()
            output.videoSettings = [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA]
            output.setSampleBufferDelegate(frames, queue: queue)
            let session = AVCaptureSession()
            session.sessionPreset = .hd1280x720
            session.addInput(try AVCaptureDeviceInput(device: camera))
            session.addOutput(output)
            return (session, camera)
        }
        XCTAssertEqual(camera.localizedName, "Color Bars")
        XCTAssertEqual(camera.maxAvailableVideoZoomFactor, 4)
        session.startRunning()
        clock.advance(by: .seconds(1))
        try camera.lockForConfiguration()
        camera.videoZoomFactor = 4
        camera.unlockForConfiguration()
        clock.advance(by: .seconds(1))
        session.stopRunning()
        XCTAssertEqual(frames.seconds.count, 60, accuracy: 1)
        XCTAssertEqual(frames.seconds, frames.seconds.sorted())
        // At a quarter of the width is the third bar. With a zoom of four it is the fourth, and after two seconds of
        // movement just before the end of the sixth.
        XCTAssertEqual(frames.colors.first, 0xFF00_FFFF)
        XCTAssertEqual(frames.colors.last, 0xFFFF_0000)
    }
}
