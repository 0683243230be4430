public import Foundation
import MediaAssets
public import MediaTypes

/// Styled text that is shown during a time range.
///
/// - Important: Thread-safe.
public class AVCaption: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    // SAFETY: all state is in `content`, which is a lock.

    public enum Animation: Int, Sendable {
        case none = 0
        case characterReveal = 1
    }

    public enum FontWeight: Int, Sendable {
        case unknown = 0
        case normal = 1
        case bold = 2
    }

    public enum FontStyle: Int, Sendable {
        case unknown = 0
        case normal = 1
        case italic = 2
    }

    /// Lines drawn along the text.
    public struct Decoration: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let underline = Decoration(rawValue: 1)
        public static let lineThrough = Decoration(rawValue: 2)
        public static let overline = Decoration(rawValue: 4)
    }

    /// The characters of vertical text that are set upright and side by side in one cell (tate-chu-yoko): none, all, or
    /// sequences of at most one to four digits.
    public enum TextCombine: Int, Sendable {
        case all = -1
        case none = 0
        case oneDigit = 1
        case twoDigits = 2
        case threeDigits = 3
        case fourDigits = 4
    }

    /// The alignment of text within a line.
    public enum TextAlignment: Int, Sendable {
        case start = 0
        case end = 1
        case center = 2
        case left = 3
        case right = 4
    }

    /// The style of a character.
    struct Style: Sendable, Equatable {
        var textColor: CGColor?
        var backgroundColor: CGColor?
        var fontWeight = FontWeight.unknown
        var fontStyle = FontStyle.unknown
        var decoration: Decoration = []
        var textCombine = TextCombine.none
        var ruby: Ruby?
    }

    struct Content: Sendable, Equatable {
        var text: String {
            didSet { styles = Array(repeating: Style(), count: text.utf16.count) }
        }
        var timeRange: CMTimeRange
        /// One style for each UTF-16 code unit of the text.
        var styles: [Style]
        var region: AVCaptionRegion?
        var textAlignment = TextAlignment.start
        var animation = Animation.none

        init(_ text: String, _ timeRange: CMTimeRange) {
            self.text = text
            self.timeRange = timeRange
            styles = Array(repeating: Style(), count: text.utf16.count)
        }

        /// Changes a property of the style of the UTF-16 code units in a range. The part of the range outside the text
        /// has no effect.
        mutating func set<Value>(_ property: WritableKeyPath<Style, Value>, to value: Value, in range: NSRange) {
            for index in styles.indices where range.contains(index) { styles[index][keyPath: property] = value }
        }
    }

    let content: Lock<Content>

    public convenience override init() { self.init("", timeRange: .invalid) }

    public init(_ text: String, timeRange: CMTimeRange) {
        content = Lock(Content(text, timeRange))
        super.init()
    }

    init(_ content: Content) {
        self.content = Lock(content)
        super.init()
    }

    /// The text; lines are separated by line breaks.
    public var text: String { content.withLock { $0.text } }
    public var timeRange: CMTimeRange { content.withLock { $0.timeRange } }
    public var region: AVCaptionRegion? { content.withLock { $0.region } }
    public var textAlignment: TextAlignment { content.withLock { $0.textAlignment } }
    public var animation: Animation { content.withLock { $0.animation } }

    /// Returns a property of the style at a UTF-16 code unit, and the range around it with the same value. Outside the
    /// text, returns the default value and an empty range.
    private func style<Value: Equatable>(
        _ property: KeyPath<Style, Value>, at index: Int, _ range: NSRangePointer?
    ) -> Value {
        let styles = content.withLock { $0.styles }
        guard styles.indices.contains(index) else {
            range?.pointee = NSRange(location: index, length: 0)
            return Style()[keyPath: property]
        }
        let value = styles[index][keyPath: property]
        let start = styles[..<index].lastIndex { $0[keyPath: property] != value }.map { $0 + 1 } ?? 0
        let end = styles[index...].firstIndex { $0[keyPath: property] != value } ?? styles.count
        range?.pointee = NSRange(location: start, length: end - start)
        return value
    }

    /// The color at a UTF-16 code unit; nil if unspecified.
    public func textColor(at index: Int, range outRange: NSRangePointer?) -> CGColor? {
        style(\.textColor, at: index, outRange)
    }

    /// The background color at a UTF-16 code unit; nil if unspecified.
    public func backgroundColor(at index: Int, range outRange: NSRangePointer?) -> CGColor? {
        style(\.backgroundColor, at: index, outRange)
    }

    public func fontWeight(at index: Int, range outRange: NSRangePointer?) -> FontWeight {
        style(\.fontWeight, at: index, outRange)
    }

    public func fontStyle(at index: Int, range outRange: NSRangePointer?) -> FontStyle {
        style(\.fontStyle, at: index, outRange)
    }

    public func decoration(at index: Int, range outRange: NSRangePointer?) -> Decoration {
        style(\.decoration, at: index, outRange)
    }

    public func textCombine(at index: Int, range outRange: NSRangePointer?) -> TextCombine {
        style(\.textCombine, at: index, outRange)
    }

    /// The text beside the UTF-16 code unit, such as its pronunciation; nil if there is none.
    public func ruby(at index: Int, range outRange: NSRangePointer?) -> Ruby? {
        style(\.ruby, at: index, outRange)
    }

    public func copy(with zone: NSZone? = nil) -> Any { AVCaption(content.withLock { $0 }) }
    public func mutableCopy(with zone: NSZone? = nil) -> Any { AVMutableCaption(content.withLock { $0 }) }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVCaption else { return false }
        return self === other || content.withLock { $0 } == other.content.withLock { $0 }
    }

    public override var hash: Int { text.hashValue }
}

extension AVCaption {
    /// A short text beside other text, such as its pronunciation.
    public final class Ruby: NSObject, NSCopying, Sendable {
        public enum Position: Int, Sendable {
            case before = 0
            case after = 1
        }

        public enum Alignment: Int, Sendable {
            case start = 0
            case center = 1
            case distributeSpaceBetween = 2
            case distributeSpaceAround = 3
        }

        public let text: String
        public let position: Position
        public let alignment: Alignment

        public convenience init(text: String) {
            self.init(text: text, position: .before, alignment: .distributeSpaceBetween)
        }

        public init(text: String, position: Position, alignment: Alignment) {
            self.text = text
            self.position = position
            self.alignment = alignment
        }

        public func copy(with zone: NSZone? = nil) -> Any { self }

        public override func isEqual(_ object: Any?) -> Bool {
            guard let other = object as? Ruby else { return false }
            return text == other.text && position == other.position && alignment == other.alignment
        }

        public override var hash: Int { text.hashValue }
    }
}
