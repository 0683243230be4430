import CaptureHAL
import Foundation
import MediaCodecs
import MediaEditing
import MediaTypes
import PhotoPlayback
import Playback
import TestSupport
import XCTest

@testable import PhotoStore

final class PHImageManagerTests: PhotoLibraryTestCase {
    private func image(
        of asset: PHAsset, _ size: CGSize = PHImageManagerMaximumSize, _ mode: PHImageContentMode = .aspectFit,
        _ configure: (PHImageRequestOptions) -> Void = { _ in }
    ) throws -> CVPixelBuffer {
        let options = PHImageRequestOptions()
        options.isSynchronous = true
        configure(options)
        let result = Lock<CVPixelBuffer?>(nil)
        let failure = Lock<(any Error)?>(nil)
        PHImageManager.default().requestImage(for: asset, targetSize: size, contentMode: mode, options: options) {
            image, info in
            result.withLock { $0 = image?.cgImage?.pixelBuffer }
            failure.withLock { $0 = info?[PHImageErrorKey] as? any Error }
        }
        if let error = failure.withLock({ $0 }) { throw error }
        return try XCTUnwrap(result.withLock { $0 })
    }

    private func size(_ image: CVPixelBuffer) -> [Int] {
        [CVPixelBufferGetWidth(image), CVPixelBufferGetHeight(image)]
    }

