import CaptureHAL
import Foundation
import MediaStorage
import XCTest

@testable import PhotoStore

/// The contents of a library after its index or files were replaced or removed, or a change was interrupted.
final class LibraryStoreRecoveryTests: PhotoLibraryTestCase {
    private static let indexFiles = ["index.sqlite", "index.sqlite-wal", "index.sqlite-shm"]
    private let now = Date(timeIntervalSince1970: 0)

    /// Copies the index to another folder, or restores it from there.
    private func copyIndex(from source: URL, to destination: URL) throws {
        try FileManager.default.createDirectory(at: destination, withIntermediateDirectories: true)
        for name in Self.indexFiles {
            let copy = destination.appendingPathComponent(name)
            if FileManager.default.fileExists(atPath: copy.path) { try FileManager.default.removeItem(at: copy) }
            let original = source.appendingPathComponent(name)
            guard FileManager.default.fileExists(atPath: original.path) else { continue }
            try FileManager.default.copyItem(at: original, to: copy)
        }
    }

    private func originals() throws -> Set<String> { try libraryFiles().filter { $0.hasPrefix("originals/") } }

    private func store() throws -> LibraryStore { try LibraryStore(at: libraryURL, storage: DiskStorage()) }

    private func unlisted(_ store: LibraryStore) throws -> Set<String> {
        Set(
            try store.unlistedFiles().map {
                "\($0.deletingLastPathComponent().lastPathComponent)/\($0.lastPathComponent)"
            })
    }

    func testAnOlderIndexCostsNoOriginal() throws {
        try save(makeJPEG(), in: makeSystem())
        let backup = folder.appendingPathComponent("backup")
        try copyIndex(from: libraryURL, to: backup)
        let system = makeSystem()
        for side in [16, 24, 32] { try save(makeJPEG(width: side, height: side), in: system) }
        let all = try originals()
        XCTAssertEqual(all.count, 4)
        try copyIndex(from: backup, to: libraryURL)

        let restored = makeSystem()
        XCTAssertEqual(assets(in: restored).count, 1)
        XCTAssertEqual(try originals(), all)
        // Changes keep the files too, even if the seed makes the same names again.
        try save(makeJPEG(width: 40, height: 40), in: restored)
        XCTAssertEqual(assets(in: restored).count, 2)
        XCTAssertTrue(try originals().isSuperset(of: all))
        XCTAssertEqual(try unlisted(store()).count, 3)
        XCTAssertEqual(try store().differences().damaged, [])
    }

    func testAMissingIndexCostsNoOriginal() throws {
        let system = makeSystem()
        for side in [16, 24, 32] { try save(makeJPEG(width: side, height: side), in: system) }
        let all = try originals()
        for name in Self.indexFiles {
            let url = libraryURL.appendingPathComponent(name)
            if FileManager.default.fileExists(atPath: url.path) { try FileManager.default.removeItem(at: url) }
        }
        let other = makeSystem()
        XCTAssertEqual(assets(in: other), [])
        XCTAssertEqual(try unlisted(store()), all)
        try save(makeJPEG(width: 40, height: 40), in: other)
        XCTAssertTrue(try originals().isSuperset(of: all))
        XCTAssertEqual(try unlisted(store()), all)
    }

    func testReadingChangesNothing() throws {
        try save(makeJPEG(), in: makeSystem())
        let store = try store()
        try Data("half".utf8).write(to: store.folder.partial("photo"))
        try Data("unknown".utf8).write(to: store.folder.original("unknown.jpg"))
        let before = try libraryFiles()
        let system = makeSystem()
        let asset = try XCTUnwrap(assets(in: system).first)
        _ = try original(of: asset)
        XCTAssertFalse(try system.run { try PHPhotoLibrary.shared().differences() }.isEmpty)
        XCTAssertEqual(try libraryFiles(), before)
    }

    func testAnImportThatWasInterruptedAfterItsCommitIsFinished() throws {
        let photo = try makeJPEG()
        for readsFirst in [true, false] {
            if FileManager.default.fileExists(atPath: libraryURL.path) {
                try FileManager.default.removeItem(at: libraryURL)
            }
            try save(photo, in: makeSystem())
            let finished = try libraryFiles()
            let store = try store()
            let next = try store.index.read { try LibraryIndex.nextChange($0) }
            for path in finished {
                let name = URL(fileURLWithPath: path).lastPathComponent
                let kind: PendingFile.Kind = path.hasPrefix("originals/") ? .original : .thumbnail
                let file = PendingFile(index: next.index, change: next.number - 1, kind: kind, name: name)
                try FileManager.default.moveItem(
                    at: libraryURL.appendingPathComponent(path), to: store.folder.pending(file))
            }
            XCTAssertTrue(try store.differences().isEmpty)
            if readsFirst {
                let asset = try XCTUnwrap(assets(in: makeSystem()).first)
                XCTAssertEqual(try original(of: asset), photo)
            } else {
                _ = try store.apply([], at: now)
                XCTAssertEqual(try libraryFiles(), finished)
            }
            XCTAssertTrue(try store.differences().isEmpty)
        }
    }

