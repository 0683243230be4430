import ArgumentParser
import MediaTypes

extension PixelSize {
    /// Parses a size on the command line: `1920x1080`.
    ///
    /// - Throws: `ValidationError` with the expected form.
    init(argument: String) throws {
        let sides = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int32($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1], width > 0, height > 0 else {
            throw ValidationError("a size is a width and a height, such as 1920x1080")
        }
        self.init(width: width, height: height)
    }
}
