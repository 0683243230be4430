public import Foundation
public import MediaTypes

/// The text of a layer and how it is drawn.
struct TextStyle {
    var string: String?
    var fontSize: CGFloat = 36
    var foregroundColor: CGColor? = .white
    var alignmentMode = CATextLayerAlignmentMode.natural
}

/// A layer that draws one line of text at its upper edge.
///
/// - Note: Unlike Apple, there is one font, and lines are not wrapped or truncated.
open class CATextLayer: CALayer, @unchecked Sendable {
    // SAFETY: all state is behind the locks of the base class and `text`.
    private let text: Lock<TextStyle>

    public override init() {
        text = Lock(TextStyle())
        super.init()
    }

    /// Creates a copy of a layer's geometry and appearance.
    public override init(layer: Any) {
        text = Lock((layer as? CATextLayer)?.text.withLock { $0 } ?? TextStyle())
        super.init(layer: layer)
    }

    /// The text: a `String` or an `NSAttributedString`. Attributes and values of other types are ignored.
    open var string: Any? {
        get { text.withLock { $0.string } }
        set { text.withLock { $0.string = newValue as? String ?? (newValue as? NSAttributedString)?.string } }
    }
    /// In points; 36 by default.
    open var fontSize: CGFloat {
        get { text.withLock { $0.fontSize } }
        set { text.withLock { $0.fontSize = newValue } }
    }
    /// White by default.
    open var foregroundColor: CGColor? {
        get { text.withLock { $0.foregroundColor } }
        set { text.withLock { $0.foregroundColor = newValue } }
    }
    /// `natural`, which is left, by default.
    open var alignmentMode: CATextLayerAlignmentMode {
        get { text.withLock { $0.alignmentMode } }
        set { text.withLock { $0.alignmentMode = newValue } }
    }

    override var modelValues: LayerValues {
        var values = super.modelValues
        values.text = text.withLock { $0 }
        return values
    }

    override func makePresentationLayer() -> CALayer { CATextLayer(layer: self) }

    override func setPresentationValues(_ values: LayerValues) {
        super.setPresentationValues(values)
        text.withLock { $0 = values.text }
    }

    override func renderUprightContents(_ values: LayerValues, in ctx: CGContext) {
        super.renderUprightContents(values, in: ctx)
        let (text, bounds) = (values.text, values.state.bounds)
        guard let string = text.string, let color = text.foregroundColor else { return }
        let run = TextRun(string, size: text.fontSize)
        let space = bounds.width - run.width
        let x =
            switch text.alignmentMode {
            case .right: space
            case .center: space / 2
            default: CGFloat(0)
            }
        ctx.saveGState()
        ctx.clip(to: bounds)
        run.draw(at: CGPoint(x: bounds.minX + x, y: bounds.minY), color: color, in: ctx)
        ctx.restoreGState()
    }
}

public struct CATextLayerAlignmentMode: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let natural = CATextLayerAlignmentMode(rawValue: "natural")
    public static let left = CATextLayerAlignmentMode(rawValue: "left")
    public static let right = CATextLayerAlignmentMode(rawValue: "right")
    public static let center = CATextLayerAlignmentMode(rawValue: "center")
    public static let justified = CATextLayerAlignmentMode(rawValue: "justified")
}
