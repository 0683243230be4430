import AssetsLibrary
import CaptureTesting
import Photos
import XCTest

/// The camera controller of a tutorial on AVFoundation: still image output and movie output save to the assets library.
private final class CameraController: NSObject, AVCaptureFileOutputRecordingDelegate, @unchecked Sendable {
    // SAFETY: the tests use it on the main thread; AVFoundation calls back while the main thread waits.
    static let thumbnailCreated = Notification.Name("THThumbnailCreatedNotification")

    let session = AVCaptureSession()
    private let imageOutput = AVCaptureStillImageOutput()
    private let movieOutput = AVCaptureMovieFileOutput()
    private let movieURL: URL
    private(set) var savedURLs: [URL?] = []
    private(set) var errors: [NSError] = []

    init(folder: URL) throws {
        movieURL = folder.appendingPathComponent("kamera_movie.mov")
        super.init()
        session.sessionPreset = .vga640x480
        for mediaType in [AVMediaType.video, .audio] {
            let device = try XCTUnwrap(AVCaptureDevice.default(for: mediaType))
            let input = try AVCaptureDeviceInput(device: device)
            if session.canAddInput(input) { session.addInput(input) }
        }
        imageOutput.outputSettings = [AVVideoCodecKey: AVVideoCodecJPEG]
        if session.canAddOutput(imageOutput) { session.addOutput(imageOutput) }
        if session.canAddOutput(movieOutput) { session.addOutput(movieOutput) }
    }

    func captureStillImage() {
        guard let connection = imageOutput.connection(with: .video) else { return }
        if connection.isVideoOrientationSupported { connection.videoOrientation = .portrait }
        imageOutput.captureStillImageAsynchronously(from: connection) { buffer, _ in
            guard let buffer, let data = AVCaptureStillImageOutput.jpegStillImageNSDataRepresentation(buffer),
                let image = UIImage(data: data)
            else { return XCTFail("NULL sampleBuffer: \(String(describing: buffer))") }
            self.writeImageToAssetsLibrary(image)
        }
    }

    private func writeImageToAssetsLibrary(_ image: UIImage) {
        let orientation = ALAssetOrientation(rawValue: image.imageOrientation.rawValue) ?? .up
        ALAssetsLibrary().writeImage(toSavedPhotosAlbum: image.cgImage, orientation: orientation) { url, error in
            self.finish(url, error)
            if error == nil {
                NotificationCenter.default.post(name: Self.thumbnailCreated, object: image)
            }
        }
    }

    func startRecording() { movieOutput.startRecording(to: movieURL, recordingDelegate: self) }

    func stopRecording() { movieOutput.stopRecording() }

    func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
        from connections: [AVCaptureConnection], error: (any Error)?
    ) {
        let library = ALAssetsLibrary()
        guard library.videoAtPathIs(compatibleWithSavedPhotosAlbum: outputFileURL) else {
            return XCTFail("the movie is not compatible: \(String(describing: error))")
        }
        library.writeVideoAtPath(toSavedPhotosAlbum: outputFileURL) { url, error in self.finish(url, error) }
    }

    private func finish(_ url: URL?, _ error: (any Error)?) {
        savedURLs.append(url)
        if let error { errors.append(error as NSError) }
    }
}

final class ALAssetsLibraryTests: XCTestCase {
    private func makeImage() throws -> CGImage {
        var buffer: CVPixelBuffer?
        CVPixelBufferCreate(kCFAllocatorDefault, 64, 48, kCVPixelFormatType_32BGRA, nil, &buffer)
        let image = CIImage(cvPixelBuffer: try XCTUnwrap(buffer))
        return try XCTUnwrap(CIContext().createCGImage(image, from: image.extent))
    }

    /// Calls a method with a completion block, and returns the value that the block receives.
    private func result<Value>(
        _ simulated: SimulatedSystem, _ call: (@escaping (Value) -> Void) -> Void
    ) throws -> Value {
        var result: Value?
        simulated.run { call { result = $0 } }
        simulated.advance(until: { result != nil }, limit: .seconds(5))
        return try XCTUnwrap(result)
    }

