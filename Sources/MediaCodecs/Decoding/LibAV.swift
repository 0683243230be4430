import CLibAV

/// FFmpeg's libraries, loaded on first use.
///
/// Calling a function of a library that is not loaded aborts the process. Each type that can be the first to call one
/// therefore calls `requireForEncoding` or `requireForReading` in its initializer.
package enum LibAV {
    /// Loads the libraries for encoding.
    ///
    /// - Throws: `.codecUnavailable` with the name of the missing library.
    static func requireForEncoding() throws(EncodingError) {
        if let unavailabilityReason { throw EncodingError(.codecUnavailable, unavailabilityReason) }
    }

    /// Loads the libraries for reading a file.
    ///
    /// - Throws: `.unsupportedCodec` with the name of the missing library.
    package static func requireForReading(_ path: String) throws(MediaFileError) {
        if let unavailabilityReason {
            throw MediaFileError(.unsupportedCodec, path: path, "\(path) cannot be read: \(unavailabilityReason)")
        }
    }

    /// The reason why the libraries cannot be used; nil if they can.
    static var unavailabilityReason: String? { clibav_load().map { String(cString: $0) } }
}
