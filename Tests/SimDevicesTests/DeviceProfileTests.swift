import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import SimDevices

final class DeviceProfileTests: XCTestCase {
    private let text = """
        profile: 1
        name: test
        manufacturer: Obscura
        devices:
          - camera:
              id: camera
              name: Camera
              model: m
              kind: external
              lens: {aperture: 2, focalLength: 4 mm, equivalentFocalLength: 28 mm}
              sensor: {fullWell: 5000 e, readNoise: 3 e}
              exposure: {durations: [1/1000 s, 1/15 s], iso: [100, 800]}
              whiteBalance: {temperatures: [2800 K, 6500 K]}
              formats:
                - {size: 640x480, pixelFormats: [420v], frameRates: [[5 fps, 30000/1001 fps], 60 fps]}
        """

    private func error(replacing old: String, with new: String) throws -> ProfileError {
        XCTAssertTrue(text.contains(old))
        do {
            _ = try DeviceProfile(yaml: text.replacingOccurrences(of: old, with: new), file: "test.yaml")
        } catch {
            return error
        }
        XCTFail("\"\(new)\" was accepted")
        return ProfileError(file: "", message: "")
    }

    func testAProfileIsRead() throws {
        let profile = try DeviceProfile(yaml: text, file: "test.yaml")
        guard case .camera(let camera) = profile.devices.first else { return XCTFail("no camera") }
        XCTAssertEqual(camera.lens.equivalentFocalLengthMillimeters, 28)
        XCTAssertEqual(camera.exposureDurations, 0.001...(1.0 / 15))
        XCTAssertEqual(
            camera.formats.first?.frameDurations,
            [
                FrameDurationRange(
                    minimum: CMTime(value: 1001, timescale: 30000), maximum: CMTime(value: 1, timescale: 5)),
                FrameDurationRange(CMTime(value: 1, timescale: 60)),
            ])
        XCTAssertFalse(camera.hasMarker)
        XCTAssertEqual(camera.torchLux, 0)
    }

    func testASpaceBetweenANumberAndItsUnitIsOptional() throws {
        let compact = text.replacingOccurrences(
            of: "([0-9]) (mm|e|s|K|fps)\\b", with: "$1$2", options: .regularExpression)
        XCTAssertTrue(compact.contains("1/1000s") && compact.contains("5000e"), compact)
        XCTAssertEqual(
            try DeviceProfile(yaml: compact, file: "test.yaml"), try DeviceProfile(yaml: text, file: "test.yaml"))
    }

    func testACameraWithoutExposureLockHasOnlyTheContinuousAndTheManualMode() throws {
        func modes(_ exposure: String) throws -> Set<Int64> {
            let text = text.replacingOccurrences(of: "iso: [100, 800]", with: "iso: [100, 800]" + exposure)
            guard case .camera(let camera) = try DeviceProfile(yaml: text, file: "test.yaml").devices.first,
                case .options(let modes, let initial) = camera.controls[.exposureMode]
            else {
                XCTFail("no exposure modes")
                return []
            }
            XCTAssertEqual(initial, ControlMode.continuousAuto.rawValue)
            return modes
        }
        let all = Set([ControlMode.locked, .auto, .continuousAuto, .custom].map(\.rawValue))
        XCTAssertEqual(try modes(""), all)
        XCTAssertEqual(try modes(", lock: true"), all)
        XCTAssertEqual(try modes(", lock: false"), Set([ControlMode.continuousAuto, .custom].map(\.rawValue)))
        XCTAssertEqual(try modes(", lock: false, manual: false"), [ControlMode.continuousAuto.rawValue])
    }

    private func assertRejected(_ old: String, _ new: String, _ words: String, at line: UInt = #line) throws {
        let error = try error(replacing: old, with: new)
        XCTAssertTrue(error.message.contains(words), error.message, line: line)
    }

    func testDuplicatesInListsOfACameraAndAnUnreachableThresholdAreRejected() throws {
        try assertRejected("[420v]", "[420v, 420f, 420v]", "formats[0].pixelFormats[2]: this value occurs twice")
        try assertRejected("60 fps]", "60 fps, 60/1 fps]", "formats[0].frameRates[2]: this value occurs twice")
        try assertRejected("60 fps]", "60 fps], photoSizes: [64x64, 64x64]", "photoSizes[1]: this value occurs twice")
        try assertRejected(
            "      formats:", "      zoom: {maximum: 4, upscaleThreshold: 5}\n      formats:", "from 1 to 4")
    }

