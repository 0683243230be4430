public import Foundation
public import UniformTypeIdentifiers

/// The result of an edit.
///
/// Write the edited photo or movie to `renderedContentURL`, set `adjustmentData`, and then set the output as
/// `contentEditingOutput` of a change request. The file is removed when the change is applied or the output is
/// deallocated.
/// - Important: Confined to one thread at a time.
public final class PHContentEditingOutput: NSObject {
    /// The description of the edit, which is required.
    public var adjustmentData: PHAdjustmentData?
    /// The location for the edited file: in the default format, or in the one that `renderedContentURL(for:)` selected.
    public private(set) var renderedContentURL: URL
    /// The default format; nil for a new asset, because it is not known whether that is a photo or a movie.
    public let defaultRenderedContentType: UTType?
    public let supportedRenderedContentTypes: [UTType]
    /// The files in all supported formats.
    let files: RenderedFiles

    /// Creates an output for the edited content of an existing asset.
    public init(contentEditingInput: PHContentEditingInput) {
        let kinds: [MediaKind] = contentEditingInput.mediaType == .image ? [.jpeg, .png] : [.quickTime, .mpeg4]
        supportedRenderedContentTypes = kinds.compactMap { UTType($0.uniformTypeIdentifier) }
        defaultRenderedContentType = supportedRenderedContentTypes.first
        files = contentEditingInput.library.makeRenderedFiles(kinds)
        renderedContentURL = files.url(kinds[0])
    }

    /// Creates an output for the edited content of an asset that the current change block creates.
    public init(placeholderForCreatedAsset: PHObjectPlaceholder) {
        let kinds: [MediaKind] = [.jpeg, .png, .quickTime, .mpeg4]
        supportedRenderedContentTypes = kinds.compactMap { UTType($0.uniformTypeIdentifier) }
        defaultRenderedContentType = nil
        files = (ChangeBlock.current?.library ?? PHPhotoLibrary.shared()).makeRenderedFiles(kinds)
        renderedContentURL = files.url(.jpeg)
    }

    /// Returns the location for the edited file in a format, and sets `renderedContentURL` to it.
    ///
    /// - Throws: `PHPhotosError.invalidResource` if the format is not one of `supportedRenderedContentTypes`.
    public func renderedContentURL(for type: UTType) throws -> URL {
        guard supportedRenderedContentTypes.contains(type),
            let kind = MediaKind.allCases.first(where: { $0.uniformTypeIdentifier == type.identifier })
        else {
            throw PHPhotosError(.invalidResource, "edited content cannot have the type \(type.identifier)")
        }
        renderedContentURL = files.url(kind)
        return renderedContentURL
    }
}
