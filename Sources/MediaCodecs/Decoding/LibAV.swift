import CLibAV

/// FFmpeg's libraries, loaded on first use.
///
/// A call without a loaded library would abort the process, so each type that makes a first call requires them first.
enum LibAV {
    /// Loads the libraries for encoding.
    ///
    /// - Throws: `.codecUnavailable` with the library that is missing.
    static func requireForEncoding() throws(EncodingError) {
        if let unavailabilityReason { throw EncodingError(.codecUnavailable, unavailabilityReason) }
    }

    /// Loads the libraries for reading a file.
    ///
    /// - Throws: `.unsupportedCodec` with the library that is missing.
    static func requireForReading(_ path: String) throws(MediaFileError) {
        if let unavailabilityReason {
            throw MediaFileError(.unsupportedCodec, path: path, "\(path) cannot be read: \(unavailabilityReason)")
        }
    }

    /// The reason why the libraries cannot be used; nil if they can.
    static var unavailabilityReason: String? { clibav_load().map { String(cString: $0) } }
}
