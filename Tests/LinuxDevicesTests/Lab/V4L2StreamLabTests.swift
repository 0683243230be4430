import CLinuxDevices
import CaptureHAL
import Glibc
import MediaTypes
import XCTest

@testable import LinuxDevices

/// Pictures of vivid.
final class V4L2StreamLabTests: LabTestCase {
    func testVividFollowsTheRules() throws {
        try KernelRules(kernel: kernel, path: cameras()[0].path, expose: {}).check()
    }

    func testVividShowsItsBarsAtItsRateInOrder() throws {
        let camera = try cameras()[0]
        XCTAssertEqual(camera.descriptor.uniqueID, "v4l2:platform:vivid-000:vivid:0")
        let opened = try camera.open()
        let configuration = try configuration(camera)
        let stream = try opened.makeStream(configuration)
        let receiver = RecordingReceiver()
        let begin = clock.now
        try stream.start(receiver.receive)
        let frames = receiver.wait(for: 8).compactMap(\.frame)
        stream.stop()
        XCTAssertEqual(frames.map(\.sequenceNumber), Array(0..<UInt64(frames.count)))
        XCTAssertGreaterThanOrEqual(frames[0].presentationTime, begin)
        XCTAssertLessThanOrEqual(
            frames[frames.count - 1].presentationTime, clock.now + configuration.frameDuration)
        for (frame, next) in zip(frames, frames.dropFirst()) {
            let step = (next.presentationTime - frame.presentationTime).seconds
            XCTAssertEqual(step, configuration.frameDuration.seconds, accuracy: configuration.frameDuration.seconds / 2)
        }
        let pixelBuffer = try XCTUnwrap(receiver.events.compactMap(\.pixelBuffer).first)
        let bars = bars(pixelBuffer)
        XCTAssertEqual(bars, bars.sorted(by: >), "white, yellow, cyan, green, magenta, red, blue, black")
        XCTAssertGreaterThan(bars[0] - bars[7], 100)
        opened.close()
    }

    func testTheMultiPlanarDeviceShowsTheSameInSplitPlanes() throws {
        let camera = try cameras()[1]
        let encodings = Set(
            camera.formats.compactMap { if case .video(let video) = $0 { video.encoding } else { nil } })
        for code in [kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8Planar] {
            XCTAssertTrue(encodings.contains(.pixels(code)), "\(encodings)")
        }
        let opened = try camera.open()
        for encoding in encodings.sorted(by: { "\($0)" < "\($1)" }) {
            // Those whose first byte is luma.
            guard case .pixels(let code) = encoding, let format = PixelFormat.format(of: code),
                format.model == .yCbCr || format.model == .gray, format.bitsPerComponent == 8,
                code != kCVPixelFormatType_422YpCbCr8
            else { continue }
            let stream = try opened.makeStream(configuration(camera, encoding, bufferCount: 4))
            let receiver = RecordingReceiver()
            try stream.start(receiver.receive)
            let pixelBuffer = try XCTUnwrap(receiver.wait(for: 1).last?.pixelBuffer, "\(encoding): \(receiver.events)")
            stream.stop()
            let bars = bars(pixelBuffer)
            XCTAssertEqual(bars, bars.sorted(by: >), "\(encoding)")
            XCTAssertGreaterThan(bars[0] - bars[7], 100, "\(encoding)")
        }
        opened.close()
    }

    /// vivid has better encodings of each size, so most of these are not on its list.
    func testEncodingsThatMustBeUnpackedShowTheBars() throws {
        let isSingle = try check(encodingsOf: cameras()[0].path, V4L2_BUF_TYPE_VIDEO_CAPTURE)
        XCTAssertTrue(isSingle.isSuperset(of: Self.unpacked), "\(Self.unpacked.subtracting(isSingle))")
        let isSplit = try check(encodingsOf: cameras()[1].path, V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE)
        XCTAssertTrue(isSplit.isSuperset(of: Self.unpackedSplit), "\(Self.unpackedSplit.subtracting(isSplit))")
    }

    private static let unpacked: Set<UInt32> = [
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

    private static let unpackedSplit: Set<UInt32> = [
        clinuxdevices_V4L2_PIX_FMT_NV21M, clinuxdevices_V4L2_PIX_FMT_NV16M, clinuxdevices_V4L2_PIX_FMT_NV61M,
        clinuxdevices_V4L2_PIX_FMT_YUV422M, clinuxdevices_V4L2_PIX_FMT_YVU422M, clinuxdevices_V4L2_PIX_FMT_YUV444M,
        clinuxdevices_V4L2_PIX_FMT_YVU444M,
    ]

    /// Takes a picture in every encoding of a node that must be unpacked.
    ///
    /// - Returns: The encodings that were seen.
    private func check(encodingsOf path: String, _ type: v4l2_buf_type) throws -> Set<UInt32> {
        let size = CMVideoDimensions(width: 320, height: 180)
        var seen: Set<UInt32> = []
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
                    clock: clock, controls: V4L2Controls(V4L2Node(path, kernel: kernel), device: "vivid"))
                let receiver = RecordingReceiver()
                try stream.start(receiver.receive)
                let pixelBuffer = try XCTUnwrap(
                    receiver.wait(for: 1).last?.pixelBuffer, "\(pixels): \(receiver.events)")
                stream.close()
                let vivid = VividPicture(pixelBuffer)
                XCTAssertTrue(vivid.showsBars, "\(pixels): \(vivid.bars)")
                // A mosaic leaves too little of the thin letters, and vivid writes none on gray.
                switch pixels.unpacking {
                case .bayer, .gray8: break
                default: XCTAssertNotNil(vivid.frameNumber, "\(pixels)")
                }
                seen.insert(fourcc)
            }
        }
        return seen
    }

    private func fourccs(_ path: String, _ type: v4l2_buf_type) throws -> [UInt32] {
        let node = try V4L2Node(path, kernel: kernel)
        var fourccs: [UInt32] = []
        while let next = fourcc(node, UInt32(fourccs.count), type) { fourccs.append(next) }
        return fourccs
    }

    /// Nil at the end of the list.
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

    func testHeldBuffersMakeVividLoseFramesForWantOfBuffers() throws {
        let camera = try cameras()[0]
        let opened = try camera.open()
        let stream = try opened.makeStream(configuration(camera, bufferCount: 3))
        let receiver = RecordingReceiver()
        try stream.start(receiver.receive)
        XCTAssertEqual(receiver.wait(for: 3).compactMap(\.pixelBuffer).count, 3)
        // vivid continues meanwhile; the sequence number of its next frame shows how many frames were lost.
        let pause = expectation(description: "half a second of the clock")
        clock.schedule(at: clock.now + CMTime(value: 1, timescale: 2)) { pause.fulfill() }
        wait(for: [pause], timeout: 20)
        XCTAssertEqual(receiver.events.count, 3)
        receiver.removeAll()
        let drops = receiver.wait(for: 3).compactMap(\.drop)
        stream.stop()
        XCTAssertFalse(drops.isEmpty)
        XCTAssertEqual(Set(drops.map(\.reason)), [.outOfBuffers])
        opened.close()
    }
}
