import Dispatch
import Glibc
import MediaTypes
import XCTest

@testable import MediaCodecs

/// Failures inside the library that reads matrix codes. They need a replacement of that library, which
/// `Sources/Detectors/build faults` builds; CI/test runs them.
final class MatrixCodeReaderFaultTests: XCTestCase {
    /// Reads an image whose first pixel selects a failure, and returns the number of failures that it caused.
    private func faultCount(_ firstPixel: UInt8) throws -> Int32 {
        let count = try faultCounter()
        let before = count.pointee
        let image = [UInt8](repeating: firstPixel, count: 64 * 64)
        let codes = image.withUnsafeBytes { bytes in
            MatrixCodeReader.read(
                [.dataMatrix, .pdf417], in: bytes.baseAddress!, width: 64, height: 64, bytesPerRow: 64)
        }
        XCTAssertEqual(codes, [])
        return count.pointee - before
    }

    private func faultCounter() throws -> UnsafePointer<Int32> {
        try XCTSkipIf(!MatrixCodeReader.isAvailable, MatrixCodeReader.unavailabilityReason ?? "")
        let names: [String] = (1...3).map { "libZXing.so.\($0)" }
        let library = names.lazy.compactMap { name in dlopen(name, RTLD_NOW | RTLD_NOLOAD) }.first
        guard let library, let symbol = dlsym(library, "obscura_fault_count") else {
            throw XCTSkip("LD_LIBRARY_PATH does not name the folder of the replacement of ZXing")
        }
        return UnsafePointer(symbol.assumingMemoryBound(to: Int32.self))
    }

    func testAFailedAssertionResultsInNoCodes() throws {
        // Skips the test if no failures are injected. Inside an assertion, the thrown `XCTSkip` would be a failure.
        _ = try faultCounter()
        XCTAssertEqual(try faultCount(1), 1)
        // The failure does not affect the next image.
        XCTAssertEqual(try faultCount(0), 0)
        XCTAssertEqual(try faultCount(1), 1)
    }

    func testAnExceptionResultsInNoCodes() throws {
        // Skips the test if no failures are injected. Inside an assertion, the thrown `XCTSkip` would be a failure.
        _ = try faultCounter()
        XCTAssertEqual(try faultCount(2), 1)
        XCTAssertEqual(try faultCount(0), 0)
    }

    func testFailuresOnSeveralThreadsDoNotInterfere() throws {
        let count = try faultCounter()
        let before = count.pointee
        DispatchQueue.concurrentPerform(iterations: 64) { index in
            let image = [UInt8](repeating: index % 2 == 0 ? 1 : 2, count: 64 * 64)
            image.withUnsafeBytes { bytes in
                let codes = MatrixCodeReader.read(
                    [.dataMatrix], in: bytes.baseAddress!, width: 64, height: 64, bytesPerRow: 64)
                XCTAssertEqual(codes, [])
            }
        }
        XCTAssertEqual(count.pointee - before, 64)
    }
}
