import CaptureHAL
import Foundation
import MediaStorage
import XCTest

@testable import PhotoStore

/// Libraries of earlier versions have their originals directly in the folder `originals`.
final class LibraryRelocationTests: PhotoLibraryTestCase {
    private let now = Date(timeIntervalSince1970: 0)

    private func store(_ storage: any CaptureStorage = DiskStorage()) throws -> LibraryStore {
        try LibraryStore(at: libraryURL, storage: storage)
    }

    /// Creates a library with photos, the first of which is edited, in the layout of an earlier version.
    private func makeEarlierLibrary(_ photos: [Data], edited: Data) throws {
        let system = makeSystem()
        for photo in photos { try save(photo, in: system) }
        let asset = try XCTUnwrap(assets(in: system).first)
        let output = PHContentEditingOutput(
            contentEditingInput: try PHContentEditingInput(asset, canHandle: { _ in false }))
        output.adjustmentData = PHAdjustmentData(formatIdentifier: "test", formatVersion: "1", data: Data([1]))
        try edited.write(to: output.renderedContentURL)
        try system.run {
            try PHPhotoLibrary.shared().performChangesAndWait {
                PHAssetChangeRequest(for: asset).contentEditingOutput = output
            }
        }
        try useEarlierLayout()
    }

    private func useEarlierLayout() throws {
        let store = try store()
        try store.index.write { database in
            let resources: [ResourceRecord] = try database.rows("SELECT * FROM resource")
            for resource in resources {
                let url = store.folder.original(resource.fileName)
                let name = "\(UUID().uuidString).\(url.pathExtension.lowercased())"
                try FileManager.default.moveItem(at: url, to: store.folder.original(name))
                try database.execute("UPDATE resource SET fileName = ? WHERE id = ?", [name, resource.id])
            }
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: store.folder.originals.path)
        where !name.contains(".") {
            try FileManager.default.removeItem(at: store.folder.original(name))
        }
    }

    private func fileNames(_ store: LibraryStore) throws -> [String] {
        try store.index.read { try $0.values("SELECT fileName FROM resource ORDER BY id") }
    }

