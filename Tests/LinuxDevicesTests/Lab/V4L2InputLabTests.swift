import CLinuxDevices
import CaptureHAL
import Glibc
import MediaTypes
import XCTest

@testable import LinuxDevices

/// vivid's sockets: a webcam, a television tuner, S-Video and HDMI.
final class V4L2InputLabTests: LabTestCase {
    private var path = ""

    override func setUpWithError() throws {
        try super.setUpWithError()
        // A camera that came back has another number. The test's own host is to see the inputs as the test sets them.
        let seen = LinuxHost(clock: clock).devices.compactMap { $0 as? V4L2Camera }
        path = try XCTUnwrap(seen.first).path
    }

    private func select(_ input: Int32) throws {
        var index = input
        try V4L2Node(path, kernel: kernel).request(clinuxdevices_VIDIOC_S_INPUT, "S_INPUT", &index)
    }

    private func selected() throws -> UInt32? { try V4L2Node(path, kernel: kernel).currentInput()?.index }

    private func picture(_ camera: V4L2Camera, _ opened: any OpenDevice) throws -> VividPicture {
        let stream = try opened.makeStream(configuration(camera))
        let receiver = RecordingReceiver()
        try stream.start(receiver.receive)
        defer { stream.stop() }
        return VividPicture(try XCTUnwrap(receiver.wait(for: 1).last?.pixelBuffer, "\(receiver.events)"))
    }

    /// vivid's fourth input is HDMI, its second a television tuner; the first is a webcam, which is never without
    /// signal.
    func testTheInputIsOneThatDeliversAndFollowsItsSignal() throws {
        // What follows must find the webcam, also after a failure.
        defer { XCTAssertNoThrow(try select(0)) }
        for input in [Int32(3), 1] {
            try select(input)
            let camera = try XCTUnwrap(V4L2Camera(path: path, kernel: kernel, clock: clock))
            XCTAssertEqual(try selected(), UInt32(input))
            let opened = try camera.open()
            let stream = try opened.makeStream(configuration(camera))
            let receiver = RecordingReceiver()
            try stream.start(receiver.receive)
            let pixelBuffer = try XCTUnwrap(
                receiver.wait(for: 1).last?.pixelBuffer, "input \(input): \(receiver.events)")
            stream.stop()
            opened.close()
            let seen = VividPicture(pixelBuffer)
            XCTAssertTrue(seen.showsBars, "input \(input): \(seen.bars)")
        }
        try select(3)
        try Vivid.set("DV Timings Signal Mode", 1, path: path)
        defer { XCTAssertNoThrow(try Vivid.set("DV Timings Signal Mode", 0, path: path)) }
        XCTAssertNotNil(V4L2Camera(path: path, kernel: kernel, clock: clock))
        XCTAssertEqual(try selected(), 0, "HDMI without a signal gives way to the webcam")
    }

    func testAnEmptyEDIDIsFilled() throws {
        try select(3)
        defer { XCTAssertNoThrow(try select(0)) }
        let node = try V4L2Node(path, kernel: kernel)
        let input = try XCTUnwrap(node.currentInput())
        var none = v4l2_edid()
        none.pad = input.index
        try node.request(clinuxdevices_VIDIOC_S_EDID, "S_EDID", &none)
        XCTAssertEqual(try node.edidBlockCount(input), 0)
        XCTAssertNotNil(V4L2Camera(path: path, kernel: kernel, clock: clock))
        XCTAssertEqual(try node.edidBlockCount(input), 2)
        XCTAssertEqual(try selected(), 3, "the source sends now")
    }

    /// vivid's stations are 6 MHz apart, the first at 43.25 MHz; between them is noise.
    func testAStationIsReceivedByItsFrequency() throws {
        try select(1)
        defer { XCTAssertNoThrow(try select(0)) }
        let camera = try XCTUnwrap(V4L2Camera(path: path, kernel: kernel, clock: clock))
        let opened = try camera.open()
        XCTAssertNotNil(opened.controls[.tunerFrequency], "\(opened.controls)")
        for (hertz, isStation) in [(175_250_000.0, true), (178_250_000, false), (175_250_000, true)] {
            try opened.set(.tunerFrequency, to: .number(hertz))
            XCTAssertEqual(try opened.value(of: .tunerFrequency), .number(hertz))
            let seen = try picture(camera, opened)
            XCTAssertEqual(seen.showsBars, isStation, "\(hertz) Hz: \(seen.bars)")
        }
        opened.close()
    }

    func testAnotherSignalMakesAnotherDeviceOfTheOldIdentity() throws {
        try select(3)
        defer {
            XCTAssertNoThrow(try Vivid.set("DV Timings Signal Mode", 0, path: path))
            XCTAssertNoThrow(try select(0))
        }
        let old = try cameras()[0]
        // vivid scales, and so offers the same sizes for each signal; but the rate is the signal's.
        func interval(_ device: (any HardwareDevice)?) -> Double {
            guard case .video(let video)? = device?.formats.first else { return 0 }
            return video.frameDurations[0].minimum.seconds
        }
        let opened = try old.open()
        let format = try XCTUnwrap(
            old.formats.first {
                if case .video(let video) = $0 {
                    video.encoding == .pixels(kCVPixelFormatType_422YpCbCr8_yuvs)
                } else {
                    false
                }
            })
        guard case .video(let video) = format else { return }
        let stream = try opened.makeStream(
            StreamConfiguration(format: format, frameDuration: video.frameDurations[0].minimum, bufferCount: 4))
        let receiver = RecordingReceiver(keepsFrames: false)
        try stream.start(receiver.receive)
        XCTAssertNotNil(receiver.wait(for: 1).first?.frame)
        let came = expectation(description: "it came anew")
        let observation = host.observeDevices { if case .connected = $0 { came.fulfill() } }
        // The first of vivid's timings, 640x480; mode 4 sends what is selected.
        try Vivid.set("DV Timings", 0, path: path)
        try Vivid.set("DV Timings Signal Mode", 4, path: path)
        XCTAssertEqual(failure(in: receiver)?.code, .inputOutput)
        XCTAssertTrue(old.isConnected)
        stream.stop()
        opened.close()
        wait(for: [came], timeout: 20)
        let new = host.devices.first { $0.descriptor.uniqueID == old.descriptor.uniqueID }
        // 800 x 525 pixels at 25.175 MHz.
        XCTAssertEqual(interval(new), 420_000 / 25_175_000, accuracy: 1e-6)
        XCTAssertNotEqual(interval(old), interval(new), accuracy: 1e-6)
        XCTAssertFalse(old.isConnected)
        observation.cancel()
    }
}
