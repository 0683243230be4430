import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import MediaAssets

final class HTTPAssetTests: XCTestCase {
    /// Writes a movie with a second of video and sound, and returns its data.
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

    func testAMovieIsReadByRangesAsFromAFile() throws {
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

    /// Starts a server of HTTPS with a certificate that it signed itself, and returns its port.
    private func startUntrustedServer(in folder: URL) throws -> Int {
        let certificate = try ExternalTool.run(
            "openssl",
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-keyout",
                folder.appendingPathComponent("key.pem").path, "-out", folder.appendingPathComponent("cert.pem").path,
            ])
        XCTAssertEqual(certificate.status, 0, certificate.errors)
        let server = Process()
        server.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        server.arguments = [
            "openssl", "s_server", "-accept", "127.0.0.1:0", "-WWW", "-key", "key.pem", "-cert", "cert.pem",
        ]
        server.currentDirectoryURL = folder
        let output = Pipe()
        server.standardOutput = output
        server.standardError = FileHandle.nullDevice
        server.standardInput = FileHandle.nullDevice
        try server.run()
        addTeardownBlock {
            server.terminate()
            server.waitUntilExit()
        }
        // It prints "ACCEPT 127.0.0.1:PORT" when it listens.
        var text = ""
        while !text.contains(/ACCEPT .*:\d+\n/) {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { break }
            text += String(decoding: data, as: UTF8.self)
        }
        let port = try XCTUnwrap(text.firstMatch(of: /ACCEPT .*:(\d+)\n/), "the server did not start: \(text)")
        return try XCTUnwrap(Int(port.1))
    }

    func testACertificateThatNobodyKnownSignedIsRefused() throws {
        let fixture = try AssetWriterFixture()
        let port = try startUntrustedServer(in: fixture.url("cert.pem").deletingLastPathComponent())
        let url = try XCTUnwrap(URL(string: "https://127.0.0.1:\(port)/cert.pem"))
        assertFailure(fixture.system.run { AVURLAsset(url: url) }, .failedToLoadMediaData, "certificate")
    }

    func testAMissingFileIsNamed() throws {
        let fixture = try AssetWriterFixture()
        let server = try startServer()
        let asset = fixture.system.run { AVURLAsset(url: server.url("/none.mov")) }
        assertFailure(asset, .contentIsUnavailable, server.url("/none.mov").absoluteString)
    }

    func testAServerWithoutRangesIsAnError() throws {
        let fixture = try AssetWriterFixture()
        let server = try startServer(movie(fixture))
        server.refuseRanges()
        let asset = fixture.system.run { AVURLAsset(url: server.url("/folder/a.mov")) }
        assertFailure(asset, .serverIncorrectlyConfigured, "ranges of bytes")
    }

    func testAServerThatIsNotThereIsAnError() throws {
        let fixture = try AssetWriterFixture()
        let server = try startServer()
        server.stop()
        // The port is closed when the listening thread has ended; until then connections are reset.
        let asset = fixture.system.run { AVURLAsset(url: server.url("/a.mov")) }
        assertFailure(asset, .failedToLoadMediaData, server.url("/a.mov").absoluteString)
    }

    func testAConnectionThatIsCutIsAnErrorOfReading() throws {
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

    func testAFileThatIsNoMovieIsNotRecognized() throws {
        let fixture = try AssetWriterFixture()
        let server = try startServer(Data(repeating: 65, count: 5000))
        let asset = fixture.system.run { AVURLAsset(url: server.url("/folder/a.mov")) }
        assertFailure(asset, .fileFormatNotRecognized, "not a QuickTime or MPEG-4 file")
    }
}
