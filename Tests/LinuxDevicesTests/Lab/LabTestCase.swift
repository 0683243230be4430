import CLinuxDevices
import CaptureHAL
import Glibc
import MediaTypes
import XCTest

@testable import LinuxDevices

/// A test on the kernel's own test drivers: vivid, snd-aloop and snd-dummy. `CI/hardware-lab` runs them all.
class LabTestCase: XCTestCase {
    let clock = HostClock()
    let kernel = LinuxKernel()
    lazy var host = LinuxHost(clock: clock)

    override func setUpWithError() throws {
        try XCTSkipUnless(
            ProcessInfo.processInfo.environment["OBSCURA_HARDWARE_LAB"] == "1",
            "needs vivid and the ALSA test cards: run CI/hardware-lab")
    }

    func cameras() throws -> [V4L2Camera] {
        let cameras = host.devices.compactMap { $0 as? V4L2Camera }
        XCTAssertEqual(cameras.count, 2, "\(host.devices.map(\.descriptor.uniqueID))")
        return cameras
    }

    func configuration(
        _ camera: V4L2Camera, _ encoding: VideoStreamFormat.Encoding = .pixels(kCVPixelFormatType_422YpCbCr8_yuvs),
        bufferCount: Int = 8
    ) throws -> StreamConfiguration {
        for format in camera.formats {
            if case .video(let video) = format, video.encoding == encoding, video.dimensions.width == 640 {
                let fastest = try XCTUnwrap(video.frameDurations.map(\.minimum).min())
                let duration = max(fastest, CMTime(value: 1, timescale: 25))
                let offered = video.supports(frameDuration: duration) ? duration : fastest
                return StreamConfiguration(format: format, frameDuration: offered, bufferCount: bufferCount)
            }
        }
        throw KernelError("no format \(encoding) of 640 columns", EINVAL)
    }

    /// Luma at a place given in shares of width and height; packed 4:2:2 has luma first.
    func luma(_ picture: CVPixelBuffer, _ x: Double, _ y: Double) -> Int {
        let block = picture.format.planes[0]
        return picture.withPlane(0) { plane in
            let column = Int(Double(plane.width) * x) / block.blockWidth * block.bitsPerBlock / 8
            let offset = Int(Double(plane.height) * y) * plane.bytesPerRow + column
            return Int(plane.baseAddress.load(fromByteOffset: offset, as: UInt8.self))
        }
    }

    /// The color bars, at three quarters of the height, below vivid's text.
    func bars(_ picture: CVPixelBuffer) -> [Int] {
        (0..<8).map { luma(picture, (Double($0) + 0.5) / 8, 0.75) }
    }

    /// The failure that ends a stream, within some frames.
    func failure(in receiver: RecordingReceiver) -> DeviceError? {
        for count in 1...60 {
            if let failure = receiver.wait(for: count).compactMap(\.failure).first { return failure }
        }
        return nil
    }
}