    func testFaultsOfMissingControlsOrWithInvalidValuesAreRejected() throws {
        func assertFaultRejected(_ fault: String, _ words: String, at line: UInt = #line) throws {
            try assertRejected(
                "      formats:", "      zoom: {maximum: 4}\n      faults: [{at: 0 s, \(fault)}]\n      formats:",
                words,
                at: line)
        }
        let alter = "do: alter-control, control"
        try assertFaultRejected("\(alter): zoom-factor, value: true", "\"true\" does not begin with a number")
        try assertFaultRejected("\(alter): zoom-factor, value: auto", "does not begin with a number")
        try assertFaultRejected("\(alter): zoom-factor, value: 5", "cannot have this value; write 1.0 to 4.0")
        try assertFaultRejected("\(alter): zoom-factor, value: [1, 1]", "not a single value")
        try assertFaultRejected("\(alter): iso, value: 50", "cannot have this value; write 100.0 to 800.0")
        try assertFaultRejected(
            "\(alter): exposure-mode, value: 1", "valid names are locked, auto, continuous-auto, custom")
        try assertFaultRejected("\(alter): exposure-point, value: 0.5", "not a list")
        try assertFaultRejected("\(alter): exposure-point, value: [0.5, 0.5, 0.5]", "a point has two numbers")
        try assertFaultRejected("\(alter): power-line-frequency, value: 55", "valid names are 0, 50, 60")
        try assertFaultRejected("\(alter): lens-position, value: 0.5", "this device has no control \"lens-position\"")
        try assertFaultRejected("do: fail-control, control: torch-level", "this device has no control \"torch-level\"")
        for fault in [
            "\(alter): zoom-factor, value: 1.5", "\(alter): exposure-mode, value: locked",
            "\(alter): exposure-point, value: [0, 1]", "\(alter): power-line-frequency, value: 60",
            "do: fail-control, control: iso",
        ] {
            let valid = text.replacingOccurrences(
                of: "      formats:",
                with: "      zoom: {maximum: 4}\n      faults: [{at: 0 s, \(fault)}]\n      formats:")
            XCTAssertEqual(try DeviceProfile(yaml: valid, file: "test.yaml").devices.first?.faults.count, 1)
        }
    }

    func testDuplicatesInListsOfAMicrophoneAreRejected() throws {
        let microphone = """
            profile: 1
            name: test
            manufacturer: Obscura
            devices:
              - microphone:
                  id: microphone
                  name: Microphone
                  model: m
                  sampleRates: [48 kHz, 44.1 kHz]
                  channels: 1
                  samples: [int16, int32]
                  noiseFloor: -60 dBFS
            """
        XCTAssertNoThrow(try DeviceProfile(yaml: microphone, file: "test.yaml"))
        for (old, new) in [("44.1 kHz", "48000 Hz"), ("int32", "int16")] {
            XCTAssertThrowsError(
                try DeviceProfile(yaml: microphone.replacingOccurrences(of: old, with: new), file: "test.yaml")
            ) { error in
                XCTAssertTrue("\(error)".contains("this value occurs twice"), "\(error)")
            }
        }
    }

