import CaptureHAL
import CaptureTesting
import Foundation
import XCTest

@testable import LinuxDevices

final class LinuxHostConformanceTests: XCTestCase {
    /// The host has the cameras of a fake kernel, a fake sound card, and a PCM of alsa-lib's file plugin.
    func testTheLinuxHostOnAFakeKernelPassesTheConformanceSuite() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("obscura-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { XCTAssertNoThrow(try FileManager.default.removeItem(at: folder)) }
        let file = folder.appendingPathComponent("in.raw")
        try (0..<192_000).map { Int16(truncatingIfNeeded: $0 &* 5 + 1) }.withUnsafeBytes { Data($0) }.write(to: file)
        HostConformance("linux over a fake kernel") { _ in
            LinuxConformanceFixture(soundFile: file.path).subject()
        }.check(skipping: [.endIsReported])
    }
}