    func testOnlyFilesOfUnfinishedChangesOfThisIndexAreRemoved() throws {
        try save(makeJPEG(), in: makeSystem())
        let known = try libraryFiles()
        let store = try store()
        let next = try store.index.read { try LibraryIndex.nextChange($0) }
        let unfinished = PendingFile(index: next.index, change: next.number, kind: .original, name: "a.jpg")
        let newer = PendingFile(index: next.index, change: next.number + 1, kind: .original, name: "b.jpg")
        let foreign = PendingFile(index: "0123456789abcdef", change: 1, kind: .original, name: "c.jpg")
        for file in [unfinished, newer, foreign] { try Data("photo".utf8).write(to: store.folder.pending(file)) }
        try Data("?".utf8).write(to: store.folder.incoming.appendingPathComponent("unknown"))
        try Data("photo".utf8).write(to: store.folder.original("d.jpg"))
        let kept: Set = [
            "incoming/\(newer.fileName)", "incoming/\(foreign.fileName)", "incoming/unknown", "originals/d.jpg",
        ]
        XCTAssertEqual(try unlisted(store), kept)
        _ = try store.apply([], at: now)
        XCTAssertEqual(try libraryFiles(), known.union(kept))
        XCTAssertEqual(try unlisted(store), kept)
    }

    func testDamagedFilesAreReported() throws {
        let system = makeSystem()
        for side in [16, 24, 32] { try save(makeJPEG(width: side, height: side), in: system) }
        let files = try originals().sorted().map(libraryURL.appendingPathComponent)
        try FileManager.default.removeItem(at: files[0])
        try Data(contentsOf: files[1]).dropLast().write(to: files[1])
        let damaged = try store().differences().damaged
        XCTAssertEqual(Set(damaged.map(\.url.lastPathComponent)), Set(files.prefix(2).map(\.lastPathComponent)))
        XCTAssertEqual(damaged.compactMap(\.foundByteCount).count, 1)
        XCTAssertEqual(damaged.compactMap(\.reason).count, 1)
    }

    func testADeletionThatWasInterruptedIsFinishedByALaterChange() throws {
        let system = makeSystem()
        try save(makeJPEG(), in: system)
        let asset = try XCTUnwrap(assets(in: system).first)
        let name = try XCTUnwrap(originals().first).dropFirst("originals/".count)
        var lease: FileLease? = try FileLease(store().original(String(name)), in: store())
        XCTAssertNotNil(lease)
        try system.run {
            try PHPhotoLibrary.shared().performChangesAndWait { PHAssetChangeRequest.deleteAssets([asset]) }
        }
        XCTAssertEqual(try originals().count, 1)
        XCTAssertTrue(try store().differences().isEmpty)
        lease = nil
        _ = try store().apply([], at: now)
        XCTAssertEqual(try libraryFiles(), [])
        let removals: [String] = try store().index.read { try $0.values("SELECT name FROM removal") }
        XCTAssertEqual(removals, [])
    }

    func testIdentifiersThatEndedProcessesReservedAreReleased() throws {
        let store = try store()
        XCTAssertTrue(try store.index.reserve("own"))
        try store.index.write { database in
            // Version 0.1 stored no process. The process 1 did not start before the boot.
            try database.execute("INSERT INTO reservation (localIdentifier) VALUES ('old')")
            try database.execute("INSERT INTO reservation VALUES ('ended', 1, -5)")
        }
        _ = try store.apply([], at: now)
        let left: [String] = try store.index.read { try $0.values("SELECT localIdentifier FROM reservation") }
        XCTAssertEqual(left, ["own"])
    }

    func testNamesOfPendingFilesAreParsed() {
        let file = PendingFile(index: "00ff", change: 12, kind: .thumbnail, name: "A-1.edit.jpg")
        XCTAssertEqual(file.fileName, "00ff.12.thumbnail.A-1.edit.jpg")
        XCTAssertEqual(PendingFile(fileName: file.fileName), file)
        for name in [
            "", "a", "00ff.12.thumbnail", "00ff.12.thumbnail.", "00ff.x.original.a", "00ff.1.movie.a", ".1.original.a",
        ] {
            XCTAssertNil(PendingFile(fileName: name), name)
        }
    }
}
