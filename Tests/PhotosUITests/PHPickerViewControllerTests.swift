import CaptureHAL
import CaptureSimulation
import Foundation
import MediaCodecs
import MediaTypes
import PhotosUI
import TestSupport
import XCTest

final class PHPickerViewControllerTests: XCTestCase {
    func testAnAppReceivesWhatTheUserPicksWithoutAuthorization() throws {
        try MainActor.assumeIsolated {
            let fixture = try PickerFixture([16, 32, 48])
            let (simulated, ids) = (fixture.simulated, fixture.identifiers)
            simulated.system.authorization.set(.denied, for: .photoLibrary)
            simulated.system.photoPickers.setAnswer(.select([ids[2], ids[0]]), to: .photos)
            let controller = simulated.run { PickingController() }
            var configuration = PHPickerConfiguration(photoLibrary: .shared())
            configuration.selectionLimit = 0
            configuration.filter = .images
            simulated.run { controller.pick(configuration) }
            XCTAssertNotNil(controller.presentedViewController as? PHPickerViewController)
            XCTAssertTrue(simulated.system.photoPickers.isOpen(.photos))
            simulated.advance(by: .seconds(1))
            XCTAssertEqual(controller.identifiers, [[ids[2], ids[0]]])
            XCTAssertNil(controller.presentedViewController)
            XCTAssertFalse(simulated.system.photoPickers.isOpen(.photos))

            let provider = try XCTUnwrap(controller.results.first?.first).itemProvider
            XCTAssertEqual(provider.registeredTypeIdentifiers, ["public.jpeg"])
            XCTAssertEqual(provider.suggestedName, "IMG_0001")
            XCTAssertTrue(provider.canLoadObject(ofClass: UIImage.self))
            XCTAssertFalse(provider.canLoadObject(ofClass: PHLivePhoto.self))
            let size = try fixture.result { end in
                provider.loadObject(ofClass: UIImage.self) { image, _ in end((image as? UIImage)?.size ?? .zero) }
            }
            XCTAssertEqual(size, CGSize(width: 48, height: 48))
            let expected = try fixture.photo(48)
            let file = try fixture.result { (end: @escaping @Sendable ((String, Data)) -> Void) in
                provider.loadFileRepresentation(forTypeIdentifier: "public.image") { url, _ in
                    end((url?.lastPathComponent ?? "", url.flatMap { try? Data(contentsOf: $0) } ?? Data()))
                }
            }
            XCTAssertEqual(file.0, "IMG_0001.JPG")
            XCTAssertEqual(file.1, expected)
            let data = try fixture.result { end in
                provider.loadDataRepresentation(for: .jpeg) { data, _ in end(data ?? Data()) }
            }
            XCTAssertEqual(data, expected)
            XCTAssertEqual(simulated.misuses, [])
        }
    }

    func testAPickerWaitsUntilTheUserAnswersOrTheAppDismissesIt() throws {
        try MainActor.assumeIsolated {
            let fixture = try PickerFixture([16])
            let (simulated, ids) = (fixture.simulated, fixture.identifiers)
            let pickers = simulated.system.photoPickers
            let controller = simulated.run { PickingController() }
            simulated.run { controller.pick(PHPickerConfiguration()) }
            simulated.advance(by: .seconds(100))
            XCTAssertEqual(controller.results.count, 0)
            pickers.setAnswer(PhotoPickerAnswer(.newest(1), after: .seconds(3)), to: .photos)
            simulated.advance(by: .seconds(2))
            XCTAssertEqual(controller.results.count, 0)
            simulated.advance(by: .seconds(2))
            // Without a photo library in the configuration, results have no identifiers.
            XCTAssertEqual(controller.identifiers, [[nil]])

            pickers.setAnswer(.cancel, to: .photos)
            simulated.run { controller.pick(PHPickerConfiguration(photoLibrary: .shared())) }
            simulated.advance(by: .seconds(1))
            XCTAssertEqual(controller.identifiers, [[nil], []])

            pickers.setAnswer(PhotoPickerAnswer(.assets(ids), after: .seconds(3)), to: .photos)
            simulated.run { controller.pick(PHPickerConfiguration(photoLibrary: .shared())) }
            simulated.advance(by: .seconds(1))
            simulated.run { controller.dismiss(animated: false) }
            XCTAssertFalse(pickers.isOpen(.photos))
            simulated.advance(by: .seconds(10))
            XCTAssertEqual(controller.results.count, 2)
            XCTAssertEqual(simulated.misuses, [])
        }
    }

