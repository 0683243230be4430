public import Foundation
import MediaAssets
import MediaTypes

/// A part of the display area in which captions are placed.
///
/// - Important: Thread-safe.
public class AVCaptionRegion: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    // SAFETY: all state is behind `layout`.

    /// The alignment of the lines within the region, perpendicular to the lines.
    public enum DisplayAlignment: Int, Sendable {
        case before = 0
        case center = 1
        case after = 2
    }

    /// The direction of the characters in a line, and the direction in which lines follow each other.
    public enum WritingMode: Int, Sendable {
        case leftToRightAndTopToBottom = 0
        case topToBottomAndRightToLeft = 2
    }

    /// How lines enter the region.
    public enum Scroll: Int, Sendable {
        case none = 0
        case rollUp = 1
    }

    struct Layout: Sendable, Equatable {
        var identifier: String?
        var origin = AVCaptionPoint()
        var size = AVCaptionSize()
        var scroll = Scroll.none
        var displayAlignment = DisplayAlignment.before
        var writingMode = WritingMode.leftToRightAndTopToBottom
    }

    let layout: Lock<Layout>

    init(_ layout: Layout) {
        self.layout = Lock(layout)
        super.init()
    }

    private static func percent(
        _ rect: CGRect, _ alignment: DisplayAlignment, _ mode: WritingMode = .leftToRightAndTopToBottom
    ) -> AVCaptionRegion {
        AVCaptionRegion(Layout(percent: rect, displayAlignment: alignment, writingMode: mode))
    }

    /// The top 15% of the display area, with lines at the top of the region.
    public static let appleITTTop = percent(CGRect(x: 0, y: 0, width: 100, height: 15), .before)
    /// The bottom 15% of the display area, with lines at the bottom of the region.
    public static let appleITTBottom = percent(CGRect(x: 0, y: 85, width: 100, height: 15), .after)
    /// The left 15% of the display area, with vertical lines that start at the right side of the region.
    public static let appleITTLeft = percent(
        CGRect(x: 0, y: 0, width: 15, height: 100), .before, .topToBottomAndRightToLeft)
    /// The right 15% of the display area, with vertical lines that start at the right side of the region.
    public static let appleITTRight = percent(
        CGRect(x: 85, y: 0, width: 15, height: 100), .before, .topToBottomAndRightToLeft)
    /// The whole display area, with lines at the bottom.
    public static let subRipTextBottom = percent(CGRect(x: 0, y: 0, width: 100, height: 100), .after)

    /// Identifies the region; regions with equal identifiers are equal.
    public var identifier: String? { layout.withLock { $0.identifier } }
    /// The top left corner.
    public var origin: AVCaptionPoint { layout.withLock { $0.origin } }
    public var size: AVCaptionSize { layout.withLock { $0.size } }
    public var scroll: Scroll { layout.withLock { $0.scroll } }
    public var displayAlignment: DisplayAlignment { layout.withLock { $0.displayAlignment } }
    public var writingMode: WritingMode { layout.withLock { $0.writingMode } }

    public func copy(with zone: NSZone? = nil) -> Any { AVCaptionRegion(layout.withLock { $0 }) }
    public func mutableCopy(with zone: NSZone? = nil) -> Any { AVMutableCaptionRegion(layout.withLock { $0 }) }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVCaptionRegion else { return false }
        if self === other { return true }
        let (mine, theirs) = (layout.withLock { $0 }, other.layout.withLock { $0 })
        return mine.identifier == nil && theirs.identifier == nil
            ? mine == theirs : mine.identifier == theirs.identifier
    }

    public override var hash: Int { identifier.hashValue }
}

extension AVCaptionRegion.Layout {
    /// Creates the layout of a rectangle in percent of the display area.
    init(
        percent rect: CGRect, displayAlignment: AVCaptionRegion.DisplayAlignment,
        writingMode: AVCaptionRegion.WritingMode = .leftToRightAndTopToBottom
    ) {
        func percent(_ value: CGFloat) -> AVCaptionDimension { AVCaptionDimension(value: value, units: .percent) }
        origin = AVCaptionPoint(x: percent(rect.minX), y: percent(rect.minY))
        size = AVCaptionSize(width: percent(rect.width), height: percent(rect.height))
        self.displayAlignment = displayAlignment
        self.writingMode = writingMode
    }

    /// The rectangle in percent of the display area; nil in other units.
    var percentRect: CGRect? {
        let dimensions = [origin.x, origin.y, size.width, size.height]
        guard dimensions.allSatisfy({ $0.units == .percent }) else { return nil }
        return CGRect(x: origin.x.value, y: origin.y.value, width: size.width.value, height: size.height.value)
    }
}

/// A caption region that can be changed.
public final class AVMutableCaptionRegion: AVCaptionRegion, @unchecked Sendable {
    // SAFETY: as its superclass.

    /// Creates a region without a position and a size.
    public init() { super.init(Layout()) }

    public init(identifier: String) { super.init(Layout(identifier: identifier)) }

    override init(_ layout: Layout) { super.init(layout) }

    public override var origin: AVCaptionPoint {
        get { super.origin }
        set { layout.withLock { $0.origin = newValue } }
    }

    public override var size: AVCaptionSize {
        get { super.size }
        set { layout.withLock { $0.size = newValue } }
    }

    public override var scroll: Scroll {
        get { super.scroll }
        set { layout.withLock { $0.scroll = newValue } }
    }

    public override var displayAlignment: DisplayAlignment {
        get { super.displayAlignment }
        set { layout.withLock { $0.displayAlignment = newValue } }
    }

    public override var writingMode: WritingMode {
        get { super.writingMode }
        set { layout.withLock { $0.writingMode = newValue } }
    }
}
