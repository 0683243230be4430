public import Foundation

/// An effect of a view on the content behind it.
open class UIVisualEffect: NSObject {}

/// A blur of the content behind a view.
public final class UIBlurEffect: UIVisualEffect {
    public enum Style: Int, Hashable, Sendable {
        case extraLight = 0
        case light, dark
        case regular = 4
        case prominent
        case systemUltraThinMaterial, systemThinMaterial, systemMaterial, systemThickMaterial, systemChromeMaterial
    }

    /// The style of the blur.
    let style: Style

    public init(style: Style) { self.style = style }
}

/// A view with an effect on the content behind it.
///
/// - Note: Unlike Apple, the effect is not drawn.
@preconcurrency @MainActor
open class UIVisualEffectView: UIView {
    open var effect: UIVisualEffect?
    /// The view for the contents; it has the size of this view.
    public let contentView = UIView()

    public init(effect: UIVisualEffect?) {
        self.effect = effect
        super.init(frame: .zero)
        addContentView()
    }

    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        addContentView()
    }

    private func addContentView() {
        contentView.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        addSubview(contentView)
    }
}
