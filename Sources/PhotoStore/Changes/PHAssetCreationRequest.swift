public import Foundation

/// How a resource is taken over.
///
/// - Important: Confined.
public final class PHAssetResourceCreationOptions: NSObject {
    /// The name under which the file was known; by default that of its URL.
    public var originalFilename: String?
    /// As `public.jpeg`; by default what the content shows.
    public var uniformTypeIdentifier: String?
    /// Whether the file is gone from its place once the library holds it.
    public var shouldMoveFile = false

    public override init() {
        super.init()
    }
}

/// Asks, inside a change block, to create an asset from one or several files or pieces of data.
///
/// - Important: Confined to the change block.
public final class PHAssetCreationRequest: PHAssetChangeRequest {
    /// Asks to create an asset, whose resources are added to the request.
    public class func forAsset() -> PHAssetCreationRequest {
        PHAssetCreationRequest(creating: [], method: "+[PHAssetCreationRequest creationRequestForAsset]")
    }

    /// Whether an asset can be made of resources of these types.
    ///
    /// - Parameter types: Raw values of `PHAssetResourceType`.
    public class func supportsAssetResourceTypes(_ types: [NSNumber]) -> Bool {
        let known = types.compactMap { PHAssetResourceType(rawValue: $0.intValue) }
        return known.count == types.count && supports(known)
    }

    /// Adds a file.
    ///
    /// The file is read when the change block has ended; the result tells if that failed.
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
                uniformTypeIdentifier: options?.uniformTypeIdentifier, shouldMoveFile: options?.shouldMoveFile ?? false)
        )
    }

    static func supports(_ types: [PHAssetResourceType]) -> Bool {
        let set = Set(types)
        guard set.count == types.count else { return false }
        return set == [.video] || set.contains(.photo) && set.isSubset(of: [.photo, .alternatePhoto, .pairedVideo])
    }
}
