import CLinuxDevices
import CaptureHAL
import Glibc
import MediaTypes
import XCTest

@testable import LinuxDevices

/// Tests the frames of vivid's cameras.
final class V4L2StreamLabTests: LabTestCase {
    func testVividFollowsTheRulesOfTheFakeKernel() throws {
        try KernelRules(kernel: kernel, path: cameras()[0].path, expose: {}).check()
    }

    func testFramesShowColorBarsInOrderAtTheSelectedRate() throws {
        let camera = try cameras()[0]
        XCTAssertEqual(camera.descriptor.uniqueID, "v4l2:platform:vivid-000:vivid:0")
        let opened = try camera.open()
        let configuration = try configuration(camera)
        let stream = try opened.makeStream(configuration)
        let receiver = RecordingReceiver()
        let startTime = clock.now
        try stream.start(receiver.receive)
        let frames = receiver.wait(for: 30).compactMap(\.frame)
        stream.stop()
        // On a loaded host, an emulated machine can lose or delay any frame.
        let numbers = frames.map(\.sequenceNumber)
        XCTAssertEqual(numbers.first, 0)
        XCTAssertTrue(zip(numbers, numbers.dropFirst()).allSatisfy(<), "\(numbers)")
        XCTAssertGreaterThanOrEqual(frames[0].presentationTime, startTime)
        XCTAssertLessThanOrEqual(
            frames[frames.count - 1].presentationTime, clock.now + configuration.frameDuration)
        let (first, last) = (frames[0], frames[frames.count - 1])
        let elapsed = (last.presentationTime - first.presentationTime).seconds
        let average = elapsed / Double(last.sequenceNumber - first.sequenceNumber)
        XCTAssertEqual(
            average, configuration.frameDuration.seconds, accuracy: configuration.frameDuration.seconds / 2)
        let pixelBuffer = try XCTUnwrap(receiver.events.compactMap(\.pixelBuffer).first)
        let frame = VividFrame(pixelBuffer)
        XCTAssertTrue(frame.showsBars, "\(frame.bars)")
        opened.close()
    }

    func testMultiPlanarDeviceShowsColorBarsInAllEncodings() throws {
        let camera = try cameras()[1]
        let encodings = Set(
            camera.formats.compactMap { if case .video(let video) = $0 { video.encoding } else { nil } })
        for code in [kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8Planar] {
            XCTAssertTrue(encodings.contains(.pixels(code)), "\(encodings)")
        }
        let opened = try camera.open()
        for encoding in encodings.sorted(by: { "\($0)" < "\($1)" }) {
            // `VividFrame` reads only 8-bit encodings that start with luma.
            guard case .pixels(let code) = encoding, let format = PixelFormat.format(of: code),
                format.model == .yCbCr || format.model == .gray, format.bitsPerComponent == 8,
                code != kCVPixelFormatType_422YpCbCr8
            else { continue }
            let stream = try opened.makeStream(configuration(camera, encoding, bufferCount: 4))
            let receiver = RecordingReceiver()
            try stream.start(receiver.receive)
            let pixelBuffer = try XCTUnwrap(
                receiver.waitForFrames().last?.pixelBuffer, "\(encoding): \(receiver.events)")
            stream.stop()
            let frame = VividFrame(pixelBuffer)
            XCTAssertTrue(frame.showsBars, "\(encoding): \(frame.bars)")
        }
        opened.close()
    }

    /// Tests the encodings with `V4L2Stream`, because the formats of `V4L2Camera` omit most of them: vivid has better
    /// encodings for each size.
    func testEncodingsThatMustBeUnpackedShowColorBars() throws {
        let singlePlanar = try checkUnpackedEncodings(of: cameras()[0].path, V4L2_BUF_TYPE_VIDEO_CAPTURE)
        XCTAssertEqual(Self.unpackedSinglePlanar.subtracting(singlePlanar), [])
        let multiPlanar = try checkUnpackedEncodings(of: cameras()[1].path, V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE)
        XCTAssertEqual(Self.unpackedMultiPlanar.subtracting(multiPlanar), [])
    }

    /// The encodings that must be tested with the single-planar device.
    private static let unpackedSinglePlanar: Set<UInt32> = [
        clinuxdevices_V4L2_PIX_FMT_YVYU, clinuxdevices_V4L2_PIX_FMT_VYUY, clinuxdevices_V4L2_PIX_FMT_NV21,
        clinuxdevices_V4L2_PIX_FMT_NV16, clinuxdevices_V4L2_PIX_FMT_NV61, clinuxdevices_V4L2_PIX_FMT_NV24,
        clinuxdevices_V4L2_PIX_FMT_NV42, clinuxdevices_V4L2_PIX_FMT_YUV422P, clinuxdevices_V4L2_PIX_FMT_YUV32,
        clinuxdevices_V4L2_PIX_FMT_AYUV32, clinuxdevices_V4L2_PIX_FMT_VUYX32, clinuxdevices_V4L2_PIX_FMT_RGB565,
        clinuxdevices_V4L2_PIX_FMT_RGB565X, clinuxdevices_V4L2_PIX_FMT_RGB555, clinuxdevices_V4L2_PIX_FMT_XRGB555X,
        clinuxdevices_V4L2_PIX_FMT_RGBX555, clinuxdevices_V4L2_PIX_FMT_XBGR555, clinuxdevices_V4L2_PIX_FMT_BGRX555,
        clinuxdevices_V4L2_PIX_FMT_RGB444, clinuxdevices_V4L2_PIX_FMT_RGBX444, clinuxdevices_V4L2_PIX_FMT_XBGR444,
        clinuxdevices_V4L2_PIX_FMT_BGRX444, clinuxdevices_V4L2_PIX_FMT_XBGR32, clinuxdevices_V4L2_PIX_FMT_BGRX32,
        clinuxdevices_V4L2_PIX_FMT_RGBX32, clinuxdevices_V4L2_PIX_FMT_XRGB32, clinuxdevices_V4L2_PIX_FMT_Y10,
        clinuxdevices_V4L2_PIX_FMT_Y12, clinuxdevices_V4L2_PIX_FMT_Y16, clinuxdevices_V4L2_PIX_FMT_Y16_BE,
        clinuxdevices_V4L2_PIX_FMT_SBGGR8, clinuxdevices_V4L2_PIX_FMT_SGBRG8, clinuxdevices_V4L2_PIX_FMT_SGRBG10,
        clinuxdevices_V4L2_PIX_FMT_SRGGB10, clinuxdevices_V4L2_PIX_FMT_SBGGR12, clinuxdevices_V4L2_PIX_FMT_SRGGB12,
        clinuxdevices_V4L2_PIX_FMT_SGBRG16, clinuxdevices_V4L2_PIX_FMT_SRGGB16,
    ]