    private func save(_ image: CGImage, in simulated: SimulatedSystem) throws -> URL {
        let saved: (URL?, (any Error)?) = try result(simulated) { done in
            ALAssetsLibrary().writeImage(toSavedPhotosAlbum: image, orientation: .right) { done(($0, $1)) }
        }
        XCTAssertNil(saved.1)
        return try XCTUnwrap(saved.0)
    }

    private func groups(_ types: UInt32, in simulated: SimulatedSystem) throws -> [ALAssetsGroup] {
        var groups: [ALAssetsGroup] = []
        let _: Bool = try result(simulated) { done in
            ALAssetsLibrary().enumerateGroups(withTypes: ALAssetsGroupType(types)) { group, _ in
                if let group { groups.append(group) } else { done(true) }
            } failureBlock: { error in
                XCTFail("\(String(describing: error))")
            }
        }
        return groups
    }

    private func asset(_ url: URL, in simulated: SimulatedSystem) throws -> ALAsset {
        let found: ALAsset? = try result(simulated) { done in
            ALAssetsLibrary().asset(for: url, resultBlock: { done($0) }, failureBlock: { _ in done(nil) })
        }
        return try XCTUnwrap(found)
    }

    func testStillsAndMoviesOfACameraAppAreSavedAndEnumerated() throws {
        let simulated = try SimulatedSystem(scene: .grey)
        let controller = try simulated.run { try CameraController(folder: simulated.folder) }
        // SAFETY: notifications are posted on the main thread.
        nonisolated(unsafe) var thumbnails: [UIImage] = []
        let token = NotificationCenter.default.addObserver(
            forName: CameraController.thumbnailCreated, object: nil, queue: nil
        ) { if let image = $0.object as? UIImage { thumbnails.append(image) } }
        defer { NotificationCenter.default.removeObserver(token) }
        controller.session.startRunning()
        simulated.advance(by: .seconds(1))
        controller.captureStillImage()
        simulated.advance(until: { controller.savedURLs.count == 1 }, limit: .seconds(5))
        controller.startRecording()
        simulated.advance(by: .seconds(1))
        controller.stopRecording()
        simulated.advance(until: { controller.savedURLs.count == 2 }, limit: .seconds(5))
        controller.session.stopRunning()
        XCTAssertEqual(controller.errors, [])
        XCTAssertEqual(thumbnails.map(\.size), [CGSize(width: 480, height: 640)])

        let group = try XCTUnwrap(groups(ALAssetsGroupSavedPhotos, in: simulated).first)
        XCTAssertEqual(group.value(forProperty: ALAssetsGroupPropertyName) as? String, "Camera Roll")
        XCTAssertEqual(group.numberOfAssets(), 2)
        var kinds: [String?] = []
        group.enumerateAssets { asset, index, _ in
            guard let asset else { return XCTAssertEqual(index, NSNotFound) }
            XCTAssertEqual(index, kinds.count)
            XCTAssertEqual(asset.defaultRepresentation()?.url(), controller.savedURLs[index])
            kinds.append(asset.value(forProperty: ALAssetPropertyType) as? String)
        }
        XCTAssertEqual(kinds, [ALAssetTypePhoto, ALAssetTypeVideo])
        group.setAssetsFilter(ALAssetsFilter.allVideos())
        XCTAssertEqual(group.numberOfAssets(), 1)
        XCTAssertNotNil(group.posterImage())
        XCTAssertEqual(simulated.run { PHAsset.fetchAssets(with: nil).count }, 2, "Photos has another library")
        XCTAssertEqual(simulated.misuses, [])
    }

