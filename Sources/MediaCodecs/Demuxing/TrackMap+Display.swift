package import MediaTypes

extension TrackMap {
    /// The display size of a video track with square pixels, after the rotation; nil for other tracks. The codec need not
    /// be known.
    package var uprightDimensions: CMVideoDimensions? {
        guard isVideo, let size = formatDescription?.presentationDimensions(), size.width >= 1, size.height >= 1 else {
            return nil
        }
        let (width, height) = (Int32(clamping: Int64(size.width)), Int32(clamping: Int64(size.height)))
        return transform.orientation?.rotation.swapsWidthAndHeight == true
            ? CMVideoDimensions(width: height, height: width) : CMVideoDimensions(width: width, height: height)
    }
}
