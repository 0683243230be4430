public import CaptureCore
import CaptureHAL
public import Foundation
public import KeyValueObserving
public import MediaTypes
public import QuartzCore

/// The properties of an external display that are adapted to a camera.
public final class AVCaptureExternalDisplayConfiguration: NSObject, Sendable {
    private struct Settings: Sendable {
        var matchesFrameRate = false
        var keepsColorSpace = false
        var resolution = CMVideoDimensions(width: 0, height: 0)
    }

    private let settings = Lock(Settings())

    public override init() { super.init() }

    public var shouldMatchFrameRate: Bool {
        get { settings.withLock { $0.matchesFrameRate } }
        set { settings.withLock { $0.matchesFrameRate = newValue } }
    }

    public var bypassColorSpaceConversion: Bool {
        get { settings.withLock { $0.keepsColorSpace } }
        set { settings.withLock { $0.keepsColorSpace = newValue } }
    }

    /// The resolution of the display; 0x0, the default, selects the native resolution.
    public var preferredResolution: CMVideoDimensions {
        get { settings.withLock { $0.resolution } }
        set { settings.withLock { $0.resolution = newValue } }
    }
}

/// Adapts an external display to the format of a camera; not supported, since there is no display.
///
/// - Important: Thread-safe.
public final class AVCaptureExternalDisplayConfigurator: NSObject, KeyValueObserving, Sendable {
    private struct References: Sendable {
        weak var device: AVCaptureDevice?
        weak var layer: CALayer?
    }

    public let observedProperties: ObservedProperties
    private let references: Lock<References>

    /// Creates a configurator that is never active; a configuration with options is misuse, since no option is
    /// supported.
    public init(device: AVCaptureDevice, previewLayer: CALayer, configuration: AVCaptureExternalDisplayConfiguration) {
        let environment = device.environment
        observedProperties = ObservedProperties(environment.system, environment.misuse)
        references = Lock(References(device: device, layer: previewLayer))
        super.init()
        let resolution = configuration.preferredResolution
        guard
            configuration.shouldMatchFrameRate || configuration.bypassColorSpaceConversion || resolution.width != 0
                || resolution.height != 0
        else { return }
        environment.misuse.report(
            .invalidArgument,
            "-[AVCaptureExternalDisplayConfigurator initWithDevice:previewLayer:configuration:] the options of the "
                + "configuration are not supported")
    }

    public class var isMatchingFrameRateSupported: Bool { false }
    public class var isBypassingColorSpaceConversionSupported: Bool { false }
    public class var isPreferredResolutionSupported: Bool { false }

    /// The device; not retained.
    public var device: AVCaptureDevice? { references.withLock { $0.device } }

    /// The layer; not retained.
    public var previewLayer: CALayer? { references.withLock { $0.layer } }

    public var isActive: Bool {
        observedProperties.access()
        return false
    }

    /// The frame rate of the display; always 0.
    public var activeExternalDisplayFrameRate: Double {
        observedProperties.access()
        return 0
    }

    /// Stops configuring the display.
    public func stop() {}
}
