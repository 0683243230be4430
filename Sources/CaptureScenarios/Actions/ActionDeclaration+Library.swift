import CaptureHAL
import StrictYAML

extension ActionDeclaration {
    private static let file = Field.fileName("file", "the name of a file that the scenario has written, as `clip.mov`")
    private static let album = Field.text("album", "the title of an album, which is created if there is none")
    private static let available = Field.flag("available")
    private static let picker = Field.choice("picker", PhotoPicker.scenarioNames)
    private static let newest = Field.integer("newest", "the number of assets to select, as `2`", in: 0...1000)
    private static let after = Field.time("after", "as `2 s`")

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

    /// The action `pick-photos`, the user's answer to pickers for photos.
    static let pickPhotos = ActionDeclaration(
        "pick-photos", .environment,
        [
            picker.optional("default `photos`"), newest.optional("default: the user closes the picker"),
            after.optional("default immediately"),
        ],
        "The user selects the newest assets in a picker of the app that is open, and in later ones, or closes it. "
            + "Without this action, pickers stay open."
    ) { (map) throws(YAMLError) in
        .pickPhotos(try map[picker] ?? .photos, newest: try map[newest], after: try map[after])
    }
}

extension PhotoPicker {
    /// The names in scenarios.
    static let scenarioNames: [(name: String, value: PhotoPicker)] = [
        ("photos", .photos), ("limited-library", .limitedLibrary),
    ]

    var scenarioName: String { Self.scenarioNames.first { $0.value == self }?.name ?? rawValue }
}
