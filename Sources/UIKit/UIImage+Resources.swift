public import Foundation
public import ImageTypes

extension UIImage {
    /// Creates an image from a resource of the main bundle; nil if there is none, or if it cannot be decoded.
    ///
    /// See `init(named:in:compatibleWith:)`.
    public convenience init?(named name: String) { self.init(named: name, in: nil, compatibleWith: nil) }

    /// Creates an image from a PNG or JPEG file among the resources of a bundle; nil if there is none, or if it cannot
    /// be decoded.
    ///
    /// Of the files `NAME.png`, `NAME@2x.png` and `NAME@3x.png`, the one for the display scale is used; if it is
    /// missing, that of the next larger scale, then that of the largest smaller one. The image's scale is that of its
    /// file.
    /// - Parameters:
    ///   - name: The name of the file; `.png` is the default extension, and `.jpg` and `.jpeg` are tried after it.
    ///   - bundle: The bundle with the file; nil for the main bundle. SwiftPM's `Bundle.module` is one.
    ///   - traitCollection: Its display scale selects the file; without a scale, 3 is used, that of a current phone.
    /// - Note: Unlike Apple, asset catalogs are not read, and images are not cached.
    public convenience init?(
        named name: String, in bundle: Bundle?, compatibleWith traitCollection: UITraitCollection?
    ) {
        let wanted = traitCollection.map(\.displayScale).flatMap { $0 > 0 ? Int($0.rounded(.up)) : nil } ?? 3
        guard let file = ImageResource(named: name, in: bundle ?? .main, scale: wanted),
            let data = FileManager.default.contents(atPath: file.path)
        else { return nil }
        self.init(data: data, scale: CGFloat(file.scale))
    }
}

/// The file of an image among the resources of a bundle.
private struct ImageResource {
    let path: String
    /// The number of pixels per point.
    let scale: Int

    init?(named name: String, in bundle: Bundle, scale wanted: Int) {
        let given = (name as NSString).pathExtension
        let base = given.isEmpty ? name : (name as NSString).deletingPathExtension
        let scales = [1, 2, 3].sorted { first, second in
            switch (first >= wanted, second >= wanted) {
            case (true, true): first < second
            case (false, false): first > second
            case (let isLargeEnough, _): isLargeEnough
            }
        }
        for type in given.isEmpty ? ["png", "jpg", "jpeg"] : [given] {
            for scale in scales {
                let file = scale == 1 ? base : "\(base)@\(scale)x"
                guard let path = bundle.path(forResource: file, ofType: type) else { continue }
                self.path = path
                self.scale = scale
                return
            }
        }
        return nil
    }
}
