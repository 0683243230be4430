import CaptureHAL
public import Foundation

/// The root view of an app.
///
/// `makeKeyAndVisible()` shows the view of the root view controller and calls the controller's `view…Appear` methods.
@preconcurrency @MainActor
open class UIWindow: UIView {
    /// The controller whose view fills the window.
    open var rootViewController: UIViewController? {
        didSet {
            guard oldValue !== rootViewController, !isHidden else { return }
            if let oldValue { hide(oldValue) }
            showRoot()
        }
    }

    open weak var windowScene: UIWindowScene?
    public private(set) var isKeyWindow = false
    public var screen: UIScreen { UIScreen.main }

    public override init(frame: CGRect) {
        super.init(frame: frame)
        isHidden = true
    }

    public convenience init(windowScene: UIWindowScene) {
        self.init(frame: windowScene.screen.bounds)
        self.windowScene = windowScene
    }

    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        isHidden = true
    }

    /// Whether the window is hidden. A hidden window is not in the app's windows, and the view of its root view
    /// controller has disappeared.
    open override var isHidden: Bool {
        get { super.isHidden }
        set {
            guard newValue != super.isHidden else { return }
            super.isHidden = newValue
            let application = UIApplication.shared
            if newValue {
                isKeyWindow = false
                application.windows.removeAll { $0 === self }
                if let rootViewController { hide(rootViewController) }
            } else {
                application.windows.append(self)
                showRoot()
            }
        }
    }

    /// Shows the window in front of others and makes it the key window.
    open func makeKeyAndVisible() {
        makeKey()
        isHidden = false
        let application = UIApplication.shared
        guard let index = application.windows.firstIndex(where: { $0 === self }) else { return }
        application.windows.append(application.windows.remove(at: index))
    }

    open func makeKey() {
        for window in UIApplication.shared.windows { window.isKeyWindow = false }
        isKeyWindow = true
    }

    private func showRoot() {
        guard let rootViewController else { return }
        rootViewController.beginAppearanceTransition(true, animated: false)
        rootViewController.view.frame = bounds
        addSubview(rootViewController.view)
        rootViewController.endAppearanceTransition()
    }

    private func hide(_ controller: UIViewController) {
        controller.beginAppearanceTransition(false, animated: false)
        controller.viewIfLoaded?.removeFromSuperview()
        controller.endAppearanceTransition()
    }
}

extension UIView {
    /// The window that contains this view; nil if there is none.
    public var window: UIWindow? { self as? UIWindow ?? superview?.window }
}

/// A part of the app's user interface. Here, one scene has all windows.
@preconcurrency @MainActor
open class UIScene: UIResponder {
    public enum ActivationState: Int, Hashable, Sendable {
        case unattached = -1
        case foregroundActive = 0
        case foregroundInactive, background
    }

    /// The state of the app.
    public var activationState: ActivationState {
        switch UIApplication.shared.applicationState {
        case .active: .foregroundActive
        case .inactive: .foregroundInactive
        case .background: .background
        }
    }
}

/// The scene with the windows of the app.
@preconcurrency @MainActor
public final class UIWindowScene: UIScene {
    public var windows: [UIWindow] { UIApplication.shared.windows }
    public var keyWindow: UIWindow? { UIApplication.shared.keyWindow }
    public var screen: UIScreen { UIScreen.main }
    /// The orientation of the user interface, which follows the device unless it is locked.
    public var interfaceOrientation: UIInterfaceOrientation { UIApplication.shared.statusBarOrientation }
}
