import CLinuxDevices
import CaptureHAL
import XCTest

@testable import LinuxDevices

final class FakeKernelTests: XCTestCase {
    func testTheFakeKernelFollowsTheRules() throws {
        let fake = FakeV4L2Device()
        fake.controls = [.integer(V4L2_CID_BRIGHTNESS, 0...255, 128)]
        let fixture = V4L2Fixture(fake)
        try KernelRules(kernel: fixture.kernel, path: V4L2Fixture.path, expose: { fixture.expose() }).check()
        XCTAssertEqual(fixture.kernel.leaks.descriptors, 0)
        XCTAssertEqual(fixture.kernel.leaks.mappings, 0)
    }
}
