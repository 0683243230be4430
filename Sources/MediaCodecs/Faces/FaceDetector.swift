import CDetectors

/// Detects faces in gray images with the library that `Sources/Detectors/build` builds.
///
/// - Important: Confined to one thread at a time.
package final class FaceDetector {
    /// A face found in an image.
    package struct Face: Sendable, Hashable {
        /// The bounding box in pixels; it can extend beyond the image.
        package var left, top, width, height: Double
        /// The clockwise tilt of the face in degrees, 0 ..< 360.
        package var roll: Double
        /// The rotation of the face toward the right side of the image in degrees, 0 ..< 360.
        package var yaw: Double

        /// Creates a face.
        package init(
            left: Double, top: Double, width: Double, height: Double, roll: Double = 0, yaw: Double = 0
        ) {
            self.left = left
            self.top = top
            self.width = width
            self.height = height
            self.roll = roll
            self.yaw = yaw
        }
    }

    /// The maximum number of faces that `faces` returns.
    package static let capacity = 32
    /// Whether the library is installed. Loads it.
    package static var isAvailable: Bool { cdetectors_load_faces() == nil }
    /// The reason why the library cannot be used, without a final period; nil if it can.
    package static var unavailabilityReason: String? { cdetectors_load_faces().map { String(cString: $0) } }

    private let detector: OpaquePointer

    /// Creates a detector.
    ///
    /// - Returns: nil if the library is not installed or memory ran out.
    package init?() {
        guard Self.isAvailable, let detector = cdetectors_faces_create() else { return nil }
        self.detector = detector
    }

    deinit { cdetectors_faces_destroy(detector) }

    /// Detects faces of at least 80x80 pixels, ordered by position: top to bottom, then left to right.
    ///
    /// - Parameter gray: One byte per pixel; rows begin every `bytesPerRow` bytes.
    package func faces(in gray: UnsafeRawPointer, width: Int, height: Int, bytesPerRow: Int) -> [Face] {
        guard width > 0, height > 0 else { return [] }
        return [obscura_face](unsafeUninitializedCapacity: Self.capacity) { faces, count in
            let found = cdetectors_faces_detect(
                detector, gray.assumingMemoryBound(to: UInt8.self), Int32(width), Int32(height), bytesPerRow,
                faces.baseAddress, Int32(faces.count))
            count = max(0, Int(found))
        }.map { face in
            Face(
                left: face.left, top: face.top, width: face.width, height: face.height, roll: face.roll, yaw: face.yaw)
        }
    }
}
