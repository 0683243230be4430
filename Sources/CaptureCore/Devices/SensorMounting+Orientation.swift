import CaptureHAL
import MediaTypes

extension SensorMounting {
    /// Returns the clockwise rotation of frames, in degrees, for an orientation.
    ///
    /// If the sensor is mounted in landscape, as in a phone, `orientation` refers to the machine: unrotated frames
    /// are `landscapeRight` for a back camera and `landscapeLeft` for a front camera, and both are rotated by 90
    /// degrees for `portrait`. Unrotated frames of other cameras, such as webcams, are `landscapeRight`.
    package func angle(for orientation: AVCaptureVideoOrientation) -> Int {
        guard position != .unspecified, angle % 180 == 90 else {
            return switch orientation {
            case .landscapeRight: 0
            case .portrait: 90
            case .landscapeLeft: 180
            case .portraitUpsideDown: 270
            }
        }
        return angle(for: orientation.deviceOrientation)
    }

    /// Returns the orientation of frames that are rotated by an angle.
    package func orientation(at angle: Int) -> AVCaptureVideoOrientation {
        let all: [AVCaptureVideoOrientation] = [.landscapeRight, .portrait, .landscapeLeft, .portraitUpsideDown]
        return all.first { self.angle(for: $0) == angle } ?? .landscapeRight
    }
}

extension AVCaptureVideoOrientation {
    /// The orientation of the machine in which frames have this orientation: in `landscapeRight` the home button is on
    /// the right, so that the upper edge of the machine points left.
    fileprivate var deviceOrientation: DeviceOrientation {
        switch self {
        case .portrait: .portrait
        case .portraitUpsideDown: .portraitUpsideDown
        case .landscapeRight: .landscapeLeft
        case .landscapeLeft: .landscapeRight
        }
    }
}
