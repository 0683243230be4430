package import Foundation
import Glibc
import MediaTypes
import XCTest

/// An HTTP server on the loopback interface. It serves files from memory, and supports requests for one range of bytes.
package final class LoopbackServer: @unchecked Sendable {
    // SAFETY: all state is behind `state`; the constants are values.

    /// A request that the server received.
    package struct Request: Sendable, Equatable {
        package var path: String
        /// The header fields, with names in lower case.
        package var fields: [String: String]
    }

    private struct State {
        var files: [String: Data] = [:]
        var servesRanges = true
        /// The number of bytes of the body after which responses end; nil for the whole body.
        var bodyLimit: Int?
        var requests: [Request] = []
        var isStopped = false
    }

    private let listener: Int32
    private let port: UInt16
    private let state = Lock(State())

    /// Starts a server on an unused port.
    package init() throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { [listener] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard isListening else { throw XCTSkip("this machine has no loopback network") }
        Thread.detachNewThread { [self] in accept() }
    }

    /// Returns the URL of a path.
    package func url(_ path: String) -> URL {
        URL(string: "http://127.0.0.1:\(port)\(path)") ?? URL(fileURLWithPath: path)
    }

    /// Adds a file. Requests for paths without a file receive status 404.
    package func serve(_ data: Data, at path: String) { state.withLock { $0.files[path] = data } }

    /// Ignores the range fields of requests from now on: responses contain the whole file.
    package func ignoreRanges() { state.withLock { $0.servesRanges = false } }

    /// Ends each response after a number of bytes of its body.
    package func cutResponses(after byteCount: Int) { state.withLock { $0.bodyLimit = byteCount } }

    /// The requests so far.
    package var requests: [Request] { state.withLock { $0.requests } }

    /// Stops the server and closes its port.
    package func stop() {
        let isFirst = state.withLock { state in
            defer { state.isStopped = true }
            return !state.isStopped
        }
        if isFirst { shutdown(listener, Int32(SHUT_RDWR)) }
    }

    private func accept() {
        while true {
            let connection = Glibc.accept(listener, nil, nil)
            guard connection >= 0 else { break }
            Thread.detachNewThread { [self] in
                answer(connection)
                close(connection)
            }
        }
        close(listener)
    }

    private func answer(_ connection: Int32) {
        var head = Data()
        var buffer = [UInt8](repeating: 0, count: 4096)
        while head.range(of: Data("\r\n\r\n".utf8)) == nil {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            head += buffer.prefix(count)
        }
        let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
        let path = lines[0].split(separator: " ").dropFirst().first.map(String.init) ?? ""
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            fields[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        let (file, servesRanges, limit) = state.withLock { state in
            state.requests.append(Request(path: path, fields: fields))
            return (state.files[path], state.servesRanges, state.bodyLimit)
        }
        guard let file else {
            return send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", Data(), connection)
        }
        var range = 0..<file.count
        var status = "200 OK"
        var rangeFields = ""
        if servesRanges, let text = fields["range"]?.dropFirst("bytes=".count) {
            range = Self.range(text, of: file.count)
            guard !range.isEmpty else {
                let header =
                    "HTTP/1.1 416 Range Not Satisfiable\r\nContent-Range: bytes */\(file.count)\r\n"
                    + "Content-Length: 0\r\nConnection: close\r\n\r\n"
                return send(header, Data(), connection)
            }
            status = "206 Partial Content"
            rangeFields =
                "Accept-Ranges: bytes\r\n"
                + "Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.count)\r\n"
        }
        let header = "HTTP/1.1 \(status)\r\n\(rangeFields)Content-Length: \(range.count)\r\nConnection: close\r\n\r\n"
        send(header, file[range].prefix(limit ?? range.count), connection)
    }

    /// Returns the part of a requested range that a file has: `0-99`, `100-` or, for the last bytes, `-100`.
    private static func range(_ text: Substring, of byteCount: Int) -> Range<Int> {
        let bounds = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        let last = bounds.last.flatMap { $0 }
        guard let first = bounds.first.flatMap({ $0 }) else { return max(0, byteCount - (last ?? 0))..<byteCount }
        let start = min(first, byteCount)
        return start..<max(start, min(byteCount, (last ?? byteCount - 1) + 1))
    }

    private func send(_ header: String, _ body: Data, _ connection: Int32) {
        let bytes = [UInt8](Data(header.utf8) + body)
        var sentCount = 0
        while sentCount < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(
                    connection, $0.baseAddress.map { $0 + sentCount }, bytes.count - sentCount, Int32(MSG_NOSIGNAL))
            }
            // The client may end the connection before the end of the response.
            guard count > 0 else { return }
            sentCount += count
        }
        shutdown(connection, Int32(SHUT_WR))
    }
}