    func testNewOriginalsAreInFoldersOfYearAndMonth() throws {
        let system = makeSystem()
        try save(makeJPEG(), in: system)
        try save(makeJPEG(width: 32, height: 32), in: system)
        let store = try store()
        let names = try fileNames(store)
        XCTAssertEqual(names.count, 2)
        for name in names {
            XCTAssertNotNil(name.range(of: #"^\d{4}/\d{2}/IMG_000\d\.JPG$"#, options: .regularExpression), name)
            XCTAssertTrue(FileManager.default.fileExists(atPath: store.folder.original(name).path), name)
        }
        XCTAssertEqual(Set(names).count, 2)
    }

    func testFilesOfEqualNamesGetDifferentOnes() throws {
        let system = makeSystem()
        let photos = try [16, 24, 32].map { try makeJPEG(width: $0, height: $0) }
        try system.run {
            // Two in one change, and one later.
            for part in [photos.prefix(2), photos.suffix(1)] {
                try PHPhotoLibrary.shared().performChangesAndWait {
                    for photo in part {
                        let options = PHAssetResourceCreationOptions()
                        options.originalFilename = "DSC0001.JPG"
                        PHAssetCreationRequest.forAsset().addResource(with: .photo, data: photo, options: options)
                    }
                }
            }
        }
        XCTAssertEqual(try assets(in: system).map { try original(of: $0) }, photos)
        XCTAssertTrue(try store().differences().isEmpty)
        XCTAssertEqual(
            try fileNames(store()).map { $0.split(separator: "/").last },
            ["DSC0001.JPG", "DSC0001~2.JPG", "DSC0001~3.JPG"])
    }

    func testAnEarlierLayoutWorksUntilAChangeMovesItsFiles() throws {
        let photos = try [makeJPEG(), makeJPEG(width: 32, height: 32)]
        try makeEarlierLibrary(photos, edited: makeJPEG(width: 24, height: 24))
        let before = try libraryFiles()
        let system = makeSystem()
        let found = assets(in: system)
        let resources = found.flatMap { PHAssetResource.assetResources(for: $0) }
        XCTAssertEqual(resources.count, 4)
        XCTAssertEqual(try found.map { try original(of: $0) }, photos)
        XCTAssertTrue(try store().differences().isEmpty)
        XCTAssertEqual(try libraryFiles(), before)

        _ = try store().apply([], at: now)
        let store = try store()
        let names = try fileNames(store)
        XCTAssertTrue(names.allSatisfy { $0.split(separator: "/").count == 3 }, "\(names)")
        XCTAssertTrue(names.contains { $0.hasSuffix(".plist") && $0.contains("IMG_0001-edit-") }, "\(names)")
        XCTAssertTrue(try store.differences().isEmpty)
        XCTAssertEqual(
            try Set(libraryFiles().filter { $0.hasPrefix("originals/") }), Set(names.map { "originals/\($0)" }))
        // Clients still have the former names.
        for resource in resources { XCTAssertNil(try resource.damageReason()) }
        _ = try store.apply([], at: now)
        let unfinished: [String] = try store.index.read {
            try $0.values("SELECT name FROM relocation WHERE isFinished = 0")
        }
        XCTAssertEqual(unfinished, [])
    }

    /// A fault at the 1st, 2nd, … operation of a change that moves files: all originals can be read at any time, and the
    /// next changes finish the move.
    func testAFaultAtAnyOperationOfAMoveLosesNothing() throws {
        let photos = try [makeJPEG(), makeJPEG(width: 32, height: 32)]
        let edited = try makeJPEG(width: 24, height: 24)
        for fault in [SimStorage.Fault.fail(.inputOutput), .fail(.diskFull), .powerLoss] {
            var operation = 0
            var isWithoutFault = false
            while !isWithoutFault {
                operation += 1
                XCTAssertLessThan(operation, 100)
                let context = "\(fault) at operation \(operation)"
                if FileManager.default.fileExists(atPath: libraryURL.path) {
                    try FileManager.default.removeItem(at: libraryURL)
                }
                try makeEarlierLibrary(photos, edited: edited)
                let storage = SimStorage()
                storage.inject(fault, atOperation: operation)
                // A move that fails does not fail the change.
                _ = try store(storage).apply([], at: now)
                isWithoutFault = storage.operations.count < operation

                let interrupted = makeSystem()
                XCTAssertEqual(try assets(in: interrupted).map { try original(of: $0) }, photos, context)
                var differences = try store().differences()
                XCTAssertTrue(differences.isEmpty, "\(context): \(differences)")
                for _ in 0..<2 { _ = try store().apply([], at: now) }
                let names = try fileNames(store())
                XCTAssertTrue(names.allSatisfy { $0.contains("/") }, "\(context): \(names)")
                differences = try store().differences()
                XCTAssertTrue(differences.isEmpty, "\(context): \(differences)")
                let files = try libraryFiles().filter { !$0.hasPrefix("edits/") }
                XCTAssertEqual(files.count, 6, "\(context): \(files)")
                XCTAssertEqual(try assets(in: makeSystem()).map { try original(of: $0) }, photos, context)
            }
            XCTAssertGreaterThan(operation, 4)
        }
    }

    func testAMoveThatALeaseDelaysIsFinishedLater() throws {
        try makeEarlierLibrary([makeJPEG()], edited: makeJPEG(width: 24, height: 24))
        let name = try XCTUnwrap(fileNames(store()).first)
        var lease: FileLease? = try FileLease(store().folder.original(name), in: store())
        XCTAssertNotNil(lease)
        _ = try store().apply([], at: now)
        let moved = try XCTUnwrap(fileNames(store()).first)
        XCTAssertEqual(try store().original(moved), try store().folder.original(name))
        XCTAssertTrue(try store().differences().isEmpty)
        lease = nil
        _ = try store().apply([], at: now)
        XCTAssertEqual(try store().original(moved), try store().folder.original(moved))
        XCTAssertTrue(try store().differences().isEmpty)
    }

    func testAnAssetThatIsRemovedWhileItsMoveIsDelayedLeavesNoFile() throws {
        try makeEarlierLibrary([makeJPEG()], edited: makeJPEG(width: 24, height: 24))
        let name = try XCTUnwrap(fileNames(store()).first)
        var lease: FileLease? = try FileLease(store().folder.original(name), in: store())
        XCTAssertNotNil(lease)
        _ = try store().apply([], at: now)
        let system = makeSystem()
        try remove(assets(in: system), in: system)
        XCTAssertTrue(try store().differences().isEmpty)
        lease = nil
        _ = try store().apply([], at: now)
        XCTAssertEqual(try libraryFiles().filter { !$0.hasPrefix("edits/") }, [])
    }

    func testARepairFindsTheOriginalsThatAnOlderIndexLacks() throws {
        let photos = try [makeJPEG(), makeJPEG(width: 32, height: 32)]
        try makeEarlierLibrary(photos, edited: makeJPEG(width: 24, height: 24))
        let index = libraryURL.appendingPathComponent("index.sqlite")
        let backup = folder.appendingPathComponent("backup.sqlite")
        let connection = try SQLiteConnection(path: index.path, for: .writing, busyMilliseconds: 1000)
        try connection.execute("VACUUM INTO '\(backup.path)'")
        _ = try store().apply([], at: now)
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: index.path + suffix) {
            try FileManager.default.removeItem(atPath: index.path + suffix)
        }
        try FileManager.default.copyItem(at: backup, to: index)

        let store = try store()
        let differences = try store.differences()
        XCTAssertEqual(differences.damaged.count, 4)
        XCTAssertEqual(differences.unlisted.count, 4)
        let repairs = try store.repair(differences)
        XCTAssertEqual(repairs.filter { $0.action == .foundOriginal }.count, 4)
        XCTAssertTrue(try store.differences().isEmpty)
        XCTAssertEqual(try assets(in: makeSystem()).map { try original(of: $0) }, photos)
    }
}
