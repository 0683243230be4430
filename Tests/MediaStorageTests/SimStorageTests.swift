import Foundation
import MediaTypes
import XCTest

@testable import MediaStorage

final class SimStorageTests: XCTestCase {
    private var folder = URL(fileURLWithPath: "/")

    override func setUpWithError() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("SimStorage-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    override func tearDownWithError() throws {
        try FileManager.default.removeItem(at: folder)
    }

    private func assertThrows(
        _ code: StorageError.Code, line: UInt = #line, _ body: () throws -> Void
    ) {
        XCTAssertThrowsError(try body(), line: line) { error in
            XCTAssertEqual((error as? StorageError)?.code, code, line: line)
        }
    }

    func testAFailedRenamingLeavesTheFileUnderItsOldNameOnly() throws {
        let storage = DiskStorage()
        // The permissions of a folder do not apply to root.
        let nobody: uid_t = 65534
        let isRoot = geteuid() == 0
        let source = folder.appendingPathComponent("locked/a")
        let destination = folder.appendingPathComponent("open/b")
        for file in [source, destination] { try storage.createDirectory(file.deletingLastPathComponent()) }
        try storage.create(source).close()
        chmod(folder.path, 0o755)
        chmod(destination.deletingLastPathComponent().path, 0o777)
        chmod(source.deletingLastPathComponent().path, 0o555)
        defer { chmod(source.deletingLastPathComponent().path, 0o755) }
        if isRoot {
            XCTAssertEqual(chown(source.path, nobody, nobody), 0)
            XCTAssertEqual(seteuid(nobody), 0)
        }
        defer { if isRoot { seteuid(0) } }
        assertThrows(.notPermitted) { try storage.rename(source, to: destination) }
        XCTAssertTrue(storage.fileExists(at: source))
        XCTAssertFalse(storage.fileExists(at: destination))
    }

