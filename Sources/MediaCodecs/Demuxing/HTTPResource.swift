import CLibAV
package import Foundation
import MediaTypes

/// A file on an HTTP server, read in byte ranges with libavformat.
///
/// Sequential reads use one connection. A read at another offset starts a new request.
/// - Important: Thread-safe; reads are serialized.
package final class HTTPResource: Sendable {
    private struct State: @unchecked Sendable {
        // SAFETY: only accessed while the lock is held.
        var context: UnsafeMutablePointer<AVIOContext>?
        var position: Int64 = 0
    }

    /// The time without a response from the server after which a request fails, in microseconds.
    private static let timeoutMicroseconds = "30000000"
    /// The protocols that libavformat may use, also after redirects.
    private static let protocols = "http,https,tls,tcp,httpproxy"

    /// The schemes of URLs that can be opened.
    package static let schemes: Set<String> = ["http", "https"]

    package let url: URL
    private let userAgent: String?
    /// The size of the file in bytes.
    package let byteCount: Int64
    private let state: Lock<State>

    /// Requests a file.
    ///
    /// - Parameter userAgent: The value of the header field `User-Agent`; nil for libavformat's default.
    /// - Throws: `.notFound`, `.notPermitted`, `.noByteRanges`, `.inputOutput`; `.unsupportedCodec` if libavformat is
    ///   missing.
    package init(_ url: URL, userAgent: String? = nil) throws(MediaFileError) {
        try LibAV.requireForReading(url.absoluteString)
        self.url = url
        self.userAgent = userAgent
        var context: UnsafeMutablePointer<AVIOContext>? = try Self.open(url, at: 0, userAgent)
        let size = avio_size(context)
        guard let opened = context, opened.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0, size >= 0 else {
            avio_closep(&context)
            throw MediaFileError(
                .noByteRanges, path: url.absoluteString,
                "\(url.absoluteString) cannot be read: the server does not support range requests")
        }
        byteCount = size
        state = Lock(State(context: opened))
    }

    deinit { state.withLock { state in _ = avio_closep(&state.context) } }

    /// Starts a request for the bytes from an offset to the end.
    private static func open(
        _ url: URL, at offset: Int64, _ userAgent: String?
    ) throws(MediaFileError) -> UnsafeMutablePointer<AVIOContext>? {
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        av_dict_set(&options, "rw_timeout", timeoutMicroseconds, 0)
        av_dict_set(&options, "protocol_whitelist", protocols, 0)
        // libavformat accepts any certificate by default. With this option, it accepts only those of the operating
        // system's authorities, or of the authorities in the file that SSL_CERT_FILE names, as OpenSSL and curl do.
        av_dict_set(&options, "tls_verify", "1", 0)
        if let authorities = ProcessInfo.processInfo.environment["SSL_CERT_FILE"] {
            av_dict_set(&options, "ca_file", authorities, 0)
        }
        av_dict_set(&options, "offset", "\(offset)", 0)
        if let userAgent { av_dict_set(&options, "user_agent", userAgent, 0) }
        var context: UnsafeMutablePointer<AVIOContext>?
        let (result, message) = LibAVLog.capturing {
            avio_open2(&context, url.absoluteString, AVIO_FLAG_READ, nil, &options)
        }
        guard result >= 0 else { throw error(result, message, url) }
        return context
    }

    /// Reads bytes, at most to the end of the file.
    ///
    /// - Throws: `.notFound`, `.notPermitted` or `.inputOutput`.
    package func bytes(at offset: Int64, count: Int) throws(MediaFileError) -> [UInt8] {
        let length = Int(clamping: max(0, min(Int64(count), byteCount - offset)))
        guard length > 0 else { return [] }
        return try state.withLock { state throws(MediaFileError) in
            if state.context == nil || state.position != offset {
                avio_closep(&state.context)
                state.context = try Self.open(url, at: offset, userAgent)
                state.position = offset
            }
            guard let context = state.context else { throw connectionError("there is no connection") }
            var result = [UInt8](repeating: 0, count: length)
            let (outcome, message) = LibAVLog.capturing { () -> Int32 in
                var done = 0
                while done < length {
                    let count = result.withUnsafeMutableBufferPointer {
                        avio_read(context, $0.baseAddress.map { $0 + done }, Int32(clamping: length - done))
                    }
                    // A result of 0 would repeat this loop forever.
                    if count <= 0 { return count == 0 ? clibav_error_end() : count }
                    done += Int(count)
                }
                return 0
            }
            guard outcome >= 0 else {
                // The next read starts a new request.
                avio_closep(&state.context)
                if clibav_is_end(outcome) != 0 { throw connectionError("the server ended the connection early") }
                throw Self.error(outcome, message, url)
            }
            state.position = offset + Int64(length)
            return result
        }
    }

    private func connectionError(_ reason: String) -> MediaFileError {
        MediaFileError(.inputOutput, path: url.absoluteString, "\(url.absoluteString) cannot be read: \(reason)")
    }

    private static func error(_ result: Int32, _ message: String?, _ url: URL) -> MediaFileError {
        let code: MediaFileError.Code =
            switch clibav_http_status(result) {
            case 404: .notFound
            case 401, 403: .notPermitted
            default: .inputOutput
            }
        let text = message ?? LibAVLog.text(for: result)
        return MediaFileError(
            code, path: url.absoluteString, "\(url.absoluteString) cannot be read: \(text)")
    }
}
