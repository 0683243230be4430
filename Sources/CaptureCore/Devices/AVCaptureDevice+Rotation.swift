import CaptureHAL
import Dispatch
public import Foundation
public import KeyValueObserving
import MediaTypes
public import QuartzCore

extension AVCaptureDevice {
    /// Tells by how much a camera's pictures must be turned to be level.
    ///
    /// The angles follow from how the sensor is mounted and how the capture system's `orientation` says that the machine
    /// is held; while that is not known they are 0, the picture as it comes. External cameras are level as they are.
    /// Both angles can be observed; they change on the main queue.
    /// - Important: Thread-safe.
    public final class RotationCoordinator: NSObject, KeyValueObserving, Sendable {
        private struct Angles: Hashable {
            var preview = 0
            var capture = 0
        }

        public let observedProperties = ObservedProperties()
        private let watched: WeakReference<AVCaptureDevice>
        private let layer: WeakReference<CALayer>
        private let sensor: OrientationSensor
        private let clock: any CaptureClock
        private let mounting: Mounting
        private let angles = Lock(Angles())
        private let observation = Lock<Observation?>(nil)

        /// - Parameters:
        ///   - device: A camera; not kept alive.
        ///   - previewLayer: The layer in which the camera is shown; not kept alive. Without one the preview's angle is 0.
        public init(device: AVCaptureDevice, previewLayer: CALayer?) {
            watched = WeakReference(device)
            layer = WeakReference(previewLayer)
            sensor = device.surroundings.orientation
            clock = device.surroundings.clock
            mounting = Mounting(device.hardware.descriptor)
            super.init()
            angles.withLock { $0 = present }
            let changes = sensor.observe { [weak self] in self?.orientationChanged() }
            observation.withLock { $0 = changes }
        }

        public var device: AVCaptureDevice? { watched.object }
        public var previewLayer: CALayer? { layer.object }

        /// Clockwise degrees that make the preview level in its layer, as the screen's contents are turned.
        public var videoRotationAngleForHorizonLevelPreview: CGFloat {
            observedProperties.access()
            return layer.object == nil ? 0 : CGFloat(angles.withLock { $0.preview })
        }

        /// Clockwise degrees that make photos and movies level.
        public var videoRotationAngleForHorizonLevelCapture: CGFloat {
            observedProperties.access()
            return CGFloat(angles.withLock { $0.capture })
        }

        private var present: Angles {
            Angles(preview: mounting.angle(for: sensor.interface), capture: mounting.angle(for: sensor.lastKnown))
        }

        private func orientationChanged() {
            clock.deliver(on: .main) { [weak self] in
                guard let self else { return }
                let new = present
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

/// How a camera's sensor sits in its machine.
struct Mounting: Sendable, Hashable {
    /// Clockwise degrees that make the picture upright while the machine is.
    var angle: Int
    var position: DevicePosition

    /// That of a device that is in no machine.
    static let unknown = Mounting(angle: 0, position: .unspecified)

    init(angle: Int, position: DevicePosition) {
        self.angle = angle
        self.position = position
    }

    init(_ descriptor: DeviceDescriptor) {
        angle = descriptor.mountingAngle
        position = descriptor.position
    }

    /// Clockwise degrees that make the picture level; 0 while nothing is known.
    ///
    /// A machine that turns counter-clockwise turns what its back camera sees clockwise in the picture, and what its
    /// front camera sees, which looks the other way, counter-clockwise.
    func angle(for orientation: HeldOrientation) -> Int {
        guard position != .unspecified, let turn = orientation.turn else { return 0 }
        return ((angle + (position == .front ? turn : -turn)) % 360 + 360) % 360
    }

    /// Clockwise degrees that give the picture an orientation.
    ///
    /// Where the sensor lies across the machine, as in a phone, an orientation is that of a machine held so: a back
    /// camera's picture is `landscapeRight` as it comes and a front camera's `landscapeLeft`, and both are turned by 90
    /// degrees for `portrait`. Other cameras' pictures, as those of webcams, are `landscapeRight` as they come.
    func angle(for orientation: AVCaptureVideoOrientation) -> Int {
        guard position != .unspecified, angle % 180 == 90 else {
            return switch orientation {
            case .landscapeRight: 0
            case .portrait: 90
            case .landscapeLeft: 180
            case .portraitUpsideDown: 270
            }
        }
        return angle(for: orientation.held)
    }

    /// The orientation that an angle gives the picture.
    func orientation(at angle: Int) -> AVCaptureVideoOrientation {
        let all: [AVCaptureVideoOrientation] = [.landscapeRight, .portrait, .landscapeLeft, .portraitUpsideDown]
        return all.first { self.angle(for: $0) == angle } ?? .landscapeRight
    }
}

extension AVCaptureVideoOrientation {
    /// How the machine is held when its pictures are to have the orientation: with the home button to the right, its
    /// upper edge points left.
    fileprivate var held: HeldOrientation {
        switch self {
        case .portrait: .portrait
        case .portraitUpsideDown: .portraitUpsideDown
        case .landscapeRight: .landscapeLeft
        case .landscapeLeft: .landscapeRight
        }
    }
}
