import Foundation
import XCTest

@testable import SimDevices

final class ProfileDocumentTests: XCTestCase {
    private func profile(_ lines: String, file: String = "mine.yaml") throws -> DeviceProfile {
        try DeviceProfile(yaml: "profile: 1\n" + lines, file: file)
    }

    private func error(_ lines: String, file: String = "mine.yaml") -> ProfileError? {
        do throws(ProfileError) {
            _ = try DeviceProfile(yaml: "profile: 1\n" + lines, file: file)
            return nil
        } catch { return error }
    }

    private func camera(_ id: String, in profile: DeviceProfile) throws -> CameraProfile {
        let cameras = profile.devices.compactMap { if case .camera(let camera) = $0 { camera } else { nil } }
        return try XCTUnwrap(cameras.first { $0.id == id })
    }

    func testAProfileWithoutChangesHasTheDevicesOfItsBase() throws {
        let base = try DeviceProfile.builtIn("phone")
        var expected = base
        (expected.name, expected.summary) = ("mine", "")
        XCTAssertEqual(try profile("basedOn: phone\nname: mine"), expected)
        // A file can have the name of the built-in profile that it is based on.
        XCTAssertEqual(try profile("basedOn: phone\nname: mine", file: "phone.yaml"), expected)
    }

    func testAMappingOverridesOnlyTheKeysThatItContains() throws {
        let base = try camera("back-wide", in: DeviceProfile.builtIn("phone"))
        let changed = try profile(
            """
            basedOn: phone
            name: mine
            devices:
              - camera: {id: back-wide, lens: {minimumFocusDistance: 90 mm}, exposure: {iso: [40, 800]}}
            """)
        let camera = try camera("back-wide", in: changed)
        XCTAssertEqual(changed.devices.map(\.id), try DeviceProfile.builtIn("phone").devices.map(\.id))
        XCTAssertEqual(camera.lens.minimumFocusDistanceMillimeters, 90)
        XCTAssertEqual(camera.lens.aperture, base.lens.aperture)
        XCTAssertEqual(camera.isoRange, 40...800)
        XCTAssertEqual(camera.exposureDurations, base.exposureDurations)
        XCTAssertEqual(camera.formats.count, base.formats.count)
        // The virtual cameras have the changed constituent.
        guard case .virtualCamera(let dual)? = changed.devices.first(where: { $0.id == "back-dual-wide" }) else {
            return XCTFail("no dual wide camera")
        }
        XCTAssertEqual(dual.constituents[1].lens.minimumFocusDistanceMillimeters, 90)
    }

    func testTheValueNoneRemovesAKeyOfTheBase() throws {
        let changed = try profile(
            """
            basedOn: phone
            name: mine
            devices:
              - camera: {id: back-ultra-wide, torch: none, lens: {minimumFocusDistance: none}}
            """)
        let camera = try camera("back-ultra-wide", in: changed)
        XCTAssertEqual(camera.torchLux, 0)
        XCTAssertFalse(camera.hasFocus)
        XCTAssertGreaterThan(camera.flashLuxSeconds, 0)
        // A required key cannot be removed.
        let error = error(
            "basedOn: phone\nname: mine\ndevices:\n  - camera: {id: back-wide, lens: {aperture: none}}")
        XCTAssertEqual(error?.key, "devices[0].camera.lens")
        XCTAssertTrue(error?.message.contains("\"aperture\" is missing") ?? false, error?.message ?? "")
    }

    func testWithoutRemovesDevicesAndOtherEntriesAddThem() throws {
        let text = """
            basedOn: usb-microphone
            name: mine
            without: [microphone]
            devices:
              - microphone:
                  {id: second, name: M, model: m, sampleRates: [48 kHz], channels: 1, samples: [int16], noiseFloor: -60 dBFS}
            """
        XCTAssertEqual(try profile(text).devices.map(\.id), ["second"])
        let removed = error(text.replacingOccurrences(of: "[microphone]", with: "[mikrophone]"))
        XCTAssertEqual(removed?.key, "without[0]")
        XCTAssertTrue(removed?.message.contains("microphone") ?? false)
    }