    func testErrorsNameLineColumnKeyAndRemedy() throws {
        // Nil for a line, column or key that is not checked.
        let cases: [(old: String, new: String, line: Int?, column: Int?, key: String?, words: String)] = [
            ("aperture: 2,", "apertur: 2,", 10, 14, "devices[0].camera.lens.apertur", "did you mean \"aperture\""),
            ("profile: 1", "profile: 2", 1, 10, "profile", "write 1"),
            ("4 mm", "4", 10, 40, "devices[0].camera.lens.focalLength", "has no unit"),
            ("4 mm", "4 kg", 10, 40, "devices[0].camera.lens.focalLength", "use mm, cm, m"),
            ("aperture: 2,", "aperture: wide,", 10, 24, "devices[0].camera.lens.aperture", "number"),
            ("iso: [100, 800]", "iso: [800, 100]", 12, 54, "devices[0].camera.exposure.iso", "ends before it begins"),
            ("kind: external", "kind: extern", 9, 13, "devices[0].camera.kind", "did you mean \"external\""),
            ("640x480", "641x480", 15, 18, "devices[0].camera.formats[0].size", "even number"),
            ("640x480", "big", 15, 18, "devices[0].camera.formats[0].size", "1920x1080"),
            ("[420v]", "420v", 15, 41, "devices[0].camera.formats[0].pixelFormats", "not a list"),
            ("model: m", "model: m\n      model: n", nil, nil, nil, "twice"),
            ("name: test", "name: Test!", 2, 7, "name", "not a valid identifier"),
            ("      model: m\n", "", nil, nil, "devices[0].camera", "\"model\" is missing"),
            ("name: test", "name: [", nil, nil, nil, "not valid YAML"),
            ("60 fps", "1e12 fps", nil, nil, "devices[0].camera.formats[0].frameRates[1]", "1e12 fps is out of range"),
            ("60 fps", ".nan fps", nil, nil, "devices[0].camera.formats[0].frameRates[1]", "not a finite number"),
            ("60 fps", "-.INF fps", nil, nil, "devices[0].camera.formats[0].frameRates[1]", "not a finite number"),
            ("60 fps", "1e999 fps", nil, nil, "devices[0].camera.formats[0].frameRates[1]", "not a finite number"),
            ("60 fps", "1/0 fps", nil, nil, "devices[0].camera.formats[0].frameRates[1]", "divides by zero"),
            ("60 fps", "fast", nil, nil, "devices[0].camera.formats[0].frameRates[1]", "number"),
            ("id: camera", "id: camera\n      marker: yes", 7, 15, "devices[0].camera.marker", "true or false"),
        ]
        for (old, new, line, column, key, words) in cases {
            let error = try error(replacing: old, with: new)
            XCTAssertEqual(error.file, "test.yaml")
            if let line { XCTAssertEqual(error.line, line, error.message) }
            if let column { XCTAssertEqual(error.column, column, error.message) }
            XCTAssertGreaterThan(error.line, 0)
            if let key { XCTAssertEqual(error.key, key) }
            XCTAssertTrue(error.message.contains(words), "\"\(words)\" is not in: \(error.message)")
            XCTAssertTrue(error.message.hasPrefix("test.yaml:\(error.line):"), error.message)
        }
    }

    func testBuiltInProfilesAreValid() throws {
        for name in DeviceProfile.builtInNames { XCTAssertEqual(try DeviceProfile.builtIn(name).name, name) }
        XCTAssertThrowsError(try DeviceProfile.load("phon")) { error in
            XCTAssertTrue("\(error)".contains("did you mean \"phone\""))
        }
        XCTAssertThrowsError(try DeviceProfile.load("/nowhere/at/all.yaml")) { error in
            XCTAssertEqual("\(error)", "there is no file /nowhere/at/all.yaml")
        }
        XCTAssertThrowsError(try SimScene.named("stret")) { error in
            XCTAssertTrue("\(error)".contains("did you mean \"street\""))
        }
    }

    func testTheWebcamHasTheYUYVAndMJPEGFormatsThatUSBBandwidthAllows() throws {
        let profile = try DeviceProfile.builtIn("webcam")
        guard case .camera(let camera) = try XCTUnwrap(profile.devices.first) else { return XCTFail("no camera") }
        func fastest(_ encoding: VideoStreamFormat.Encoding, _ width: Int32) -> CMTime? {
            camera.formats.filter { $0.encoding == encoding && $0.dimensions.width == width }
                .flatMap(\.frameDurations).map(\.minimum).min()
        }
        let (yuyv, jpeg) = (
            VideoStreamFormat.Encoding.pixels(kCVPixelFormatType_422YpCbCr8_yuvs),
            VideoStreamFormat.Encoding.compressed(kCMVideoCodecType_JPEG)
        )
        XCTAssertEqual(fastest(yuyv, 640), CMTime(value: 1, timescale: 30))
        XCTAssertEqual(fastest(yuyv, 1280), CMTime(value: 1, timescale: 10))
        XCTAssertEqual(fastest(yuyv, 1920), CMTime(value: 1, timescale: 5))
        for width in [320, 640, 1280, 1920] as [Int32] {
            XCTAssertEqual(fastest(jpeg, width), CMTime(value: 1, timescale: 30))
        }
        XCTAssertFalse(camera.hasFocus, "the lens has fixed focus")
    }

    func testDamagedProfilesAreReadOrRejectedWithALine() {
        var random = SplitMix64(seed: 5)
        let bytes = Array(text.utf8)
        for _ in 0..<400 {
            var damaged = bytes
            for _ in 0...Int(random.next() % 3) {
                let at = Int(random.next() % UInt64(damaged.count))
                switch random.next() % 3 {
                case 0: damaged[at] = UInt8(random.next() % 128)
                case 1: damaged.remove(at: at)
                default: damaged.insert(random.pick(Array("[]{}:,-\"' \n0".utf8)), at: at)
                }
            }
            do {
                _ = try DeviceProfile(yaml: String(decoding: damaged, as: UTF8.self), file: "damaged.yaml")
            } catch {
                XCTAssertGreaterThan(error.line, 0, error.message)
            }
        }
    }
}
