import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels
import SimDevices
import XCTest

@testable import AssetTypes
@testable import CaptureCore

/// Tests mattes of the people in photos.
final class PhotoMatteTests: XCTestCase {
    private struct Capture {
        let fixture: CaptureFixture
        let session: AVCaptureSession
        let output: AVCapturePhotoOutput

        init(_ scene: SimScene = .portrait, camera: String = "phone.front-true-depth") throws {
            fixture = try CaptureFixture(profile: "phone", scene: scene)
            let output = fixture.inSystem { AVCapturePhotoOutput() }
            self.output = output
            session = try fixture.makeSession(camera: camera, microphone: nil, preset: .vga640x480, [output])
            if output.isDepthDataDeliverySupported { output.isDepthDataDeliveryEnabled = true }
        }

        func start() {
            output.isPortraitEffectsMatteDeliveryEnabled = true
            output.enabledSemanticSegmentationMatteTypes = output.availableSemanticSegmentationMatteTypes
            session.startRunning()
            fixture.advance(milliseconds: 500)
        }

        /// Returns settings for all mattes.
        func settings(_ codec: AVVideoCodecType = .hevc) -> AVCapturePhotoSettings {
            let settings = fixture.inSystem { AVCapturePhotoSettings(format: [AVVideoCodecKey: codec]) }
            settings.isDepthDataDeliveryEnabled = true
            settings.isPortraitEffectsMatteDeliveryEnabled = true
            settings.enabledSemanticSegmentationMatteTypes = [.hair, .skin, .teeth, .glasses]
            return settings
        }

        func photo(_ settings: AVCapturePhotoSettings) throws -> AVCapturePhoto {
            let photos = RecordingPhotos()
            output.capturePhoto(with: settings, delegate: photos)
            fixture.advance(milliseconds: 300)
            XCTAssertEqual(photos.events, ["begin", "will", "did", "photo", "end"])
            return try XCTUnwrap(photos.photos.first)
        }
    }

    private func rows(_ matte: CVPixelBuffer) -> [[Int]] {
        matte.withPlane(0) { plane in
            (0..<matte.height).map { row in
                (0..<matte.width).map {
                    Int(plane.baseAddress.load(fromByteOffset: row * plane.bytesPerRow + $0, as: UInt8.self))
                }
            }
        }
    }

    private func mean(_ matte: CVPixelBuffer) -> Double {
        let rows = rows(matte)
        return Double(rows.joined().reduce(0, +)) / Double(matte.width * matte.height)
    }

    func testMattesCoverThePeopleOfTheScene() throws {
        let capture = try Capture()
        capture.start()
        let photo = try capture.photo(capture.settings())
        capture.fixture.assertNoMisuse()
        let portrait = try XCTUnwrap(photo.portraitEffectsMatte).mattingImage
        XCTAssertEqual([portrait.width, portrait.height], [320, 240])
        XCTAssertEqual(photo.resolvedSettings.portraitEffectsMatteDimensions.width, 320)
        XCTAssertEqual(photo.resolvedSettings.dimensionsForSemanticSegmentationMatte(ofType: .hair).height, 240)
        let skin = try XCTUnwrap(photo.semanticSegmentationMatte(for: .skin)).mattingImage
        let hair = try XCTUnwrap(photo.semanticSegmentationMatte(for: .hair)).mattingImage
        // The people of the scene close their mouths and wear no glasses.
        XCTAssertNil(photo.semanticSegmentationMatte(for: .teeth))
        XCTAssertNil(photo.semanticSegmentationMatte(for: .glasses))
        let (people, skins, hairs) = (rows(portrait), rows(skin), rows(hair))
        XCTAssertGreaterThan(people.joined().filter { (1..<255).contains($0) }.count, 100, "the edges are soft")
        // The matte agrees with the depth of the same frame.
        let depth = try XCTUnwrap(photo.depthData)
        let map = try DepthMap(depth.depthDataMap, asDisparity: false)
        var (inside, near) = (0, 0)
        for y in 0..<240 {
            for x in 0..<320 where people[y][x] == 255 {
                inside += 1
                let meters = map.values[(y * map.height / 240) * map.width + x * map.width / 320]
                if meters < 2.6 { near += 1 }
                XCTAssertLessThanOrEqual(skins[y][x] + hairs[y][x], 256)
            }
        }
        XCTAssertGreaterThan(inside, 3000)
        XCTAssertGreaterThan(Double(near) / Double(inside), 0.97)
        // Skin and hair are parts of people.
        for (feature, name) in [(skins, "skin"), (hairs, "hair")] {
            let (all, outside) = (
                feature.joined().filter { $0 == 255 }.count,
                zip(feature.joined(), people.joined()).filter { $0 == 255 && $1 == 0 }.count
            )
            XCTAssertGreaterThan(all, 200, name)
            XCTAssertLessThan(all, inside, name)
            XCTAssertEqual(outside, 0, name)
        }
    }

