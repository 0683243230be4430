public import CaptureCore
import CaptureHAL
import Dispatch
public import Foundation
public import KeyValueObserving
import MediaTypes
public import QuartzCore

extension AVCaptureDevice {
    /// The rotation that keeps the frames of a camera level with the horizon.
    ///
    /// The angles depend on the mounting of the sensor and on `CaptureSystem.orientation`. They are 0 while the
    /// orientation is unknown, and always 0 for external cameras. Both angles can be observed; they change on the main
    /// queue.
    /// - Important: Thread-safe.
    public final class RotationCoordinator: NSObject, KeyValueObserving, Sendable {
        private struct Angles: Hashable {
            var preview = 0
            var capture = 0
        }

        public let observedProperties: ObservedProperties
        private let observedDevice: WeakReference<AVCaptureDevice>
        private let layer: WeakReference<CALayer>
        private let sensor: OrientationSensor
        private let system: SystemReference
        private let mounting: SensorMounting
        private let angles = Lock(Angles())
        private let observation = Lock<ObserverToken?>(nil)

        /// Creates a coordinator.
        ///
        /// - Parameters:
        ///   - device: A camera; not retained.
        ///   - previewLayer: The layer that shows the camera; not retained. Without a layer the preview angle is 0.
        public init(device: AVCaptureDevice, previewLayer: CALayer?) {
            observedProperties = ObservedProperties(device.environment.system, device.environment.misuse)
            observedDevice = WeakReference(device)
            layer = WeakReference(Self.accepted(previewLayer, for: device))
            sensor = device.environment.orientation
            system = device.environment.system
            mounting = SensorMounting(device.hardware.descriptor)
            super.init()
            angles.withLock { $0 = current }
            let changes = sensor.observe { [weak self] in self?.orientationChanged() }
            observation.withLock { $0 = changes }
        }

        public var device: AVCaptureDevice? { observedDevice.object }
        public var previewLayer: CALayer? { layer.object }

        /// Clockwise degrees that level the preview in its layer, depending on the orientation of the user interface.
        public var videoRotationAngleForHorizonLevelPreview: CGFloat {
            observedProperties.access()
            return layer.object == nil ? 0 : CGFloat(angles.withLock { $0.preview })
        }

        /// Clockwise degrees that level photos and movies.
        public var videoRotationAngleForHorizonLevelCapture: CGFloat {
            observedProperties.access()
            return CGFloat(angles.withLock { $0.capture })
        }

        /// Returns the clockwise degrees that level photos and movies while the phone is held in an orientation; always 0
        /// for external cameras.
        public func videoRotationAngleRelative(
            toDeviceOrientation deviceOrientation: AVCaptureVideoOrientation
        ) -> CGFloat {
            observedDevice.object?.deviceType == .external ? 0 : CGFloat(mounting.angle(for: deviceOrientation))
        }

        /// Returns the layer, unless it shows a session of another system, which is misuse.
        private static func accepted(_ layer: CALayer?, for device: AVCaptureDevice) -> CALayer? {
            guard let videoLayer = layer as? AVCaptureVideoPreviewLayer,
                let message = device.environment.system.rejectionReason(
                    joining: "the preview layer", of: videoLayer.preview.system.reference, to: "the device")
            else { return layer }
            device.environment.misuse.report(
                .invalidArgument, "-[AVCaptureDeviceRotationCoordinator initWithDevice:previewLayer:] \(message)")
            return nil
        }

        private var current: Angles {
            Angles(preview: mounting.angle(for: sensor.interface), capture: mounting.angle(for: sensor.lastKnown))
        }

        private func orientationChanged() {
            system.deliver(on: .main) { [weak self] in
                guard let self else { return }
                let new = current
                let old = angles.withLock { angles in
                    defer { angles = new }
                    return angles
                }
                var names: Set<String> = []
                if old.preview != new.preview { names.insert("videoRotationAngleForHorizonLevelPreview") }
                if old.capture != new.capture { names.insert("videoRotationAngleForHorizonLevelCapture") }
                if !names.isEmpty { observedProperties.changed(names) }
            }
        }
    }
}
