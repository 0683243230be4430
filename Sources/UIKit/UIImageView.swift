public import Foundation
public import ImageTypes

/// A view that shows an upright image, positioned and scaled by `contentMode` and clipped to the bounds. Template
/// images have the tint color.
@preconcurrency @MainActor
open class UIImageView: UIView {
    open var image: UIImage?
    /// Shown instead of `image` while `isHighlighted` is true.
    open var highlightedImage: UIImage?
    open var isHighlighted = false

    public override init(frame: CGRect) {
        super.init(frame: frame)
        isUserInteractionEnabled = false
    }

    /// Creates a view of the size of an image.
    public convenience init(image: UIImage?) {
        self.init(frame: CGRect(origin: .zero, size: image?.size ?? .zero))
        self.image = image
    }

    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        isUserInteractionEnabled = false
    }

    private var shownImage: UIImage? { isHighlighted ? highlightedImage ?? image : image }

    open override func sizeThatFits(_ size: CGSize) -> CGSize { shownImage?.size ?? .zero }
    open override var intrinsicContentSize: CGSize { sizeThatFits(.zero) }

    open override func draw(_ rect: CGRect) {
        guard let image = shownImage, image.size.width > 0, image.size.height > 0 else { return }
        let shown = image.renderingMode == .alwaysTemplate ? image.withTintColor(tintColor) : image
        shown.draw(in: contentMode.rect(of: image.size, in: bounds))
    }
}

extension UIView.ContentMode {
    /// Returns the rectangle in which contents of a size are drawn in bounds.
    func rect(of contents: CGSize, in bounds: CGRect) -> CGRect {
        var size = contents
        let (horizontal, vertical) = (bounds.width / size.width, bounds.height / size.height)
        switch self {
        case .scaleToFill, .redraw: return bounds
        case .scaleAspectFit, .scaleAspectFill:
            let scale = self == .scaleAspectFit ? min(horizontal, vertical) : max(horizontal, vertical)
            size = CGSize(width: size.width * scale, height: size.height * scale)
        default: break
        }
        var origin = CGPoint(x: bounds.midX - size.width / 2, y: bounds.midY - size.height / 2)
        if [.left, .topLeft, .bottomLeft].contains(self) { origin.x = bounds.minX }
        if [.right, .topRight, .bottomRight].contains(self) { origin.x = bounds.maxX - size.width }
        if [.top, .topLeft, .topRight].contains(self) { origin.y = bounds.minY }
        if [.bottom, .bottomLeft, .bottomRight].contains(self) { origin.y = bounds.maxY - size.height }
        return CGRect(origin: origin, size: size)
    }
}
