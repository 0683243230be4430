import CLinuxDevices
import CaptureHAL
import XCTest

@testable import LinuxDevices

final class FakeKernelTests: XCTestCase {
    func testTheKernelKeepsItsRules() throws {
        let fake = FakeCamera()
        fake.controls = [.integer(V4L2_CID_BRIGHTNESS, 0...255, 128)]
        let bench = CameraBench(fake)
        try KernelRules(kernel: bench.kernel, path: CameraBench.path, expose: { bench.expose() }).check()
        XCTAssertEqual(bench.kernel.leaks.descriptors, 0)
        XCTAssertEqual(bench.kernel.leaks.mappings, 0)
    }
}
