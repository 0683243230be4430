import CaptureHAL
import CoreLocation
import Foundation
import MediaCodecs
import MediaTypes
import XCTest

@testable import PhotoStore

final class PHContentEditingTests: PhotoLibraryTestCase {
    private final class RecordingObserver: NSObject, PHPhotoLibraryChangeObserver {
        let changes = Lock<[PHChange]>([])

        func photoLibraryDidChange(_ changeInstance: PHChange) { changes.withLock { $0.append(changeInstance) } }
    }

    private let adjustment = PHAdjustmentData(formatIdentifier: "org.test", formatVersion: "1", data: Data([1, 2]))

    private func asset(in system: CaptureSystem) throws -> PHAsset { try XCTUnwrap(assets(in: system).first) }

    private func input(
        of asset: PHAsset, canHandle: @escaping @Sendable (PHAdjustmentData) -> Bool = { _ in false }
    ) throws -> PHContentEditingInput {
        try PHContentEditingInput(asset, canHandle: canHandle)
    }

    private func resourceTypes(of asset: PHAsset) -> [PHAssetResourceType] {
        PHAssetResource.assetResources(for: asset).map(\.type)
    }

    /// Replaces the content of an asset, and returns the URL of the rendered file.
    @discardableResult
    private func edit(_ asset: PHAsset, _ content: Data, in system: CaptureSystem) throws -> URL {
        let output = PHContentEditingOutput(contentEditingInput: try input(of: asset))
        output.adjustmentData = adjustment
        try content.write(to: output.renderedContentURL)
        try system.run {
            try PHPhotoLibrary.shared().performChangesAndWait {
                PHAssetChangeRequest(for: asset).contentEditingOutput = output
            }
        }
        return output.renderedContentURL
    }

    private func imageSize(_ asset: PHAsset, _ version: PHImageRequestOptionsVersion) -> [Int] {
        let options = PHImageRequestOptions()
        options.isSynchronous = true
        options.version = version
        let size = Lock<[Int]>([])
        PHImageManager.default().requestImage(
            for: asset, targetSize: PHImageManagerMaximumSize, contentMode: .aspectFit, options: options
        ) { image, _ in
            size.withLock { $0 = [image?.cgImage?.width ?? 0, image?.cgImage?.height ?? 0] }
        }
        return size.withLock { $0 }
    }

    func testAnEditIsDisplayedAndTheOriginalRemains() throws {
        let system = makeSystem()
        let original = try makeJPEG(width: 64, height: 48)
        try save(original, in: system)
        let before = try asset(in: system)
        let observer = RecordingObserver()
        system.run { PHPhotoLibrary.shared() }.register(observer)
        let rendered = try edit(before, makeJPEG(width: 32, height: 32), in: system)
        XCTAssertFalse(FileManager.default.fileExists(atPath: rendered.path))
        let change = try XCTUnwrap(observer.changes.withLock { $0.first })
        XCTAssertEqual(change.changeDetails(for: before)?.assetContentChanged, true)

        let edited = try asset(in: makeSystem())
        XCTAssertTrue(edited.hasAdjustments)
        XCTAssertEqual(edited.adjustmentFormatIdentifier, "org.test")
        XCTAssertEqual([edited.pixelWidth, edited.pixelHeight], [32, 32])
        XCTAssertEqual(resourceTypes(of: edited), [.photo, .fullSizePhoto, .adjustmentData])
        XCTAssertEqual(try self.original(of: edited), original)
        XCTAssertEqual(imageSize(edited, .current), [32, 32])
        XCTAssertEqual(imageSize(edited, .original), [64, 48])
        XCTAssertEqual(imageSize(before, .current), [64, 48], "an older snapshot has its own size")
    }

