import CDetectors

/// Finds faces in gray images, by the face detector that `Sources/Detectors/build` builds.
///
/// - Important: Confined.
package final class FaceDetector {
    /// A face found in an image.
    package struct Face: Sendable, Hashable {
        /// The bounding box in pixels, which can extend beyond the image.
        package var left, top, width, height: Double
        /// Clockwise degrees by which the face is tilted, 0 ..< 360.
        package var roll: Double
        /// Degrees by which the face is turned toward the right side of the image, 0 ..< 360.
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

    /// The maximum number of faces in an image.
    package static let capacity = 32
    /// Whether the detector is installed. Loads it.
    package static var isAvailable: Bool { cdetectors_load_faces() == nil }
    /// What the detector lacks, as a sentence without a full stop; nil if it is installed.
    package static var unavailabilityReason: String? { cdetectors_load_faces().map { String(cString: $0) } }

    private let detector: OpaquePointer

    /// Creates a detector.
    ///
    /// - Returns: nil if the detector is not installed or memory ran out.
    package init?() {
        guard Self.isAvailable, let detector = cdetectors_faces_create() else { return nil }
        self.detector = detector
    }

    deinit { cdetectors_faces_destroy(detector) }

    /// Returns the faces of at least 80 pixels, top to bottom, then left to right.
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
