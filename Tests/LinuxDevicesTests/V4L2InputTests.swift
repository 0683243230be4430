import CLinuxDevices
import CaptureHAL
import MediaTypes
import XCTest

@testable import LinuxDevices

final class V4L2InputTests: XCTestCase {
    private let inputWithoutSignal = FakeV4L2Device.Input(
        status: UInt32(V4L2_IN_ST_NO_SIGNAL), capabilities: UInt32(V4L2_IN_CAP_DV_TIMINGS))

    private func sizes(_ camera: V4L2Camera) -> [String] {
        camera.formats.compactMap { format in
            if case .video(let video) = format { "\(video.dimensions.width)x\(video.dimensions.height)" } else { nil }
        }
    }

    func testAnInputWithASignalIsSelected() throws {
        let fake = FakeV4L2Device()
        fake.inputs = [inputWithoutSignal, FakeV4L2Device.Input(modes: [.yuyv([(16, 8)])])]
        XCTAssertEqual(sizes(try V4L2Fixture(fake).camera()), ["16x8"])
        XCTAssertEqual(fake.input, 1)
    }

    func testTheCurrentInputIsKeptIfItHasASignal() throws {
        let fake = FakeV4L2Device()
        fake.inputs = [FakeV4L2Device.Input(), FakeV4L2Device.Input()]
        fake.input = 1
        _ = try V4L2Fixture(fake).camera()
        XCTAssertEqual(fake.input, 1)
    }

    func testWithoutAnySignalTheCurrentInputIsKept() throws {
        let fake = FakeV4L2Device()
        fake.inputs = [inputWithoutSignal, inputWithoutSignal]
        fake.input = 1
        XCTAssertEqual(try V4L2Fixture(fake).camera().formats.count, 2)
        XCTAssertEqual(fake.input, 1)
    }

    func testTheDVTimingsFollowTheSignal() throws {
        let fake = FakeV4L2Device(modes: [.yuyv([])])
        fake.inputs = [FakeV4L2Device.Input(capabilities: UInt32(V4L2_IN_CAP_DV_TIMINGS), signal: (128, 64))]
        XCTAssertEqual(sizes(try V4L2Fixture(fake).camera()), ["128x64"])
    }

    func testTheAnalogStandardFollowsARecognizedSignal() throws {
        let fake = FakeV4L2Device()
        fake.inputs = [FakeV4L2Device.Input(capabilities: UInt32(V4L2_IN_CAP_STD), signalStandard: 0xff)]
        _ = try V4L2Fixture(fake).camera()
        XCTAssertEqual(fake.standard, 0xff)
        fake.inputs[0].signalStandard = 0
        _ = try V4L2Fixture(fake).camera()
        XCTAssertEqual(fake.standard, 0xff)
    }

    func testACameraInUseKeepsItsInput() throws {
        let fake = FakeV4L2Device()
        fake.inputs = [FakeV4L2Device.Input(), FakeV4L2Device.Input()]
        let fixture = V4L2Fixture(fake)
        let camera = try fixture.camera()
        let opened = try camera.open()
        let stream = try opened.makeStream(fixture.configuration(camera))
        fake.inputs[0].status = UInt32(V4L2_IN_ST_NO_SIGNAL)
        XCTAssertEqual(try fixture.camera().formats, camera.formats)
        XCTAssertEqual(fake.input, 0)
        withExtendedLifetime(stream) { opened.close() }
    }
}
