import CaptureHAL
import Foundation
import MediaStorage
import MediaTypes
import XCTest

@testable import PhotoStore

/// The consistency of the library after failures of storage, power or input.
final class LibraryStoreTests: PhotoLibraryTestCase {
    /// Checks that a reopened library contains the assets that were reported as saved, completely, and no other files.
    private func assertConsistency(saved: [String: Data], _ context: String) throws {
        let system = makeSystem()
        let found = assets(in: system)
        XCTAssertEqual(Set(found.map(\.localIdentifier)), Set(saved.keys), context)
        for asset in found {
            XCTAssertEqual(try original(of: asset), saved[asset.localIdentifier], context)
        }
        // The first change finishes or removes what an interrupted one has left.
        try system.run { try PHPhotoLibrary.shared().performChangesAndWait {} }
        for asset in found {
            let thumbnail = libraryURL.appendingPathComponent("thumbnails/\(asset.thumbnailName)")
            XCTAssertEqual(try Data(contentsOf: thumbnail).prefix(2), Data([0xFF, 0xD8]), context)
        }
        XCTAssertEqual(try libraryFiles().count, 2 * saved.count, context)
        XCTAssertTrue(try system.run { try PHPhotoLibrary.shared().differences() }.isEmpty, context)
        XCTAssertNil(system.run { PHPhotoLibrary.shared().unavailabilityReason }, context)
    }

    /// Imports two photos into a library that contains one, with a fault at the 1st, 2nd, … operation.
    private func assertConsistency(with fault: SimStorage.Fault) throws {
        let photos = try [makeJPEG(), makeJPEG(width: 80, height: 80), makeJPEG(width: 32, height: 32)]
        var operation = 0
        var isWithoutFault = false
        while !isWithoutFault {
            operation += 1
            XCTAssertLessThan(operation, 200)
            if FileManager.default.fileExists(atPath: libraryURL.path) {
                try FileManager.default.removeItem(at: libraryURL)
            }
            var saved = [try save(photos[0], in: makeSystem()): photos[0]]
            let storage = SimStorage()
            storage.inject(fault, atOperation: operation)
            let system = makeSystem(storage: storage)
            for photo in photos[1...] {
                do {
                    saved[try save(photo, in: system)] = photo
                } catch let error as PHPhotosError {
                    XCTAssertFalse(error.message.isEmpty)
                } catch {
                    XCTFail("\(error) is not a PHPhotosError")
                }
            }
            isWithoutFault = storage.operations.count < operation
            if isWithoutFault { XCTAssertEqual(saved.count, 3) }
            try assertConsistency(saved: saved, "\(fault) at \(operation)")
        }
        XCTAssertGreaterThan(operation, 20, "the test covered too few operations")
    }

    func testAFailingOperationLosesNoSavedAsset() throws {
        try assertConsistency(with: .fail(.inputOutput))
    }

    func testAFullDiskLosesNoSavedAsset() throws {
        try assertConsistency(with: .cut(keepingByteCount: 100, .diskFull))
    }

    func testAPowerLossLosesNoSavedAsset() throws {
        try assertConsistency(with: .powerLoss)
    }

    func testAFullDiskIsReportedAsNotEnoughSpace() throws {
        let storage = SimStorage()
        let system = makeSystem(storage: storage)
        try save(makeJPEG(), in: system)
        storage.freeByteCount = 1000
        XCTAssertThrowsError(try save(makeJPEG(width: 640, height: 480), in: system)) {
            XCTAssertTrue(PHPhotosError.notEnoughSpace ~= $0, "\($0)")
        }
        XCTAssertEqual(assets(in: system).count, 1)
    }

    func testOriginalsAndTheirNamesAreFlushedBeforeTheCommit() throws {
        let storage = SimStorage()
        let system = makeSystem(storage: storage)
        XCTAssertNil(system.run { PHPhotoLibrary.shared().unavailabilityReason })
        let written: [StorageError.Operation] = [.create, .write, .flush, .create, .write]
        let named: [StorageError.Operation] = [.rename, .rename, .flush, .rename, .rename]
        // The first photo of a month creates the folder, and flushes those of the year and of all originals.
        for expected in [written + [.createDirectory, .flush, .flush] + named, written + named] {
            let before = storage.operations.count
            try save(makeJPEG(), in: system)
            XCTAssertEqual(storage.operations[before...].map(\.kind), expected)
        }
    }

    func testAnInterruptedDeletionLeavesNoFiles() throws {
        for count in 1...3 {
            let storage = SimStorage()
            let system = makeSystem(storage: storage)
            try save(makeJPEG(), in: system)
            let asset = try XCTUnwrap(assets(in: system).first)
            storage.inject(.powerLoss, atOperation: storage.operations.count + count)
            try remove([asset], in: system)
            try assertConsistency(saved: [:], "power loss at removal \(count)")
        }
    }

