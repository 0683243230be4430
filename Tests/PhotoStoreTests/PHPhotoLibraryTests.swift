import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes
import XCTest

@testable import PhotoStore

final class PHPhotoLibraryTests: PhotoLibraryTestCase {
    func testASavedPhotoIsListedWithItsSizeDateAndData() throws {
        var exif = EXIF()
        exif.originalTime = EXIF.Moment(
            year: 2026, month: 3, day: 29, hour: 12, minute: 30, second: 15, millisecond: 250, offsetMinutes: 120)
        let photo = try makeJPEG(exif: exif)
        let system = makeSystem()
        let identifier = try save(photo, in: system)

        let asset = try XCTUnwrap(assets(in: system).first)
        XCTAssertEqual(assets(in: system).count, 1)
        XCTAssertEqual(asset.localIdentifier, identifier)
        XCTAssertEqual(asset.mediaType, .image)
        XCTAssertEqual([asset.pixelWidth, asset.pixelHeight], [64, 48])
        XCTAssertEqual(asset.duration, 0)
        XCTAssertEqual(asset.creationDate?.timeIntervalSince1970 ?? 0, 1_774_780_215.25, accuracy: 0.001)
        XCTAssertEqual(asset.addedDate, system.clock.date(at: system.clock.now))
        XCTAssertEqual(try original(of: asset), photo)
        let resource = try XCTUnwrap(PHAssetResource.assetResources(for: asset).first)
        XCTAssertEqual(resource.uniformTypeIdentifier, "public.jpeg")
        XCTAssertEqual(resource.originalFilename, "IMG_0001.JPG")
    }

    func testASavedMovieIsListedWithItsSizeAndDuration() throws {
        let movie = try makeMovie(arguments: ["-metadata", "creation_time=2001-02-03T04:05:06Z"])
        let system = makeSystem()
        try saveMovie(movie, in: system)
        let asset = try XCTUnwrap(assets(in: system).first)
        XCTAssertEqual(asset.mediaType, .video)
        XCTAssertEqual(asset.creationDate, Date(timeIntervalSince1970: 981_173_106))
        XCTAssertEqual([asset.pixelWidth, asset.pixelHeight], [64, 48])
        XCTAssertEqual(asset.duration, 1, accuracy: 0.001)
        XCTAssertEqual(try original(of: asset), try Data(contentsOf: movie))
        let resource = try XCTUnwrap(PHAssetResource.assetResources(for: asset).first)
        XCTAssertEqual(resource.uniformTypeIdentifier, "com.apple.quicktime-movie")
        XCTAssertEqual(resource.originalFilename, "clip.mov")
    }

    func testMoviesOfRealCamerasAreImported() throws {
        let media = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Fixtures/Media").standardizedFileURL
        let system = makeSystem()
        for name in ["street-3s.avi", "handheld-3s.mp4"] {
            try saveMovie(media.appendingPathComponent(name), in: system)
        }
        let found = assets(in: system)
        XCTAssertEqual(found.map { [$0.pixelWidth, $0.pixelHeight] }, [[768, 576], [640, 480]])
        for asset in found {
            XCTAssertEqual(asset.duration, 3, accuracy: 0.15)
            XCTAssertEqual(asset.creationDate, asset.addedDate, "these files contain no date")
        }
        XCTAssertEqual(
            found.compactMap { PHAssetResource.assetResources(for: $0).first?.uniformTypeIdentifier },
            ["public.avi", "public.mpeg-4"])
    }

    func testAReopenedLibraryIsUnchanged() throws {
        let photo = try makeJPEG()
        let identifier = try save(photo, in: makeSystem())
        let reopened = makeSystem()
        let asset = try XCTUnwrap(assets(in: reopened).first)
        XCTAssertEqual(asset.localIdentifier, identifier)
        XCTAssertEqual(try original(of: asset), photo)
    }

