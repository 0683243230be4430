// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import AssetTypes
import CaptureHAL
public import Foundation
public import KeyValueObserving
public import MediaTypes

// Dynamic aspect ratios: the aspect ratio of a format changes while the camera streams. No backend supports them.
extension AVCaptureDevice {
    /// An aspect ratio of a format that supports several.
    public struct AspectRatio: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let ratio1x1 = Self(rawValue: "AVCaptureAspectRatio1x1")
        public static let ratio16x9 = Self(rawValue: "AVCaptureAspectRatio16x9")
        public static let ratio9x16 = Self(rawValue: "AVCaptureAspectRatio9x16")
        public static let ratio4x3 = Self(rawValue: "AVCaptureAspectRatio4x3")
        public static let ratio3x4 = Self(rawValue: "AVCaptureAspectRatio3x4")
    }

    /// The current aspect ratio; nil, since the active format has only one.
    public var dynamicAspectRatio: AspectRatio? {
        observedProperties.access()
        return nil
    }

    /// The size of frames with the current aspect ratio; zero, since the active format has only one.
    public var dynamicDimensions: CMVideoDimensions {
        observedProperties.access()
        return CMVideoDimensions(width: 0, height: 0)
    }

    /// Changes the aspect ratio; misuse, since no format supports several. The handler is not called.
    @preconcurrency
    public func setDynamicAspectRatio(
        _ dynamicAspectRatio: AspectRatio, completionHandler handler: (@Sendable (CMTime, (any Error)?) -> Void)? = nil
    ) {
        let method = "setDynamicAspectRatio:completionHandler:"
        guard checkLock(for: method) else { return }
        reportUnsupported(method, dynamicAspectRatio.rawValue, "[activeFormat supportedDynamicAspectRatios]")
    }

    /// Changes the aspect ratio; misuse, since no format supports several.
    ///
    /// - Returns: The time of the first frame with the aspect ratio; always invalid.
    @discardableResult
    public func setDynamicAspectRatio(_ dynamicAspectRatio: AspectRatio) async throws -> CMTime {
        setDynamicAspectRatio(dynamicAspectRatio, completionHandler: nil)
        return .invalid
    }

    /// The monitor that recommends framings; nil, since no backend supports it.
    public var smartFramingMonitor: AVCaptureSmartFramingMonitor? { nil }
}

extension AVCaptureDevice.Format {
    public var supportedDynamicAspectRatios: [AVCaptureDevice.AspectRatio] { [] }

    /// Returns the horizontal field of view in degrees for an aspect ratio; 0, since the format has only one.
    public func videoFieldOfView(
        for aspectRatio: AVCaptureDevice.AspectRatio, geometricDistortionCorrected: Bool
    ) -> Float { 0 }

    public var isSmartFramingSupported: Bool { false }
}

/// An aspect ratio and a zoom factor.
public final class AVCaptureFraming: NSObject, Sendable {
    public let aspectRatio: AVCaptureDevice.AspectRatio
    public let zoomFactor: Float

    init(_ aspectRatio: AVCaptureDevice.AspectRatio, zoomFactor: Float) {
        self.aspectRatio = aspectRatio
        self.zoomFactor = zoomFactor
    }
}

/// Recommends a framing of the scene; a device without smart framing has no monitor.
///
/// - Important: Thread-safe.
public final class AVCaptureSmartFramingMonitor: NSObject, KeyValueObserving, Sendable {
    private struct State: Sendable {
        var enabled: [AVCaptureFraming] = []
        var isMonitoring = false
    }

    public let observedProperties: ObservedProperties
    /// The framings that the monitor can recommend.
    public let supportedFramings: [AVCaptureFraming]
    private let environment: DeviceEnvironment
    private let state = Lock(State())

    init(_ environment: DeviceEnvironment, _ supportedFramings: [AVCaptureFraming]) {
        self.environment = environment
        self.supportedFramings = supportedFramings
        observedProperties = ObservedProperties(environment.system, environment.misuse)
    }

    /// The framings that the monitor may recommend; empty by default. Setting unsupported framings is misuse.
    public var enabledFramings: [AVCaptureFraming] {
        get {
            observedProperties.access()
            return state.withLock { $0.enabled }
        }
        set {
            guard newValue.allSatisfy(supportedFramings.contains) else {
                return environment.misuse.report(
                    .invalidArgument,
                    "-[AVCaptureSmartFramingMonitor setEnabledFramings:] the framings must be in supportedFramings")
            }
            state.withLock { $0.enabled = newValue }
            observedProperties.changed()
        }
    }

    /// The recommended framing; nil while no framing is recommended.
    public var recommendedFraming: AVCaptureFraming? {
        observedProperties.access()
        return nil
    }

    public var isMonitoring: Bool {
        observedProperties.access()
        return state.withLock { $0.isMonitoring }
    }

    /// Starts recommending framings.
    ///
    /// - Throws: `AVError.noSmartFramingsEnabled` if `enabledFramings` is empty.
    public func startMonitoring() throws {
        guard !enabledFramings.isEmpty else {
            throw AVError(.noSmartFramingsEnabled, "enable framings before monitoring starts", cause: nil, [:])
        }
        state.withLock { $0.isMonitoring = true }
        observedProperties.changed(["isMonitoring"])
    }

    /// Stops recommending framings.
    public func stopMonitoring() {
        state.withLock { $0.isMonitoring = false }
        observedProperties.changed(["isMonitoring", "recommendedFraming"])
    }
}
