import CaptureHAL
import MediaTypes
import XCTest

final class DeviceStreamsTests: XCTestCase {
    /// A stream without events.
    private final class FakeStream: ReplaceableStream {
        let configuration: StreamConfiguration
        let lifeCycle = StreamLifeCycle(device: "device", clock: SimClock())

        init(_ configuration: StreamConfiguration) { self.configuration = configuration }

        func start(_ receiver: any StreamReceiver) throws(DeviceError) { _ = try lifeCycle.start(receiver) }
        func stop() { lifeCycle.stop() }
        func setFrameDuration(_ duration: CMTime) throws(DeviceError) {}
    }

    private let configuration = StreamConfiguration(
        format: .audio(AudioStreamFormat(sampleRate: 48000, channelCount: 1, sample: .int16)),
        frameDuration: CMTime(value: 1, timescale: 100))

    private func assertCode(
        _ code: DeviceError.Code, line: UInt = #line, _ body: () throws -> Void
    ) {
        XCTAssertThrowsError(try body(), line: line) { XCTAssertEqual(($0 as? DeviceError)?.code, code, line: line) }
    }

    func testANewStreamReplacesAStoppedOne() throws {
        let streams = DeviceStreams<FakeStream>(device: "device")
        let first = try streams.replace(.audio) { FakeStream(configuration) }
        try first.start { _ in }
        assertCode(.busy) { _ = try streams.replace(.audio) { FakeStream(configuration) } }
        XCTAssertTrue(first.isRunning)
        first.stop()
        let second = try streams.replace(.audio) { () throws(DeviceError) in
            // The old stream has released the hardware before the new one is created.
            do throws(DeviceError) { try first.start { _ in } } catch { return FakeStream(configuration) }
            throw DeviceError(.busy, device: "device", "the old stream can be started")
        }
        assertCode(.invalidState) { try first.start { _ in } }
        try second.start { _ in }
        XCTAssertTrue(streams.current.first === second)
    }

    func testStreamsOfTwoMediaRunTogether() throws {
        let streams = DeviceStreams<FakeStream>(device: "device")
        let (video, audio) = (
            try streams.replace(.video) { FakeStream(configuration) },
            try streams.replace(.audio) { FakeStream(configuration) }
        )
        try video.start { _ in }
        try audio.start { _ in }
        XCTAssertEqual(streams.current.count, 2)
        XCTAssertTrue(streams.close())
        XCTAssertFalse(video.isRunning || audio.isRunning)
        assertCode(.invalidState) { try audio.start { _ in } }
    }

    func testAReleasedStreamIsNotBusy() throws {
        let streams = DeviceStreams<FakeStream>(device: "device")
        try streams.replace(.audio) { FakeStream(configuration) }.start { _ in }
        XCTAssertTrue(streams.current.isEmpty)
        _ = try streams.replace(.audio) { FakeStream(configuration) }
    }

    func testAStreamOfADeviceThatIsClosedMeanwhileCannotStart() throws {
        let streams = DeviceStreams<FakeStream>(device: "device")
        let stream = FakeStream(configuration)
        assertCode(.invalidState) {
            _ = try streams.replace(.audio) {
                XCTAssertTrue(streams.close())
                return stream
            }
        }
        assertCode(.invalidState) { try stream.start { _ in } }
        assertCode(.invalidState) { try streams.checkOpen() }
        assertCode(.invalidState) { _ = try streams.replace(.audio) { FakeStream(configuration) } }
        XCTAssertFalse(streams.close(), "the device was closed already")
    }
}
