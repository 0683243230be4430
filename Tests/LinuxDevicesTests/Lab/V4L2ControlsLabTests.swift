import CLinuxDevices
import CaptureHAL
import Glibc
import MediaTypes
import XCTest

@testable import LinuxDevices

/// Controls of vivid.
final class V4L2ControlsLabTests: LabTestCase {
    func testBrightnessIsSetReadBackAndSeen() throws {
        let camera = try cameras()[0]
        let opened = try camera.open()
        let stream = try opened.makeStream(configuration(camera))
        var lumas: [Int] = []
        for brightness in [0.25, 0.5, 0.75] {
            try opened.set(.brightness, to: .number(brightness))
            guard case .number(let read) = try opened.value(of: .brightness) else { return XCTFail("no number") }
            XCTAssertEqual(read, brightness, accuracy: 0.01)
            let receiver = RecordingReceiver()
            try stream.start(receiver.receive)
            let pixelBuffer = try XCTUnwrap(receiver.wait(for: 2).last?.pixelBuffer)
            lumas.append(luma(pixelBuffer, 0.55, 0.75))
            stream.stop()
        }
        try opened.set(.brightness, to: .number(0.5))
        XCTAssertEqual(lumas, lumas.sorted())
        XCTAssertGreaterThan(lumas[2] - lumas[0], 30, "\(lumas)")
        opened.close()
    }

    func testAChangeByAnotherProgramIsTold() throws {
        let camera = try cameras()[0]
        let opened = try camera.open()
        let came = expectation(description: "a change came")
        came.assertForOverFulfill = false
        let observation = opened.observeControls { control, _ in if control == .contrast { came.fulfill() } }
        try Vivid.set("Contrast", 90, path: camera.path)
        wait(for: [came], timeout: 20)
        observation.cancel()
        try opened.set(.contrast, to: .number(0.5))
        opened.close()
    }

    func testEveryNumberReadsBackAsItWasSet() throws {
        let opened = try cameras()[0].open()
        // Its gain is its own business while the loop runs.
        try opened.set(.exposureMode, to: .integer(ControlMode.custom.rawValue))
        XCTAssertEqual(try opened.value(of: .exposureMode), .integer(ControlMode.custom.rawValue))
        var seen: Set<DeviceControl> = []
        for (control, range) in opened.controls {
            guard case .number(let limits, let step, let standard) = range else { continue }
            for share in [0.25, 1, 0] {
                let wish = limits.lowerBound + (limits.upperBound - limits.lowerBound) * share
                try opened.set(control, to: .number(wish))
                guard case .number(let read) = try opened.value(of: control) else { return XCTFail("\(control)") }
                XCTAssertEqual(read, wish, accuracy: step, "\(control)")
            }
            try opened.set(control, to: .number(standard))
            seen.insert(control)
        }
        XCTAssertTrue(seen.isSuperset(of: [.brightness, .contrast, .saturation, .hue, .gain]), "\(seen)")
        try opened.set(.exposureMode, to: .integer(ControlMode.continuousAuto.rawValue))
        opened.close()
    }
}
