import CHEIF
import CLibAV
import CRubberBand
import CZBar

/// A C library that is loaded on first use.
package struct LoadedLibrary: Sendable {
    /// The name of the library.
    package let name: String
    /// What the package uses it for.
    package let purpose: String
    /// Its version, or "loaded" if it does not report one; nil if it cannot be loaded.
    package let version: String?
    /// Why it cannot be loaded and what to install, in one sentence without a final period; nil if it is loaded.
    package let problem: String?

    private init(
        _ name: String, purpose: String, load: () -> UnsafePointer<CChar>?, version: () -> String
    ) {
        self.name = name
        self.purpose = purpose
        problem = load().map { String(cString: $0) }
        self.version = problem == nil ? version() : nil
    }

    /// Loads all libraries of this module.
    package static func all() -> [LoadedLibrary] {
        [
            LoadedLibrary("FFmpeg", purpose: "movies and sound files", load: clibav_load) {
                "\(String(cString: av_version_info())), built with \(String(cString: clibav_built_with()))"
            },
            LoadedLibrary("libheif", purpose: "HEIF photos", load: cheif_load) { String(cString: cheif_get_version()) },
            LoadedLibrary("zbar", purpose: "codes in pictures", load: czbar_load) {
                var (major, minor, patch) = (UInt32(0), UInt32(0), UInt32(0))
                czbar_version(&major, &minor, &patch)
                return "\(major).\(minor).\(patch)"
            },
            LoadedLibrary("Rubber Band", purpose: "sound at another speed", load: crubberband_load) { "loaded" },
        ]
    }
}
