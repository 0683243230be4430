import CaptureHAL
public import Foundation

/// Manages a view: loads it on first use, and notifies subclasses when it appears and disappears.
///
/// A test shows a controller in a `UIWindow`, or as a container does:
///
///     controller.beginAppearanceTransition(true, animated: false)
///     controller.endAppearanceTransition()
///
/// - Note: Unlike Apple, nothing is read from nib files and storyboards.
@preconcurrency @MainActor
open class UIViewController: UIResponder {
    open var title: String?
    /// Nil for a controller that is not a child.
    public private(set) weak var parent: UIViewController?
    public private(set) var children: [UIViewController] = []
    /// The controller that this one presents.
    public private(set) var presentedViewController: UIViewController?
    public private(set) weak var presentingViewController: UIViewController?

    private var loadedView: UIView?
    /// Whether the view appears in the current transition; nil outside of a transition.
    private var isAppearing: Bool?

    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { super.init() }

    public convenience override init() { self.init(nibName: nil, bundle: nil) }

    /// Creates a controller without a view; archives are not read.
    public required init?(coder: NSCoder) { super.init() }

    open override var next: UIResponder? { loadedView?.superview ?? parent }

    // MARK: View

    /// The view, which is loaded on first access.
    open var view: UIView! {
        get {
            loadViewIfNeeded()
            return loadedView
        }
        set {
            loadedView?.controller = nil
            loadedView = newValue
            loadedView?.controller = self
        }
    }

    open var viewIfLoaded: UIView? { loadedView }
    open var isViewLoaded: Bool { loadedView != nil }

    /// Creates the view. An override sets `view` and does not call `super`.
    open func loadView() { view = UIView(frame: UIScreen.main.bounds) }

    open func loadViewIfNeeded() {
        guard loadedView == nil else { return }
        loadView()
        guard loadedView != nil else { return }
        viewDidLoad()
    }

    open func viewDidLoad() {}
    open func viewWillLayoutSubviews() {}
    open func viewDidLayoutSubviews() {}

    // MARK: Appearance

    open func viewWillAppear(_ animated: Bool) {}
    open func viewIsAppearing(_ animated: Bool) {}
    open func viewDidAppear(_ animated: Bool) {}
    open func viewWillDisappear(_ animated: Bool) {}
    open func viewDidDisappear(_ animated: Bool) {}

    private var isAnimated = false

    /// Calls `viewWillAppear`, or `viewWillDisappear`.
    open func beginAppearanceTransition(_ isAppearing: Bool, animated: Bool) {
        (self.isAppearing, isAnimated) = (isAppearing, animated)
        loadViewIfNeeded()
        if isAppearing { viewWillAppear(animated) } else { viewWillDisappear(animated) }
    }

    /// Ends the current transition: lays out the view and calls `viewDidAppear`, or calls `viewDidDisappear`.
    open func endAppearanceTransition() {
        guard let isAppearing else { return }
        self.isAppearing = nil
        if isAppearing {
            viewIsAppearing(isAnimated)
            loadedView?.setNeedsLayout()
            loadedView?.layoutIfNeeded()
            viewDidAppear(isAnimated)
        } else {
            viewDidDisappear(isAnimated)
        }
    }

    // MARK: Presentation

    /// Shows another controller over this one.
    ///
    /// A controller presents one other controller at a time: a second call has no effect and writes Apple's warning to
    /// the standard error.
    open func present(
        _ viewControllerToPresent: UIViewController, animated flag: Bool,
        completion: (() -> Void)? = nil
    ) {
        guard presentedViewController == nil else {
            CaptureSystem.log(
                "Attempt to present \(viewControllerToPresent) on \(self) "
                    + "which is already presenting \(presentedViewController.map(String.init(describing:)) ?? "")")
            return
        }
        presentedViewController = viewControllerToPresent
        viewControllerToPresent.presentingViewController = self
        viewControllerToPresent.beginAppearanceTransition(true, animated: flag)
        viewControllerToPresent.endAppearanceTransition()
        deliver(completion)
    }

    /// Removes the controller that this one presents, or this controller if it is presented.
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        guard let presented = presentedViewController else {
            if let presentingViewController {
                presentingViewController.dismiss(animated: flag, completion: completion)
            }
            return
        }
        presented.beginAppearanceTransition(false, animated: flag)
        presentedViewController = nil
        presented.presentingViewController = nil
        presented.endAppearanceTransition()
        deliver(completion)
    }

    private func deliver(_ completion: (() -> Void)?) {
        guard let completion else { return }
        // SAFETY: called on the main queue, to which the caller is bound as well.
        nonisolated(unsafe) let called = completion
        CaptureSystem.current.reference.deliver(on: .main) { called() }
    }

    // MARK: Children

    /// Adds a child. The caller adds the view of the child.
    open func addChild(_ childController: UIViewController) {
        childController.removeFromParent()
        childController.willMove(toParent: self)
        children.append(childController)
        childController.parent = self
    }

    open func removeFromParent() {
        guard let parent else { return }
        parent.children.removeAll { $0 === self }
        self.parent = nil
        didMove(toParent: nil)
    }

    open func willMove(toParent parent: UIViewController?) {}
    open func didMove(toParent parent: UIViewController?) {}

    // MARK: Screen

    /// Called when memory is low, which does not happen here unless a test calls it.
    open func didReceiveMemoryWarning() {}
    open var shouldAutorotate: Bool { true }
    open var supportedInterfaceOrientations: UIInterfaceOrientationMask { .allButUpsideDown }
    open var preferredInterfaceOrientationForPresentation: UIInterfaceOrientation { .portrait }
    open var prefersStatusBarHidden: Bool { false }
    /// No effect: there is no status bar.
    open func setNeedsStatusBarAppearanceUpdate() {}
}
