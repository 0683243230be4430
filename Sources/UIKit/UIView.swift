import CaptureHAL
public import Foundation
public import QuartzCore

/// A rectangle with a layer, subviews and gesture recognizers.
///
/// `drawHierarchy(in:afterScreenUpdates:)` draws a view and its subviews.
/// - Note: Unlike Apple, nothing is drawn automatically, and layout happens in `layoutIfNeeded()`.
@preconcurrency @MainActor
open class UIView: UIResponder {
    /// The class of the layer: `CALayer`, or a class with `init()`.
    nonisolated open class var layerClass: AnyClass { CALayer.self }

    /// The layer, created with `layerClass`.
    public let layer: CALayer
    public private(set) var subviews: [UIView] = []
    public private(set) weak var superview: UIView?
    public private(set) var gestureRecognizers: [UIGestureRecognizer]?
    open var tag = 0
    open var isUserInteractionEnabled = true
    open var isMultipleTouchEnabled = false
    open var contentMode = ContentMode.scaleToFill
    open var autoresizingMask: AutoresizingMask = []
    open var translatesAutoresizingMaskIntoConstraints = true
    /// The attributes that the client has set.
    var accessibility = AccessibilityAttributes()
    var defaultAccessibilityLabel: String? { nil }
    var defaultAccessibilityTraits: UIAccessibilityTraits { .none }

    /// The position and scaling of contents in the bounds. It applies to image views.
    public enum ContentMode: Int, Hashable, Sendable {
        case scaleToFill = 0
        case scaleAspectFit, scaleAspectFill, redraw, center, top, bottom, left, right
        case topLeft, topRight, bottomLeft, bottomRight
    }

