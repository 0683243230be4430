/// Computes the size of the frames that a video data output delivers.
///
/// Delivered frames always have the aspect ratio of the camera's frame.
struct VideoDataSizing: Sendable {
    typealias Size = (width: Int, height: Int)

    /// The maximum size of a preview.
    static let previewLimit = (longer: 1920, shorter: 1080)

    /// The size that the client requested; nil for the size of the frame.
    var requested: Size?
    /// Whether frames are limited to `previewLimit`, regardless of `requested`.
    var isPreview = false

    /// Returns the delivered size of a frame.
    ///
    /// The requested size is used if it fits the frame, as it is or rotated by 90 degrees. If the frame has another
    /// aspect ratio, its longer side gets the length of the requested longer side.
    /// - Parameter natural: The frame's size after rotation.
    func size(of natural: Size) -> Size {
        let (longer, shorter) = (max(natural.width, natural.height), min(natural.width, natural.height))
        if isPreview {
            let limit = Self.previewLimit
            // The side that exceeds its limit by the larger factor determines the scale.
            return longer * limit.shorter >= shorter * limit.longer
                ? Self.scaled(natural, longer: limit.longer)
                : Self.scaled(natural, longer: longer * limit.shorter / max(1, shorter))
        }
        guard let requested else { return natural }
        if Self.fits(requested, natural) { return requested }
        let rotated = (width: requested.height, height: requested.width)
        return Self.fits(rotated, natural)
            ? rotated : Self.scaled(natural, longer: max(requested.width, requested.height))
    }

    /// Whether a frame is no larger than a preview.
    static func fitsPreview(_ natural: Size) -> Bool {
        max(natural.width, natural.height) <= previewLimit.longer
            && min(natural.width, natural.height) <= previewLimit.shorter
    }

    /// Whether a size does not exceed the frame and has its aspect ratio.
    static func fits(_ size: Size, _ natural: Size) -> Bool { isWithin(size, natural) && hasAspectRatio(size, natural) }

    /// Whether neither side exceeds the frame.
    static func isWithin(_ size: Size, _ natural: Size) -> Bool {
        size.width <= natural.width && size.height <= natural.height
    }

    /// Whether a size has the aspect ratio of the frame, as far as even integers allow.
    static func hasAspectRatio(_ size: Size, _ natural: Size) -> Bool {
        abs(size.width * natural.height - size.height * natural.width) < 2 * max(natural.width, natural.height)
    }

    /// Returns a frame's size scaled down to a length of the longer side, in even numbers.
    private static func scaled(_ natural: Size, longer target: Int) -> Size {
        let longer = max(natural.width, natural.height)
        guard longer > target else { return natural }
        func side(_ length: Int) -> Int { max(2, (length * target + longer) / (2 * longer) * 2) }
        return (side(natural.width), side(natural.height))
    }
}
