import MediaTypes
import UIKit
import XCTest

final class UIImageTintingTests: XCTestCase {
    func testATintColorReplacesTheColorsAndKeepsTheAlpha() throws {
        let image = stripes()
        XCTAssertEqual(image.renderingMode, .automatic)
        let tinted = image.withRenderingMode(.alwaysTemplate).withTintColor(.blue)
        XCTAssertEqual(tinted.size, CGSize(width: 3, height: 1))
        XCTAssertEqual(tinted.scale, 2)
        XCTAssertEqual(tinted.renderingMode, .alwaysTemplate)
        XCTAssertEqual(try pixels(tinted), ["ff0000ff", "80000080", "00000000"])
        XCTAssertEqual(image.withTintColor(.blue, renderingMode: .alwaysOriginal).renderingMode, .alwaysOriginal)
        XCTAssertNil(UIImage().withTintColor(.blue).cgImage)
    }

    func testATintedImageIsUpright() throws {
        let stored = UIImage(cgImage: try XCTUnwrap(stripes().cgImage), scale: 2, orientation: .upMirrored)
        let tinted = stored.withTintColor(.blue)
        XCTAssertEqual(tinted.imageOrientation, .up)
        XCTAssertEqual(try pixels(tinted), ["00000000", "80000080", "ff0000ff"])
    }

    func testImageViewsShowTemplatesInTheTintColor() throws {
        try MainActor.assumeIsolated {
            let superview = UIView()
            superview.tintColor = .green
            let view = UIImageView(image: stripes())
            superview.addSubview(view)
            XCTAssertEqual(try pixels(drawn(view)), ["ffff0000", "80800000", "00000000"])
            view.image = view.image?.withRenderingMode(.alwaysTemplate)
            XCTAssertEqual(try pixels(drawn(view)), ["ff00ff00", "80008000", "00000000"])
            view.tintColor = .blue
            XCTAssertEqual(try pixels(drawn(view)), ["ff0000ff", "80000080", "00000000"])
            view.image = view.image?.withRenderingMode(.alwaysOriginal)
            XCTAssertEqual(try pixels(drawn(view)), ["ffff0000", "80800000", "00000000"])
        }
    }

    func testSystemButtonsShowImagesAsTemplates() throws {
        try MainActor.assumeIsolated {
            let button = UIButton(type: .system)
            button.setImage(stripes(), for: .normal)
            button.sizeToFit()
            button.layoutIfNeeded()
            XCTAssertEqual(button.currentTitleColor, .systemBlue)
            button.tintColor = .green
            XCTAssertEqual(button.currentTitleColor, .green)
            XCTAssertEqual(try pixels(drawn(button)), ["ff00ff00", "80008000", "00000000"])
            button.setImage(stripes().withRenderingMode(.alwaysOriginal), for: .normal)
            XCTAssertEqual(try pixels(drawn(button)), ["ffff0000", "80800000", "00000000"])
            let custom = UIButton(type: .custom)
            custom.setImage(stripes(), for: .normal)
            XCTAssertEqual(custom.imageView?.image?.renderingMode, .automatic)
        }
    }

    func testViewsWithoutATintColorInheritItFromTheirSuperview() {
        final class Recorder: UIView {
            var count = 0
            override func tintColorDidChange() { count += 1 }
        }
        MainActor.assumeIsolated {
            let (root, view, subview) = (UIView(), Recorder(), Recorder())
            XCTAssertEqual(root.tintColor, .systemBlue)
            view.addSubview(subview)
            root.addSubview(view)
            root.tintColor = .red
            XCTAssertEqual(subview.tintColor, .red)
            view.tintColor = .green
            XCTAssertEqual(subview.tintColor, .green)
            let count = subview.count
            root.tintColor = .blue
            XCTAssertEqual(subview.tintColor, .green)
            XCTAssertEqual(subview.count, count)
            view.tintColor = nil
            XCTAssertEqual(subview.tintColor, .blue)
            XCTAssertEqual(subview.count, count + 1)
        }
    }
}

/// Creates an image that is red at the left, half transparent in the middle and empty at the right, with 2 pixels per
/// point.
private func stripes() -> UIImage {
    let format = UIGraphicsImageRendererFormat()
    format.scale = 2
    return UIGraphicsImageRenderer(size: CGSize(width: 3, height: 1), format: format).image { context in
        UIColor.red.setFill()
        context.fill(CGRect(x: 0, y: 0, width: 1, height: 1))
        UIColor.red.withAlphaComponent(0.5).setFill()
        context.fill(CGRect(x: 1, y: 0, width: 1, height: 1))
    }
}

/// Returns the first row's pixel of each point.
private func pixels(_ image: UIImage) throws -> [String] { try [0, 2, 4].map { try pixel(image, $0, 0) } }

@MainActor private func drawn(_ view: UIView) -> UIImage {
    let format = UIGraphicsImageRendererFormat()
    format.scale = 2
    return UIGraphicsImageRenderer(size: view.bounds.size, format: format).image { _ in
        view.drawHierarchy(in: view.bounds, afterScreenUpdates: true)
    }
}
