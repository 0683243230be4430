import CLinuxDevices
import CaptureHAL
import Glibc
import MediaTypes
import XCTest

@testable import LinuxDevices

/// Tests the video inputs of vivid: 0 is a webcam, 1 a television tuner, 2 S-Video, 3 HDMI.
final class V4L2InputLabTests: LabTestCase {
    private var path = ""

    override func setUpWithError() throws {
        try super.setUpWithError()
        // A reconnected camera can have another path. A separate host is used, because the test's own `host` must not
        // list its devices before the test has selected an input.
        let cameras = LinuxHost(clock: clock).devices.compactMap { $0 as? V4L2Camera }
        path = try XCTUnwrap(cameras.first).path
    }

    private func select(_ input: Int32) throws {
        var index = input
        try V4L2Node(path, kernel: kernel).request(clinuxdevices_VIDIOC_S_INPUT, "S_INPUT", &index)
    }

    private func selectedInput() throws -> UInt32? { try V4L2Node(path, kernel: kernel).currentInput()?.index }

    private func captureFrame(_ camera: V4L2Camera, _ opened: any OpenDevice) throws -> VividFrame {
        let stream = try opened.makeStream(configuration(camera))
        let receiver = RecordingReceiver()
        try stream.start(receiver.receive)
        defer { stream.stop() }
        return VividFrame(try XCTUnwrap(receiver.waitForFrames().last?.pixelBuffer, "\(receiver.events)"))
    }

    /// The selected input is kept if it has a signal. Otherwise the webcam is selected, which always has one.
    func testAnInputWithoutSignalIsReplacedByOneWithSignal() throws {
        // Later tests need the webcam, even if this one fails.
        defer { XCTAssertNoThrow(try select(0)) }
        for input in [Int32(3), 1] {
            try select(input)
            let camera = try XCTUnwrap(V4L2Camera(path: path, kernel: kernel, clock: clock))
            XCTAssertEqual(try selectedInput(), UInt32(input))
            let opened = try camera.open()
            let stream = try opened.makeStream(configuration(camera))
            let receiver = RecordingReceiver()
            try stream.start(receiver.receive)
            let pixelBuffer = try XCTUnwrap(
                receiver.waitForFrames().last?.pixelBuffer, "input \(input): \(receiver.events)")
            stream.stop()
            opened.close()
            let frame = VividFrame(pixelBuffer)
            XCTAssertTrue(frame.showsBars, "input \(input): \(frame.bars)")
        }
        try select(3)
        try Vivid.set("DV Timings Signal Mode", 1, path: path)
        defer { XCTAssertNoThrow(try Vivid.set("DV Timings Signal Mode", 0, path: path)) }
        XCTAssertNotNil(V4L2Camera(path: path, kernel: kernel, clock: clock))
        XCTAssertEqual(try selectedInput(), 0, "HDMI without a signal is replaced by the webcam")
    }

    func testAnEmptyEDIDIsReplaced() throws {
        try select(3)
        defer { XCTAssertNoThrow(try select(0)) }
        let node = try V4L2Node(path, kernel: kernel)
        let input = try XCTUnwrap(node.currentInput())
        var empty = v4l2_edid()
        empty.pad = input.index
        try node.request(clinuxdevices_VIDIOC_S_EDID, "S_EDID", &empty)
        XCTAssertEqual(try node.edidBlockCount(input), 0)
        XCTAssertNotNil(V4L2Camera(path: path, kernel: kernel, clock: clock))
        XCTAssertEqual(try node.edidBlockCount(input), 2)
        XCTAssertEqual(try selectedInput(), 3, "with an EDID, the HDMI source sends a signal")
    }

    /// vivid's stations are 6 MHz apart, the first at 43.25 MHz; between them is noise.
    func testTunerFrequencySelectsTheStation() throws {
        try select(1)
        defer { XCTAssertNoThrow(try select(0)) }
        let camera = try XCTUnwrap(V4L2Camera(path: path, kernel: kernel, clock: clock))
        let opened = try camera.open()
        XCTAssertNotNil(opened.controls[.tunerFrequency], "\(opened.controls)")
        for (hertz, isStation) in [(175_250_000.0, true), (178_250_000, false), (175_250_000, true)] {
            try opened.set(.tunerFrequency, to: .number(hertz))
            XCTAssertEqual(try opened.value(of: .tunerFrequency), .number(hertz))
            let frame = try captureFrame(camera, opened)
            XCTAssertEqual(frame.showsBars, isStation, "\(hertz) Hz: \(frame.bars)")
        }
        opened.close()
    }

    func testAChangedSignalCreatesANewDeviceWithTheSameUniqueID() throws {
        try select(3)
        defer {
            XCTAssertNoThrow(try Vivid.set("DV Timings Signal Mode", 0, path: path))
            XCTAssertNoThrow(try select(0))
        }
        let old = try cameras()[0]
        // vivid scales frames, so only the frame duration depends on the signal.
        func frameDurationSeconds(_ device: (any HardwareDevice)?) -> Double {
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
        XCTAssertNotNil(receiver.waitForFrames().first)
        let connected = expectation(description: "the new device is connected")
        let observation = host.observeDevices { if case .connected = $0 { connected.fulfill() } }
        // Select the first of vivid's timings, 640x480; signal mode 4 sends the selected timings.
        try Vivid.set("DV Timings", 0, path: path)
        try Vivid.set("DV Timings Signal Mode", 4, path: path)
        XCTAssertEqual(receiver.waitForFailure()?.code, .inputOutput)
        XCTAssertTrue(old.isConnected)
        stream.stop()
        opened.close()
        wait(for: [connected], timeout: labTimeout)
        let new = host.devices.first { $0.descriptor.uniqueID == old.descriptor.uniqueID }
        // 800x525 pixels with blanking, at a pixel clock of 25.175 MHz.
        XCTAssertEqual(frameDurationSeconds(new), 420_000 / 25_175_000, accuracy: 1e-6)
        XCTAssertNotEqual(frameDurationSeconds(old), frameDurationSeconds(new), accuracy: 1e-6)
        XCTAssertFalse(old.isConnected)
        observation.cancel()
    }
}
