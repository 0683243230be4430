import CLinuxDevices
import CaptureHAL
import Glibc
import MediaTypes
import XCTest

@testable import LinuxDevices

/// vivid's sockets: a webcam, a television tuner, S-Video and HDMI.
final class V4L2InputLabTests: LabTestCase {
    /// vivid's fourth input is HDMI, its second a television tuner; the first is a webcam, which is never without signal.
    func testTheInputIsOneThatDeliversAndFollowsItsSignal() throws {
        let path = "/dev/video0"
        func select(_ input: Int32) throws {
            var index = input
            try V4L2Node(path, kernel: kernel).request(clinuxdevices_VIDIOC_S_INPUT, "S_INPUT", &index)
        }
        func selected() throws -> Int32 {
            var index: Int32 = -1
            try V4L2Node(path, kernel: kernel).request(clinuxdevices_VIDIOC_G_INPUT, "G_INPUT", &index)
            return index
        }
        // What follows must find the webcam, also after a failure.
        defer { XCTAssertNoThrow(try select(0)) }
        for input in [Int32(3), 1] {
            try select(input)
            let camera = try XCTUnwrap(V4L2Camera(path: path, kernel: kernel, clock: clock))
            XCTAssertEqual(try selected(), input)
            let opened = try camera.open()
            let stream = try opened.makeStream(configuration(camera))
            let receiver = RecordingReceiver()
            try stream.start(receiver.receive)
            let picture = try XCTUnwrap(receiver.wait(for: 1).last?.picture, "input \(input): \(receiver.events)")
            stream.stop()
            opened.close()
            let seen = VividPicture(picture)
            XCTAssertTrue(seen.showsBars, "input \(input): \(seen.bars)")
        }
        try select(3)
        try Vivid.set("DV Timings Signal Mode", 1, path: path)
        defer { XCTAssertNoThrow(try Vivid.set("DV Timings Signal Mode", 0, path: path)) }
        XCTAssertNotNil(V4L2Camera(path: path, kernel: kernel, clock: clock))
        XCTAssertEqual(try selected(), 0, "HDMI without a signal gives way to the webcam")
    }
}
