import CaptureHAL
public import Foundation
public import MediaTypes

/// Identifies a display.
public typealias CGDirectDisplayID = UInt32

/// An input that delivers the contents of a display.
///
/// - Note: Unlike on macOS, there are no displays: the input for the main display has no ports, and an input for
///   another display cannot be created.
/// - Important: Thread-safe.
public final class AVCaptureScreenInput: AVCaptureInput, @unchecked Sendable {
    // SAFETY: all state is behind `settings`.
    private struct Settings: Sendable {
        var frameDuration = CMTime.invalid
        var cropRect = CGRect.zero
        var scaleFactor: CGFloat = 1
        var capturesClicks = false
        var capturesCursor = true
        var removesDuplicates = false
    }

    private let settings = Lock(Settings())

    /// Creates an input for the main display.
    public override init() { super.init() }

    /// Creates an input for a display; nil, since there is none.
    public init?(displayID: CGDirectDisplayID) { return nil }

    /// The shortest time between frames.
    public var minFrameDuration: CMTime {
        get { access(\.frameDuration) }
        set { set(\.frameDuration, newValue, "minFrameDuration") }
    }

    /// The captured part of the display, in points; (0,0) is the bottom left corner.
    public var cropRect: CGRect {
        get { access(\.cropRect) }
        set { set(\.cropRect, newValue, "cropRect") }
    }

    public var scaleFactor: CGFloat {
        get { access(\.scaleFactor) }
        set { set(\.scaleFactor, newValue, "scaleFactor") }
    }

    public var capturesMouseClicks: Bool {
        get { access(\.capturesClicks) }
        set { set(\.capturesClicks, newValue, "capturesMouseClicks") }
    }

    public var capturesCursor: Bool {
        get { access(\.capturesCursor) }
        set { set(\.capturesCursor, newValue, "capturesCursor") }
    }

    @available(*, deprecated, message: "No longer supported.")
    public var removesDuplicateFrames: Bool {
        get { access(\.removesDuplicates) }
        set { set(\.removesDuplicates, newValue, "removesDuplicateFrames") }
    }

    private func access<Value: Sendable>(
        _ setting: any KeyPath<Settings, Value> & Sendable, _ name: String = #function
    ) -> Value {
        observedProperties.access(name)
        return settings.withLock { $0[keyPath: setting] }
    }

    private func set<Value: Sendable>(
        _ setting: any WritableKeyPath<Settings, Value> & Sendable, _ value: Value, _ name: String
    ) {
        settings.withLock { $0[keyPath: setting] = value }
        observedProperties.changed(name)
    }
}
