/// The mounting of a camera's sensor in its machine.
///
/// A frame involves four coordinate systems; all rotations are multiples of 90 degrees:
/// - The *scene* stands upright: up is opposite to gravity.
/// - The *machine* is rotated by `DeviceOrientation.rotation`, counterclockwise as seen by a viewer of its screen. A
///   back camera points away from the viewer and sees the same direction of rotation. A front camera points at the
///   viewer, so the machine rotates clockwise as seen by the camera.
/// - The *sensor* is fixed in the machine. `angle` makes its frames upright while the machine is in portrait: 90 for a
///   phone, since its sensors are mounted in landscape.
/// - The *delivered image* is the sensor's frame, rotated clockwise by the connection's `videoRotationAngle`.
///
/// The frame shows the scene rotated counterclockwise by `angle(for:)`; a connection with this rotation angle delivers
/// an upright image:
///
/// | Machine, sensor mounted at 90° | Back camera | Front camera |
/// |---|---|---|
/// | portrait | 90 | 90 |
/// | landscape left | 0 | 180 |
/// | portrait upside down | 270 | 270 |
/// | landscape right | 180 | 0 |
///
/// Cameras with an unspecified position, such as webcams, do not move with the machine; their angle is always 0.
package struct SensorMounting: Sendable, Hashable {
    /// Clockwise degrees that make the frame upright while the machine is upright.
    package var angle: Int
    /// The side of the machine on which the camera is mounted.
    package var position: DevicePosition

    /// The mounting of a device that is not part of a machine.
    package static let unknown = SensorMounting(angle: 0, position: .unspecified)

    /// Creates a mounting.
    package init(angle: Int, position: DevicePosition) {
        self.angle = angle
        self.position = position
    }

    /// Creates the mounting that a device reports.
    package init(_ descriptor: DeviceDescriptor) {
        self.init(angle: descriptor.mountingAngle, position: descriptor.position)
    }

    /// Returns the clockwise degrees that make the frame upright: 0, 90, 180 or 270. The result is 0 while the
    /// orientation is unknown.
    package func angle(for orientation: DeviceOrientation) -> Int {
        guard position != .unspecified, let rotation = orientation.rotation else { return 0 }
        return ((angle + (position == .front ? rotation : -rotation)) % 360 + 360) % 360
    }
}
