public import Foundation

/// The alignment of text.
public enum NSTextAlignment: Int, Hashable, Sendable {
    case left = 0
    case center, right, justified, natural
}

/// A view that shows one line of text.
///
/// - Note: Unlike Apple, there is always one line, and text that does not fit is clipped.
@preconcurrency @MainActor
open class UILabel: UIView {
    open var text: String?
    open var font: UIFont! = .systemFont(ofSize: UIFont.labelFontSize)
    open var textColor: UIColor! = .black
    open var textAlignment = NSTextAlignment.natural
    /// Stored, without effect.
    open var numberOfLines = 1
    /// Whether the font size is reduced if the text is too wide.
    open var adjustsFontSizeToFitWidth = false
    /// The smallest factor by which `adjustsFontSizeToFitWidth` reduces the font size; 0 for no limit.
    open var minimumScaleFactor: CGFloat = 0
    open var shadowColor: UIColor?
    open var shadowOffset = CGSize(width: 0, height: -1)

    public override init(frame: CGRect) {
        super.init(frame: frame)
        isUserInteractionEnabled = false
    }

    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        isUserInteractionEnabled = false
    }

    override var defaultAccessibilityLabel: String? { text }
    override var defaultAccessibilityTraits: UIAccessibilityTraits { .staticText }

    open override func sizeThatFits(_ size: CGSize) -> CGSize {
        guard let text, !text.isEmpty else { return .zero }
        let run = font.run(text)
        return CGSize(width: run.width.rounded(.up), height: run.height.rounded(.up))
    }

    open override var intrinsicContentSize: CGSize { sizeThatFits(.zero) }

    open override func draw(_ rect: CGRect) { drawText(in: rect) }

    open func drawText(in rect: CGRect) {
        guard let text, let context = UIGraphicsGetCurrentContext() else { return }
        var run = font.run(text)
        if adjustsFontSizeToFitWidth, run.width > rect.width, rect.width > 0 {
            run = font.withSize(font.pointSize * max(rect.width / run.width, minimumScaleFactor)).run(text)
        }
        let space = rect.width - run.width
        let x =
            switch textAlignment {
            case .center: space / 2
            case .right: space
            case .left, .justified, .natural: CGFloat(0)
            }
        let origin = CGPoint(x: rect.minX + x, y: rect.minY + (rect.height - run.height) / 2)
        if let shadowColor {
            run.draw(
                at: CGPoint(x: origin.x + shadowOffset.width, y: origin.y + shadowOffset.height),
                color: shadowColor.cgColor, in: context)
        }
        run.draw(at: origin, color: textColor.cgColor, in: context)
    }
}
