import Foundation

/// The URLs of assets and groups, such as `assets-library://asset/asset.JPG?id=…&ext=JPG`.
///
/// The identifier in a URL is a local identifier without the suffix for the kind of object.
enum AssetURL {
    /// The kind of an object. The raw value is the suffix of its local identifier.
    enum Kind: String {
        case asset = "/L0/001"
        case album = "/L0/040"
    }

    /// Creates the URL of an asset.
    ///
    /// - Parameter fileExtension: The extension of the asset's file, in any case.
    static func asset(_ localIdentifier: String, fileExtension: String) -> URL? {
        let ending = fileExtension.uppercased()
        let identifier = shortened(localIdentifier, .asset)
        return URL(string: "assets-library://asset/asset.\(ending)?id=\(identifier)&ext=\(ending)")
    }

    /// Creates the URL of a group.
    static func group(_ localIdentifier: String) -> URL? {
        URL(string: "assets-library://group/?id=\(shortened(localIdentifier, .album))")
    }

    /// Returns the local identifier in a URL; nil if it is not a URL of the assets library.
    ///
    /// - Parameter kind: The kind of the object to which the URL refers. It is not checked.
    static func identifier(in url: URL, of kind: Kind) -> String? {
        guard let components = URLComponents(url: url, resolvingAgainstBaseURL: false),
            components.scheme == "assets-library",
            let identifier = components.queryItems?.first(where: { $0.name == "id" })?.value
        else { return nil }
        return identifier + kind.rawValue
    }

    /// Returns a local identifier without its suffix.
    static func shortened(_ localIdentifier: String, _ kind: Kind) -> String {
        localIdentifier.hasSuffix(kind.rawValue)
            ? String(localIdentifier.dropLast(kind.rawValue.count)) : localIdentifier
    }
}
