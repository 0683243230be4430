/// How large the pictures are that a video data output delivers: a rule over sizes, and nothing else.
///
/// Whatever it gives has the shape of the picture.
struct VideoDataSizing: Sendable {
    typealias Size = (width: Int, height: Int)

    /// What a screen shows.
    static let previewLimit = (longer: 1920, shorter: 1080)

    /// What the client asked for; nil takes the picture's own size.
    var asked: Size?
    /// Whether pictures come as large as a screen at most, whatever was asked for.
    var isPreview = false

    /// The size of what is made of a picture.
    ///
    /// A size that was asked for is taken where it fits the picture, as it is or turned by 90 degrees. Where the picture has
    /// got another shape since, its longer side becomes as long as the longer one asked for.
    /// - Parameter natural: The picture's size after its rotation.
    func size(of natural: Size) -> Size {
        let (longer, shorter) = (max(natural.width, natural.height), min(natural.width, natural.height))
        if isPreview {
            let limit = Self.previewLimit
            // The side that is cut more decides.
            return longer * limit.shorter >= shorter * limit.longer
                ? Self.scaled(natural, longer: limit.longer)
                : Self.scaled(natural, longer: longer * limit.shorter / max(1, shorter))
        }
        guard let asked else { return natural }
        if Self.fits(asked, natural) { return asked }
        let turned = (width: asked.height, height: asked.width)
        return Self.fits(turned, natural) ? turned : Self.scaled(natural, longer: max(asked.width, asked.height))
    }

    /// Whether a size has the shape of a picture, as near as whole, even numbers can come to it, and does not exceed it.
    static func fits(_ size: Size, _ natural: Size) -> Bool { isWithin(size, natural) && hasShape(size, natural) }

    static func isWithin(_ size: Size, _ natural: Size) -> Bool {
        size.width <= natural.width && size.height <= natural.height
    }

    static func hasShape(_ size: Size, _ natural: Size) -> Bool {
        abs(size.width * natural.height - size.height * natural.width) < 2 * max(natural.width, natural.height)
    }

    /// A picture's size made smaller, in even numbers, until its longer side is so long.
    private static func scaled(_ natural: Size, longer wanted: Int) -> Size {
        let longer = max(natural.width, natural.height)
        guard longer > wanted else { return natural }
        func side(_ length: Int) -> Int { max(2, (length * wanted + longer) / (2 * longer) * 2) }
        return (side(natural.width), side(natural.height))
    }
}
