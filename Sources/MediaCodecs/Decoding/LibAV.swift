import CLibAV

/// FFmpeg's libraries, which are loaded when they are first used.
///
/// A call where they cannot be loaded would end the process, so each type that makes a first call requires them before.
enum LibAV {
    /// Loads the libraries for coding.
    ///
    /// - Throws: `.codecUnavailable` with the library that is missing.
    static func requireForCoding() throws(EncodingError) {
        if let shortcoming { throw EncodingError(.codecUnavailable, shortcoming) }
    }

    /// Loads the libraries for reading a file.
    ///
    /// - Throws: `.unsupportedCodec` with the library that is missing.
    static func requireForReading(_ path: String) throws(MediaFileError) {
        if let shortcoming {
            throw MediaFileError(.unsupportedCodec, path: path, "\(path) cannot be read: \(shortcoming)")
        }
    }

    /// Why the libraries cannot be used; nil where they can.
    static var shortcoming: String? { clibav_load().map { String(cString: $0) } }
}
