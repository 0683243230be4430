import CLibAV

/// What went wrong in an encoder.
package struct EncodingError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: String, Sendable, Hashable, CaseIterable {
        /// The installed libavcodec lacks the encoder.
        case codecUnavailable
        /// The settings contradict each other or are out of the encoder's range.
        case invalidSettings
        /// A picture or sound came in another format or size than the encoder was made for.
        case formatMismatch
        /// The encoder itself failed.
        case codecFailed
        /// A call came after the encoder had been finished.
        case invalidState
    }

    package let code: Code
    /// One sentence: what was tried, what came back, and what would be right.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// - Parameter result: What the library returned.
    init(_ code: Code, _ message: String, result: Int32) {
        var text = [CChar](repeating: 0, count: 128)
        av_strerror(result, &text, text.count)
        let end = text.firstIndex(of: 0) ?? text.endIndex
        let reason = String(decoding: text[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        self.init(code, "\(message): \(reason)")
    }

    package var description: String { message }
}
