import ArgumentParser

/// The options of commands that can save their file to the photo library.
struct SaveOptions: ParsableArguments {
    @Flag(help: "Also save the file to the photo library. (default: off)") var save = false
    @Option(
        help: "With --save: the folder of the photo library. (default: \(LibraryAccess.defaultFolderHelp))",
        completion: .directory)
    var library: String?

    func validate() throws {
        if library != nil, !save { throw ValidationError("--library requires --save") }
    }
}
