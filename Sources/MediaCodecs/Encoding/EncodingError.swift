import CLibAV

/// An error of an encoder.
package struct EncodingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason of the error.
    package enum Code: String, Sendable, Hashable, CaseIterable {
        /// The installed libavcodec does not have the encoder.
        case codecUnavailable
        /// The settings are contradictory or out of range.
        case invalidSettings
        /// A frame or audio has another format or size than the encoder was created for.
        case formatMismatch
        /// The encoder itself failed.
        case codecFailed
        /// The encoder was already finished.
        case invalidState
    }

    /// The reason.
    package let code: Code
    /// One sentence: the operation, the result, and what would be right.
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
