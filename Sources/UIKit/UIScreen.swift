import CaptureHAL
public import Foundation

/// The screen of the machine: that of the simulated machine's profile, by default of a phone in portrait.
///
/// - Note: Unlike Apple, the bounds do not change when the device is rotated.
@preconcurrency @MainActor
public final class UIScreen: NSObject {
    /// The screen of the caller's capture system.
    public class var main: UIScreen {
        let system = CaptureSystem.current
        let holder = system.component(Holder.self) { Holder() }
        let screen = holder.screen ?? UIScreen(system.machine.screen)
        holder.screen = screen
        return screen
    }

    /// Stores the screen of a system.
    private final class Holder: Sendable {
        @MainActor var screen: UIScreen?
    }

    private init(_ screen: MachineDescriptor.Screen) {
        bounds = CGRect(x: 0, y: 0, width: screen.width, height: screen.height)
        scale = CGFloat(screen.scale)
        super.init()
    }

    /// In points.
    public let bounds: CGRect
    /// The number of pixels per point.
    public let scale: CGFloat
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
