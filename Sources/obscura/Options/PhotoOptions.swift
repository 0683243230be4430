import ArgumentParser
import CaptureCore
import Foundation
import MediaTypes

/// The options of `obscura photo` for the kind of the photos and their number.
struct PhotoOptions: ParsableArguments {
    @Flag(help: "Take a Live Photo: also write the movie, with the extension .mov. (default: off)") var live = false
    @Flag(help: "Embed a small version of the photo in its file. (default: off)") var thumbnail = false
    @Option(
        help: "The balance of quality and speed: \(Quality.names.joined(separator: ", ")). (default: balanced)",
        completion: .list(Quality.names), transform: Quality.init(argument:))
    var quality: Quality?
    @Option(
        parsing: .unconditional,
        help: "The maximum photo size, one that the camera's format supports. (default: the smallest of them)",
        transform: PixelSize.init(argument:))
    var maxSize: PixelSize?
    @Option(
        parsing: .unconditional,
        help: "Take photos with these exposure biases in EV at once, such as -2,0,2. (default: one photo)",
        transform: Self.biases)
    var bracket: [Float]?
    @Option(help: "Take several photos, one after the other.") var burst = 1
    @Option(
        parsing: .unconditional,
        help: "The time from one photo of --burst to the next, such as 500ms. (default: as fast as possible)",
        transform: DurationArgument.init(argument:))
    var interval: DurationArgument?

    /// A value of `--quality`.
    enum Quality: String, NamedArgument {
        case speed, balanced, quality

        static let noun = "quality"

        var prioritization: AVCapturePhotoOutput.QualityPrioritization {
            switch self {
            case .speed: .speed
            case .balanced: .balanced
            case .quality: .quality
            }
        }
    }

    private static func biases(_ argument: String) throws -> [Float] {
        try argument.split(separator: ",", omittingEmptySubsequences: false).map { part in
            guard let bias = Float(part.trimmingCharacters(in: .whitespaces)), bias.isFinite else {
                throw ValidationError("--bracket is a list of numbers in EV, such as -2,0,2")
            }
            return bias
        }
    }

    /// The number of photos that the command takes.
    var photoCount: Int { burst * (bracket?.count ?? 1) }

    func validate() throws {
        guard (1...999).contains(burst) else { throw ValidationError("--burst must be 1 to 999") }
        if interval != nil, burst == 1 { throw ValidationError("--interval requires --burst") }
        if live, bracket != nil { throw ValidationError("--live and --bracket exclude each other") }
    }

    /// Returns the name of a file of a series. `{number}` in the name is replaced by the number; without it, the number is
    /// added before the extension. The name of a single photo does not change unless it has the placeholder.
    ///
    /// - Parameter number: From 1 to `photoCount`.
    func fileName(_ file: String, number: Int) -> String {
        let digits = String(photoCount).count
        let text = String(repeating: "0", count: max(0, digits - String(number).count)) + String(number)
        if file.contains(Self.placeholder) { return file.replacing(Self.placeholder, with: text) }
        guard photoCount > 1, let dot = file.lastIndex(of: ".") else { return file }
        return file[..<dot] + "-" + text + file[dot...]
    }

    /// Returns the name of the movie of a Live Photo.
    static func movieName(_ photo: String) -> String {
        (photo.lastIndex(of: ".").map { String(photo[..<$0]) } ?? photo) + ".mov"
    }

    static let placeholder = "{number}"
}