    func testAnEditIsContinuedOnlyIfItsFormatIsKnown() throws {
        let system = makeSystem()
        try save(makeJPEG(width: 64, height: 48), in: system)
        try edit(asset(in: system), makeJPEG(width: 32, height: 32), in: system)
        let edited = try asset(in: system)
        let flat = try input(of: edited)
        XCTAssertNil(flat.adjustmentData)
        XCTAssertEqual(flat.displaySizeImage?.size, CGSize(width: 32, height: 32))
        let continued = try input(of: edited) { $0.formatIdentifier == "org.test" }
        XCTAssertEqual(continued.adjustmentData?.data, Data([1, 2]))
        XCTAssertEqual(continued.adjustmentData?.formatVersion, "1")
        XCTAssertEqual(continued.displaySizeImage?.size, CGSize(width: 64, height: 48))
        XCTAssertEqual(continued.fullSizeImageOrientation, 1)
        XCTAssertNil(continued.audiovisualAsset)
        XCTAssertNotEqual(continued.fullSizeImageURL, flat.fullSizeImageURL)
    }

    func testEditsOfDifferentLibrariesHaveSeparateFiles() throws {
        let other = libraryURL.deletingLastPathComponent().appendingPathComponent("other", isDirectory: true)
        let outputs = try [libraryURL, other].map { library in
            let system = makeSystem(library: library, seed: 7)
            try save(makeJPEG(), in: system)
            return PHContentEditingOutput(contentEditingInput: try input(of: asset(in: system)))
        }
        XCTAssertNotEqual(outputs[0].renderedContentURL, outputs[1].renderedContentURL, "the seeds are equal")
    }

    func testRevertingRemovesTheFilesOfTheEdit() throws {
        let system = makeSystem()
        try save(makeJPEG(width: 64, height: 48), in: system)
        try edit(asset(in: system), makeJPEG(width: 32, height: 32), in: system)
        try edit(asset(in: system), makeJPEG(width: 16, height: 16), in: system)
        XCTAssertEqual(try libraryFiles().count, 4, "files of the first edit are removed")
        let edited = try asset(in: system)
        try system.run {
            try PHPhotoLibrary.shared().performChangesAndWait {
                PHAssetChangeRequest(for: edited).revertAssetContentToOriginal()
            }
        }
        let reverted = try asset(in: system)
        XCTAssertFalse(reverted.hasAdjustments)
        XCTAssertEqual([reverted.pixelWidth, reverted.pixelHeight], [64, 48])
        XCTAssertEqual(resourceTypes(of: reverted), [.photo])
        XCTAssertEqual(imageSize(reverted, .current), [64, 48])
        XCTAssertEqual(try libraryFiles().count, 2)
    }

    func testRevertingAnAssetWithoutEditsChangesNothing() throws {
        let system = makeSystem()
        try save(makeJPEG(), in: system)
        let before = try asset(in: system)
        let observer = RecordingObserver()
        system.run { PHPhotoLibrary.shared() }.register(observer)
        func revert(isFavorite: Bool?) throws {
            try system.run {
                try PHPhotoLibrary.shared().performChangesAndWait {
                    let request = PHAssetChangeRequest(for: before)
                    request.revertAssetContentToOriginal()
                    if let isFavorite { request.isFavorite = isFavorite }
                }
            }
        }
        try revert(isFavorite: nil)
        XCTAssertEqual(observer.changes.withLock { $0 }.count, 0)
        try revert(isFavorite: true)
        let change = try XCTUnwrap(observer.changes.withLock { $0.first })
        XCTAssertEqual(change.changeDetails(for: before)?.assetContentChanged, false)
        XCTAssertTrue(try asset(in: system).isFavorite)
        try system.run {
            try PHPhotoLibrary.shared().performChangesAndWait { PHAssetChangeRequest.deleteAssets([before]) }
        }
        XCTAssertThrowsError(try revert(isFavorite: nil)) { XCTAssertTrue(PHPhotosError.identifierNotFound ~= $0) }
    }

    func testTheFileOfAnInputRemainsUntilTheInputIsReleased() throws {
        let system = makeSystem()
        try save(makeJPEG(width: 64, height: 48), in: system)
        try edit(asset(in: system), makeJPEG(width: 32, height: 32), in: system)
        let edited = try asset(in: system)
        var inputs = try [input(of: edited), input(of: edited)]
        let url = try XCTUnwrap(inputs[0].fullSizeImageURL)
        let data = try Data(contentsOf: url)
        try edit(edited, makeJPEG(width: 16, height: 16), in: system)
        XCTAssertEqual(try Data(contentsOf: url), data, "after a later edit")
        let original = try input(of: edited) { _ in true }
        let originalURL = try XCTUnwrap(original.fullSizeImageURL)
        try remove([edited], in: system)
        XCTAssertTrue(FileManager.default.fileExists(atPath: originalURL.path), "after the deletion")
        XCTAssertEqual(assets(in: makeSystem()).count, 0)
        XCTAssertEqual(try libraryFiles().count, 2, "opening the library keeps the files")
        inputs.removeLast()
        XCTAssertEqual(try Data(contentsOf: url), data, "another input uses the file")
        inputs.removeLast()
        XCTAssertFalse(FileManager.default.fileExists(atPath: url.path))
        withExtendedLifetime(original) {}
    }

