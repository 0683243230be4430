import MediaTypes

/// The bytes of a pixel in the memory of a bitmap context, with 8 bits per component.
///
/// These are the layouts with 8 bits per component that Apple's "Quartz 2D Programming Guide" lists for gray and RGB.
struct BitmapLayout {
    /// The components of a pixel; of a color, the offset of the byte of each.
    enum Components: Equatable {
        case color(red: Int, green: Int, blue: Int, alpha: Int)
        case gray
        case alpha
    }

    let components: Components
    let alphaInfo: CGImageAlphaInfo
    let bitmapInfo: CGBitmapInfo

    /// Returns nil for a layout that bitmap contexts do not have.
    init?(_ model: CGColorSpaceModel, bitmapInfo: UInt32) {
        let known = CGBitmapInfo.alphaInfoMask.rawValue | CGBitmapInfo.byteOrderMask.rawValue
        guard bitmapInfo & ~known == 0,
            let alphaInfo = CGImageAlphaInfo(rawValue: bitmapInfo & CGBitmapInfo.alphaInfoMask.rawValue)
        else { return nil }
        let order = CGBitmapInfo(rawValue: bitmapInfo & CGBitmapInfo.byteOrderMask.rawValue)
        let isReversed = order == .byteOrder32Little
        switch (model, alphaInfo) {
        case (.rgb, .premultipliedFirst), (.rgb, .noneSkipFirst):
            components =
                isReversed
                ? .color(red: 2, green: 1, blue: 0, alpha: 3) : .color(red: 1, green: 2, blue: 3, alpha: 0)
        case (.rgb, .premultipliedLast), (.rgb, .noneSkipLast):
            components =
                isReversed
                ? .color(red: 3, green: 2, blue: 1, alpha: 0) : .color(red: 0, green: 1, blue: 2, alpha: 3)
        case (.monochrome, .none): components = .gray
        case (_, .alphaOnly): components = .alpha
        default: return nil
        }
        switch components {
        case .color: guard isReversed || order == .byteOrder32Big || order == [] else { return nil }
        case .gray, .alpha: guard order == [] else { return nil }
        }
        self.alphaInfo = alphaInfo
        self.bitmapInfo = CGBitmapInfo(rawValue: bitmapInfo)
    }

    var bytesPerPixel: Int {
        switch components {
        case .color: 4
        case .gray, .alpha: 1
        }
    }

    var hasAlpha: Bool { ![.none, .noneSkipFirst, .noneSkipLast].contains(alphaInfo) }

    /// Whether cairo can draw in the memory itself: its pixels are 32-bit words with alpha in the high byte.
    var isCairos: Bool { components == .color(red: 2, green: 1, blue: 0, alpha: 3) }
}
