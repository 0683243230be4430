import CLinuxDevices
import CaptureHAL
import XCTest

@testable import LinuxDevices

final class FakeKernelTests: XCTestCase {
    func testTheFakeKernelFollowsTheRules() throws {
        let fake = FakeCamera()
        fake.controls = [.integer(V4L2_CID_BRIGHTNESS, 0...255, 128)]
        let bench = FakeCameraFixture(fake)
        try KernelRules(kernel: bench.kernel, path: FakeCameraFixture.path, expose: { bench.expose() }).check()
        XCTAssertEqual(bench.kernel.leaks.descriptors, 0)
        XCTAssertEqual(bench.kernel.leaks.mappings, 0)
    }
}
