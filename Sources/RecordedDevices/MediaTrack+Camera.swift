import MediaCodecs
import MediaTypes
import PixelKernels

/// The geometry of a track's frames as a camera delivers them: like those of a sensor, they have square pixels and are
/// not mirrored; only their rotation is left to the client.
extension MediaTrack.Video {
    /// The frame size in pixels. A size that results from the pixel aspect ratio is even, as encoders require.
    var cameraDimensions: CMVideoDimensions {
        let size = displayDimensions
        guard pixelAspectRatio != nil else { return size }
        return CMVideoDimensions(width: max(2, (size.width + 1) / 2 * 2), height: size.height)
    }

    /// The pixel format of the frames: with 10 bits for a high dynamic range.
    var cameraPixelFormat: OSType {
        switch (isHDR, isFullRange) {
        case (false, false): kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        case (false, true): kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
        case (true, false): kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange
        case (true, true): kCVPixelFormatType_420YpCbCr10BiPlanarFullRange
        }
    }

    /// The transform from an encoded frame to the camera's; nil if they are the same.
    var cameraTransform: PixelTransform? {
        guard isMirrored || pixelAspectRatio != nil || visibleRect != nil else { return nil }
        return PixelTransform(crop: visibleRect, isMirrored: isMirrored)
    }

    /// The clockwise rotation in degrees that makes the camera's frames upright.
    ///
    /// The camera mirrors before the rotation, the track after it: with mirroring, the rotation is reversed.
    var mountingAngle: Int { isMirrored ? (360 - rotation.rawValue) % 360 : rotation.rawValue }
}