    func testAnAssetHasTheOrientationMetadataAndBytesOfItsFile() throws {
        let simulated = try SimulatedSystem(scene: .grey)
        let url = try save(makeImage(), in: simulated)
        XCTAssertTrue(url.absoluteString.hasPrefix("assets-library://asset/asset.JPG?id="), "\(url)")
        let asset = try asset(url, in: simulated)
        let file = try XCTUnwrap(asset.defaultRepresentation())
        XCTAssertEqual(file.orientation(), .right)
        XCTAssertEqual(asset.value(forProperty: ALAssetPropertyOrientation) as? Int, ALAssetOrientation.right.rawValue)
        XCTAssertEqual(asset.value(forProperty: ALAssetPropertyDuration) as? String, ALErrorInvalidProperty)
        XCTAssertEqual(file.dimensions(), CGSize(width: 64, height: 48))
        XCTAssertEqual(file.fullResolutionImage()?.takeUnretainedValue().width, 64)
        XCTAssertEqual(file.fullScreenImage()?.takeUnretainedValue().height, 64)
        XCTAssertEqual(asset.thumbnail()?.takeUnretainedValue().width, 150)
        var bytes = [UInt8](repeating: 0, count: Int(file.size()) + 10)
        XCTAssertEqual(file.getBytes(&bytes, fromOffset: 0, length: bytes.count, error: nil), Int(file.size()))
        XCTAssertEqual(bytes.prefix(2), [0xFF, 0xD8])

        let metadata: [String: Any] = [
            kCGImagePropertyExifDictionary: [kCGImagePropertyExifLensModel: "A lens"],
            kCGImagePropertyGPSDictionary: [
                kCGImagePropertyGPSLatitude: 52.5, kCGImagePropertyGPSLatitudeRef: "N",
                kCGImagePropertyGPSLongitude: 13.25, kCGImagePropertyGPSLongitudeRef: "E",
            ],
        ]
        let data = Data(bytes.prefix(Int(file.size())))
        let saved: (URL?, (any Error)?) = try result(simulated) { done in
            ALAssetsLibrary().writeImageData(toSavedPhotosAlbum: data, metadata: metadata) { done(($0, $1)) }
        }
        let copy = try self.asset(XCTUnwrap(saved.0), in: simulated)
        let copiedMetadata = try XCTUnwrap(copy.defaultRepresentation().metadata())
        XCTAssertEqual(copiedMetadata[kCGImagePropertyOrientation] as? Int, 6)
        XCTAssertEqual(
            (copiedMetadata[kCGImagePropertyExifDictionary] as? [String: Any])?[kCGImagePropertyExifLensModel]
                as? String,
            "A lens")
        let location = try XCTUnwrap(copy.value(forProperty: ALAssetPropertyLocation) as? CLLocation)
        XCTAssertEqual(location.coordinate.longitude, 13.25, accuracy: 0.0001)
    }

    func testFilesThatCannotBeSavedAreReportedWithAnError() throws {
        let simulated = try SimulatedSystem(scene: .grey)
        let url = simulated.folder.appendingPathComponent("text.mov")
        try Data("no movie".utf8).write(to: url)
        let movie: (URL?, (any Error)?) = try result(simulated) { done in
            let library = ALAssetsLibrary()
            XCTAssertFalse(library.videoAtPathIs(compatibleWithSavedPhotosAlbum: url))
            library.writeVideoAtPath(toSavedPhotosAlbum: url) { done(($0, $1)) }
        }
        XCTAssertNil(movie.0)
        XCTAssertEqual((movie.1 as? NSError)?.code, ALAssetsLibraryWriteIncompatibleDataError)
        let image: (URL?, (any Error)?) = try result(simulated) { done in
            ALAssetsLibrary().writeImageData(toSavedPhotosAlbum: Data("no image".utf8), metadata: nil) {
                done(($0, $1))
            }
        }
        XCTAssertEqual((image.1 as? NSError)?.code, ALAssetsLibraryWriteInvalidDataError)
        XCTAssertEqual((image.1 as? NSError)?.domain, ALAssetsLibraryErrorDomain)
    }

