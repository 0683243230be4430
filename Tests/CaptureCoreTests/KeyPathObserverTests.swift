import CaptureHAL
import Foundation
import MediaAssets
import MediaTypes
import XCTest

@testable import AssetTypes
@testable import CaptureCore
@testable import CapturePreview
@testable import KeyValueObserving

/// Tests observing and reading properties by string key paths, as code for the Objective-C runtime does.
final class KeyPathObserverTests: XCTestCase {
    private final class RecordingObserver: KeyPathObserver {
        struct Change {
            let keyPath: String?
            let object: Any?
            let values: [NSKeyValueChangeKey: Any]
            let context: UnsafeMutableRawPointer?
        }

        private(set) var changes: [Change] = []

        func observeValue(
            forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
            context: UnsafeMutableRawPointer?
        ) {
            changes.append(Change(keyPath: keyPath, object: object, values: change ?? [:], context: context))
        }
    }

    func testAnObserverReceivesChangesUntilItIsRemoved() throws {
        let fixture = try CaptureFixture()
        let output = fixture.inSystem { AVCaptureVideoDataOutput() }
        let observer = RecordingObserver()
        let first = UnsafeMutableRawPointer(bitPattern: 16)
        let second = UnsafeMutableRawPointer(bitPattern: 32)
        let key = "alwaysDiscardsLateVideoFrames"
        output.addObserver(observer, forKeyPath: key, options: [.new, .old], context: first)
        output.addObserver(observer, forKeyPath: key, options: [.initial], context: second)
        XCTAssertEqual(observer.changes.map(\.context), [second])
        output.alwaysDiscardsLateVideoFrames = false
        XCTAssertEqual(observer.changes.map(\.context).filter { $0 == first }.count, 1)
        XCTAssertEqual(observer.changes.count, 3)
        let change = try XCTUnwrap(observer.changes.first { $0.context == first })
        XCTAssertEqual(change.keyPath, key)
        XCTAssertTrue(change.object as AnyObject === output)
        XCTAssertEqual(change.values[.newKey] as? Bool, false)
        XCTAssertEqual(change.values[.oldKey] as? Bool, true)
        XCTAssertEqual(change.values[.kindKey] as? UInt, NSKeyValueChange.setting.rawValue)
        output.removeObserver(observer, forKeyPath: key, context: first)
        output.alwaysDiscardsLateVideoFrames = true
        XCTAssertEqual(observer.changes.count, 4)
        output.removeObserver(observer, forKeyPath: key)
        output.alwaysDiscardsLateVideoFrames = false
        XCTAssertEqual(observer.changes.count, 4)
        fixture.assertNoMisuse()
    }

    func testAnUnknownKeyAndAnObserverThatIsNotRegisteredAreMisuse() throws {
        let fixture = try CaptureFixture()
        let output = fixture.inSystem { AVCaptureVideoDataOutput() }
        let observer = RecordingObserver()
        fixture.assertMisuse(.invalidArgument) {
            output.addObserver(observer, forKeyPath: "noSuchProperty", context: nil)
        }
        fixture.assertMisuse(.invalidArgument) { XCTAssertNil(output.value(forKey: "noSuchProperty")) }
        fixture.assertMisuse(.invalidArgument) { output.removeObserver(observer, forKeyPath: "videoSettings") }
        XCTAssertNil(output.value(forKeyPath: "connections.noSuchProperty"))
        XCTAssertTrue(fixture.dequeueMisuses().map(\.message).joined().contains("valueForUndefinedKey:"))
    }

    func testAKeyPathThroughAnInputObservesItsDevice() throws {
        let fixture = try CaptureFixture()
        let device = try fixture.device(CaptureFixture.camera)
        let input = try AVCaptureDeviceInput(device: device)
        let observer = RecordingObserver()
        let count = Lock(0)
        let observation = input.observe(\.device.isSubjectAreaChangeMonitoringEnabled) { _, _ in
            count.withLock { $0 += 1 }
        }
        let keyPath = "device.subjectAreaChangeMonitoringEnabled"
        input.addObserver(observer, forKeyPath: keyPath, options: .new, context: nil)
        try device.lockForConfiguration()
        device.isSubjectAreaChangeMonitoringEnabled = true
        XCTAssertEqual(count.withLock { $0 }, 1)
        XCTAssertEqual(observer.changes.map { $0.values[.newKey] as? Bool }, [true])
        XCTAssertTrue(observer.changes.last?.object as AnyObject === input)
        observation.invalidate()
        input.removeObserver(observer, forKeyPath: keyPath)
        device.isSubjectAreaChangeMonitoringEnabled = false
        device.unlockForConfiguration()
        XCTAssertEqual(count.withLock { $0 }, 1)
        XCTAssertEqual(observer.changes.count, 1)
        XCTAssertEqual(input.value(forKeyPath: "device.isAdjustingFocus") as? Bool, device.isAdjustingFocus)
        XCTAssertEqual(input.value(forKeyPath: "device.focusMode") as? Int, device.focusMode.rawValue)
        fixture.assertNoMisuse()
    }