    func testASeedDeterminesUniqueIdentifiers() throws {
        let photo = try makeJPEG()
        let first = try save(photo, in: makeSystem())
        let second = try save(photo, in: makeSystem())
        XCTAssertNotEqual(first, second)
        let elsewhere = folder.appendingPathComponent("elsewhere")
        XCTAssertEqual(try save(photo, in: makeSystem(library: elsewhere)), first)
        XCTAssertEqual(try save(photo, in: makeSystem(library: elsewhere)), second)
        XCTAssertNotEqual(try save(photo, in: makeSystem(library: elsewhere, seed: 8)), first)
        XCTAssertNotNil(UUID(uuidString: String(first.prefix { $0 != "/" })))
    }

    func testTwoProcessesWithTheSameSeedNeverUseTheSameIdentifier() throws {
        // Two systems behave like two processes: each has its own source of identifiers and its own connection.
        let (first, second) = (makeSystem(), makeSystem())
        let photos = try [makeJPEG(), makeJPEG(width: 80, height: 80)]
        let identifiers = Lock<[String]>([])
        try first.run {
            try PHPhotoLibrary.shared().performChangesAndWait {
                let request = PHAssetCreationRequest.forAsset()
                request.addResource(with: .photo, data: photos[0], options: nil)
                identifiers.withLock { $0.append(request.placeholderForCreatedAsset?.localIdentifier ?? "") }
                // The other system creates its identifier between the reservation and the use of this one.
                let isSaved = DispatchSemaphore(value: 0)
                let photo = photos[1]
                Thread {
                    try? second.run {
                        try PHPhotoLibrary.shared().performChangesAndWait {
                            let request = PHAssetCreationRequest.forAsset()
                            request.addResource(with: .photo, data: photo, options: nil)
                            identifiers.withLock {
                                $0.append(request.placeholderForCreatedAsset?.localIdentifier ?? "")
                            }
                        }
                    }
                    isSaved.signal()
                }.start()
                isSaved.wait()
            }
        }
        let reserved = identifiers.withLock { $0 }
        XCTAssertEqual(Set(reserved).count, 2)
        XCTAssertEqual(Set(assets(in: makeSystem()).map(\.localIdentifier)), Set(reserved))
    }

    func testTheIdentifierOfAFailedChangeIsReused() throws {
        XCTAssertThrowsError(try save(Data("not an image".utf8), in: makeSystem()))
        let identifier = try save(makeJPEG(), in: makeSystem())
        let other = makeSystem(library: folder.appendingPathComponent("other"))
        XCTAssertEqual(try save(makeJPEG(), in: other), identifier)
    }

