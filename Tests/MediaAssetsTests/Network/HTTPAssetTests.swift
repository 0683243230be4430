import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import AssetTypes
@testable import MediaAssets

final class HTTPAssetTests: XCTestCase {
    /// Writes a movie with one second of video and audio, and returns its data.
    private func movie(_ fixture: AssetWriterFixture) throws -> Data {
        let writer = try fixture.makeWriter("a.mov")
        try fixture.writeMedia(
            1, writer, video: fixture.makeVideoInput(), audio: fixture.makeAudioInput(kAudioFormatLinearPCM))
        return try Data(contentsOf: fixture.url("a.mov"))
    }

    private func startServer(_ data: Data? = nil) throws -> LoopbackServer {
        let server = try LoopbackServer()
        addTeardownBlock { server.stop() }
        if let data { server.serve(data, at: "/folder/a.mov") }
        return server
    }

    private func assertFailure(
        _ asset: AVAsset, _ code: AVError.Code, _ text: String, file: StaticString = #filePath, line: UInt = #line
    ) {
        XCTAssertThrowsError(try asset.loadValues(), file: file, line: line) { error in
            let error = error as? AVError
            XCTAssertEqual(error?.code, code, "\(String(describing: error))", file: file, line: line)
            XCTAssertTrue(
                error?.errorDescription?.contains(text) == true, "\(String(describing: error))", file: file, line: line)
        }
    }

    func testAMovieReadByByteRangesEqualsTheLocalFile() throws {
        let fixture = try AssetWriterFixture()
        let server = try startServer(movie(fixture))
        let local = fixture.system.run { AVURLAsset(url: fixture.url("a.mov")) }
        let remote = fixture.system.run { AVURLAsset(url: server.url("/folder/a.mov")) }
        XCTAssertEqual(server.requests, [], "nothing is fetched before it is needed")
        XCTAssertEqual(remote.duration, local.duration)
        XCTAssertEqual(remote.tracks.map(\.mediaType), local.tracks.map(\.mediaType))
        let frames = try remote.samples(.video, [:])
        XCTAssertEqual(frames.map(\.counter), (0..<30).map { UInt32($0) })
        for type in [AVMediaType.video, .audio] {
            let (stored, expected) = (try remote.samples(type, nil), try local.samples(type, nil))
            XCTAssertEqual(stored.map(\.presentationTimeStamp), expected.map(\.presentationTimeStamp))
            XCTAssertEqual(
                try stored.map { try $0.dataBuffer?.dataBytes() }, try expected.map { try $0.dataBuffer?.dataBytes() })
        }
        XCTAssertEqual(Set(server.requests.map(\.path)), ["/folder/a.mov"], "nothing else is fetched")
        XCTAssertTrue(server.requests.allSatisfy { $0.fields["range"] != nil })
    }

