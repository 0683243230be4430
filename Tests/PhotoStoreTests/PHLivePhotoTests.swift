import CaptureHAL
import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import PhotoStore

final class PHLivePhotoTests: PhotoLibraryTestCase {
    private static let identifier = "5F1D8A0C-6E5B-4E7C-9B42-0A3B1D3A77C1"

    private func makeMovie(identifier: String, _ name: String = "IMG_0001.MOV") throws -> URL {
        try makeMovie(
            name,
            arguments: [
                "-movflags", "use_metadata_tags", "-metadata", "com.apple.quicktime.content.identifier=\(identifier)",
            ])
    }

    private func makePhoto(width: Int = 64) throws -> Data {
        try AppleMakerNoteData.jpeg(
            makeJPEG(width: width, height: 48), AppleMakerNoteData.make([(0x11, Self.identifier)]))
    }

    private func saveLivePhoto(in system: CaptureSystem) throws {
        let (photo, movie) = (try makePhoto(), try makeMovie(identifier: Self.identifier))
        try system.run {
            try PHPhotoLibrary.shared().performChangesAndWait {
                let request = PHAssetCreationRequest.forAsset()
                request.addResource(with: .photo, data: photo, options: nil)
                request.addResource(with: .pairedVideo, fileURL: movie, options: nil)
            }
        }
    }

    /// Requests a Live Photo, and returns it or the code of the error.
    private func request(
        _ files: [URL], in system: CaptureSystem, _ clock: SimClock, cancels: Bool = false
    ) -> (photo: PHLivePhoto?, error: PHPhotosError.Code?, isCancelled: Bool) {
        let results = Lock<[(photo: PHLivePhoto?, error: PHPhotosError.Code?, isCancelled: Bool)]>([], order: .client)
        system.run {
            let number = PHLivePhoto.request(
                withResourceFileURLs: files, placeholderImage: nil, targetSize: .zero, contentMode: .aspectFit
            ) { photo, info in
                let error = (info[PHLivePhotoInfoErrorKey] as? PHPhotosError)?.code
                results.withLock { $0.append((photo, error, info[PHLivePhotoInfoCancelledKey] as? Bool ?? false)) }
            }
            if cancels { PHLivePhoto.cancelRequest(withRequestID: number) }
        }
        clock.advance(by: .seconds(1))
        XCTAssertEqual(results.withLock { $0.count }, 1)
        return results.withLock { $0.first } ?? (nil, nil, false)
    }

    func testTheLivePhotoOfAnAssetHasItsFiles() throws {
        let clock = SimClock()
        let system = makeSystem(clock: clock)
        try saveLivePhoto(in: system)
        let asset = try XCTUnwrap(assets(in: system).first)
        let found = Lock<PHLivePhoto?>(nil, order: .client)
        PHImageManager.default().requestLivePhoto(
            for: asset, targetSize: CGSize(width: 32, height: 32), contentMode: .aspectFit, options: nil
        ) { photo, _ in found.withLock { $0 = photo } }
        clock.advance(by: .seconds(1))
        let photo = try XCTUnwrap(found.withLock { $0 })
        XCTAssertEqual(photo.size, CGSize(width: 64, height: 48))
        let files = PHAssetResource.assetResources(for: photo)
        XCTAssertEqual(files.map(\.type), [.photo, .pairedVideo])
        XCTAssertEqual(files.map(\.assetLocalIdentifier), [asset.localIdentifier, asset.localIdentifier])
        // The files remain while the Live Photo is used.
        try remove([asset], in: system)
        let urls = try files.map { try $0.fileURL() }
        XCTAssertEqual(try Data(contentsOf: urls[0]), try makePhoto())
        found.withLock { $0 = nil }
        XCTAssertTrue(urls.allSatisfy { FileManager.default.fileExists(atPath: $0.path) })
        withExtendedLifetime(photo) {}
    }

    func testALivePhotoWithoutItsMovieIsReported() throws {
        let clock = SimClock()
        let system = makeSystem(clock: clock)
        try saveLivePhoto(in: system)
        let asset = try XCTUnwrap(assets(in: system).first)
        let movie = try PHAssetResource.assetResources(for: asset)[1].fileURL()
        try FileManager.default.removeItem(at: movie)
        let code = Lock<PHPhotosError.Code?>(nil, order: .client)
        PHImageManager.default().requestLivePhoto(
            for: asset, targetSize: .zero, contentMode: .aspectFit, options: nil
        ) { photo, info in
            XCTAssertNil(photo)
            code.withLock { $0 = (info?[PHImageErrorKey] as? PHPhotosError)?.code }
        }
        clock.advance(by: .seconds(1))
        XCTAssertEqual(code.withLock { $0 }, .missingResource)
    }

    func testALivePhotoIsCreatedFromAPhotoAndAMovieWithOneIdentifier() throws {
        let clock = SimClock()
        let system = makeSystem(clock: clock)
        let photo = folder.appendingPathComponent("IMG_0001.JPG")
        try makePhoto(width: 80).write(to: photo)
        let movie = try makeMovie(identifier: Self.identifier)
        for files in [[photo, movie], [movie, photo]] {
            let live = try XCTUnwrap(request(files, in: system, clock).photo)
            XCTAssertEqual(live.size, CGSize(width: 80, height: 48))
            let resources = PHAssetResource.assetResources(for: live)
            XCTAssertEqual(resources.map(\.originalFilename), ["IMG_0001.JPG", "IMG_0001.MOV"])
            XCTAssertEqual(resources.map(\.uniformTypeIdentifier), ["public.jpeg", "com.apple.quicktime-movie"])
            XCTAssertEqual(
                resources.map(\.byteCount), try [photo, movie].map { Int64(try Data(contentsOf: $0).count) })
        }
        XCTAssertTrue(request([photo, movie], in: system, clock, cancels: true).isCancelled)
        let plain = folder.appendingPathComponent("plain.jpg")
        try makeJPEG().write(to: plain)
        let other = try makeMovie(identifier: "another", "other.mov")
        for files in [[photo], [photo, photo], [photo, other], [plain, movie], [movie, movie], []] {
            let result = request(files, in: system, clock)
            XCTAssertNil(result.photo)
            XCTAssertEqual(result.error, .invalidResource, "\(files.map(\.lastPathComponent))")
        }
    }
}