    func testARemovedCameraLeavesTheSetsOfTheBase() throws {
        let base = try XCTUnwrap(DeviceProfile.builtIn("phone-pro-3x").machine.multiCamera.sets)
        let changed = try profile(
            """
            basedOn: phone-pro-3x
            name: mine
            without: [back-lidar, front-true-depth]
            """)
        let sets = try XCTUnwrap(changed.machine.multiCamera.sets)
        XCTAssertEqual(sets.count, base.count - 1)
        XCTAssertEqual(sets[1], ["mine.back-ultra-wide", "mine.back-wide", "mine.back-telephoto"])
    }

    func testAVirtualCameraNeedsItsConstituents() {
        let error = error("basedOn: phone\nname: mine\nwithout: [back-telephoto]")
        XCTAssertEqual(error?.file, "phone.yaml")
        XCTAssertTrue(error?.key.hasSuffix("constituents[1]") ?? false, error?.key ?? "")
    }

    func testErrorsNameFileLineAndKeyOfTheProfileThatContainsThem() {
        let wrong = error("basedOn: phone\nname: mine\ndevices:\n  - camera: {id: back-wide, torch: 5 mm}")
        XCTAssertEqual(wrong?.file, "mine.yaml")
        XCTAssertEqual(wrong?.line, 5)
        XCTAssertEqual(wrong?.key, "devices[0].camera.torch")
        let unknown = error("basedOn: phone\nname: mine\ndevices:\n  - camera: {id: back-wide, torhc: 5 lx}")
        XCTAssertEqual(unknown?.key, "devices[0].camera.torhc")
        XCTAssertEqual(error("basedOn: fone\nname: mine")?.key, "basedOn")
        XCTAssertEqual(error("basedOn: phone")?.message.contains("\"name\" is missing"), true)
        XCTAssertEqual(error("name: mine\nmanufacturer: M\nwithout: [a]\ndevices: []")?.key, "without")
        let twice = error(
            "basedOn: phone\nname: mine\ndevices:\n  - camera: {id: front}\n  - camera: {id: front}")
        XCTAssertTrue(twice?.message.contains("two devices have the id \"front\"") ?? false, twice?.message ?? "")
    }

    func testAFileIsBasedOnAnotherFileOfItsFolder() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("profiles-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { XCTAssertNoThrow(try FileManager.default.removeItem(at: folder)) }
        func write(_ name: String, _ text: String) throws -> String {
            let url = folder.appendingPathComponent(name)
            try Data(("profile: 1\n" + text).utf8).write(to: url)
            return url.path
        }
        _ = try write("a.yaml", "basedOn: webcam\nname: a\nmanufacturer: A")
        let path = try write("b.yaml", "basedOn: ./a.yaml\nname: b")
        let profile = try DeviceProfile.load(path)
        XCTAssertEqual([profile.name, profile.manufacturer], ["b", "A"])
        XCTAssertEqual(profile.devices, try DeviceProfile.builtIn("webcam").devices)

        let cycle = try write("c.yaml", "basedOn: ./d.yaml\nname: c")
        _ = try write("d.yaml", "basedOn: ./c.yaml\nname: d")
        XCTAssertThrowsError(try DeviceProfile.load(cycle)) { error in
            XCTAssertTrue("\(error)".contains("based on this one"), "\(error)")
        }
        let missing = try write("e.yaml", "basedOn: ./f.yaml\nname: e")
        XCTAssertThrowsError(try DeviceProfile.load(missing)) { error in
            XCTAssertTrue("\(error)".contains("f.yaml\" cannot be read"), "\(error)")
        }
    }

    func testTheMachineIsRead() throws {
        let small = try DeviceProfile.builtIn("phone-small").machine
        XCTAssertEqual(small.screen.width, 375)
        XCTAssertEqual(small.multiCamera.peak, 1.5)
        XCTAssertEqual(small.multiCamera.sets, [["phone-small.back-wide", "phone-small.front"]])
        XCTAssertEqual(try DeviceProfile.builtIn("tablet").machine.form, .tablet)
        let alone = error("basedOn: phone\nname: mine\nmultiCamera: {sets: [[front]]}")
        XCTAssertEqual(alone?.key, "multiCamera.sets[0]")
    }
}