    func testImportingAFileTwiceCreatesTwoAssets() throws {
        let file = folder.appendingPathComponent("same.jpg")
        try makeJPEG().write(to: file)
        let system = makeSystem()
        for _ in 0..<2 {
            try system.run {
                try PHPhotoLibrary.shared().performChangesAndWait {
                    _ = PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: file)
                }
            }
        }
        XCTAssertEqual(assets(in: system).count, 2)
        for asset in assets(in: system) {
            XCTAssertEqual(PHAssetResource.assetResources(for: asset).map(\.originalFilename), ["same.jpg"])
            XCTAssertEqual(try original(of: asset), try Data(contentsOf: file))
        }
    }

    func testChangesAreAppliedInTheOrderOfTheCallsAndReported() throws {
        let photo = try makeJPEG()
        let system = makeSystem()
        let log = Lock<[String]>([])
        system.run {
            for number in 0..<3 {
                PHPhotoLibrary.shared().performChanges {
                    PHAssetCreationRequest.forAsset().addResource(with: .photo, data: photo, options: nil)
                } completionHandler: { success, error in
                    log.withLock { $0.append("\(number) \(success) \(error == nil)") }
                }
            }
        }
        XCTAssertEqual(log.withLock { $0 }, ["0 true true", "1 true true", "2 true true"])
        XCTAssertEqual(assets(in: system).count, 3)
    }

    func testPerformingChangesOnAHostClockCanBeAwaited() async throws {
        let photo = try makeJPEG()
        let system = makeSystem(clock: HostClock.shared)
        try await system.run {
            try await PHPhotoLibrary.shared().performChanges {
                PHAssetCreationRequest.forAsset().addResource(with: .photo, data: photo, options: nil)
            }
        }
        XCTAssertEqual(assets(in: system).count, 1)
    }

    func testAChangeBlockIsAtomic() throws {
        let photo = try makeJPEG()
        let system = makeSystem()
        XCTAssertThrowsError(
            try system.run {
                try PHPhotoLibrary.shared().performChangesAndWait {
                    PHAssetCreationRequest.forAsset().addResource(with: .photo, data: photo, options: nil)
                    PHAssetCreationRequest.forAsset().addResource(with: .photo, data: Data("text".utf8), options: nil)
                }
            })
        XCTAssertEqual(assets(in: system), [])
        XCTAssertEqual(try libraryFiles(), [])
    }

    func testAnAssetIsChangedAndDeleted() throws {
        let system = makeSystem()
        try save(makeJPEG(), in: system)
        let asset = try XCTUnwrap(assets(in: system).first)
        let date = Date(timeIntervalSince1970: 1_000_000)
        try system.run {
            try PHPhotoLibrary.shared().performChangesAndWait {
                let request = PHAssetChangeRequest(for: asset)
                request.isFavorite = true
                request.creationDate = date
            }
        }
        let changed = try XCTUnwrap(assets(in: system).first)
        XCTAssertTrue(changed.isFavorite)
        XCTAssertFalse(changed.isHidden)
        XCTAssertEqual(changed.creationDate, date)
        XCTAssertFalse(asset.isFavorite, "a fetched asset does not change")

        try system.run {
            try PHPhotoLibrary.shared().performChangesAndWait { PHAssetChangeRequest.deleteAssets([asset] as NSArray) }
        }
        XCTAssertEqual(assets(in: system), [])
        XCTAssertEqual(try libraryFiles().count, 2, "a deleted asset is kept for 30 days")
        XCTAssertThrowsError(
            try system.run {
                try PHPhotoLibrary.shared().performChangesAndWait { PHAssetChangeRequest(for: asset).isHidden = true }
            }
        ) { XCTAssertTrue(PHPhotosError.identifierNotFound ~= $0, "\($0)") }
    }

    func testAMovedFileIsRemovedAndACopiedFileRemains() throws {
        let system = makeSystem()
        for shouldMove in [false, true] {
            let file = folder.appendingPathComponent("moved-\(shouldMove).jpg")
            try makeJPEG().write(to: file)
            try system.run {
                try PHPhotoLibrary.shared().performChangesAndWait {
                    let options = PHAssetResourceCreationOptions()
                    options.shouldMoveFile = shouldMove
                    PHAssetCreationRequest.forAsset().addResource(with: .photo, fileURL: file, options: options)
                }
            }
            XCTAssertEqual(FileManager.default.fileExists(atPath: file.path), !shouldMove)
        }
        XCTAssertEqual(assets(in: system).count, 2)
    }

    func testAnAssetHasTheRatingThatTheUserGaveIt() throws {
        let system = makeSystem()
        for _ in 0..<2 { try save(makeJPEG(), in: system) }
        let asset = try XCTUnwrap(assets(in: system).first)
        XCTAssertEqual(assets(in: system).map(\.rating), [.unset, .unset])
        for rating in [PHAsset.Rating.four, .unset, .five] {
            try system.run {
                try PHPhotoLibrary.shared().performChangesAndWait {
                    PHAssetChangeRequest(for: asset).rating = rating
                }
            }
            XCTAssertEqual(assets(in: system).map(\.rating), [rating, .unset])
        }
        // Another system reads the same library.
        XCTAssertEqual(assets(in: makeSystem()).map(\.rating), [.five, .unset])
    }

    func testALivePhotoHasAPhotoAndAMovie() throws {
        let (photo, movie) = (try makeJPEG(), try makeMovie())
        let system = makeSystem()
        try system.run {
            try PHPhotoLibrary.shared().performChangesAndWait {
                let request = PHAssetCreationRequest.forAsset()
                request.addResource(with: .pairedVideo, fileURL: movie, options: nil)
                request.addResource(with: .photo, data: photo, options: nil)
            }
        }
        let asset = try XCTUnwrap(assets(in: system).first)
        XCTAssertEqual(asset.mediaType, .image)
        XCTAssertEqual(asset.mediaSubtypes, .photoLive)
        XCTAssertEqual(PHAssetResource.assetResources(for: asset).map(\.type), [.photo, .pairedVideo])
    }

    func testChangeRequestsOutsideABlockAreMisuse() throws {
        let system = makeSystem()
        let request = system.run { PHAssetCreationRequest.forAsset() }
        XCTAssertNil(request.placeholderForCreatedAsset)
        XCTAssertEqual(misuse.map(\.exception), [.internalInconsistency])
        XCTAssertEqual(assets(in: system), [])
    }

    func testAChangeBlockRejectsObjectsOfAnotherLibrary() throws {
        let system = makeSystem(name: "a")
        let other = makeSystem(name: "b", library: folder.appendingPathComponent("other"))
        // Both libraries have the same identifiers.
        try save(makeJPEG(), in: system)
        try save(makeJPEG(), in: other)
        let foreign = try XCTUnwrap(assets(in: other).first)
        let library = system.run { PHPhotoLibrary.shared() }
        try library.performChangesAndWait {
            PHAssetChangeRequest.deleteAssets([foreign])
            PHAssetChangeRequest(for: foreign).isFavorite = true
            PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "A").addAssets([foreign])
        }
        XCTAssertEqual(misuse.map(\.exception), [.invalidArgument, .invalidArgument, .invalidArgument])
        for message in misuse.map(\.message) {
            XCTAssertTrue(message.hasSuffix("the PHAsset belongs to b, but the change block belongs to a"), message)
        }
        XCTAssertEqual(assets(in: system).map(\.isFavorite), [false])
        let album = system.run { PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: nil) }
        XCTAssertEqual(album.objects.map(\.estimatedAssetCount), [0])
    }

    func testHandlersRunInTheSystemOfTheLibrary() throws {
        let system = makeSystem(states: [.photoLibraryAdditions: .notDetermined, .photoLibrary: .notDetermined])
        let photo = try makeJPEG()
        let systems = Lock<[CaptureSystem?]>([])
        let record: @Sendable () -> Void = {
            let current = CaptureSystem.innermostRun
            systems.withLock { $0.append(current) }
        }
        let library = system.run { PHPhotoLibrary.shared() }
        library.performChanges {
            record()
            PHAssetCreationRequest.forAsset().addResource(with: .photo, data: photo, options: nil)
        } completionHandler: { isSaved, _ in
            XCTAssertTrue(isSaved)
            record()
        }
        system.run { PHPhotoLibrary.requestAuthorization(for: .readWrite) { _ in record() } }
        try XCTUnwrap(system.clock as? SimClock).advance(by: .seconds(1))
        let asset = try XCTUnwrap(assets(in: system).first)
        let resource = try XCTUnwrap(PHAssetResource.assetResources(for: asset).first)
        system.run { PHAssetResourceManager.default() }.requestData(for: resource, options: nil) { _ in
            record()
        } completionHandler: { _ in
            record()
        }
        system.run { PHImageManager.default() }.requestImage(
            for: asset, targetSize: CGSize(width: 8, height: 8), contentMode: .aspectFit, options: nil
        ) { _, _ in record() }
        try XCTUnwrap(system.clock as? SimClock).settle()
        let recorded = systems.withLock { $0 }
        XCTAssertEqual(recorded.count, 6)
        XCTAssertTrue(recorded.allSatisfy { $0 === system }, "\(recorded)")
    }

    func testEachSystemCountsItsOwnRequests() throws {
        let systems = [makeSystem(), makeSystem()]
        try save(makeJPEG(), in: systems[0])
        let options = PHImageRequestOptions()
        options.isSynchronous = true
        for system in systems {
            let asset = try XCTUnwrap(assets(in: system).first)
            let number = system.run {
                PHImageManager.default().requestImageDataAndOrientation(for: asset, options: options) { _, _, _, _ in }
            }
            XCTAssertEqual(number, 1)
        }
    }

    func testChangesInsideABlockAreMisuse() throws {
        let system = makeSystem()
        let library = system.run { PHPhotoLibrary.shared() }
        try library.performChangesAndWait {
            do {
                try library.performChangesAndWait {}
                XCTFail("changes were performed inside a change block")
            } catch {
                XCTAssertTrue(PHPhotosError.operationInterrupted ~= error, "\(error)")
            }
        }
        XCTAssertEqual(misuse.map(\.exception), [.internalInconsistency])
    }
}
