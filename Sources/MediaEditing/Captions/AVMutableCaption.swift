public import Foundation
import MediaAssets
public import MediaTypes

/// A caption that can be changed. The ranges of styles are in UTF-16 code units.
public final class AVMutableCaption: AVCaption, @unchecked Sendable {
    // SAFETY: as its superclass.

    /// The text; setting it removes all styles.
    public override var text: String {
        get { super.text }
        set { content.withLock { $0.text = newValue } }
    }

    public override var timeRange: CMTimeRange {
        get { super.timeRange }
        set { content.withLock { $0.timeRange = newValue } }
    }

    /// The region, which is copied.
    public override var region: AVCaptionRegion? {
        get { super.region }
        set {
            let region = newValue?.copy() as? AVCaptionRegion
            content.withLock { $0.region = region }
        }
    }

    public override var textAlignment: TextAlignment {
        get { super.textAlignment }
        set { content.withLock { $0.textAlignment = newValue } }
    }

    public override var animation: Animation {
        get { super.animation }
        set { content.withLock { $0.animation = newValue } }
    }

    public func setTextColor(_ color: CGColor, in range: NSRange) {
        content.withLock { $0.set(\.textColor, to: color, in: range) }
    }

    public func setBackgroundColor(_ color: CGColor, in range: NSRange) {
        content.withLock { $0.set(\.backgroundColor, to: color, in: range) }
    }

    public func setFontWeight(_ fontWeight: FontWeight, in range: NSRange) {
        content.withLock { $0.set(\.fontWeight, to: fontWeight, in: range) }
    }

    public func setFontStyle(_ fontStyle: FontStyle, in range: NSRange) {
        content.withLock { $0.set(\.fontStyle, to: fontStyle, in: range) }
    }

    public func setDecoration(_ decoration: Decoration, in range: NSRange) {
        content.withLock { $0.set(\.decoration, to: decoration, in: range) }
    }

    public func setTextCombine(_ textCombine: TextCombine, in range: NSRange) {
        content.withLock { $0.set(\.textCombine, to: textCombine, in: range) }
    }

    public func setRuby(_ ruby: Ruby, in range: NSRange) {
        content.withLock { $0.set(\.ruby, to: ruby, in: range) }
    }

    public func removeTextColor(in range: NSRange) { content.withLock { $0.set(\.textColor, to: nil, in: range) } }

    public func removeBackgroundColor(in range: NSRange) {
        content.withLock { $0.set(\.backgroundColor, to: nil, in: range) }
    }

    public func removeFontWeight(in range: NSRange) {
        content.withLock { $0.set(\.fontWeight, to: .unknown, in: range) }
    }

    public func removeFontStyle(in range: NSRange) { content.withLock { $0.set(\.fontStyle, to: .unknown, in: range) } }

    public func removeDecoration(in range: NSRange) { content.withLock { $0.set(\.decoration, to: [], in: range) } }

    public func removeTextCombine(in range: NSRange) {
        content.withLock { $0.set(\.textCombine, to: .none, in: range) }
    }

    public func removeRuby(in range: NSRange) { content.withLock { $0.set(\.ruby, to: nil, in: range) } }
}