    /// After an object in the middle of the key path is replaced, only the new object is observed.
    func testAKeyPathFollowsAnObjectThatIsReplaced() throws {
        let fixture = try CaptureFixture()
        let (layer, first, second) = fixture.inSystem {
            (AVCaptureVideoPreviewLayer(), AVCaptureSession(), AVCaptureSession())
        }
        let observer = RecordingObserver()
        layer.session = first
        layer.addObserver(observer, forKeyPath: "session.sessionPreset", options: [.new, .old], context: nil)
        first.sessionPreset = .vga640x480
        XCTAssertEqual(observer.changes.count, 1)
        layer.session = second
        XCTAssertEqual(observer.changes.count, 2)
        let old = observer.changes.last?.values[.oldKey] as? String
        XCTAssertEqual(old, AVCaptureSession.Preset.vga640x480.rawValue)
        first.sessionPreset = .high
        XCTAssertEqual(observer.changes.count, 2)
        second.sessionPreset = .medium
        XCTAssertEqual(
            observer.changes.last?.values[.newKey] as? String, AVCaptureSession.Preset.medium.rawValue)
        layer.session = nil
        XCTAssertTrue(observer.changes.last?.values[.newKey] is NSNull)
        layer.removeObserver(observer, forKeyPath: "session.sessionPreset")
        fixture.assertNoMisuse()
    }

    func testThePropertiesOfTheClassAVCaptureDeviceAreObservedAndRead() throws {
        let fixture = try CaptureFixture()
        let observer = RecordingObserver()
        try fixture.inSystem {
            let type = AVCaptureDevice.self
            let camera = try XCTUnwrap(AVCaptureDevice.systemPreferredCamera)
            XCTAssertTrue(type.value(forKey: "systemPreferredCamera") as AnyObject === camera)
            XCTAssertEqual(type.value(forKeyPath: "systemPreferredCamera.uniqueID") as? String, camera.uniqueID)
            type.addObserver(observer, forKeyPath: "centerStageControlMode", options: .new, context: nil)
            type.addObserver(observer, forKeyPath: "systemPreferredCamera", context: nil)
            AVCaptureDevice.centerStageControlMode = .app
            XCTAssertEqual(observer.changes.map { $0.values[.newKey] as? Int }, [1])
            XCTAssertTrue(observer.changes.last?.object is AVCaptureDevice.Type)
            type.removeObserver(observer, forKeyPath: "centerStageControlMode")
            type.removeObserver(observer, forKeyPath: "systemPreferredCamera", context: nil)
            AVCaptureDevice.centerStageControlMode = .user
        }
        XCTAssertEqual(observer.changes.count, 1)
        fixture.assertNoMisuse()
        fixture.assertMisuse(.invalidArgument) {
            fixture.inSystem { XCTAssertNil(AVCaptureDevice.self.value(forKey: "focusMode")) }
        }
    }

