import MediaTypes
import VideoToolbox
import XCTest

final class VTCreateCGImageFromCVPixelBufferTests: XCTestCase {
    func testAnImageIsCreatedFromAFrame() throws {
        var pixels: CVPixelBuffer?
        CVPixelBufferCreate(nil, 64, 48, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, nil, &pixels)
        var image: CGImage?
        XCTAssertEqual(VTCreateCGImageFromCVPixelBuffer(try XCTUnwrap(pixels), options: nil, imageOut: &image), noErr)
        XCTAssertEqual(image?.width, 64)
        XCTAssertEqual(image?.height, 48)
        XCTAssertEqual(kVTProfileLevel_H264_High_AutoLevel, "H264_High_AutoLevel")
    }
}