    func testTheFirstAccessPromptsTheUserAndFailsIfDenied() throws {
        let simulated = try SimulatedSystem(
            scene: .grey, authorization: [.photoLibrary: .notDetermined], answers: [.photoLibrary: .deny])
        XCTAssertEqual(simulated.run { ALAssetsLibrary.authorizationStatus() }, .notDetermined)
        let image = try makeImage()
        let saved: (URL?, (any Error)?) = try result(simulated) { done in
            ALAssetsLibrary().writeImage(toSavedPhotosAlbum: image, orientation: .up) { done(($0, $1)) }
        }
        XCTAssertNil(saved.0)
        XCTAssertEqual((saved.1 as? NSError)?.code, ALAssetsLibraryAccessUserDeniedError)
        XCTAssertEqual(simulated.run { ALAssetsLibrary.authorizationStatus() }, .denied)
        let failure: NSError? = try result(simulated) { done in
            ALAssetsLibrary().enumerateGroups(withTypes: ALAssetsGroupType(ALAssetsGroupAll)) { _, _ in
                XCTFail("the groups of a denied library were enumerated")
            } failureBlock: {
                done($0 as? NSError)
            }
        }
        XCTAssertEqual(failure?.code, ALAssetsLibraryAccessUserDeniedError)
    }

    func testAlbumsAreCreatedFilledAndFoundByURL() throws {
        let simulated = try SimulatedSystem(scene: .grey)
        let url = try save(makeImage(), in: simulated)
        let library = simulated.run { ALAssetsLibrary() }
        // SAFETY: notifications are posted on the main thread.
        nonisolated(unsafe) var changes: [[AnyHashable: Any]?] = []
        let token = NotificationCenter.default.addObserver(
            forName: .ALAssetsLibraryChanged, object: library, queue: nil
        ) { changes.append($0.userInfo) }
        defer { NotificationCenter.default.removeObserver(token) }
        let created: ALAssetsGroup? = try result(simulated) { done in
            library.addAssetsGroupAlbum(
                withName: "Holidays", resultBlock: { done($0) }, failureBlock: { _ in done(nil) })
        }
        let album = try XCTUnwrap(created)
        XCTAssertTrue(album.isEditable)
        XCTAssertTrue(album.add(try asset(url, in: simulated)))
        let duplicateAlbum: [ALAssetsGroup?] = try result(simulated) { done in
            library.addAssetsGroupAlbum(
                withName: "Holidays", resultBlock: { done([$0]) }, failureBlock: { _ in XCTFail("an error") })
        }
        XCTAssertEqual(duplicateAlbum, [nil])
        simulated.advance(by: .milliseconds(1))
        let albumURL = try XCTUnwrap(album.value(forProperty: ALAssetsGroupPropertyURL) as? URL)
        XCTAssertEqual(changes.first??[ALAssetLibraryInsertedAssetGroupsKey] as? Set<URL>, [albumURL])
        XCTAssertEqual(changes.last??[ALAssetLibraryUpdatedAssetGroupsKey] as? Set<URL>, [albumURL])
        XCTAssertEqual(try groups(ALAssetsGroupAlbum, in: simulated).map { $0.numberOfAssets() }, [1])
        XCTAssertEqual(try groups(ALAssetsGroupAll, in: simulated).count, 2)
        let found: ALAssetsGroup? = try result(simulated) { done in
            library.group(for: albumURL, resultBlock: { done($0) }, failureBlock: { _ in done(nil) })
        }
        XCTAssertEqual(found?.value(forProperty: ALAssetsGroupPropertyName) as? String, "Holidays")
        XCTAssertMisuse(.range, containing: "beyond the 1 assets", in: simulated) {
            album.enumerateAssets(at: IndexSet(integer: 3)) { _, _, _ in XCTFail("enumerated") }
        }
        try simulated.run {
            try PHPhotoLibrary.shared().performChangesAndWait {
                PHAssetChangeRequest.deleteAssets(PHAsset.fetchAssets(with: nil))
            }
        }
        simulated.advance(by: .milliseconds(1))
        let updatedGroups = changes.last??[ALAssetLibraryUpdatedAssetGroupsKey] as? Set<URL>
        XCTAssertEqual(updatedGroups?.contains(albumURL), true, "the album lost its asset")
    }
}
