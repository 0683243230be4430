#if canImport(Testing)
import Foundation
public import ImageTypes
public import MediaTypes
@_exported public import Testing

/// Images as attachments of tests in Swift Testing, such as `Attachment.record(image, named: "preview.png")`.
///
/// The extension of the attachment's name selects the format: `jpg` or `jpeg` for JPEG, `png` for PNG. If it has
/// another or none, `png` is appended.
extension CGImage: Attachable {
    public func withUnsafeBytes<Result>(
        for attachment: borrowing Attachment<CGImage>, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        try UIImage(cgImage: self).attachmentData(named: attachment.preferredName).withUnsafeBytes(body)
    }

    public borrowing func preferredName(
        for attachment: borrowing Attachment<CGImage>, basedOn suggestedName: String
    ) -> String { imageFileName(suggestedName) }
}

extension CIImage: Attachable {
    public func withUnsafeBytes<Result>(
        for attachment: borrowing Attachment<CIImage>, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        let rendered = CIContext().createCGImage(self, from: extent).map { UIImage(cgImage: $0) }
        return try (rendered ?? UIImage()).attachmentData(named: attachment.preferredName).withUnsafeBytes(body)
    }

    public borrowing func preferredName(
        for attachment: borrowing Attachment<CIImage>, basedOn suggestedName: String
    ) -> String { imageFileName(suggestedName) }
}

extension UIImage: Attachable {
    public func withUnsafeBytes<Result>(
        for attachment: borrowing Attachment<UIImage>, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result { try attachmentData(named: attachment.preferredName).withUnsafeBytes(body) }

    public borrowing func preferredName(
        for attachment: borrowing Attachment<UIImage>, basedOn suggestedName: String
    ) -> String { imageFileName(suggestedName) }
}

/// An image that cannot be attached because it has no pixels.
public struct ImageAttachmentError: Error, CustomStringConvertible {
    /// The name of the attachment.
    public let name: String
    public var description: String { "the image of the attachment \(name) has no pixels" }
}

/// The file extensions of JPEG.
private let jpegExtensions: Set<String> = ["jpg", "jpeg"]

/// Returns the lowercase extension of a file name; empty if it has none.
private func fileExtension(_ name: String) -> String {
    URL(fileURLWithPath: name).pathExtension.lowercased()
}

/// Returns a name that ends with the extension of JPEG or PNG.
private func imageFileName(_ name: String) -> String {
    let known = jpegExtensions.union(["png"])
    return known.contains(fileExtension(name)) ? name : name + ".png"
}

extension UIImage {
    /// Returns the contents of a JPEG file (at the highest quality) or PNG file.
    ///
    /// - Throws: `ImageAttachmentError` if the image has no pixels.
    fileprivate func attachmentData(named name: String) throws -> Data {
        let data = jpegExtensions.contains(fileExtension(name)) ? jpegData(compressionQuality: 1) : pngData()
        guard let data else { throw ImageAttachmentError(name: name) }
        return data
    }
}
#endif
