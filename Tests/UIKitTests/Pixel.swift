import UIKit
import XCTest

/// Returns the color of a pixel as the eight hexadecimal digits AARRGGBB.
func pixel(_ image: UIImage, _ x: Int, _ y: Int) throws -> String {
    let cgImage = try XCTUnwrap(image.cgImage)
    let data = try XCTUnwrap(cgImage.dataProvider?.data)
    let value = data.withUnsafeBytes {
        $0.loadUnaligned(fromByteOffset: y * cgImage.bytesPerRow + x * 4, as: UInt32.self)
    }
    let text = String(value, radix: 16)
    return String(repeating: "0", count: 8 - text.count) + text
}
