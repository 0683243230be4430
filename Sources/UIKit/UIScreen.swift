import CaptureHAL
public import Foundation

/// The screen: that of a current phone, in portrait.
///
/// - Note: Unlike Apple, the bounds do not change when the device is rotated.
@preconcurrency @MainActor
public final class UIScreen: NSObject {
    /// The screen of the caller's capture system.
    public class var main: UIScreen {
        let holder = CaptureSystem.current.component(Holder.self) { Holder() }
        let screen = holder.screen ?? UIScreen()
        holder.screen = screen
        return screen
    }

    /// Stores the screen of a system.
    private final class Holder: Sendable {
        @MainActor var screen: UIScreen?
    }

    private override init() { super.init() }

    /// In points.
    public let bounds = CGRect(x: 0, y: 0, width: 390, height: 844)
    /// The number of pixels per point.
    public let scale: CGFloat = 3
    public var nativeScale: CGFloat { scale }
    /// In pixels.
    public var nativeBounds: CGRect {
        CGRect(x: 0, y: 0, width: bounds.width * scale, height: bounds.height * scale)
    }
    /// In hertz.
    public var maximumFramesPerSecond: Int { 60 }
    /// From 0 to 1; stored, without effect on the scene in front of the camera.
    public var brightness: CGFloat = 0.5
}
