import AssetTypes
import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels

/// Detects faces in the frames of cameras that do not detect faces.
///
/// - Important: Confined to the worker of its output.
final class FrameFaceDetector {
    /// The maximum length in pixels of the longer side of analyzed images, which limits the time of detection.
    static let maximumSide = 1280
    /// Whether the face detector is installed; see docs/detectors.md.
    static var isAvailable: Bool { FaceDetector.isAvailable }

    private var detector: FaceDetector?
    private var tracker = FaceTracker()

    /// Returns the faces in a frame, in the coordinates of `DetectedFace`, ordered by their position in the upright
    /// image: top to bottom.
    ///
    /// - Parameters:
    ///   - frame: A frame; one that cannot be converted has no faces.
    ///   - angle: Clockwise degrees that make the frame upright, since only upright faces are detected.
    func faces(in frame: CapturedFrame, uprightAt angle: Int) -> [DetectedFace] {
        if detector == nil { detector = FaceDetector() }
        guard let detector, let image = Self.uprightImage(of: frame, uprightAt: angle) else { return [] }
        let (width, height) = (CVPixelBufferGetWidth(image), CVPixelBufferGetHeight(image))
        let found = image.withPlane(0) { plane in
            detector.faces(in: plane.baseAddress, width: width, height: height, bytesPerRow: plane.bytesPerRow)
        }
        let faces = found.compactMap { face in
            Self.unrotated(face, width: Double(width), height: Double(height), angle: angle)
        }
        return tracker.identify(faces, at: frame.presentationTime)
    }

    /// Returns the frame as an upright grayscale image, limited in size; nil if it is damaged, or if all buffers are in
    /// use.
    private static func uprightImage(of frame: CapturedFrame, uprightAt angle: Int) -> CVPixelBuffer? {
        do throws(AVError) {
            let source = try frame.pixelBuffer()
            let transform = PixelTransform(rotation: PixelRotation(degrees: angle) ?? .none)
            let size = transform.naturalSize(
                width: CVPixelBufferGetWidth(source), height: CVPixelBufferGetHeight(source))
            let scale = min(1, Double(maximumSide) / Double(max(size.width, size.height, 1)))
            return try frame.pixelBuffer(
                as: FrameConverter.Request(
                    pixelFormat: kCVPixelFormatType_OneComponent8,
                    size: (Int(Double(size.width) * scale), Int(Double(size.height) * scale)), transform: transform))
        } catch {
            return nil
        }
    }

    /// Converts a face from an upright image to the coordinates of the unrotated frame; nil if it is outside the frame.
    static func unrotated(_ face: FaceDetector.Face, width: Double, height: Double, angle: Int) -> DetectedFace? {
        let upright = FrameGeometry(
            frameSize: CGSize(width: 1, height: 1), rotationAngle: angle, isMirrored: false,
            bounds: CGRect(x: 0, y: 0, width: 1, height: 1), gravity: .resize)
        let frameBounds = CGRect(x: 0, y: 0, width: 1, height: 1)
        let box = CGRect(
            x: face.left / width, y: face.top / height, width: face.width / width, height: face.height / height
        ).intersection(frameBounds)
        guard !box.isEmpty, let toDevice = upright.toDevice else { return nil }
        let bounds = box.applying(toDevice)
        // The frame is the upright image rotated counterclockwise.
        let roll = (face.roll - Double(angle) + 360).truncatingRemainder(dividingBy: 360)
        return DetectedFace(
            id: 0, x: Double(bounds.minX), y: Double(bounds.minY), width: Double(bounds.width),
            height: Double(bounds.height), roll: roll, yaw: face.yaw)
    }
}
