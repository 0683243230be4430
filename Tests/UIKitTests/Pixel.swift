import UIKit
import XCTest

/// The color of a pixel as 0xAARRGGBB.
func pixel(_ image: UIImage, _ x: Int, _ y: Int) throws -> String {
    let cgImage = try XCTUnwrap(image.cgImage)
    let data = try XCTUnwrap(cgImage.dataProvider?.data)
    let value = data.withUnsafeBytes {
        $0.loadUnaligned(fromByteOffset: y * cgImage.bytesPerRow + x * 4, as: UInt32.self)
    }
    let text = String(value, radix: 16)
    return String(repeating: "0", count: 8 - text.count) + text
}