    func testTheUserCanOnlyPickWhatThePickerShows() throws {
        try MainActor.assumeIsolated {
            let fixture = try PickerFixture([16, 32, 48])
            let (simulated, ids) = (fixture.simulated, fixture.identifiers)
            let controller = simulated.run { PickingController() }
            @MainActor func pick(_ answer: PhotoPickerAnswer, _ change: (inout PHPickerConfiguration) -> Void) {
                simulated.system.photoPickers.setAnswer(answer, to: .photos)
                var configuration = simulated.run { PHPickerConfiguration(photoLibrary: .shared()) }
                change(&configuration)
                simulated.run { controller.pick(configuration) }
                simulated.advance(by: .seconds(1))
            }
            pick(.selectNewest(2)) { $0.selectionLimit = 2 }
            XCTAssertEqual(controller.identifiers.last, [ids[2], ids[1]])
            XCTAssertEqual(simulated.dequeueMisuses().map(\.message), [])
            pick(.selectNewest(2)) { _ in }
            XCTAssertEqual(controller.identifiers.last, [ids[2]])
            XCTAssertEqual(
                simulated.dequeueMisuses().map(\.message), ["the user cannot choose 2 assets: the selection limit is 1"]
            )
            pick(.select([ids[0], "unknown"])) { $0.filter = .any(of: [.videos, .not(.images)]) }
            XCTAssertEqual(controller.identifiers.last, [])
            XCTAssertEqual(
                simulated.dequeueMisuses().map(\.message),
                [ids[0], "unknown"].map { "the user cannot choose the asset \($0): the picker does not show it" })
            pick(.select([ids[0], ids[1]])) {
                $0.selectionLimit = 0
                $0.preselectedAssetIdentifiers = [ids[0]]
                $0.filter = .all(of: [.images, .not(.livePhotos)])
            }
            XCTAssertEqual(controller.identifiers.last, [ids[0], ids[1]])
            let types = try XCTUnwrap(controller.results.last).map(\.itemProvider.registeredTypeIdentifiers)
            XCTAssertEqual(types, [[], ["public.jpeg"]])
        }
    }

    func testALivePhotoIsDeliveredWithBothFiles() throws {
        try MainActor.assumeIsolated {
            let fixture = try PickerFixture([])
            let simulated = fixture.simulated
            let identifier = "5F1D8A0C-6E5B-4E7C-9B42-0A3B1D3A77C1"
            let movie = try fixture.makeMovie(identifier)
            let note = AppleMakerNoteData.make([(0x11, identifier)])
            let id = try fixture.save(AppleMakerNoteData.jpeg(fixture.photo(32), note), movie: movie)
            simulated.system.photoPickers.setAnswer(.selectNewest(1), to: .photos)
            let controller = simulated.run { PickingController() }
            var configuration = simulated.run { PHPickerConfiguration(photoLibrary: .shared()) }
            configuration.filter = .livePhotos
            simulated.run { controller.pick(configuration) }
            simulated.advance(by: .seconds(1))
            XCTAssertEqual(controller.identifiers, [[id]])
            let provider = try XCTUnwrap(controller.results.first?.first).itemProvider
            XCTAssertEqual(provider.registeredTypeIdentifiers, ["com.apple.live-photo-bundle", "public.jpeg"])
            XCTAssertTrue(provider.hasItemConformingToTypeIdentifier(UTType.livePhoto.identifier))
            let live = try fixture.result { (end: @escaping @Sendable (PHLivePhoto?) -> Void) in
                provider.loadObject(ofClass: PHLivePhoto.self) { photo, _ in end(photo as? PHLivePhoto) }
            }
            XCTAssertEqual(live?.size, CGSize(width: 32, height: 32))
            let files = try fixture.result { (end: @escaping @Sendable ([URL]) -> Void) in
                provider.loadFileRepresentation(forTypeIdentifier: UTType.livePhoto.identifier) { folder, _ in
                    // The folder disappears when the handler returns.
                    let kept = simulated.folder.appendingPathComponent("kept.pvt")
                    if let folder { try? FileManager.default.moveItem(at: folder, to: kept) }
                    let names = (try? FileManager.default.contentsOfDirectory(atPath: kept.path)) ?? []
                    end(names.sorted().map { kept.appendingPathComponent($0) })
                }
            }
            XCTAssertEqual(files.map(\.lastPathComponent), ["IMG_0001.JPG", "IMG_0001.MOV"])
            let error = try fixture.result { end in
                provider.loadDataRepresentation(for: .livePhoto) { _, error in end((error as NSError?)?.code ?? 0) }
            }
            XCTAssertEqual(error, NSItemProvider.ErrorCode.unavailableCoercionError.rawValue)
            // The files are those of a Live Photo.
            let again = try fixture.result { (end: @escaping @Sendable (PHLivePhoto?) -> Void) in
                PHLivePhoto.request(
                    withResourceFileURLs: files, placeholderImage: nil, targetSize: .zero, contentMode: .default
                ) { photo, _ in end(photo) }
            }
            XCTAssertEqual(again?.size, CGSize(width: 32, height: 32))
            XCTAssertEqual(simulated.misuses, [])
        }
    }

