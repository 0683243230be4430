import Foundation
import UIKit
import XCTest

final class UIColorTests: XCTestCase {
    func testSystemColorsAreThoseOfTheLightAppearance() {
        let colors: [(UIColor, [Int], CGFloat)] = [
            (.label, [0, 0, 0], 1), (.secondaryLabel, [60, 60, 67], 0.6), (.systemBackground, [255, 255, 255], 1),
            (.secondarySystemBackground, [242, 242, 247], 1), (.systemGroupedBackground, [242, 242, 247], 1),
            (.systemFill, [120, 120, 128], 0.2), (.separator, [60, 60, 67], 0.29), (.systemRed, [255, 59, 48], 1),
            (.systemGray, [142, 142, 147], 1), (.systemIndigo, [88, 86, 214], 1), (.tintColor, [0, 122, 255], 1),
        ]
        for (color, bytes, alpha) in colors {
            let components = color.cgColor.components ?? []
            XCTAssertEqual(components.prefix(3).map { Int(($0 * 255).rounded()) }, bytes, "\(bytes)")
            XCTAssertEqual(color.cgColor.alpha, alpha, accuracy: 0.001, "\(bytes)")
        }
    }

    func testIndexPathsHaveSectionsRowsAndItems() {
        var path = IndexPath(item: 3, section: 1)
        XCTAssertEqual([path.section, path.item, path.row], [1, 3, 3])
        XCTAssertEqual(path, IndexPath(row: 3, section: 1))
        path.item = 5
        path.section = 2
        XCTAssertEqual(path, IndexPath(indexes: [2, 5]))
    }
}
