import StrictYAML

extension ActionDeclaration {
    private static let file = Field.fileName("file", "the name of a file that the scenario has written, as `clip.mov`")
    private static let album = Field.text("album", "the title of an album, which is created if there is none")
    private static let available = Field.flag("available")

    /// Actions of an app that use the photo library.
    static let library: [ActionDeclaration] = [
        ActionDeclaration(
            "create-asset", .library, [file.required, album.optional("default none")],
            "The file is saved in the photo library. The log contains `asset created`, or the error."
        ) { (map) throws(YAMLError) in .createAsset(file: try map.required(file), album: try map[album]) },
        ActionDeclaration(
            "fetch-assets", .library,
            "The assets are fetched. The log contains the numbers of photos and movies that the app may read.",
            action: .fetchAssets),
    ]

    /// The action `photo-library`, which makes the photo library available or unavailable.
    static let photoLibrary = ActionDeclaration(
        "photo-library", .environment, [available.required],
        "The photo library is not available, as on a volume that is not mounted, or is available again."
    ) { (map) throws(YAMLError) in .setLibraryAvailable(try map.required(available)) }
}
