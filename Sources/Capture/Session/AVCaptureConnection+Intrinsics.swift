import CaptureHAL
import Foundation
import MediaTypes

/// How the camera draws the world, with each frame.
extension AVCaptureConnection {
    /// Whether the frames of a video data output can tell how their camera draws: where the field of view of its active
    /// format is known, as that of webcams seldom is, and no stabilization is preferred, which moves the picture.
    public var isCameraIntrinsicMatrixDeliverySupported: Bool {
        guard consumer?.supportsIntrinsicMatrix ?? false, let device = camera else { return false }
        return device.activeFormat.videoFieldOfView > 0 && preferredVideoStabilizationMode == .off
    }

    /// Whether each uncompressed frame has the attachment `kCMSampleBufferAttachmentKey_CameraIntrinsicMatrix`: the bytes of
    /// a `matrix_float3x3` of the pinhole camera, in pixels of the frame as it is delivered; false by default.
    ///
    /// Setting it to true where it is not supported is misuse. While it is not supported any more it reads false.
    /// - Note: Unlike Apple's, it can be set while the session runs, and holds from the next frame on. The matrix follows from
    ///   the field of view and the zoom; the optical axis is taken to meet the middle.
    public var isCameraIntrinsicMatrixDeliveryEnabled: Bool {
        get { latestSettings.deliversIntrinsicMatrix && isCameraIntrinsicMatrixDeliverySupported }
        set {
            guard !newValue || isCameraIntrinsicMatrixDeliverySupported else {
                return misuse.report(
                    .invalidArgument,
                    "-[AVCaptureConnection setCameraIntrinsicMatrixDeliveryEnabled:] is not supported; use "
                        + "isCameraIntrinsicMatrixDeliverySupported")
            }
            set { $0.deliversIntrinsicMatrix = newValue }
        }
    }

    /// The matrix as an attachment; nil where none is wanted.
    ///
    /// - Parameters:
    ///   - source: The picture as the camera delivers it.
    ///   - picture: What was made of it.
    func intrinsicMatrix(of source: CVPixelBuffer, in picture: CVPixelBuffer, zoom: Double?) -> Data? {
        guard state.withLock({ $0.deliversIntrinsicMatrix }), isCameraIntrinsicMatrixDeliverySupported, let camera
        else {
            return nil
        }
        let (width, height) = (CVPixelBufferGetWidth(picture), CVPixelBufferGetHeight(picture))
        let (sourceWidth, sourceHeight) = (CVPixelBufferGetWidth(source), CVPixelBufferGetHeight(source))
        // The shape stays, so that one scale is enough.
        let scale = Double(max(width, height)) / Double(max(1, sourceWidth, sourceHeight))
        let halfView = Double(camera.activeFormat.videoFieldOfView) / 2 * .pi / 180
        let focal = Float(Double(sourceWidth) / 2 / tan(halfView) * (zoom ?? 1) * scale)
        let matrix = matrix_float3x3([focal, 0, 0], [0, focal, 0], [Float(width) / 2, Float(height) / 2, 1])
        return withUnsafeBytes(of: matrix) { Data($0) }
    }
}
