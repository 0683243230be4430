import CLinuxDevices
import XCTest

@testable import LinuxDevices

final class V4L2FrameLayoutTests: XCTestCase {
    private func layout(_ fourcc: UInt32, _ width: Int, _ height: Int, _ strides: [Int]) throws -> V4L2FrameLayout {
        V4L2FrameLayout(
            try XCTUnwrap(V4L2PixelFormat.formats(fourcc).first), width: width, height: height, bytesPerRow: strides)
    }

    func testPackedRowsHaveTheDriversStride() throws {
        let layout = try layout(clinuxdevices_V4L2_PIX_FMT_YUYV, 10, 4, [32])
        XCTAssertEqual(layout.planes.map(\.bytesPerRow), [32])
        XCTAssertEqual(layout.byteCounts, [3 * 32 + 20])
    }

    func testChromaFollowsLumaInASharedBuffer() throws {
        let layout = try layout(clinuxdevices_V4L2_PIX_FMT_NV12, 10, 4, [16])
        XCTAssertEqual(layout.planes.map(\.offset), [0, 64])
        XCTAssertEqual(layout.planes.map(\.height), [4, 2])
        XCTAssertEqual(layout.byteCounts, [64 + 16 + 10])
    }

    func testTheCbPlaneIsFirstAlsoIfTheDriverStoresCrFirst() throws {
        let normal = try layout(clinuxdevices_V4L2_PIX_FMT_YUV420, 8, 4, [8])
        XCTAssertEqual(normal.planes.map(\.offset), [0, 32, 40])
        let swapped = try layout(clinuxdevices_V4L2_PIX_FMT_YVU420, 8, 4, [8])
        XCTAssertEqual(swapped.planes.map(\.offset), [0, 40, 32])
    }

    func testMultiPlanarFormatsHaveSeparateBuffers() throws {
        let layout = try layout(clinuxdevices_V4L2_PIX_FMT_YUV420M, 8, 4, [16, 8, 8])
        XCTAssertEqual(layout.planes.map(\.memoryPlane), [0, 1, 2])
        XCTAssertEqual(layout.planes.map(\.offset), [0, 0, 0])
        XCTAssertEqual(layout.byteCounts, [16 * 3 + 8, 8 + 4, 8 + 4])
    }

    func testTheLengthOfChromaRowsFollowsTheSubsampling() throws {
        let chroma422 = try layout(clinuxdevices_V4L2_PIX_FMT_NV16, 10, 4, [16])
        XCTAssertEqual(chroma422.planes.map(\.bytesPerRow), [16, 16])
        XCTAssertEqual(chroma422.byteCounts, [64 + 3 * 16 + 10])
        let chroma444 = try layout(clinuxdevices_V4L2_PIX_FMT_NV24, 10, 4, [16])
        XCTAssertEqual(chroma444.planes.map(\.bytesPerRow), [16, 32])
        XCTAssertEqual(chroma444.byteCounts, [64 + 3 * 32 + 20])
        let planar = try layout(clinuxdevices_V4L2_PIX_FMT_YUV422P, 10, 4, [16])
        XCTAssertEqual(planar.planes.map(\.offset), [0, 64, 96])
        XCTAssertEqual(planar.planes.map(\.height), [4, 4, 4])
        XCTAssertEqual(
            try layout(clinuxdevices_V4L2_PIX_FMT_YVU444M, 10, 4, [16, 10, 12]).planes.map(\.bytesPerRow), [16, 12, 10])
    }

    func testRowsOfPackedSamplesEndWithACompleteBlock() throws {
        // Ten samples occupy three blocks of 5 bytes at 10 bits, five blocks of 3 bytes at 12 bits, and three blocks of
        // 7 bytes at 14 bits.
        XCTAssertEqual(try layout(clinuxdevices_V4L2_PIX_FMT_SBGGR10P, 10, 1, [0]).byteCounts, [15])
        XCTAssertEqual(try layout(clinuxdevices_V4L2_PIX_FMT_SBGGR12P, 10, 1, [0]).byteCounts, [15])
        XCTAssertEqual(try layout(clinuxdevices_V4L2_PIX_FMT_SBGGR14P, 10, 1, [0]).byteCounts, [21])
        XCTAssertEqual(try layout(clinuxdevices_V4L2_PIX_FMT_Y16, 10, 2, [32]).byteCounts, [32 + 20])
    }

    func testACompressedFrameNeedsAtLeastOneByte() throws {
        XCTAssertEqual(try layout(clinuxdevices_V4L2_PIX_FMT_MJPEG, 8, 4, [0]).byteCounts, [1])
    }
}
