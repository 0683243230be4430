import CLinuxDevices
import XCTest

@testable import LinuxDevices

final class V4L2PictureLayoutTests: XCTestCase {
    private func layout(_ fourcc: UInt32, _ width: Int, _ height: Int, _ strides: [Int]) throws -> V4L2PictureLayout {
        V4L2PictureLayout(
            try XCTUnwrap(V4L2PixelFormat.format(fourcc)), width: width, height: height, bytesPerRow: strides)
    }

    func testPackedRowsArePaddedAsTheDriverSays() throws {
        let layout = try layout(clinuxdevices_V4L2_PIX_FMT_YUYV, 10, 4, [32])
        XCTAssertEqual(layout.planes.map(\.bytesPerRow), [32])
        XCTAssertEqual(layout.byteCounts, [3 * 32 + 20])
    }

    func testChromaFollowsLumaInOneBuffer() throws {
        let layout = try layout(clinuxdevices_V4L2_PIX_FMT_NV12, 10, 4, [16])
        XCTAssertEqual(layout.planes.map(\.offset), [0, 64])
        XCTAssertEqual(layout.planes.map(\.height), [4, 2])
        XCTAssertEqual(layout.byteCounts, [64 + 16 + 10])
    }

    func testCrBeforeCbComesOutAsCbBeforeCr() throws {
        let normal = try layout(clinuxdevices_V4L2_PIX_FMT_YUV420, 8, 4, [8])
        XCTAssertEqual(normal.planes.map(\.offset), [0, 32, 40])
        let swapped = try layout(clinuxdevices_V4L2_PIX_FMT_YVU420, 8, 4, [8])
        XCTAssertEqual(swapped.planes.map(\.offset), [0, 40, 32])
    }

    func testSplitPlanesEachHaveABuffer() throws {
        let layout = try layout(clinuxdevices_V4L2_PIX_FMT_YUV420M, 8, 4, [16, 8, 8])
        XCTAssertEqual(layout.planes.map(\.memory), [0, 1, 2])
        XCTAssertEqual(layout.planes.map(\.offset), [0, 0, 0])
        XCTAssertEqual(layout.byteCounts, [16 * 3 + 8, 8 + 4, 8 + 4])
    }

    func testACompressedPictureNeedsAtLeastAByte() throws {
        XCTAssertEqual(try layout(clinuxdevices_V4L2_PIX_FMT_MJPEG, 8, 4, [0]).byteCounts, [1])
    }
}
