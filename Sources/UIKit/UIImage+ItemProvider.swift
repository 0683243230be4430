public import Foundation
public import FoundationAdditions
public import ImageTypes

extension UIImage: NSItemProviderReading {
    /// The formats that are decoded here.
    public static var readableTypeIdentifiersForItemProvider: [String] {
        ["public.jpeg", "public.png", "public.heic", "public.avif", "org.webmproject.webp"]
    }

    /// Decodes an image.
    ///
    /// - Throws: `CocoaError.fileReadCorruptFile` if the data cannot be decoded.
    public static func object(withItemProviderData data: Data, typeIdentifier: String) throws -> UIImage {
        guard let image = UIImage(data: data) else { throw CocoaError(.fileReadCorruptFile) }
        return image
    }
}