    func testMattesAreAuxiliaryImagesOfTheFile() throws {
        let capture = try Capture()
        capture.start()
        for codec in [AVVideoCodecType.hevc, .jpeg] {
            let photo = try capture.photo(capture.settings(codec))
            let file = try XCTUnwrap(PhotoFile(XCTUnwrap(photo.fileDataRepresentation())))
            XCTAssertNotNil(try file.auxiliaryImage(.depth), codec.rawValue)
            let stored: [(HEIFPhoto.AuxiliaryImage.Kind, CVPixelBuffer?)] = [
                (.portraitEffectsMatte, photo.portraitEffectsMatte?.mattingImage),
                (.skinMatte, photo.semanticSegmentationMatte(for: .skin)?.mattingImage),
                (.hairMatte, photo.semanticSegmentationMatte(for: .hair)?.mattingImage),
            ]
            for (kind, matte) in stored {
                let image = try XCTUnwrap(file.auxiliaryImage(kind), "\(codec.rawValue) \(kind)")
                XCTAssertEqual(
                    mean(image.pixels), mean(try XCTUnwrap(matte)), accuracy: 2, "\(codec.rawValue) \(kind)")
                XCTAssertEqual(image.pixels.width, 320)
            }
            XCTAssertNil(try file.auxiliaryImage(.teethMatte))
        }
        let settings = capture.settings()
        settings.embedsPortraitEffectsMatteInPhoto = false
        settings.embedsSemanticSegmentationMattesInPhoto = false
        let photo = try capture.photo(settings)
        XCTAssertNotNil(photo.portraitEffectsMatte)
        let file = try XCTUnwrap(PhotoFile(XCTUnwrap(photo.fileDataRepresentation())))
        XCTAssertNil(try file.auxiliaryImage(.portraitEffectsMatte))
        XCTAssertNil(try file.auxiliaryImage(.skinMatte))
        XCTAssertNotNil(try file.auxiliaryImage(.depth))
    }

    private final class RemovingSkin: AVCapturePhotoFileDataRepresentationCustomizer {
        func replacementSemanticSegmentationMatte(
            ofType semanticSegmentationMatteType: AVSemanticSegmentationMatte.MatteType, for photo: AVCapturePhoto
        ) -> AVSemanticSegmentationMatte? {
            semanticSegmentationMatteType == .skin ? nil : photo.semanticSegmentationMatte(for: .hair)
        }
    }

    func testACustomizerRemovesMattes() throws {
        let capture = try Capture()
        capture.start()
        let photo = try capture.photo(capture.settings())
        let data = try XCTUnwrap(photo.fileDataRepresentation(with: RemovingSkin()))
        let file = try XCTUnwrap(PhotoFile(data))
        XCTAssertNil(try file.auxiliaryImage(.skinMatte))
        XCTAssertNotNil(try file.auxiliaryImage(.hairMatte))
        XCTAssertNotNil(try file.auxiliaryImage(.portraitEffectsMatte))
        XCTAssertNotNil(try file.auxiliaryImage(.depth))
    }

    func testAPhotoWithoutPeopleHasNoMattes() throws {
        let capture = try Capture(.grey)
        capture.start()
        let photo = try capture.photo(capture.settings())
        XCTAssertNil(photo.portraitEffectsMatte)
        XCTAssertNil(photo.semanticSegmentationMatte(for: .hair))
        let file = try XCTUnwrap(PhotoFile(XCTUnwrap(photo.fileDataRepresentation())))
        XCTAssertNil(try file.auxiliaryImage(.portraitEffectsMatte))
        capture.fixture.assertNoMisuse()
    }

    func testMattesThatWereNotEnabledAreMisuse() throws {
        let capture = try Capture()
        capture.session.startRunning()
        let (output, fixture) = (capture.output, capture.fixture)
        XCTAssertTrue(output.isPortraitEffectsMatteDeliverySupported)
        XCTAssertEqual(output.availableSemanticSegmentationMatteTypes, [.hair, .skin, .teeth, .glasses])
        XCTAssertEqual(output.enabledSemanticSegmentationMatteTypes, [])
        let format = try fixture.device("phone.front-true-depth").activeFormat
        XCTAssertTrue(format.isPortraitEffectsMatteStillImageDeliverySupported)
        func assertMisuse(_ text: String, _ change: (AVCapturePhotoSettings) -> Void) {
            let settings = fixture.inSystem { AVCapturePhotoSettings() }
            change(settings)
            let message = fixture.assertMisuse(.invalidArgument) {
                output.capturePhoto(with: settings, delegate: RecordingPhotos())
            }
            XCTAssertTrue(message.contains(text), message)
        }
        assertMisuse("isPortraitEffectsMatteDeliveryEnabled") {
            $0.isDepthDataDeliveryEnabled = true
            $0.isPortraitEffectsMatteDeliveryEnabled = true
        }
        assertMisuse("enabledSemanticSegmentationMatteTypes") { $0.enabledSemanticSegmentationMatteTypes = [.hair] }
        output.isPortraitEffectsMatteDeliveryEnabled = true
        output.enabledSemanticSegmentationMatteTypes = [.skin]
        assertMisuse("isDepthDataDeliveryEnabled") { $0.isPortraitEffectsMatteDeliveryEnabled = true }
        assertMisuse("enabledSemanticSegmentationMatteTypes") { $0.enabledSemanticSegmentationMatteTypes = [.hair] }
        capture.session.stopRunning()
        // A camera without depth has no mattes.
        let wide = try fixture.input("phone.back-wide")
        fixture.inSystem {
            capture.session.beginConfiguration()
            capture.session.removeInput(capture.session.inputs[0])
            capture.session.addInput(wide)
            capture.session.commitConfiguration()
        }
        XCTAssertFalse(output.isPortraitEffectsMatteDeliverySupported)
        XCTAssertFalse(output.isPortraitEffectsMatteDeliveryEnabled)
        XCTAssertEqual(output.enabledSemanticSegmentationMatteTypes, [])
        fixture.assertMisuse(.invalidArgument) { output.isPortraitEffectsMatteDeliveryEnabled = true }
        fixture.assertMisuse(.invalidArgument) { output.enabledSemanticSegmentationMatteTypes = [.hair] }
    }
}