    func testImagesAreUprightForAllOrientations() throws {
        let system = makeSystem()
        // The positions of red, green, white and blue, clockwise from the upper left.
        let (red, green, white, blue) = ([0, 0, 255], [0, 255, 0], [255, 255, 255], [255, 0, 0])
        let expected: [CGImagePropertyOrientation: [[Int]]] = [
            .up: [red, green, white, blue], .upMirrored: [green, red, blue, white],
            .down: [white, blue, red, green], .downMirrored: [blue, white, green, red],
            .leftMirrored: [red, blue, white, green], .right: [blue, red, green, white],
            .rightMirrored: [white, green, red, blue], .left: [green, white, blue, red],
        ]
        for (orientation, colors) in expected.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            var exif = EXIF()
            exif.orientation = orientation
            // Larger than a thumbnail, so that both the thumbnail and the original are used.
            let identifier = try save(makeJPEG(width: 1280, height: 960, exif: exif), in: system)
            let asset = try XCTUnwrap(
                system.run { PHAsset.fetchAssets(withLocalIdentifiers: [identifier], options: nil) }.firstObject)
            let isRotated = orientation.rawValue >= 5
            XCTAssertEqual([asset.pixelWidth, asset.pixelHeight], isRotated ? [960, 1280] : [1280, 960])
            for target in [PHImageManagerMaximumSize, CGSize(width: 128, height: 128)] {
                let image = try image(of: asset, target)
                let (right, bottom) = (size(image)[0] - 9, size(image)[1] - 9)
                XCTAssertEqual(
                    [
                        try color(of: image, 8, 8), try color(of: image, right, 8),
                        try color(of: image, right, bottom), try color(of: image, 8, bottom),
                    ], colors, "\(orientation) at \(target)")
            }
            let reported = Lock<CGImagePropertyOrientation?>(nil)
            let options = PHImageRequestOptions()
            options.isSynchronous = true
            PHImageManager.default().requestImageDataAndOrientation(for: asset, options: options) { _, type, value, _ in
                XCTAssertEqual(type, "public.jpeg")
                reported.withLock { $0 = value }
            }
            XCTAssertEqual(reported.withLock { $0?.rawValue }, UInt32(orientation.rawValue))
        }
    }

    func testAPNGPhotoIsUpright() throws {
        // A red and a blue pixel side by side; the EXIF orientation displays them one below the other.
        let file = Data(
            base64Encoded: """
                iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAAGmVYSWZNTQAqAAAACAABARIAAwAA
                AAEABgAAAAAAANZnS2kAAAANSURBVHjaY/jPAAT/AQcAAf89fYxJAAAAAElFTkSuQmCC
                """, options: .ignoreUnknownCharacters)
        let system = makeSystem()
        try save(XCTUnwrap(file), in: system)
        let asset = try XCTUnwrap(assets(in: system).first)
        XCTAssertEqual([asset.pixelWidth, asset.pixelHeight], [1, 2])
        // The thumbnail, a JPEG, does not keep the colors of single pixels.
        let image = try image(of: asset) { $0.version = .original }
        XCTAssertEqual(size(image), [1, 2])
        XCTAssertEqual(try [color(of: image, 0, 0), color(of: image, 0, 1)], [[0, 0, 255], [255, 0, 0]])
        let orientation = Lock<CGImagePropertyOrientation?>(nil)
        let options = PHImageRequestOptions()
        options.isSynchronous = true
        PHImageManager.default().requestImageDataAndOrientation(for: asset, options: options) { data, _, value, _ in
            XCTAssertEqual(data, file)
            orientation.withLock { $0 = value }
        }
        XCTAssertEqual(orientation.withLock { $0 }, .right)
    }

    func testImagesHaveTheRequestedSize() throws {
        let system = makeSystem()
        try save(makeJPEG(width: 1600, height: 800), in: system)
        let asset = try XCTUnwrap(assets(in: system).first)
        let square = CGSize(width: 600, height: 600)
        XCTAssertEqual(size(try image(of: asset)), [1600, 800])
        XCTAssertEqual(size(try image(of: asset, square)), [600, 300])
        XCTAssertEqual(size(try image(of: asset, square, .aspectFill)), [1200, 600])
        XCTAssertEqual(size(try image(of: asset, square, .aspectFill) { $0.resizeMode = .exact }), [600, 600])
        XCTAssertEqual(size(try image(of: asset, square) { $0.resizeMode = .none }), [1600, 800])
        XCTAssertEqual(size(try image(of: asset, CGSize(width: 9000, height: 9000))), [1600, 800])
        XCTAssertEqual(
            size(try image(of: asset, CGSize(width: 3200, height: 3200)) { $0.resizeMode = .exact }), [3200, 1600])
        XCTAssertEqual(size(try image(of: asset, square) { $0.deliveryMode = .fastFormat }), [600, 300])
    }

    func testTheImageOfAMovieIsItsUprightFirstFrame() throws {
        // The option of ffmpeg for the rotation depends on its version.
        var movie = MovieBytes(try Data(contentsOf: makeMovie()))
        let header = try movie.box("tkhd")
        // The rotation by 90 degrees clockwise, in the track header (ISO/IEC 14496-12, 8.3.2): 16.16, w 2.30.
        for (index, element) in ([0, 1, 0, -1, 0, 0, 48, 0] as [Int32]).enumerated() {
            movie[header, 48 + 4 * index] = UInt32(bitPattern: element << 16)
        }
        let rotated = folder.appendingPathComponent("turned.mov")
        try movie.data.write(to: rotated)
        let system = makeSystem()
        try system.run {
            try PHPhotoLibrary.shared().performChangesAndWait {
                _ = PHAssetChangeRequest.creationRequestForAssetFromVideo(atFileURL: rotated)
            }
        }
        let asset = try XCTUnwrap(assets(in: system).first)
        XCTAssertEqual([asset.pixelWidth, asset.pixelHeight], [48, 64])
        XCTAssertEqual(size(try image(of: asset)), [48, 64])
    }

    func testAnAsynchronousImageIsDeliveredOnTheMainQueueAndCanBeCancelled() throws {
        let clock = SimClock()
        let system = makeSystem(clock: clock)
        try save(makeJPEG(), in: system)
        let asset = try XCTUnwrap(assets(in: system).first)
        let log = Lock<[String]>([])
        func request() -> PHImageRequestID {
            PHImageManager.default().requestImage(
                for: asset, targetSize: CGSize(width: 8, height: 8), contentMode: .aspectFit, options: nil
            ) { image, info in
                dispatchPrecondition(condition: .onQueue(.main))
                let isCancelled = info?[PHImageCancelledKey] as? Bool ?? false
                log.withLock { $0.append("\(image != nil) \(isCancelled)") }
            }
        }
        _ = request()
        PHImageManager.default().cancelImageRequest(request())
        clock.advance(by: .seconds(1))
        XCTAssertEqual(log.withLock { $0 }, ["true false", "false true"])
    }

    func testAnOpportunisticRequestDeliversADegradedImageFirst() throws {
        let clock = SimClock()
        let system = makeSystem(clock: clock)
        try save(makeJPEG(width: 1600, height: 800), in: system)
        let asset = try XCTUnwrap(assets(in: system).first)
        func results(
            _ target: CGSize, _ configure: (PHImageRequestOptions) -> Void = { _ in }, cancels: Bool = false
        ) -> [String] {
            let log = Lock<[String]>([])
            let options = PHImageRequestOptions()
            configure(options)
            let number = PHImageManager.default().requestImage(
                for: asset, targetSize: target, contentMode: .aspectFit, options: options
            ) { image, info in
                let isDegraded = info?[PHImageResultIsDegradedKey] as? Bool ?? false
                let error = (info?[PHImageErrorKey] as? PHPhotosError)?.code
                let width = image?.cgImage?.width
                log.withLock {
                    $0.append("\(width ?? 0)\(isDegraded ? " degraded" : "")\(error == nil ? "" : " failed")")
                }
            }
            if cancels { PHImageManager.default().cancelImageRequest(number) }
            clock.advance(by: .seconds(1))
            return log.withLock { $0 }
        }
        XCTAssertEqual(results(PHImageManagerMaximumSize), ["512 degraded", "1600"])
        XCTAssertEqual(results(CGSize(width: 800, height: 800)), ["512 degraded", "800"])
        // The thumbnail is large enough.
        XCTAssertEqual(results(CGSize(width: 512, height: 512)), ["512"])
        XCTAssertEqual(results(PHImageManagerMaximumSize) { $0.deliveryMode = .highQualityFormat }, ["1600"])
        XCTAssertEqual(results(PHImageManagerMaximumSize) { $0.isSynchronous = true }, ["1600"])
        XCTAssertEqual(results(PHImageManagerMaximumSize) { $0.version = .original }, ["1600"])
        XCTAssertEqual(results(PHImageManagerMaximumSize, cancels: true).count, 1)
        for file in try libraryFiles() where file.hasPrefix("originals/") {
            try FileManager.default.removeItem(at: libraryURL.appendingPathComponent(file))
        }
        XCTAssertEqual(results(PHImageManagerMaximumSize), ["512 degraded", "0 failed"])
    }

    func testACachingManagerDeliversPreparedImages() throws {
        let clock = SimClock()
        let system = makeSystem(clock: clock)
        for _ in 0..<2 { try save(makeJPEG(width: 1600, height: 800), in: system) }
        let found = assets(in: system)
        let manager = PHCachingImageManager()
        let size = CGSize(width: 800, height: 800)
        func start(_ assets: [PHAsset]) {
            manager.startCachingImages(for: assets, targetSize: size, contentMode: .aspectFit, options: nil)
        }
        start(found)
        // The images are delivered from memory.
        for file in try libraryFiles() where !file.hasPrefix("edits/") {
            try FileManager.default.removeItem(at: libraryURL.appendingPathComponent(file))
        }
        func results(_ asset: PHAsset, _ target: CGSize) -> [String] {
            let log = Lock<[String]>([])
            manager.requestImage(for: asset, targetSize: target, contentMode: .aspectFit, options: nil) { image, info in
                let isDegraded = info?[PHImageResultIsDegradedKey] as? Bool ?? false
                let width = image?.cgImage?.width
                log.withLock { $0.append("\(width ?? 0)\(isDegraded ? " degraded" : "")") }
            }
            clock.advance(by: .seconds(1))
            return log.withLock { $0 }
        }
        XCTAssertEqual(results(found[0], size), ["800"])
        XCTAssertEqual(results(found[1], size), ["800"])
        XCTAssertEqual(results(found[0], CGSize(width: 100, height: 100)), ["0"])
        manager.stopCachingImages(for: [found[0]], targetSize: size, contentMode: .aspectFit, options: nil)
        XCTAssertEqual(results(found[0], size), ["0"])
        XCTAssertEqual(results(found[1], size), ["800"])
        manager.stopCachingImagesForAllAssets()
        XCTAssertEqual(results(found[1], size), ["0"])
    }

    func testACachingManagerWithoutHighQualityPreparesSmallImagesOnly() throws {
        let system = makeSystem()
        try save(makeJPEG(width: 1600, height: 800), in: system)
        let asset = try XCTUnwrap(assets(in: system).first)
        let manager = PHCachingImageManager()
        manager.allowsCachingHighQualityImages = false
        for side in [100.0, 800] {
            let size = CGSize(width: side, height: side)
            manager.startCachingImages(for: [asset], targetSize: size, contentMode: .aspectFit, options: nil)
            let request = ImageRequest(asset, size, .aspectFit, nil)
            XCTAssertEqual(manager.cachedImage(for: request) != nil, side == 100)
        }
    }

    func testAMissingOriginalIsAnErrorButItsThumbnailIsUsed() throws {
        let system = makeSystem()
        try save(makeJPEG(width: 1280, height: 960), in: system)
        let asset = try XCTUnwrap(assets(in: system).first)
        for file in try libraryFiles() where file.hasPrefix("originals/") {
            try FileManager.default.removeItem(at: libraryURL.appendingPathComponent(file))
        }
        XCTAssertThrowsError(try image(of: asset)) { XCTAssertTrue(PHPhotosError.missingResource ~= $0, "\($0)") }
        XCTAssertEqual(size(try image(of: asset, CGSize(width: 100, height: 100))), [100, 75])
    }

    func testAnExactRequestReturnsAPartOfTheImage() throws {
        let system = makeSystem()
        try save(makeJPEG(width: 1600, height: 800), in: system)
        let asset = try XCTUnwrap(assets(in: system).first)
        // The upper right quarter is green.
        let part = try image(of: asset, CGSize(width: 200, height: 100)) {
            $0.resizeMode = .exact
            $0.normalizedCropRect = CGRect(x: 0.5, y: 0, width: 0.5, height: 0.5)
        }
        XCTAssertEqual(size(part), [200, 100])
        XCTAssertEqual(
            try [color(of: part, 5, 5), color(of: part, 194, 94)], [[0, 255, 0], [0, 255, 0]])
        let ignored = try image(of: asset) { $0.normalizedCropRect = CGRect(x: 0, y: 0, width: 0.5, height: 0.5) }
        XCTAssertEqual(size(ignored), [1600, 800])
    }

    func testMoviesAreRequestedForReadingAndExport() throws {
        let clock = SimClock()
        let system = makeSystem(clock: clock)
        try saveMovie(makeMovie(), in: system)
        try save(makeJPEG(), in: system)
        let found = assets(in: system)
        let reported = Lock<[String]>([])
        let report: @Sendable (Any?, [AnyHashable: Any]?) -> Void = { result, info in
            let error = (info?[PHImageErrorKey] as? PHPhotosError)?.code
            reported.withLock { $0.append(result == nil ? "\(error.map { "\($0)" } ?? "nothing")" : "found") }
        }
        let manager = PHImageManager.default()
        manager.requestAVAsset(forVideo: found[0], options: nil) { asset, _, info in report(asset, info) }
        manager.requestExportSession(
            forVideo: found[0], options: nil, exportPreset: AVAssetExportPresetPassthrough
        ) { session, info in report(session, info) }
        manager.requestAVAsset(forVideo: found[1], options: nil) { asset, _, info in report(asset, info) }
        manager.requestLivePhoto(for: found[1], targetSize: .zero, contentMode: .aspectFit, options: nil) {
            report($0, $1)
        }
        clock.advance(by: .seconds(1))
        XCTAssertEqual(
            reported.withLock { $0 },
            ["found", "found", "requestNotSupportedForAsset", "requestNotSupportedForAsset"])
    }

    func testAPlayerItemIsRequestedAndPlays() throws {
        let clock = SimClock()
        let system = makeSystem(clock: clock)
        try saveMovie(makeMovie(), in: system)
        try save(makeJPEG(), in: system)
        let found = assets(in: system)
        let (item, code) = (Lock<AVPlayerItem?>(nil), Lock<PHPhotosError.Code?>(nil))
        let manager = PHImageManager.default()
        manager.requestPlayerItem(forVideo: found[0], options: nil) { result, _ in item.withLock { $0 = result } }
        manager.requestPlayerItem(forVideo: found[1], options: nil) { result, info in
            XCTAssertNil(result)
            code.withLock { $0 = (info?[PHImageErrorKey] as? PHPhotosError)?.code }
        }
        clock.advance(by: .seconds(1))
        XCTAssertEqual(code.withLock { $0 }, .requestNotSupportedForAsset)
        let received = try XCTUnwrap(item.withLock { $0 })
        let player = system.run { AVPlayer(playerItem: received) }
        clock.settle()
        XCTAssertEqual(received.status, .readyToPlay)
        player.play()
        clock.advance(by: .milliseconds(50))
        XCTAssertEqual(player.currentTime().seconds, 0.05, accuracy: 1e-6)
    }
}