    /// The margins and dimensions that change with the superview's size; only flexible width and height have an effect.
    public struct AutoresizingMask: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let flexibleLeftMargin = AutoresizingMask(rawValue: 1 << 0)
        public static let flexibleWidth = AutoresizingMask(rawValue: 1 << 1)
        public static let flexibleRightMargin = AutoresizingMask(rawValue: 1 << 2)
        public static let flexibleTopMargin = AutoresizingMask(rawValue: 1 << 3)
        public static let flexibleHeight = AutoresizingMask(rawValue: 1 << 4)
        public static let flexibleBottomMargin = AutoresizingMask(rawValue: 1 << 5)
    }

    public init(frame: CGRect) {
        layer = LayerOfUnknownClass.create(Self.layerClass)
        super.init()
        layer.delegate = self
        layer.frame = frame
    }

    public convenience override init() { self.init(frame: .zero) }

    /// Creates an empty view; archives are not read.
    public required init?(coder: NSCoder) {
        layer = LayerOfUnknownClass.create(Self.layerClass)
        super.init()
        layer.delegate = self
    }

    /// The controller whose view this is.
    weak var controller: UIViewController?

    open override var next: UIResponder? { controller ?? superview }

    // MARK: Geometry

    open var frame: CGRect {
        get { layer.frame }
        set { resize { layer.frame = newValue } }
    }

    open var bounds: CGRect {
        get { layer.bounds }
        set { resize { layer.bounds = newValue } }
    }

    open var center: CGPoint {
        get { layer.position }
        set { layer.position = newValue }
    }

    open var transform: CGAffineTransform {
        get { layer.affineTransform() }
        set { layer.setAffineTransform(newValue) }
    }

    /// Changes the geometry, and resizes subviews according to their autoresizing masks.
    private func resize(_ change: () -> Void) {
        let old = bounds.size
        change()
        let (width, height) = (bounds.width - old.width, bounds.height - old.height)
        guard width != 0 || height != 0 else { return }
        setNeedsLayout()
        for view in subviews where view.translatesAutoresizingMaskIntoConstraints {
            var size = view.frame.size
            if view.autoresizingMask.contains(.flexibleWidth) { size.width += width }
            if view.autoresizingMask.contains(.flexibleHeight) { size.height += height }
            if size != view.frame.size { view.frame = CGRect(origin: view.frame.origin, size: size) }
        }
    }

    // MARK: Appearance

    open var isHidden: Bool {
        get { layer.isHidden }
        set { layer.isHidden = newValue }
    }

    open var alpha: CGFloat {
        get { CGFloat(layer.opacity) }
        set { layer.opacity = Float(newValue) }
    }

    open var clipsToBounds: Bool {
        get { layer.masksToBounds }
        set { layer.masksToBounds = newValue }
    }

    open var backgroundColor: UIColor? {
        get { layer.backgroundColor.map { UIColor(cgColor: $0) } }
        set { layer.backgroundColor = newValue?.cgColor }
    }

    private var ownTintColor: UIColor?

    /// The color of template images and of the titles of system buttons.
    ///
    /// A view whose tint color is nil or not set has that of its superview; the default is blue.
    open var tintColor: UIColor! {
        get { ownTintColor ?? superview?.tintColor ?? .systemBlue }
        set {
            ownTintColor = newValue
            sendTintColorDidChange()
        }
    }

    /// Called when the tint color of this view or a superview changes; overridden by subclasses.
    open func tintColorDidChange() {}

    /// Notifies this view, and the subviews without their own color.
    private func sendTintColorDidChange() {
        tintColorDidChange()
        for view in subviews where view.ownTintColor == nil { view.sendTintColorDidChange() }
    }

    // MARK: Layout

    /// The distances from the edges that bars and the shape of the screen cover; always zero here.
    open var safeAreaInsets: UIEdgeInsets { .zero }

    public private(set) lazy var safeAreaLayoutGuide = UILayoutGuide(owningView: self)

    open func setNeedsLayout() { layer.setNeedsLayout() }

    /// Lays out this view and its subviews if requested.
    open func layoutIfNeeded() {
        layOutViews()
        // This clears the requests of the whole tree.
        layer.layoutIfNeeded()
    }

    /// Whether `layoutSubviews()` is running; it can request layout of this view again.
    private var isLayingOut = false

    private func layOutViews() {
        if layer.needsLayout(), !isLayingOut {
            isLayingOut = true
            controller?.viewWillLayoutSubviews()
            layoutSubviews()
            controller?.viewDidLayoutSubviews()
            isLayingOut = false
        }
        for view in subviews { view.layOutViews() }
    }

    /// Lays out the subviews; overridden by subclasses.
    open func layoutSubviews() {}

    /// Returns the best size for the contents; the current size in this class.
    open func sizeThatFits(_ size: CGSize) -> CGSize { bounds.size }

    /// Changes the size to that of `sizeThatFits(_:)`, without moving the origin of the frame.
    open func sizeToFit() { frame.size = sizeThatFits(bounds.size) }

    /// The size of the contents; `noIntrinsicMetric` in this class.
    open var intrinsicContentSize: CGSize { CGSize(width: Self.noIntrinsicMetric, height: Self.noIntrinsicMetric) }

    public nonisolated static let noIntrinsicMetric: CGFloat = -1

    // MARK: Drawing

    open func setNeedsDisplay() { layer.setNeedsDisplay() }

    /// Draws the contents in the current context, over the background; overridden by subclasses.
    ///
    /// - Note: Unlike Apple, it is called whenever the view is drawn, with its bounds.
    open func draw(_ rect: CGRect) {}

    // MARK: Gestures

    open func addGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {
        gestureRecognizer.view?.removeGestureRecognizer(gestureRecognizer)
        gestureRecognizers = (gestureRecognizers ?? []) + [gestureRecognizer]
        gestureRecognizer.view = self
    }

    open func removeGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {
        guard gestureRecognizer.view === self else { return }
        gestureRecognizers?.removeAll { $0 === gestureRecognizer }
        gestureRecognizer.view = nil
    }

    // MARK: Tree

    open func addSubview(_ view: UIView) { insertSubview(view, at: subviews.count) }

    /// Inserts a view; 0 is the back.
    ///
    /// A view cannot contain itself: that is misuse (`NSInvalidArgumentException`), without effect.
    open func insertSubview(_ view: UIView, at index: Int) {
        guard canContain(view) else { return }
        view.removeFromSuperview()
        let index = min(max(index, 0), subviews.count)
        view.willMove(toSuperview: self)
        // The layer is inserted behind that of the next view; other sublayers keep their order.
        if index < subviews.count {
            layer.insertSublayer(view.layer, below: subviews[index].layer)
        } else {
            layer.addSublayer(view.layer)
        }
        subviews.insert(view, at: index)
        view.superview = self
        setNeedsLayout()
        if view.ownTintColor == nil { view.sendTintColorDidChange() }
        view.didMoveToSuperview()
        didAddSubview(view)
    }

    open func insertSubview(_ view: UIView, belowSubview siblingSubview: UIView) {
        guard canContain(view) else { return }
        view.removeFromSuperview()
        insertSubview(view, at: subviews.firstIndex(of: siblingSubview) ?? 0)
    }

    open func insertSubview(_ view: UIView, aboveSubview siblingSubview: UIView) {
        guard canContain(view) else { return }
        view.removeFromSuperview()
        insertSubview(view, at: subviews.firstIndex(of: siblingSubview).map { $0 + 1 } ?? subviews.count)
    }

    /// Returns whether a view can be a subview; otherwise it is this view or contains it, and misuse is reported.
    private func canContain(_ view: UIView) -> Bool {
        guard isDescendant(of: view) else { return true }
        CaptureSystem.current.misuse.report(.invalidArgument, "Can't add self as subview")
        return false
    }

    open func removeFromSuperview() {
        guard let parent = superview else { return }
        willMove(toSuperview: nil)
        parent.willRemoveSubview(self)
        layer.removeFromSuperlayer()
        parent.subviews.removeAll { $0 === self }
        superview = nil
        didMoveToSuperview()
    }

    open func bringSubviewToFront(_ view: UIView) {
        guard view.superview === self else { return }
        addSubview(view)
    }

    open func sendSubviewToBack(_ view: UIView) {
        guard view.superview === self else { return }
        insertSubview(view, at: 0)
    }

    open func isDescendant(of view: UIView) -> Bool { self === view || superview?.isDescendant(of: view) ?? false }

    open func viewWithTag(_ tag: Int) -> UIView? {
        if self.tag == tag { return self }
        for view in subviews {
            if let found = view.viewWithTag(tag) { return found }
        }
        return nil
    }

    open func willMove(toSuperview newSuperview: UIView?) {}
    open func didMoveToSuperview() {}
    open func didAddSubview(_ subview: UIView) {}
    open func willRemoveSubview(_ subview: UIView) {}

    // MARK: Points

    open func point(inside point: CGPoint, with event: UIEvent?) -> Bool { bounds.contains(point) }

    /// Returns the frontmost view at a point that receives touches; nil if there is none.
    open func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        guard !isHidden, alpha > 0.01, isUserInteractionEnabled, self.point(inside: point, with: event) else {
            return nil
        }
        for view in subviews.reversed() {
            if let hit = view.hitTest(view.convert(point, from: self), with: event) { return hit }
        }
        return self
    }

    /// Converts a point to the coordinates of a view of the same tree; nil means the root view.
    open func convert(_ point: CGPoint, to view: UIView?) -> CGPoint {
        layer.convert(point, to: (view ?? root).layer)
    }

    open func convert(_ point: CGPoint, from view: UIView?) -> CGPoint {
        layer.convert(point, from: (view ?? root).layer)
    }

    /// Converts a rectangle to the coordinates of a view of the same tree; nil means the root view.
    open func convert(_ rect: CGRect, to view: UIView?) -> CGRect { layer.convert(rect, to: (view ?? root).layer) }

    open func convert(_ rect: CGRect, from view: UIView?) -> CGRect {
        layer.convert(rect, from: (view ?? root).layer)
    }

    private var root: UIView { superview?.root ?? self }
}

/// A touch or another event; here always absent.
@preconcurrency @MainActor
public final class UIEvent: NSObject {}