    /// The encodings that must be tested with the multi-planar device.
    private static let unpackedMultiPlanar: Set<UInt32> = [
        clinuxdevices_V4L2_PIX_FMT_NV21M, clinuxdevices_V4L2_PIX_FMT_NV16M, clinuxdevices_V4L2_PIX_FMT_NV61M,
        clinuxdevices_V4L2_PIX_FMT_YUV422M, clinuxdevices_V4L2_PIX_FMT_YVU422M, clinuxdevices_V4L2_PIX_FMT_YUV444M,
        clinuxdevices_V4L2_PIX_FMT_YVU444M,
    ]

    /// Captures a frame in each of a device node's encodings that must be unpacked, and checks its color bars.
    ///
    /// - Returns: The four-character codes of the checked encodings.
    private func checkUnpackedEncodings(of path: String, _ type: v4l2_buf_type) throws -> Set<UInt32> {
        let size = CMVideoDimensions(width: 320, height: 180)
        var checked: Set<UInt32> = []
        for fourcc in try fourccs(path, type) {
            for pixels in V4L2PixelFormat.formats(fourcc) where pixels.rank == .unpacked {
                let duration = CMTime(value: 1, timescale: 25)
                let video = VideoStreamFormat(
                    dimensions: size, encoding: pixels.encoding(isFullRange: false),
                    frameDurations: [FrameDurationRange(duration)])
                let stream = try V4L2Stream(
                    V4L2Node(path, kernel: kernel), type: type.rawValue,
                    entry: V4L2FormatList.Entry(stream: video, pixels: pixels),
                    configuration: StreamConfiguration(format: .video(video), frameDuration: duration), device: "vivid",
                    clock: clock, controls: V4L2Controls(V4L2Node(path, kernel: kernel), clock: clock, device: "vivid"))
                let receiver = RecordingReceiver()
                try stream.start(receiver.receive)
                let pixelBuffer = try XCTUnwrap(
                    receiver.waitForFrames().last?.pixelBuffer, "\(pixels): \(receiver.events)")
                stream.close()
                let frame = VividFrame(pixelBuffer)
                XCTAssertTrue(frame.showsBars, "\(pixels): \(frame.bars)")
                // Digits in Bayer mosaics are too thin to be read, and vivid writes no text into gray frames.
                switch pixels.unpacking {
                case .bayer, .gray8: break
                default: XCTAssertNotNil(frame.frameNumber, "\(pixels)")
                }
                checked.insert(fourcc)
            }
        }
        return checked
    }

    /// Returns the four-character codes of a device node's encodings.
    private func fourccs(_ path: String, _ type: v4l2_buf_type) throws -> [UInt32] {
        let node = try V4L2Node(path, kernel: kernel)
        var fourccs: [UInt32] = []
        while let next = fourcc(node, UInt32(fourccs.count), type) { fourccs.append(next) }
        return fourccs
    }

    /// Returns the encoding at an index; nil after the last one.
    private func fourcc(_ node: V4L2Node, _ index: UInt32, _ type: v4l2_buf_type) -> UInt32? {
        var description = v4l2_fmtdesc()
        (description.index, description.type) = (index, type.rawValue)
        do {
            try node.request(clinuxdevices_VIDIOC_ENUM_FMT, "ENUM_FMT", &description)
        } catch {
            XCTAssertEqual(error.number, EINVAL)
            return nil
        }
        return description.pixelformat
    }

    func testFramesAreDroppedAsOutOfBuffersWhileAllBuffersAreRetained() throws {
        let camera = try cameras()[0]
        let opened = try camera.open()
        let stream = try opened.makeStream(configuration(camera, bufferCount: 3))
        let receiver = RecordingReceiver()
        try stream.start(receiver.receive)
        XCTAssertEqual(receiver.waitForFrames(3).count, 3)
        // vivid continues to count frames. The sequence number of the next frame shows how many were lost.
        let pause = expectation(description: "0.5 s have elapsed")
        clock.schedule(at: clock.now + CMTime(value: 1, timescale: 2)) { pause.fulfill() }
        wait(for: [pause], timeout: labTimeout)
        XCTAssertEqual(receiver.waitForFrames(3).count, 3)
        receiver.removeAll()
        let drops = receiver.wait(for: 3).compactMap(\.drop)
        stream.stop()
        XCTAssertFalse(drops.isEmpty)
        XCTAssertEqual(Set(drops.map(\.reason)), [.outOfBuffers])
        opened.close()
    }
}
