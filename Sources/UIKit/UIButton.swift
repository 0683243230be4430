public import Foundation
public import ImageTypes

/// A control with a title, an image and a background image for each state.
@preconcurrency @MainActor
open class UIButton: UIControl {
    public enum ButtonType: Int, Hashable, Sendable {
        case custom = 0
        case system
    }

    /// The contents of a button in a state.
    private struct Content {
        var title: String?
        var titleColor: UIColor?
        var image: UIImage?
        var backgroundImage: UIImage?
    }

    public private(set) var buttonType = ButtonType.custom
    /// The space around the image and the title, which `sizeToFit()` adds.
    open var contentEdgeInsets = UIEdgeInsets.zero
    private var contents: [State: Content] = [:]
    private let label = UILabel()
    private let imageSubview = UIImageView()
    private let background = UIImageView()
    /// The space between the image and the title.
    private static let spacing: CGFloat = 6

    override var defaultAccessibilityLabel: String? { currentTitle }
    override var defaultAccessibilityTraits: UIAccessibilityTraits { isEnabled ? .button : [.button, .notEnabled] }

    public override init(frame: CGRect) {
        super.init(frame: frame)
        addContents()
    }

    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        addContents()
    }

    public convenience init(type buttonType: ButtonType) {
        self.init(frame: .zero)
        self.buttonType = buttonType
        stateChanged()
    }

    /// Creates a button that performs an action when it is touched; its title and image are those of the action.
    public convenience init(type buttonType: ButtonType = .system, primaryAction: UIAction?) {
        self.init(type: buttonType)
        guard let primaryAction else { return }
        if !primaryAction.title.isEmpty { setTitle(primaryAction.title, for: .normal) }
        setImage(primaryAction.image, for: .normal)
        addAction(primaryAction, for: .primaryActionTriggered)
    }

    private func addContents() {
        for view in [background, imageSubview, label] { addSubview(view) }
        label.textAlignment = .center
        label.font = .systemFont(ofSize: 15)
        imageSubview.contentMode = .scaleAspectFit
        background.contentMode = .scaleToFill
    }

    open var titleLabel: UILabel? { label }
    open var imageView: UIImageView? { imageSubview }

    open func setTitle(_ title: String?, for state: State) { change(state) { $0.title = title } }
    open func setTitleColor(_ color: UIColor?, for state: State) { change(state) { $0.titleColor = color } }
    open func setImage(_ image: UIImage?, for state: State) { change(state) { $0.image = image } }
    open func setBackgroundImage(_ image: UIImage?, for state: State) {
        change(state) { $0.backgroundImage = image }
    }

    open func title(for state: State) -> String? { contents[state]?.title }
    open func titleColor(for state: State) -> UIColor? { contents[state]?.titleColor }
    open func image(for state: State) -> UIImage? { contents[state]?.image }
    open func backgroundImage(for state: State) -> UIImage? { contents[state]?.backgroundImage }

    /// The title of the current state, or else of the normal state. The other `current…` properties work in the same
    /// way.
    open var currentTitle: String? { current(\.title) }
    open var currentTitleColor: UIColor {
        current(\.titleColor) ?? (buttonType == .system ? tintColor : .white)
    }
    open var currentImage: UIImage? { current(\.image) }
    open var currentBackgroundImage: UIImage? { current(\.backgroundImage) }

    /// The current image; in a button of the type `system`, images with automatic rendering mode are templates.
    private var shownImage: UIImage? {
        guard let image = currentImage, buttonType == .system, image.renderingMode == .automatic else {
            return currentImage
        }
        return image.withRenderingMode(.alwaysTemplate)
    }

    open override func tintColorDidChange() {
        super.tintColorDidChange()
        stateChanged()
    }

    private func current<Value>(_ path: KeyPath<Content, Value?>) -> Value? {
        contents[state]?[keyPath: path] ?? contents[.normal]?[keyPath: path]
    }

    private func change(_ state: State, _ body: (inout Content) -> Void) {
        body(&contents[state, default: Content()])
        stateChanged()
    }

    override func stateChanged() {
        label.text = currentTitle
        label.textColor = currentTitleColor
        imageSubview.image = shownImage
        background.image = currentBackgroundImage
        let isDimmed = !isEnabled && contents[.disabled] == nil
        for view in [label, imageSubview] { view.alpha = isDimmed ? 0.4 : isHighlighted ? 0.5 : 1 }
        super.stateChanged()
    }

    private var contentSize: CGSize {
        let (image, title) = (currentImage?.size ?? .zero, label.sizeThatFits(.zero))
        let spacing = image.width > 0 && title.width > 0 ? Self.spacing : 0
        return CGSize(width: image.width + spacing + title.width, height: max(image.height, title.height))
    }

    open override func sizeThatFits(_ size: CGSize) -> CGSize {
        CGSize(
            width: contentSize.width + contentEdgeInsets.left + contentEdgeInsets.right,
            height: contentSize.height + contentEdgeInsets.top + contentEdgeInsets.bottom)
    }

    open override var intrinsicContentSize: CGSize { sizeThatFits(.zero) }

    /// Centers the image with the title beside it. An image that is larger than the button is scaled down.
    open override func layoutSubviews() {
        super.layoutSubviews()
        background.frame = bounds
        let title = label.sizeThatFits(.zero)
        var image = currentImage?.size ?? .zero
        if image.width > bounds.width || image.height > bounds.height, image.width > 0, image.height > 0 {
            let scale = min(bounds.width / image.width, bounds.height / image.height)
            image = CGSize(width: image.width * scale, height: image.height * scale)
        }
        let spacing = image.width > 0 && title.width > 0 ? Self.spacing : 0
        let left = bounds.midX - (image.width + spacing + title.width) / 2
        imageSubview.frame = CGRect(
            x: left, y: bounds.midY - image.height / 2, width: image.width, height: image.height)
        label.frame = CGRect(
            x: left + image.width + spacing, y: bounds.midY - title.height / 2, width: title.width,
            height: title.height)
    }
}

/// Distances from the edges of a rectangle.
public struct UIEdgeInsets: Hashable, Sendable {
    public var top: CGFloat
    public var left: CGFloat
    public var bottom: CGFloat
    public var right: CGFloat

    public static let zero = UIEdgeInsets()

    public init() { self.init(top: 0, left: 0, bottom: 0, right: 0) }

    public init(top: CGFloat, left: CGFloat, bottom: CGFloat, right: CGFloat) {
        (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
    }
}
