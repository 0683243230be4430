import CLinuxDevices
import CaptureHAL
import MediaTypes
import TestSupport
import XCTest

@testable import LinuxDevices

/// A fake camera, connected to a fake kernel in virtual time.
final class V4L2Fixture {
    let clock = SimClock(start: CMTime(value: 100, timescale: 1))
    let kernel: FakeKernel
    let fake: FakeV4L2Device
    static let path = "/dev/video0"

    init(_ fake: FakeV4L2Device = FakeV4L2Device()) {
        kernel = FakeKernel(clock: clock)
        self.fake = fake
        kernel.plug(fake, at: Self.path)
    }

    func camera() throws -> V4L2Camera {
        try XCTUnwrap(V4L2Camera(path: Self.path, kernel: kernel, clock: clock))
    }

    /// Returns a configuration with the format at an index and its shortest frame duration.
    func configuration(_ camera: V4L2Camera, format: Int = 0, bufferCount: Int = 4) throws -> StreamConfiguration {
        let format = try XCTUnwrap(camera.formats.dropFirst(format).first)
        guard case .video(let video) = format else { throw MissingRequirement("the camera has no video") }
        return StreamConfiguration(
            format: format, frameDuration: video.frameDurations[0].minimum, bufferCount: bufferCount)
    }

    /// Advances the clock by a frame duration and exposes a frame.
    func expose(_ exposure: FakeV4L2Device.Exposure = FakeV4L2Device.Exposure()) {
        clock.advance(by: .milliseconds(33))
        fake.expose(exposure)
    }
}

extension FakeV4L2Device.Control {
    static func integer(_ id: Int32, _ range: ClosedRange<Int64>, _ value: Int64, flags: UInt32 = 0) -> Self {
        Self(
            id: UInt32(id), type: V4L2_CTRL_TYPE_INTEGER, minimum: range.lowerBound, maximum: range.upperBound,
            defaultValue: value, value: value, flags: flags)
    }

    static func flag(_ id: Int32, _ value: Bool) -> Self {
        Self(
            id: UInt32(id), type: V4L2_CTRL_TYPE_BOOLEAN, minimum: 0, maximum: 1, defaultValue: value ? 1 : 0,
            value: value ? 1 : 0)
    }

    static func button(_ id: Int32) -> Self {
        Self(id: UInt32(id), type: V4L2_CTRL_TYPE_BUTTON, minimum: 0, maximum: 0, step: 0, defaultValue: 0, value: 0)
    }

    static func menu(_ id: Int32, _ entries: [Int64?], _ value: Int64, ofNumbers: Bool = false) -> Self {
        Self(
            id: UInt32(id), type: ofNumbers ? V4L2_CTRL_TYPE_INTEGER_MENU : V4L2_CTRL_TYPE_MENU, minimum: 0,
            maximum: Int64(entries.count - 1), defaultValue: value, value: value, menu: entries)
    }
}

/// Asserts that an expression throws a `DeviceError` with a code.
func assertCode<Value>(
    _ body: @autoclosure () throws -> Value, _ code: DeviceError.Code, file: StaticString = #filePath,
    line: UInt = #line
) {
    XCTAssertThrowsError(try body(), file: file, line: line) { error in
        XCTAssertEqual((error as? DeviceError)?.code, code, "\(error)", file: file, line: line)
    }
}
