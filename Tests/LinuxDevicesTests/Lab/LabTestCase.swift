import CLinuxDevices
import CaptureHAL
import Glibc
import MediaTypes
import XCTest

@testable import LinuxDevices

/// The timeout of each wait in seconds. It is long, because an emulated machine on a loaded host is slow.
let labTimeout = 120.0

/// A test case that needs the kernel's test drivers vivid, snd-aloop and snd-dummy.
///
/// `CI/hardware-lab` runs these tests in a virtual machine. Elsewhere they are skipped.
class LabTestCase: XCTestCase {
    let clock = HostClock()
    let kernel = LinuxKernel()
    lazy var host = LinuxHost(clock: clock)

    override func setUpWithError() throws {
        try XCTSkipUnless(
            ProcessInfo.processInfo.environment["OBSCURA_HARDWARE_LAB"] == "1",
            "needs vivid and the ALSA test cards: run CI/hardware-lab")
    }

    /// Returns vivid's two cameras: the first has single-planar buffers, the second multi-planar ones.
    func cameras() throws -> [V4L2Camera] {
        let cameras = host.devices.compactMap { $0 as? V4L2Camera }
        XCTAssertEqual(cameras.count, 2, "\(host.devices.map(\.descriptor.uniqueID))")
        return cameras
    }

    /// Returns the configuration of a format with a width of 640, at 25 frames per second if possible.
    func configuration(
        _ camera: V4L2Camera, _ encoding: VideoStreamFormat.Encoding = .pixels(kCVPixelFormatType_422YpCbCr8_yuvs),
        bufferCount: Int = 8
    ) throws -> StreamConfiguration {
        for format in camera.formats {
            if case .video(let video) = format, video.encoding == encoding, video.dimensions.width == 640 {
                let fastest = try XCTUnwrap(video.frameDurations.map(\.minimum).min())
                let duration = max(fastest, CMTime(value: 1, timescale: 25))
                let supported = video.supports(frameDuration: duration) ? duration : fastest
                return StreamConfiguration(format: format, frameDuration: supported, bufferCount: bufferCount)
            }
        }
        throw KernelError("no \(encoding) format with a width of 640", EINVAL)
    }
}
