public import Foundation
public import UniformTypeIdentifiers

/// Options for adding a resource to an asset.
///
/// - Important: Confined to one thread at a time.
public final class PHAssetResourceCreationOptions: NSObject {
    /// The original name of the file; by default the name in its URL.
    public var originalFilename: String?
    /// A type such as `public.jpeg`; by default detected from the content.
    public var uniformTypeIdentifier: String?
    /// The same as `uniformTypeIdentifier`.
    public var contentType: UTType? {
        get { uniformTypeIdentifier.flatMap { UTType($0) } }
        set { uniformTypeIdentifier = newValue?.identifier }
    }
    /// Whether the file is removed after the import.
    public var shouldMoveFile = false
    /// The creation date of the asset if neither the request nor the file has one; by default the import date.
    package var fallbackCreationDate: Date?

    public override init() {
        super.init()
    }
}

/// A request to create an asset from one or more files or data objects.
///
/// - Important: Confined to the change block.
public final class PHAssetCreationRequest: PHAssetChangeRequest {
    /// Requests a new asset. Add its resources to the request.
    @discardableResult
    public class func forAsset() -> PHAssetCreationRequest {
        PHAssetCreationRequest(creating: [], method: "+[PHAssetCreationRequest creationRequestForAsset]")
    }

    /// Whether an asset can consist of resources of these types.
    ///
    /// - Parameter types: Raw values of `PHAssetResourceType`.
    public class func supportsAssetResourceTypes(_ types: [NSNumber]) -> Bool {
        let known = types.compactMap { PHAssetResourceType(rawValue: $0.intValue) }
        return known.count == types.count && supports(known)
    }

    /// Adds a file.
    ///
    /// The file is read after the change block has returned. If that fails, the changes fail.
    public func addResource(
        with type: PHAssetResourceType, fileURL: URL, options: PHAssetResourceCreationOptions?
    ) {
        add(type, .file(fileURL), options)
    }

    /// Adds data.
    public func addResource(with type: PHAssetResourceType, data: Data, options: PHAssetResourceCreationOptions?) {
        add(type, .data(data), options)
    }

    private func add(
        _ type: PHAssetResourceType, _ content: ResourceDraft.Content, _ options: PHAssetResourceCreationOptions?
    ) {
        resources.append(
            ResourceDraft(
                type: type, content: content, originalFilename: options?.originalFilename,
                uniformTypeIdentifier: options?.uniformTypeIdentifier, shouldMoveFile: options?.shouldMoveFile ?? false,
                fallbackCreationDate: options?.fallbackCreationDate))
    }

    static func supports(_ types: [PHAssetResourceType]) -> Bool {
        // The library replaces a proxy by its photo.
        let types = types.map { $0 == .photoProxy ? .photo : $0 }
        let set = Set(types)
        guard set.count == types.count else { return false }
        return set == [.video] || set.contains(.photo) && set.isSubset(of: [.photo, .alternatePhoto, .pairedVideo])
    }
}
