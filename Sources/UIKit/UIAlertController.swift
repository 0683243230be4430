import CaptureHAL
public import Foundation

/// A message with buttons, for example after the user has denied access to the camera.
///
/// A test presses a button: `alert.press("Settings")`.
@preconcurrency @MainActor
open class UIAlertController: UIViewController {
    public enum Style: Int, Hashable, Sendable {
        case actionSheet = 0
        case alert
    }

    open var message: String?
    public let preferredStyle: Style
    public private(set) var actions: [UIAlertAction] = []
    open var preferredAction: UIAlertAction?

    private init(_ preferredStyle: Style) {
        self.preferredStyle = preferredStyle
        super.init(nibName: nil, bundle: nil)
    }

    public convenience init(title: String?, message: String?, preferredStyle: Style) {
        self.init(preferredStyle)
        self.title = title
        self.message = message
    }

    /// Creates an empty alert; archives are not read.
    public required init?(coder: NSCoder) {
        preferredStyle = .alert
        super.init(coder: coder)
    }

    /// Adds a button. An alert has one cancel button at most: a second is misuse (`NSInternalInconsistencyException`).
    open func addAction(_ action: UIAlertAction) {
        guard action.style != .cancel || !actions.contains(where: { $0.style == .cancel }) else {
            CaptureSystem.current.misuse.report(
                .internalInconsistency,
                "UIAlertController can only have one action with a style of UIAlertActionStyleCancel")
            return
        }
        actions.append(action)
    }

    /// Presses the button with a title, as a user does: the alert is dismissed and the button's handler called.
    ///
    /// - Returns: False if no enabled button has that title.
    @discardableResult
    public func press(_ title: String) -> Bool {
        guard let action = actions.first(where: { $0.title == title && $0.isEnabled }) else { return false }
        dismiss(animated: false)
        action.handler?(action)
        return true
    }
}

/// A button of an alert.
@preconcurrency @MainActor
public final class UIAlertAction: NSObject {
    public enum Style: Int, Hashable, Sendable {
        case `default` = 0
        case cancel, destructive
    }

    public let title: String?
    public let style: Style
    public var isEnabled = true
    let handler: ((UIAlertAction) -> Void)?

    public init(title: String?, style: Style, handler: ((UIAlertAction) -> Void)? = nil) {
        (self.title, self.style, self.handler) = (title, style, handler)
    }
}