    func testTheFilesOfAnAbandonedEditAreRemoved() throws {
        let system = makeSystem()
        try save(makeJPEG(), in: system)
        let files = try libraryFiles()
        var output: PHContentEditingOutput? = PHContentEditingOutput(
            contentEditingInput: try input(of: asset(in: system)))
        for type in try XCTUnwrap(output).supportedRenderedContentTypes {
            try Data([1]).write(to: XCTUnwrap(output?.renderedContentURL(for: type)))
        }
        XCTAssertEqual(try libraryFiles().count, files.count + 2)
        output = nil
        XCTAssertEqual(try libraryFiles(), files)
    }

    func testTheFirstChangeRemovesTheEditsOfEarlierProcesses() throws {
        let system = makeSystem()
        try save(makeJPEG(), in: system)
        let files = try libraryFiles()
        let edits = libraryURL.appendingPathComponent("edits")
        try FileManager.default.createDirectory(
            at: edits.appendingPathComponent("9"), withIntermediateDirectories: true)
        for path in ["earlier.jpg", "9/earlier.jpg"] { try Data([1]).write(to: edits.appendingPathComponent(path)) }
        let output = PHContentEditingOutput(contentEditingInput: try input(of: asset(in: system)))
        try Data([1]).write(to: output.renderedContentURL)
        let otherSystem = makeSystem()
        let other = PHContentEditingOutput(contentEditingInput: try input(of: asset(in: otherSystem)))
        try otherSystem.run { try PHPhotoLibrary.shared().performChangesAndWait {} }
        XCTAssertNotEqual(output.renderedContentURL, other.renderedContentURL, "the seeds are equal")
        XCTAssertTrue(
            FileManager.default.fileExists(atPath: output.renderedContentURL.path), "the edit is not committed")
        XCTAssertEqual(try libraryFiles().count, files.count + 1)
    }

    func testAnEditWithoutFileOrAdjustmentDataFailsAndChangesNothing() throws {
        let system = makeSystem()
        try save(makeJPEG(), in: system)
        let asset = try asset(in: system)
        let files = try libraryFiles()
        let output = PHContentEditingOutput(contentEditingInput: try input(of: asset))
        func apply() throws {
            try system.run {
                try PHPhotoLibrary.shared().performChangesAndWait {
                    PHAssetChangeRequest(for: asset).contentEditingOutput = output
                }
            }
        }
        XCTAssertThrowsError(try apply()) { XCTAssertTrue(PHPhotosError.invalidResource ~= $0, "\($0)") }
        output.adjustmentData = adjustment
        XCTAssertThrowsError(try apply()) { XCTAssertTrue(PHPhotosError.missingResource ~= $0, "\($0)") }
        XCTAssertThrowsError(try output.renderedContentURL(for: .quickTimeMovie))
        XCTAssertEqual(try libraryFiles(), files)
        XCTAssertFalse(try self.asset(in: system).hasAdjustments)
    }

    func testANewAssetCanBeCreatedWithAnEdit() throws {
        let system = makeSystem()
        let photo = try makeJPEG(width: 32, height: 32)
        let adjustment = adjustment
        try system.run {
            try PHPhotoLibrary.shared().performChangesAndWait {
                let request = PHAssetCreationRequest.forAsset()
                request.addResource(with: .photo, data: photo, options: nil)
                guard let placeholder = request.placeholderForCreatedAsset else { return XCTFail("no placeholder") }
                let output = PHContentEditingOutput(placeholderForCreatedAsset: placeholder)
                output.adjustmentData = adjustment
                XCTAssertTrue(FileManager.default.createFile(atPath: output.renderedContentURL.path, contents: photo))
                request.contentEditingOutput = output
            }
        }
        XCTAssertTrue(try asset(in: system).hasAdjustments)
    }