    /// Starts an HTTPS proxy in front of an HTTP server, and returns the address of the proxy.
    ///
    /// - Parameter folder: A folder for the self-signed certificate of the proxy, `cert.pem`.
    private func startTLSProxy(of server: LoopbackServer, in folder: URL) throws -> String {
        let certificate = try ExternalTool.run(
            "openssl",
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-addext",
                "subjectAltName=IP:127.0.0.1", "-keyout", folder.appendingPathComponent("key.pem").path, "-out",
                folder.appendingPathComponent("cert.pem").path,
            ])
        XCTAssertEqual(certificate.status, 0, certificate.errors)
        let proxy = Process()
        proxy.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        proxy.arguments = ["python3", "-c", Self.proxyScript, try XCTUnwrap(server.url("/").port).description]
        proxy.currentDirectoryURL = folder
        let output = Pipe()
        proxy.standardOutput = output
        proxy.standardError = FileHandle.nullDevice
        proxy.standardInput = FileHandle.nullDevice
        try proxy.run()
        addTeardownBlock {
            proxy.terminate()
            proxy.waitUntilExit()
        }
        let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let port = try XCTUnwrap(
            Int(text.trimmingCharacters(in: .newlines)), "the proxy did not start: \(text)")
        return "https://127.0.0.1:\(port)"
    }

    /// A Python script that prints its port and forwards each TLS connection to the port in its argument, without TLS.
    private static let proxyScript = """
        import socket, ssl, sys, threading
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain("cert.pem", "key.pem")
        listener = socket.create_server(("127.0.0.1", 0))
        print(listener.getsockname()[1], flush=True)

        def forward(connection):
            try:
                with context.wrap_socket(connection, server_side=True) as client:
                    request = b""
                    while b"\\r\\n\\r\\n" not in request:
                        request += client.recv(4096)
                    with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as server:
                        server.sendall(request)
                        while data := server.recv(65536):
                            client.sendall(data)
            except OSError:
                pass

        while True:
            threading.Thread(target=forward, args=(listener.accept()[0],), daemon=True).start()
        """

    func testAnUntrustedCertificateIsAnError() throws {
        let fixture = try AssetWriterFixture()
        let server = try startServer(movie(fixture))
        let url = try XCTUnwrap(URL(string: startTLSProxy(of: server, in: fixture.folder) + "/folder/a.mov"))
        assertFailure(fixture.system.run { AVURLAsset(url: url) }, .failedToLoadMediaData, "certificate")
        XCTAssertEqual(server.requests, [], "nothing is requested from a server that is not trusted")
    }

    func testAMovieIsReadFromATrustedHTTPSServer() throws {
        let fixture = try AssetWriterFixture()
        let server = try startServer(movie(fixture))
        let url = try XCTUnwrap(URL(string: startTLSProxy(of: server, in: fixture.folder) + "/folder/a.mov"))
        setenv("SSL_CERT_FILE", fixture.url("cert.pem").path, 1)
        addTeardownBlock { unsetenv("SSL_CERT_FILE") }
        let frames = try fixture.system.run { AVURLAsset(url: url) }.samples(.video, [:])
        XCTAssertEqual(frames.map(\.counter), (0..<30).map { UInt32($0) })
    }

    func testAudioFilesReadByByteRangesEqualTheLocalFiles() throws {
        let fixture = try AssetWriterFixture()
        let server = try startServer()
        for name in ["a.wav", "a.mp3", "a.caf"] {
            let file = fixture.url(name)
            let tone = try ExternalTool.run(
                "ffmpeg",
                [
                    "-v", "error", "-f", "lavfi", "-i", "sine=frequency=440:duration=2:sample_rate=48000",
                    file.path,
                ])
            XCTAssertEqual(tone.status, 0, tone.errors)
            server.serve(try Data(contentsOf: file), at: "/\(name)")
            let local = fixture.system.run { AVURLAsset(url: file) }
            let remote = fixture.system.run { AVURLAsset(url: server.url("/\(name)")) }
            XCTAssertEqual(remote.duration, local.duration, name)
            XCTAssertEqual(remote.duration.seconds, 2, accuracy: 0.06, name)
            let settings: [String: Any] = [AVFormatIDKey: kAudioFormatLinearPCM]
            let (read, expected) = (try remote.samples(.audio, settings), try local.samples(.audio, settings))
            XCTAssertEqual(
                try read.map { try $0.dataBuffer?.dataBytes() }, try expected.map { try $0.dataBuffer?.dataBytes() },
                name)
            XCTAssertFalse(read.isEmpty, name)
        }
        XCTAssertTrue(server.requests.allSatisfy { $0.fields["range"] != nil })
    }

    func testATruncatedResponseWhileAnAudioFileIsOpenedIsAnError() throws {
        let fixture = try AssetWriterFixture()
        let writer = try fixture.makeWriter("a.wav", .wav)
        try fixture.writeMedia(2, writer, video: nil, audio: fixture.makeAudioInput(kAudioFormatLinearPCM))
        let data = try Data(contentsOf: fixture.url("a.wav"))
        let server = try startServer(data)
        let asset = fixture.system.run { AVURLAsset(url: server.url("/folder/a.mov")) }
        server.cutResponses(after: data.count / 2)
        assertFailure(asset, .failedToLoadMediaData, server.url("/folder/a.mov").absoluteString)
    }

    func testTheErrorOfAMissingFileContainsItsURL() throws {
        let fixture = try AssetWriterFixture()
        let server = try startServer()
        let asset = fixture.system.run { AVURLAsset(url: server.url("/none.mov")) }
        assertFailure(asset, .contentIsUnavailable, server.url("/none.mov").absoluteString)
    }

    func testAServerThatIgnoresRangeRequestsIsAnError() throws {
        let fixture = try AssetWriterFixture()
        let server = try startServer(movie(fixture))
        server.ignoreRanges()
        let asset = fixture.system.run { AVURLAsset(url: server.url("/folder/a.mov")) }
        assertFailure(asset, .serverIncorrectlyConfigured, "range requests")
    }

    func testAStoppedServerIsAnError() throws {
        let fixture = try AssetWriterFixture()
        let server = try startServer()
        server.stop()
        // The port is closed when the listening thread has ended; until then connections are reset.
        let asset = fixture.system.run { AVURLAsset(url: server.url("/a.mov")) }
        assertFailure(asset, .failedToLoadMediaData, server.url("/a.mov").absoluteString)
    }

    func testATruncatedResponseWhileAMovieIsReadIsAnError() throws {
        let fixture = try AssetWriterFixture()
        let data = try movie(fixture)
        let server = try startServer(data)
        let asset = fixture.system.run { AVURLAsset(url: server.url("/folder/a.mov")) }
        server.cutResponses(after: data.count / 2)
        assertFailure(asset, .failedToLoadMediaData, "cannot be read")
    }

    func testTheUserAgentIsSent() throws {
        let fixture = try AssetWriterFixture()
        let server = try startServer(movie(fixture))
        let asset = fixture.system.run {
            AVURLAsset(url: server.url("/folder/a.mov"), options: [AVURLAssetHTTPUserAgentKey: "Kamera/1.0"])
        }
        try asset.loadValues()
        XCTAssertEqual(Set(server.requests.map { $0.fields["user-agent"] }), ["Kamera/1.0"])
    }

    func testAFileOfAnUnknownFormatIsAnError() throws {
        let fixture = try AssetWriterFixture()
        let server = try startServer(Data(repeating: 65, count: 5000))
        let asset = fixture.system.run { AVURLAsset(url: server.url("/folder/a.mov")) }
        assertFailure(asset, .fileFormatNotRecognized, "not a media file of a supported format")
    }
}
