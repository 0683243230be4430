import CaptureHAL
import Foundation
import MediaTypes

/// Delivery of the camera's intrinsic matrix with each frame.
extension AVCaptureConnection {
    /// Whether frames can have the intrinsic matrix as an attachment: those for a video data output, if the field of
    /// view of the active format is known (which is rare for webcams) and no stabilization is preferred, since it moves
    /// the image.
    public var isCameraIntrinsicMatrixDeliverySupported: Bool {
        guard consumer?.supportsIntrinsicMatrix ?? false, let device = camera else { return false }
        return device.activeFormat.videoFieldOfView > 0 && preferredVideoStabilizationMode == .off
    }

    /// Whether each uncompressed frame has the attachment `kCMSampleBufferAttachmentKey_CameraIntrinsicMatrix`: the
    /// bytes of a `matrix_float3x3` of the pinhole camera, in pixels of the delivered frame; false by default.
    ///
    /// Setting it to true if it is not supported is misuse. It is false while it is not supported.
    /// - Note: Unlike Apple, it can be set while the session runs, effective from the next frame. The matrix is
    ///   computed from the field of view and the zoom factor, with the principal point at the center.
    public var isCameraIntrinsicMatrixDeliveryEnabled: Bool {
        get {
            observedProperties.access()
            return latestSettings.deliversIntrinsicMatrix && isCameraIntrinsicMatrixDeliverySupported
        }
        set {
            guard !newValue || isCameraIntrinsicMatrixDeliverySupported else {
                return misuse.report(
                    .invalidArgument,
                    "-[AVCaptureConnection setCameraIntrinsicMatrixDeliveryEnabled:] is not supported; use "
                        + "isCameraIntrinsicMatrixDeliverySupported")
            }
            changeSettings { $0.deliversIntrinsicMatrix = newValue }
            observedProperties.changed()
        }
    }

    /// Returns the matrix as the value of the attachment; nil if its delivery is not supported.
    ///
    /// - Parameters:
    ///   - source: The image from the camera.
    ///   - frame: The image delivered to the output.
    ///   - zoom: The zoom factor of the frame; nil for 1.
    func intrinsicMatrix(of source: CVPixelBuffer, in frame: CVPixelBuffer, zoom: Double?) -> Data? {
        guard isCameraIntrinsicMatrixDeliverySupported, let camera else { return nil }
        let (width, height) = (CVPixelBufferGetWidth(frame), CVPixelBufferGetHeight(frame))
        let (sourceWidth, sourceHeight) = (CVPixelBufferGetWidth(source), CVPixelBufferGetHeight(source))
        // The aspect ratio does not change, so one scale factor is sufficient.
        let scale = Double(max(width, height)) / Double(max(1, sourceWidth, sourceHeight))
        let halfAngle = Double(camera.activeFormat.videoFieldOfView) / 2 * .pi / 180
        let focal = Float(Double(sourceWidth) / 2 / tan(halfAngle) * (zoom ?? 1) * scale)
        let matrix = matrix_float3x3([focal, 0, 0], [0, focal, 0], [Float(width) / 2, Float(height) / 2, 1])
        return withUnsafeBytes(of: matrix) { Data($0) }
    }
}