    func testInvalidFilesAreRejectedWithAReason() throws {
        let text = folder.appendingPathComponent("text.jpg")
        try Data("text instead of an image".utf8).write(to: text)
        let jpeg = try makeJPEG(width: 400, height: 300)
        let start = Data(jpeg.prefix(20))
        let movie = try Data(contentsOf: makeMovie())
        let cases: [(PHAssetResourceType, ResourceDraft.Content, String)] = [
            (.photo, .file(text), "text.jpg cannot be imported: it is not a JPEG, PNG, HEIF, WebP or DNG image"),
            (.video, .file(text), "text.jpg cannot be imported: it is not a QuickTime"),
            (.photo, .data(Data()), "it is empty"),
            (.photo, .data(start), "cannot be imported"),
            (.photo, .data(Data(jpeg.prefix(200))), "its header is damaged"),
            (.photo, .data(movie), "it is not a JPEG, PNG, HEIF, WebP or DNG image"),
            (.video, .data(jpeg), "it is not a QuickTime"),
            (.video, .data(Data(movie.prefix(200))), "cannot be imported"),
            (.photo, .data(Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3])), "cannot be imported"),
        ]
        let system = makeSystem()
        for (type, content, message) in cases {
            XCTAssertThrowsError(
                try system.run {
                    try PHPhotoLibrary.shared().performChangesAndWait {
                        let request = PHAssetCreationRequest.forAsset()
                        switch content {
                        case .data(let data): request.addResource(with: type, data: data, options: nil)
                        case .file(let url): request.addResource(with: type, fileURL: url, options: nil)
                        }
                    }
                }, message
            ) { error in
                XCTAssertTrue(PHPhotosError.invalidResource ~= error, "\(error)")
                XCTAssertEqual((error as NSError).code, 3302)
                XCTAssertTrue("\(error)".contains(message), "\(error)")
            }
        }
        XCTAssertEqual(try libraryFiles(), [])
    }

    func testUnsupportedCombinationsOfResourcesAreRejected() throws {
        let photo = try makeJPEG()
        let system = makeSystem()
        let cases: [([PHAssetResourceType], PHPhotosError.Code)] = [
            ([], .missingResource), ([.alternatePhoto], .missingResource), ([.photo, .photo], .invalidResource),
            ([.photo, .video], .invalidResource), ([.photo, .adjustmentData], .invalidResource),
        ]
        for (types, code) in cases {
            XCTAssertThrowsError(
                try system.run {
                    try PHPhotoLibrary.shared().performChangesAndWait {
                        let request = PHAssetCreationRequest.forAsset()
                        for type in types { request.addResource(with: type, data: photo, options: nil) }
                    }
                }
            ) { XCTAssertEqual(($0 as? PHPhotosError)?.code, code, "\($0)") }
        }
        XCTAssertTrue(PHAssetCreationRequest.supportsAssetResourceTypes([1, 9]))
        XCTAssertFalse(PHAssetCreationRequest.supportsAssetResourceTypes([1, 2]))
        XCTAssertFalse(PHAssetCreationRequest.supportsAssetResourceTypes([99]))
    }

    func testErrorsNameAMissingFileAndAnUnusableFolder() throws {
        let missing = folder.appendingPathComponent("missing.jpg")
        let system = makeSystem()
        try system.run {
            XCTAssertNoThrow(
                try PHPhotoLibrary.shared().performChangesAndWait {
                    XCTAssertNil(PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: missing))
                })
            XCTAssertThrowsError(
                try PHPhotoLibrary.shared().performChangesAndWait {
                    PHAssetCreationRequest.forAsset().addResource(with: .photo, fileURL: missing, options: nil)
                }
            ) {
                XCTAssertTrue(PHPhotosError.missingResource ~= $0)
                XCTAssertTrue("\($0)".contains(missing.path), "\($0)")
            }
        }
        let file = folder.appendingPathComponent("file")
        try Data("x".utf8).write(to: file)
        let inFile = makeSystem(library: file.appendingPathComponent("library"))
        XCTAssertEqual(assets(in: inFile), [])
        let reason = inFile.run { PHPhotoLibrary.shared().unavailabilityReason }
        XCTAssertEqual((reason as? PHPhotosError)?.code, .libraryVolumeOffline)
        XCTAssertTrue("\(reason.map { "\($0)" } ?? "")".contains(file.path))
    }

    func testAnInvalidIndexIsReportedAndNotModified() throws {
        try FileManager.default.createDirectory(at: libraryURL, withIntermediateDirectories: true)
        let index = libraryURL.appendingPathComponent("index.sqlite")
        let text = Data(String(repeating: "not an index\n", count: 100).utf8)
        try text.write(to: index)
        let system = makeSystem()
        let reason = system.run { PHPhotoLibrary.shared().unavailabilityReason }
        XCTAssertEqual((reason as? PHPhotosError)?.code, .libraryVolumeOffline)
        XCTAssertTrue("\(reason.map { "\($0)" } ?? "")".contains(index.path), "\(String(describing: reason))")
        XCTAssertEqual(try Data(contentsOf: index), text)
    }

    func testOnlyTheOwnerCanReadANewLibrary() throws {
        let previous = umask(0)
        defer { umask(previous) }
        let system = makeSystem()
        try save(makeJPEG(), in: system)
        XCTAssertEqual(try permissions(of: libraryURL), 0o700)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: libraryURL.path)
        XCTAssertTrue(paths.contains("index.sqlite") && paths.contains { $0.hasPrefix("originals/") }, "\(paths)")
        for path in paths {
            let url = libraryURL.appendingPathComponent(path)
            XCTAssertEqual(try permissions(of: url), url.isFolder ? 0o700 : 0o600, path)
        }
        XCTAssertFalse(PHPhotoLibrary.isOpenToOthers(at: libraryURL))
    }

    func testALibraryThatOthersCanReadIsDetected() throws {
        XCTAssertFalse(PHPhotoLibrary.isOpenToOthers(at: libraryURL))
        try save(makeJPEG(), in: makeSystem())
        // Others can enter the folder, but read nothing in it.
        XCTAssertEqual(chmod(libraryURL.path, 0o755), 0)
        XCTAssertFalse(PHPhotoLibrary.isOpenToOthers(at: libraryURL))
        XCTAssertEqual(chmod(libraryURL.appendingPathComponent("index.sqlite").path, 0o644), 0)
        XCTAssertTrue(PHPhotoLibrary.isOpenToOthers(at: libraryURL))
        XCTAssertEqual(chmod(libraryURL.path, 0o700), 0)
        XCTAssertFalse(PHPhotoLibrary.isOpenToOthers(at: libraryURL))
    }

    func testALibraryThatOthersCanEnterButNotReadIsNotOpen() throws {
        try save(makeJPEG(), in: makeSystem())
        let originals = libraryURL.appendingPathComponent("originals")
        // Others can search the folders, but not list them.
        XCTAssertEqual(chmod(libraryURL.path, 0o711), 0)
        XCTAssertEqual(chmod(originals.path, 0o711), 0)
        XCTAssertFalse(PHPhotoLibrary.isOpenToOthers(at: libraryURL))
        // The group can enter the library, but only other users could list the originals.
        XCTAssertEqual(chmod(libraryURL.path, 0o750), 0)
        XCTAssertEqual(chmod(originals.path, 0o705), 0)
        XCTAssertFalse(PHPhotoLibrary.isOpenToOthers(at: libraryURL))
        XCTAssertEqual(chmod(originals.path, 0o750), 0)
        XCTAssertTrue(PHPhotoLibrary.isOpenToOthers(at: libraryURL))
    }

    func testAnExportedFileHasTheStandardPermissions() throws {
        let previous = umask(0o027)
        defer { umask(previous) }
        let system = makeSystem()
        try save(makeJPEG(), in: system)
        let asset = try XCTUnwrap(assets(in: system).first)
        let resource = try XCTUnwrap(PHAssetResource.assetResources(for: asset).first)
        let copy = folder.appendingPathComponent("copy.jpg")
        PHAssetResourceManager.default().writeData(for: resource, toFile: copy, options: nil) { XCTAssertNil($0) }
        XCTAssertEqual(try permissions(of: copy), 0o640)
    }

    private func permissions(of url: URL) throws -> Int? {
        (try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? NSNumber)?.intValue
    }

    func testOpeningKeepsTheFilesOfAConcurrentImport() throws {
        let store = try LibraryStore(at: libraryURL, storage: DiskStorage())
        try store.index.write { _ in
            let partial = store.folder.partial("movie")
            try Data("half".utf8).write(to: partial)
            _ = try LibraryStore(at: libraryURL, storage: DiskStorage())
            XCTAssertTrue(FileManager.default.fileExists(atPath: partial.path))
        }
        let other = try LibraryStore(at: libraryURL, storage: DiskStorage())
        XCTAssertEqual(try libraryFiles(), ["incoming/movie.partial"])
        _ = try other.apply([], at: Date(timeIntervalSince1970: 0))
        XCTAssertEqual(try libraryFiles(), [])
    }
}

extension URL {
    fileprivate var isFolder: Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