    func testAMovieIsEdited() throws {
        let system = makeSystem()
        try saveMovie(makeMovie(), in: system)
        let asset = try asset(in: system)
        let input = try input(of: asset)
        XCTAssertNotNil(input.audiovisualAsset)
        XCTAssertEqual(input.uniformTypeIdentifier, "com.apple.quicktime-movie")
        XCTAssertNil(input.fullSizeImageURL)
        let output = PHContentEditingOutput(contentEditingInput: input)
        output.adjustmentData = adjustment
        try FileManager.default.copyItem(at: makeMovie("edited.mov"), to: output.renderedContentURL)
        try system.run {
            try PHPhotoLibrary.shared().performChangesAndWait {
                PHAssetChangeRequest(for: asset).contentEditingOutput = output
            }
        }
        XCTAssertEqual(try resourceTypes(of: self.asset(in: system)), [.video, .fullSizeVideo, .adjustmentData])
    }

    func testTheOriginalImageOfAnEditedMovieIsItsFirstFrame() throws {
        let system = makeSystem()
        try saveMovie(makeMovie(), in: system)
        let edited = try makeMovie("edited.mov", arguments: ["-vf", "scale=32:32,setsar=1"])
        try edit(asset(in: system), Data(contentsOf: edited), in: system)
        let asset = try asset(in: system)
        func size(_ version: PHImageRequestOptionsVersion) throws -> [Int] {
            let options = PHImageRequestOptions()
            options.isSynchronous = true
            options.version = version
            let received = Lock<Data?>(nil)
            PHImageManager.default().requestImageDataAndOrientation(for: asset, options: options) { data, type, _, _ in
                XCTAssertEqual(type, "public.jpeg")
                received.withLock { $0 = data }
            }
            let header = try JPEGCodec().header(of: XCTUnwrap(received.withLock { $0 }))
            return [header.width, header.height]
        }
        XCTAssertEqual(try size(.current), [32, 32])
        XCTAssertEqual(try size(.original), [64, 48])
        XCTAssertEqual(try size(.unadjusted), [64, 48])
    }

    func testTheLocationIsReadFromTheFileAndCanBeChanged() throws {
        let system = makeSystem()
        var exif = EXIF()
        exif.location = EXIF.Location(latitude: 48.25, longitude: -16.5, altitude: 170)
        try save(makeJPEG(exif: exif), in: system)
        let asset = try asset(in: system)
        let location = try XCTUnwrap(asset.location)
        XCTAssertEqual(location.coordinate.latitude, 48.25, accuracy: 0.001)
        XCTAssertEqual(location.coordinate.longitude, -16.5, accuracy: 0.001)
        XCTAssertEqual(location.altitude, 170, accuracy: 0.1)
        try system.run {
            try PHPhotoLibrary.shared().performChangesAndWait {
                PHAssetChangeRequest(for: asset).location = CLLocation(latitude: 1, longitude: 2)
            }
        }
        XCTAssertEqual(try self.asset(in: system).location?.coordinate.longitude, 2)
        try system.run {
            try PHPhotoLibrary.shared().performChangesAndWait { PHAssetChangeRequest(for: asset).location = nil }
        }
        XCTAssertNil(try self.asset(in: system).location)
    }

    func testAssetsReportConstantsForUnsupportedFeatures() throws {
        let system = makeSystem()
        try save(makeJPEG(), in: system)
        let asset = try asset(in: system)
        XCTAssertEqual(asset.playbackStyle, .image)
        XCTAssertEqual(asset.contentType.identifier, "public.jpeg")
        XCTAssertEqual(asset.sourceType, .typeUserLibrary)
        XCTAssertTrue(asset.canPerform(.content))
        XCTAssertFalse(asset.representsBurst || asset.isSyncFailureHidden || asset.burstIdentifier != nil)
        XCTAssertEqual(system.run { PHAssetCollection.fetchMoments(with: nil) }.count, 0)
        let options = PHFetchOptions()
        options.includeAssetSourceTypes = .typeCloudShared
        XCTAssertEqual(assets(in: system, options).count, 0)
    }
}
