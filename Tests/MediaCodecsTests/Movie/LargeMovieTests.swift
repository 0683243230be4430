import Foundation
import MediaStorage
import MediaTypes
import XCTest

@testable import MediaCodecs

/// Stores writes below 1 MiB and discards larger ones, which are media, so that a movie of gigabytes needs little
/// memory.
private final class FakeLargeStorage: CaptureStorage {
    final class File: StorageFile {
        let url: URL
        private let state = Lock<(size: Int64, writes: [(offset: Int64, bytes: [UInt8])])>((0, []))

        init(_ url: URL) { self.url = url }

        func byteCount() throws(StorageError) -> Int64 { state.withLock { $0.size } }

        func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(StorageError) {
            state.withLock { state in
                state.size = max(state.size, offset + Int64(bytes.count))
                if bytes.count < 1 << 20 { state.writes.append((offset, Array(bytes))) }
            }
        }

        func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int64) throws(StorageError) -> Int {
            state.withLock { state in
                for write in state.writes {
                    for (index, byte) in write.bytes.enumerated() {
                        let position = write.offset + Int64(index) - offset
                        if position >= 0, position < Int64(bytes.count) { bytes[Int(position)] = byte }
                    }
                }
                return min(bytes.count, Int(max(0, state.size - offset)))
            }
        }

        func truncate(to byteCount: Int64) throws(StorageError) { state.withLock { $0.size = byteCount } }
        func flush() throws(StorageError) {}
        func close() throws(StorageError) {}
    }

    let file = File(URL(fileURLWithPath: "/fake.mov"))

    func availableByteCount(at url: URL) throws(StorageError) -> Int64 { .max }
    func fileExists(at url: URL) -> Bool { false }
    func contents(ofDirectory url: URL) throws(StorageError) -> [String] { [] }
    func create(_ url: URL, permissions: StoragePermissions) throws(StorageError) -> any StorageFile { file }
    func open(_ url: URL, for access: StorageAccess) throws(StorageError) -> any StorageFile { file }
    func rename(_ source: URL, to destination: URL) throws(StorageError) {}
    func remove(_ url: URL) throws(StorageError) {}
    func createDirectory(_ url: URL, permissions: StoragePermissions) throws(StorageError) {}
    func flushDirectory(_ url: URL) throws(StorageError) {}
}

final class LargeMovieTests: XCTestCase {
    func testMoviesOverFourGigabytesHave64BitOffsetsAndOne64BitMediaBox() throws {
        let storage = FakeLargeStorage()
        let writer = try MovieFileWriter(
            url: URL(fileURLWithPath: "/fake.mov"), storage: storage, configuration: .init(container: .mov))
        let track = try writer.addTrack(SampleScript.videoConfiguration)
        let data = Data(count: 16 << 20)
        for index in 0..<300 {
            try writer.append(
                EncodedSample(
                    data: data, presentationTime: CMTime(value: Int64(index), timescale: 30),
                    duration: CMTime(value: 1, timescale: 30)), to: track)
        }
        XCTAssertGreaterThanOrEqual(writer.fragmentCount, 4)
        try writer.finish()
        let size = try storage.file.byteCount()
        XCTAssertEqual(size, writer.byteCount)
        XCTAssertGreaterThan(size, 300 << 24)

        var header = [UInt8](repeating: 0, count: 48)
        _ = try header.withUnsafeMutableBytes { bytes in try storage.file.read(into: bytes, at: 0) }
        XCTAssertEqual(Array(header[32..<40]), [0, 0, 0, 1] + Array("mdat".utf8))
        let mediaSize = header[40..<48].reduce(Int64(0)) { $0 << 8 | Int64($1) }
        var index = [UInt8](repeating: 0, count: Int(size - 32 - mediaSize))
        _ = try index.withUnsafeMutableBytes { bytes in try storage.file.read(into: bytes, at: 32 + mediaSize) }
        XCTAssertEqual(Array(index[4..<8]), Array("moov".utf8))
        let found = try XCTUnwrap(Data(index).range(of: Data("co64".utf8)))
        let offsets = (0..<300).map { number in
            index[found.upperBound + 8 + 8 * number..<found.upperBound + 16 + 8 * number]
                .reduce(Int64(0)) { $0 << 8 | Int64($1) }
        }
        XCTAssertEqual(offsets, offsets.sorted())
        XCTAssertGreaterThan(offsets[299], 299 << 24)
        for (offset, next) in zip(offsets, offsets.dropFirst()) { XCTAssertGreaterThanOrEqual(next - offset, 16 << 20) }
    }
}
