public import CaptureHAL
public import Foundation
public import MediaTypes

/// A source of haptic feedback.
///
/// - Note: Nothing vibrates: each feedback is logged in `CaptureSystem.hapticFeedback`.
@preconcurrency @MainActor
open class UIFeedbackGenerator: NSObject {
    public override init() { super.init() }

    /// Creates a generator for a view, which has no effect on the feedback.
    public convenience init(view: UIView) { self.init() }

    /// No effect: there is no motor that needs time to start.
    open func prepare() {}

    fileprivate func generate(_ kind: HapticFeedbackLog.Kind) {
        let system = CaptureSystem.current
        system.hapticFeedback.append(HapticFeedbackLog.Entry(kind: kind, time: system.clock.now))
    }
}

/// Feedback on the result of a task.
open class UINotificationFeedbackGenerator: UIFeedbackGenerator {
    public enum FeedbackType: Int, Hashable, Sendable {
        case success = 0
        case warning, error
    }

    open func notificationOccurred(_ notificationType: FeedbackType) { generate(.notification(notificationType)) }

    open func notificationOccurred(_ notificationType: FeedbackType, at location: CGPoint) {
        notificationOccurred(notificationType)
    }
}

/// Feedback that imitates a collision.
open class UIImpactFeedbackGenerator: UIFeedbackGenerator {
    public enum FeedbackStyle: Int, Hashable, Sendable {
        case light = 0
        case medium, heavy, soft, rigid
    }

    private let style: FeedbackStyle

    public convenience override init() { self.init(style: .medium) }

    public init(style: FeedbackStyle) {
        self.style = style
        super.init()
    }

    public convenience init(style: FeedbackStyle, view: UIView) { self.init(style: style) }

    open func impactOccurred() { impactOccurred(intensity: 1) }

    /// - Parameter intensity: From 0 to 1.
    open func impactOccurred(intensity: CGFloat) { generate(.impact(style, intensity: min(max(intensity, 0), 1))) }

    open func impactOccurred(at location: CGPoint) { impactOccurred() }

    open func impactOccurred(intensity: CGFloat, at location: CGPoint) { impactOccurred(intensity: intensity) }
}

/// Feedback on a selection that changes.
open class UISelectionFeedbackGenerator: UIFeedbackGenerator {
    open func selectionChanged() { generate(.selection) }

    open func selectionChanged(at location: CGPoint) { selectionChanged() }
}

/// The log of the haptic feedback of an app.
///
/// A test reads it after the code under test has run:
/// ```swift
/// XCTAssertEqual(simulated.system.hapticFeedback.entries.map(\.kind), [.notification(.success)])
/// ```
/// - Important: Thread-safe.
public final class HapticFeedbackLog: Sendable {
    /// The kind of a feedback.
    public enum Kind: Hashable, Sendable {
        case notification(UINotificationFeedbackGenerator.FeedbackType)
        /// The intensity is from 0 to 1.
        case impact(UIImpactFeedbackGenerator.FeedbackStyle, intensity: CGFloat)
        case selection
    }

    /// A feedback that occurred.
    public struct Entry: Hashable, Sendable {
        public var kind: Kind
        /// The time on the clock of the capture system.
        public var time: CMTime
    }

    private let state = Lock<[Entry]>([])

    init() {}

    /// The feedback in the order in which it occurred.
    public var entries: [Entry] { state.withLock { $0 } }

    func append(_ entry: Entry) { state.withLock { $0.append(entry) } }
}

extension CaptureSystem {
    /// The log of the haptic feedback of the app that this system runs.
    public var hapticFeedback: HapticFeedbackLog { component(HapticFeedbackLog.self) { HapticFeedbackLog() } }
}
