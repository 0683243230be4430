import CaptureHAL
import Foundation
import MediaStorage
import MediaTypes
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
        Set(try store.unlistedFiles().map { String($0.path.dropFirst(store.folder.root.path.count + 1)) })
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
                let (kind, name) = try XCTUnwrap(store.folder.name(of: store.folder.root.appendingPathComponent(path)))
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
        let foreign = PendingFile(index: "0123456789abcdef", change: 1, kind: .original, name: "c.jpg")
        for file in [unfinished, foreign] { try Data("photo".utf8).write(to: store.folder.pending(file)) }
        try Data("?".utf8).write(to: store.folder.incoming.appendingPathComponent("unknown"))
        try Data("photo".utf8).write(to: store.folder.original("d.jpg"))
        let kept: Set = [
            "incoming/\(foreign.fileName)", "incoming/unknown", "originals/d.jpg",
        ]
        XCTAssertEqual(try unlisted(store), kept)
        _ = try store.apply([], at: now)
        XCTAssertEqual(try libraryFiles(), known.union(kept))
        XCTAssertEqual(try unlisted(store), kept)
    }

    func testFilesOfChangesThatAnOlderIndexLacksAreKept() throws {
        try save(makeJPEG(), in: makeSystem())
        let store = try store()
        let next = try store.index.read { try LibraryIndex.nextChange($0) }
        let lost = [0, 1].map {
            PendingFile(index: next.index, change: next.number + $0, kind: .original, name: "\($0).jpg")
        }
        for file in lost { try Data("photo".utf8).write(to: store.folder.pending(file)) }
        // The numbers of later changes reach and exceed those of the lost changes.
        for side in [16, 24, 32] { try save(makeJPEG(width: side, height: side), in: makeSystem()) }
        XCTAssertEqual(try unlisted(self.store()), Set(lost.map { "incoming/\($0.fileName)" }))
        XCTAssertEqual(assets(in: makeSystem()).count, 4)
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
        XCTAssertTrue(damaged.allSatisfy { $0.reason.contains($0.url.path) }, "\(damaged)")
    }

    /// Changes one bit of a file.
    private func damage(_ url: URL) throws {
        var data = try Data(contentsOf: url)
        data[data.count / 2] ^= 1
        try data.write(to: url)
    }

    func testAFileWhoseContentsChangeIsDamagedAndIsNotExported() throws {
        let system = makeSystem()
        try save(makeJPEG(), in: system)
        let asset = try XCTUnwrap(assets(in: system).first)
        let resource = try XCTUnwrap(PHAssetResource.assetResources(for: asset).first)
        XCTAssertNil(try resource.damageReason())
        try damage(resource.fileURL())

        let reason = try XCTUnwrap(resource.damageReason())
        let path = try resource.fileURL().path
        XCTAssertTrue(reason.contains("checksum") && reason.contains(path), reason)
        XCTAssertEqual(try store().differences().damaged.map(\.reason), [reason])
        XCTAssertThrowsError(try original(of: asset)) { error in
            XCTAssertTrue(PHPhotosError.invalidResource ~= error, "\(error)")
            XCTAssertTrue("\(error)".contains(reason), "\(error)")
        }
        let copy = folder.appendingPathComponent("copy.jpg")
        let failure = Lock<(any Error)?>(nil)
        PHAssetResourceManager.default().writeData(for: resource, toFile: copy, options: nil) { error in
            failure.withLock { $0 = error }
        }
        let error = try XCTUnwrap(failure.withLock { $0 })
        XCTAssertTrue(PHPhotosError.invalidResource ~= error, "\(error)")
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder.path), ["library"])
    }

    func testARepairCreatesDamagedThumbnailsOfIntactPhotosAgain() throws {
        let system = makeSystem()
        for side in [16, 24, 32] { try save(makeJPEG(width: side, height: side), in: system) }
        let all = assets(in: system)
        let store = try store()
        let thumbnails = all.map { store.folder.thumbnail($0.thumbnailName) }
        try FileManager.default.removeItem(at: thumbnails[0])
        try damage(thumbnails[1])
        try damage(thumbnails[2])
        let original = try PHAssetResource.assetResources(for: all[2])[0].fileURL()
        try damage(original)
        let kept = try Data(contentsOf: thumbnails[2])

        let differences = try store.differences()
        XCTAssertEqual(differences.damaged.filter(\.isThumbnail).map(\.url), thumbnails)
        let repairs = try store.repair(differences)
        XCTAssertEqual(repairs.map(\.localIdentifier), all.prefix(2).map(\.localIdentifier))
        XCTAssertEqual(Set(repairs.map(\.action)), [.createdThumbnail])
        // The last photo is damaged, so its thumbnail is kept.
        XCTAssertEqual(try store.differences().damaged.map(\.url), [original, thumbnails[2]])
        XCTAssertEqual(try Data(contentsOf: thumbnails[2]), kept)
        XCTAssertEqual(try libraryFiles().count, 6)
    }

    func testWithoutAnIntactThumbnailImagesAreDecodedFromThePhoto() throws {
        for removes in [true, false] {
            let system = makeSystem()
            try save(makeJPEG(), in: system)
            let asset = try XCTUnwrap(assets(in: system).last)
            let url = try store().folder.thumbnail(asset.thumbnailName)
            if removes {
                try FileManager.default.removeItem(at: url)
            } else {
                // As after a power failure, the file has no contents.
                try Data(count: 100).write(to: url)
            }
            let size = ImageSize(asset: (64, 48), target: .zero, mode: .aspectFit, resize: .none)
            let image = try ImageSource(asset).image(of: size, fromThumbnail: true)
            XCTAssertEqual(try color(of: image, 4, 4), [0, 0, 255])
        }
    }

    func testAnIndexWithErrorsIsReported() throws {
        let system = makeSystem()
        try save(makeJPEG(), in: system)
        let id = try XCTUnwrap(assets(in: system).first).localIdentifier
        try store().index.write { try $0.execute("DELETE FROM resource") }
        let errors = try store().differences().indexErrors
        XCTAssertEqual(errors, ["it lists no file of the asset \(id)"])
    }

    /// An import, an edit, the restoration of the original and a deletion, with a fault at the 1st, 2nd, … operation of
    /// each: the change is complete or has no effect, and nothing remains of it.
    func testAFaultAtAnyOperationOfAChangeLeavesNothingHalfDone() throws {
        let photos = try [makeJPEG(), makeJPEG(width: 32, height: 32)]
        let rendered = try makeJPEG(width: 24, height: 24)
        for fault in [SimStorage.Fault.fail(.inputOutput), .cut(keepingByteCount: 10, .diskFull), .powerLoss] {
            for kind in ChangeKind.allCases {
                var operation = 0
                var isWithoutFault = false
                while !isWithoutFault {
                    operation += 1
                    XCTAssertLessThan(operation, 100)
                    let context = "\(fault) at operation \(operation) of \(kind)"
                    if FileManager.default.fileExists(atPath: libraryURL.path) {
                        try FileManager.default.removeItem(at: libraryURL)
                    }
                    let first = makeSystem()
                    try save(photos[0], in: first)
                    if kind == .revert {
                        try apply(.edit, in: first, photo: photos[1], edit(rendered, in: first))
                    }
                    let storage = SimStorage()
                    let system = makeSystem(storage: storage)
                    let output = kind == .edit ? try edit(rendered, in: system) : nil
                    let opening = storage.operations.count
                    storage.inject(fault, atOperation: opening + operation)
                    var isSaved = true
                    do {
                        try apply(kind, in: system, photo: photos[1], output)
                    } catch is PHPhotosError {
                        isSaved = false
                    }
                    isWithoutFault = storage.operations.count < opening + operation
                    if isWithoutFault { XCTAssertTrue(isSaved, context) }
                    try assertWhole(kind, isSaved: isSaved, photos: photos, context)
                }
                XCTAssertGreaterThan(operation, 2, "\(kind)")
            }
        }
    }

    private enum ChangeKind: CaseIterable {
        case create, edit, revert, remove
    }

    /// Writes the result of an edit of the first asset.
    private func edit(_ rendered: Data, in system: CaptureSystem) throws -> PHContentEditingOutput {
        let asset = try XCTUnwrap(assets(in: system).first)
        let output = PHContentEditingOutput(
            contentEditingInput: try PHContentEditingInput(asset, canHandle: { _ in false }))
        output.adjustmentData = PHAdjustmentData(formatIdentifier: "test", formatVersion: "1", data: Data([1]))
        try rendered.write(to: output.renderedContentURL)
        return output
    }

    private func apply(
        _ kind: ChangeKind, in system: CaptureSystem, photo: Data, _ edit: PHContentEditingOutput?
    ) throws {
        guard kind != .create else {
            try save(photo, in: system)
            return
        }
        let asset = try XCTUnwrap(assets(in: system).first)
        try system.run {
            try PHPhotoLibrary.shared().performChangesAndWait {
                switch kind {
                case .create: break
                case .edit: PHAssetChangeRequest(for: asset).contentEditingOutput = edit
                case .revert: PHAssetChangeRequest(for: asset).revertAssetContentToOriginal()
                case .remove: PHAssetChangeRequest.removeAssets(withLocalIdentifiers: [asset.localIdentifier])
                }
            }
        }
    }

    private func assertWhole(_ kind: ChangeKind, isSaved: Bool, photos: [Data], _ context: String) throws {
        let system = makeSystem()
        // The first change finishes or removes what an interrupted one has left.
        try system.run { try PHPhotoLibrary.shared().performChangesAndWait {} }
        let found = assets(in: system)
        let originals = try found.map { try original(of: $0) }
        let isEdited = found.first?.hasAdjustments
        switch kind {
        case .create: XCTAssertEqual(originals, isSaved ? photos : [photos[0]], context)
        case .edit: XCTAssertEqual(isEdited, isSaved, context)
        case .revert: XCTAssertEqual(isEdited, !isSaved, context)
        case .remove: XCTAssertEqual(found.count, isSaved ? 0 : 1, context)
        }
        if kind == .edit || kind == .revert { XCTAssertEqual(originals, [photos[0]], context) }
        let differences = try store().differences()
        XCTAssertTrue(differences.isEmpty, "\(context): \(differences)")
        let fileCount = found.reduce(0) { $0 + ($1.hasAdjustments ? 4 : 2) }
        // The systems of the test still use their folders for edits.
        let files = try libraryFiles().filter { !$0.hasPrefix("edits/") }
        XCTAssertEqual(files.count, fileCount, "\(context): \(files)")
    }

    func testADeletionThatWasInterruptedIsFinishedByALaterChange() throws {
        let system = makeSystem()
        try save(makeJPEG(), in: system)
        let asset = try XCTUnwrap(assets(in: system).first)
        let name = try XCTUnwrap(originals().first).dropFirst("originals/".count)
        var lease: FileLease? = try FileLease(store().original(String(name)), in: store())
        XCTAssertNotNil(lease)
        try remove([asset], in: system)
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
        let nested = PendingFile(index: "00ff", change: 12, kind: .original, name: "2026/07/IMG_0001.HEIC")
        XCTAssertFalse(nested.fileName.contains("/"), nested.fileName)
        XCTAssertEqual(PendingFile(fileName: nested.fileName), nested)
        for name in [
            "", "a", "00ff.12.thumbnail", "00ff.12.thumbnail.", "00ff.x.original.a", "00ff.1.movie.a", ".1.original.a",
        ] {
            XCTAssertNil(PendingFile(fileName: name), name)
        }
    }
}
