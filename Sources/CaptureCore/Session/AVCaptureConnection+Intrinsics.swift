import CaptureHAL
import Foundation
import MediaTypes

/// The camera's intrinsic matrix with each frame.
extension AVCaptureConnection {
    /// Whether frames can carry the intrinsic matrix: to a video data output, if the field of view of the active format is
    /// known, which is rare for webcams, and no stabilization is preferred, which moves the picture.
    public var isCameraIntrinsicMatrixDeliverySupported: Bool {
        guard consumer?.supportsIntrinsicMatrix ?? false, let device = camera else { return false }
        return device.activeFormat.videoFieldOfView > 0 && preferredVideoStabilizationMode == .off
    }

    /// Whether each uncompressed frame has the attachment `kCMSampleBufferAttachmentKey_CameraIntrinsicMatrix`: the bytes of
    /// a `matrix_float3x3` of the pinhole camera, in pixels of the delivered frame; false by default.
    ///
    /// Setting it to true if it is not supported is misuse. If support ends, it reads false.
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

    /// The matrix as an attachment; nil if it is not enabled.
    ///
    /// - Parameters:
    ///   - source: The picture as the camera delivers it.
    ///   - picture: The delivered picture.
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