    /// Each getter reports the name of the property that it reads. The name must be that of the key.
    func testEveryKeyReadsThePropertyOfItsName() throws {
        let fixture = try CaptureFixture()
        let device = try fixture.device(CaptureFixture.camera)
        let objects: [any KeyValueObserving] = try fixture.inSystem {
            [
                device, try AVCaptureDeviceInput(device: device), AVCaptureSession(), AVCaptureMultiCamSession(),
                AVCaptureMovieFileOutput(), AVCaptureAudioFileOutput(), AVCapturePhotoOutput(),
                AVCaptureStillImageOutput(), AVCaptureVideoDataOutput(), AVCaptureAudioDataOutput(),
                AVCaptureAudioPreviewOutput(), AVCaptureMetadataOutput(), AVCaptureDepthDataOutput(),
                AVCaptureVideoPreviewLayer(), AVSampleBufferDisplayLayer(),
            ]
        }
        /// Constants, which have keys only because longer key paths contain them.
        let constants: Set = [
            "device", "ports", "uniqueID", "modelID", "localizedName", "position", "deviceType", "formats", "hasFlash",
            "hasTorch", "connections",
        ]
        /// Properties that depend on others.
        let derived: Set = ["error", "recording"]
        var count = 0
        for object in objects {
            for table in KeyPathTable.tables(for: object) {
                for key in table.getters.keys where !constants.contains(key) {
                    let dependencies = try KeyPathTable.track([key], of: object).dependencies
                    let names = Set(dependencies.flatMap(\.names)).map {
                        $0 == "iso" ? "ISO" : KeyPathTable.key(ofGetter: $0) ?? $0
                    }
                    XCTAssertFalse(names.isEmpty, "\(type(of: object)).\(key) reports no changes")
                    if !derived.contains(key) { XCTAssertTrue(names.contains(key), "\(key): \(names)") }
                    count += 1
                }
            }
        }
        XCTAssertGreaterThan(count, 200)
        fixture.assertNoMisuse()
    }

    /// Compares values with those of key paths, for each kind of value.
    func testAKeyHasTheValueOfTheProperty() throws {
        let fixture = try CaptureFixture()
        let device = try fixture.device(CaptureFixture.camera)
        XCTAssertEqual(device.value(forKey: "ISO") as? Float, device.iso)
        XCTAssertEqual(device.value(forKey: "videoZoomFactor") as? CGFloat, device.videoZoomFactor)
        XCTAssertEqual(device.value(forKey: "exposureDuration") as? CMTime, device.exposureDuration)
        XCTAssertTrue(device.value(forKey: "activeFormat") as AnyObject === device.activeFormat)
        XCTAssertEqual(
            device.value(forKeyPath: "systemPressureState.level") as? String,
            device.systemPressureState.level.rawValue)
        let (movie, layer) = fixture.inSystem { (AVCaptureMovieFileOutput(), AVCaptureVideoPreviewLayer()) }
        XCTAssertEqual(movie.value(forKey: "recording") as? Bool, false)
        XCTAssertNil(movie.value(forKey: "outputFileURL"))
        XCTAssertEqual(layer.value(forKey: "videoGravity") as? String, layer.videoGravity.rawValue)
        fixture.assertNoMisuse()
    }

    /// Every property with a getter that records its access has a key, except deprecated properties.
    func testEveryObservablePropertyHasAKey() throws {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let providers: [any KeyPathTableProviding.Type] = [
            AVCaptureSession.self, AVCaptureVideoPreviewLayer.self, AVSampleBufferDisplayLayer.self,
            AVCaptureDevice.RotationCoordinator.self, AVCaptureExternalDisplayConfigurator.self, AVAssetWriter.self,
            AVAssetWriterInput.self,
        ]
        let keys = Set(providers.flatMap { $0.keyPathTables }.flatMap(\.getters.keys))
        var missing: [String] = []
        for folder in ["CaptureCore", "CapturePreview", "MediaAssets"] {
            let sources = package.appendingPathComponent("Sources/\(folder)")
            for case let file as URL in FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
                ?? .init()
            where file.pathExtension == "swift" {
                let text = try String(contentsOf: file, encoding: .utf8)
                missing += Self.observableProperties(in: text).filter {
                    !keys.contains($0 == "iso" ? "ISO" : KeyPathTable.key(ofGetter: $0) ?? $0)
                }
            }
        }
        XCTAssertEqual(missing, [])
    }

    /// Returns the names of the instance properties with getters that call `access` or `value`, without deprecated
    /// ones.
    private static func observableProperties(in text: String) -> [String] {
        var (name, isDeprecated) = ("", false)
        var found: [String] = []
        for line in text.split(separator: "\n").map({ $0.trimmingCharacters(in: .whitespaces) }) {
            if line.hasPrefix("@available(*, deprecated") { isDeprecated = true }
            if let range = line.range(of: "public var ") {
                name = isDeprecated ? "" : String(line[range.upperBound...].prefix { $0.isLetter })
            } else if line.contains(" var ") {
                name = ""
            }
            if line.hasSuffix("{") { isDeprecated = false }
            if line == "observedProperties.access()" || line.contains("observedProperties.value("), !name.isEmpty {
                found.append(name)
                name = ""
            }
        }
        return found
    }
}
