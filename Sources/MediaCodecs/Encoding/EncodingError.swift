import CLibAV

/// An error of an encoder.
package struct EncodingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason of the error.
    package enum Code: String, Sendable, Hashable, CaseIterable {
        /// The installed libavcodec does not have the encoder.
        case codecUnavailable
        /// The settings are contradictory or out of range.
        case invalidSettings
        /// The format or size of a frame or of audio differs from the encoder's settings.
        case formatMismatch
        /// The encoder itself failed.
        case codecFailed
        /// The encoder was already finished.
        case invalidState
    }

    /// The reason.
    package let code: Code
    /// One sentence that states the failed operation and the reason, and valid values if the input was invalid.
    package let message: String

    /// Creates an error.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Creates an error with the description of a result code.
    ///
    /// - Parameter result: The result of a libav function.
    init(_ code: Code, _ message: String, result: Int32) {
        var text = [CChar](repeating: 0, count: 128)
        av_strerror(result, &text, text.count)
        let end = text.firstIndex(of: 0) ?? text.endIndex
        let reason = String(decoding: text[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        self.init(code, "\(message): \(reason)")
    }

    package var description: String { message }
}