    func testDiskStorageWritesReadsRenamesAndRemoves() throws {
        let storage = DiskStorage()
        let first = folder.appendingPathComponent("a")
        let second = folder.appendingPathComponent("b")
        let file = try storage.create(first)
        try file.write(Data("hello".utf8), at: 3)
        try file.flush()
        XCTAssertEqual(try file.byteCount(), 8)
        var bytes = [UInt8](repeating: 1, count: 10)
        XCTAssertEqual(try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }, 8)
        XCTAssertEqual(bytes, [0, 0, 0] + Array("hello".utf8) + [1, 1])
        try file.close()
        assertThrows(.closed) { try file.flush() }
        assertThrows(.alreadyExists) { _ = try storage.create(first) }
        try storage.rename(first, to: second)
        XCTAssertEqual(try storage.contents(ofDirectory: folder), ["b"])
        try storage.remove(second)
        assertThrows(.notFound) { _ = try storage.open(second, for: .reading) }
    }

    func testRenamingNeverReplacesAFile() throws {
        let storage = DiskStorage()
        let first = folder.appendingPathComponent("a")
        let second = folder.appendingPathComponent("b")
        try storage.create(first).write(Data("a".utf8), at: 0)
        try storage.create(second).write(Data("b".utf8), at: 0)
        assertThrows(.alreadyExists) { try storage.rename(first, to: second) }
        XCTAssertEqual(try Data(contentsOf: second), Data("b".utf8))
    }

    func testCreatingAFolderCreatesItsParentsAndFailsIfAFileIsInThePath() throws {
        let storage = DiskStorage()
        let nestedFolder = folder.appendingPathComponent("x/y/z")
        try storage.createDirectory(nestedFolder)
        try storage.createDirectory(nestedFolder)
        XCTAssertTrue(storage.fileExists(at: nestedFolder))
        _ = try storage.create(folder.appendingPathComponent("file"))
        assertThrows(.notADirectory) { try storage.createDirectory(self.folder.appendingPathComponent("file")) }
        assertThrows(.notADirectory) { try storage.createDirectory(self.folder.appendingPathComponent("file/below")) }
    }

    func testNewFilesHaveStandardOrOwnerOnlyPermissions() throws {
        let previous = umask(0o027)
        defer { umask(previous) }
        for storage in [DiskStorage(), SimStorage()] as [any CaptureStorage] {
            let parent = folder.appendingPathComponent("\(type(of: storage))")
            try storage.createDirectory(parent)
            let (file, ownerOnlyFile) = (parent.appendingPathComponent("a"), parent.appendingPathComponent("b"))
            _ = try storage.create(file)
            _ = try storage.create(ownerOnlyFile, permissions: .ownerOnly)
            let nestedFolder = parent.appendingPathComponent("x/y")
            try storage.createDirectory(nestedFolder, permissions: .ownerOnly)
            try storage.createDirectory(parent, permissions: .ownerOnly)
            XCTAssertEqual(try permissions(of: parent), 0o750)
            XCTAssertEqual(try permissions(of: file), 0o640)
            XCTAssertEqual(try permissions(of: ownerOnlyFile), 0o600)
            XCTAssertEqual(try permissions(of: nestedFolder), 0o700)
            XCTAssertEqual(try permissions(of: nestedFolder.deletingLastPathComponent()), 0o700)
        }
    }

    private func permissions(of url: URL) throws -> Int? {
        (try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? NSNumber)?.intValue
    }

    func testOnlyRegularFilesAreOpened() throws {
        let pipe = folder.appendingPathComponent("pipe")
        XCTAssertEqual(mkfifo(pipe.path, 0o600), 0)
        for access in [StorageAccess.reading, .updating] {
            for url in [folder, pipe, URL(fileURLWithPath: "/dev/null")] {
                assertThrows(.notAFile) { _ = try DiskStorage().open(url, for: access) }
            }
        }
    }

    func testFreeSpaceIsThatOfTheNearestExistingFolder() throws {
        let storage = DiskStorage()
        XCTAssertGreaterThan(try storage.availableByteCount(at: folder.appendingPathComponent("not/there/yet")), 0)
    }

    func testAFullDiskKeepsTheBytesThatFit() throws {
        let storage = SimStorage(freeByteCount: 10)
        let file = try storage.create(folder.appendingPathComponent("a"))
        try file.write(Data(repeating: 1, count: 6), at: 0)
        XCTAssertEqual(storage.freeByteCount, 4)
        try file.write(Data(repeating: 2, count: 6), at: 0)
        XCTAssertEqual(storage.freeByteCount, 4, "overwriting needs no free space")
        assertThrows(.diskFull) { try file.write(Data(repeating: 3, count: 9), at: 2) }
        XCTAssertEqual(try Data(contentsOf: file.url), Data([2, 2] + [UInt8](repeating: 3, count: 8)))
    }

    func testTruncatingOrRemovingAFileFreesItsSpace() throws {
        let storage = SimStorage(freeByteCount: 10)
        let url = folder.appendingPathComponent("a")
        let file = try storage.create(url)
        try file.write(Data(repeating: 1, count: 8), at: 0)
        try file.truncate(to: 3)
        XCTAssertEqual(storage.freeByteCount, 7)
        try storage.remove(url)
        XCTAssertEqual(storage.freeByteCount, 10)
    }

    func testTheNthOperationFailsAndChangesNothing() throws {
        let storage = SimStorage()
        storage.inject(.fail(.inputOutput), atOperation: 2)
        let file = try storage.create(folder.appendingPathComponent("a"))
        assertThrows(.inputOutput) { try file.write(Data("x".utf8), at: 0) }
        try file.write(Data("y".utf8), at: 0)
        XCTAssertEqual(try Data(contentsOf: file.url), Data("y".utf8))
        XCTAssertEqual(storage.operations.map(\.kind), [.create, .write, .write])
    }

    func testATruncatedWriteKeepsItsFirstBytes() throws {
        let storage = SimStorage()
        storage.inject(.cut(keepingByteCount: 2, .diskFull), atOperation: 2)
        let file = try storage.create(folder.appendingPathComponent("a"))
        assertThrows(.diskFull) { try file.write(Data("abcd".utf8), at: 0) }
        XCTAssertEqual(try Data(contentsOf: file.url), Data("ab".utf8))
    }

    func testAfterAPowerLossWritesAreDiscardedWithoutErrors() throws {
        let storage = SimStorage()
        storage.inject(.powerLoss, atOperation: 3)
        let file = try storage.create(folder.appendingPathComponent("a"))
        try file.write(Data("ab".utf8), at: 0)
        try file.write(Data("cd".utf8), at: 2)
        try file.flush()
        try storage.create(folder.appendingPathComponent("b")).write(Data("x".utf8), at: 0)
        XCTAssertEqual(try Data(contentsOf: file.url), Data("ab".utf8))
        XCTAssertEqual(try storage.contents(ofDirectory: folder), ["a"])
    }
}