    func testCompatibleRepresentationsAreJPEGAndH264() throws {
        try MainActor.assumeIsolated {
            let fixture = try PickerFixture([])
            let simulated = fixture.simulated
            try fixture.saveHEVCMovie()
            try fixture.saveHEICPhoto()
            simulated.system.photoPickers.setAnswer(.selectNewest(2), to: .photos)
            @MainActor func types(
                _ mode: PHPickerConfiguration.AssetRepresentationMode
            ) throws -> (photo: NSItemProvider, movie: NSItemProvider) {
                let controller = simulated.run { PickingController() }
                var configuration = PHPickerConfiguration()
                configuration.selectionLimit = 0
                configuration.preferredAssetRepresentationMode = mode
                simulated.run { controller.pick(configuration) }
                simulated.advance(by: .seconds(1))
                let results = try XCTUnwrap(controller.results.first)
                XCTAssertEqual(results.count, 2)
                return (results[0].itemProvider, results[1].itemProvider)
            }
            @MainActor func file(_ provider: NSItemProvider, _ type: UTType) throws -> (name: String, file: URL) {
                let kept = simulated.folder.appendingPathComponent("kept-\(UUID().uuidString)")
                let name = try fixture.result { (end: @escaping @Sendable (String) -> Void) in
                    provider.loadFileRepresentation(for: type) { url, _, error in
                        XCTAssertNil(error)
                        if let url { try? FileManager.default.copyItem(at: url, to: kept) }
                        end(url?.lastPathComponent ?? "")
                    }
                }
                return (name, kept)
            }
            for mode in [PHPickerConfiguration.AssetRepresentationMode.automatic, .current] {
                let (photo, movie) = try types(mode)
                XCTAssertEqual(photo.registeredTypeIdentifiers, ["public.heic"])
                XCTAssertEqual(try file(photo, .image).name, "IMG_0007.HEIC")
                XCTAssertEqual(try fixture.codec(of: file(movie, .movie).file), "hevc")
            }
            let (photo, movie) = try types(.compatible)
            XCTAssertEqual(photo.registeredTypeIdentifiers, ["public.jpeg"])
            XCTAssertEqual(movie.registeredTypeIdentifiers, ["com.apple.quicktime-movie"])
            let image = try file(photo, .image)
            XCTAssertEqual(image.name, "IMG_0007.JPG")
            let converted = try XCTUnwrap(PhotoFile(Data(contentsOf: image.file)))
            XCTAssertEqual(converted.format, .jpeg)
            XCTAssertEqual(try converted.size().width, 64)
            XCTAssertEqual(converted.metadata.make, "Obscura")
            let clip = try file(movie, .movie)
            XCTAssertEqual(clip.name, "IMG_0008.MOV")
            XCTAssertEqual(try fixture.codec(of: clip.file), "h264")
            XCTAssertEqual(simulated.misuses, [])
        }
    }
}
