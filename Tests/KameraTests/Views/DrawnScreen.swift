import UIKit
import XCTest

/// The rendered image of a view, with one pixel per point.
struct DrawnScreen {
    private let pixels: Data
    private let bytesPerRow: Int

    @MainActor
    init(of view: UIView) throws {
        let image = UIGraphicsImageRenderer(bounds: view.bounds).image { _ in
            view.drawHierarchy(in: view.bounds, afterScreenUpdates: true)
        }
        let bitmap = try XCTUnwrap(image.cgImage)
        pixels = try XCTUnwrap(bitmap.dataProvider?.data)
        bytesPerRow = bitmap.bytesPerRow
    }

    /// Returns the red, green and blue components at a point.
    func color(at point: CGPoint) -> [UInt8] {
        let start = Int(point.y) * bytesPerRow + Int(point.x) * 4
        return [pixels[start + 2], pixels[start + 1], pixels[start]]
    }

    /// Returns the number of points of a color in a rectangle.
    func count(of color: [UInt8], in rect: CGRect) -> Int {
        var count = 0
        for y in Int(rect.minY)..<Int(rect.maxY) {
            for x in Int(rect.minX)..<Int(rect.maxX) where self.color(at: CGPoint(x: x, y: y)) == color {
                count += 1
            }
        }
        return count
    }
}
