import CLinuxDevices
import CaptureHAL
import Glibc
import MediaTypes
import XCTest

@testable import LinuxDevices

/// Tests the controls of vivid's cameras.
final class V4L2ControlsLabTests: LabTestCase {
    func testBrightnessReadsBackAndChangesTheFrames() throws {
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
            let pixelBuffer = try XCTUnwrap(receiver.waitForFrames(2).last?.pixelBuffer)
            lumas.append(VividFrame(pixelBuffer).bars[4])
            stream.stop()
        }
        try opened.set(.brightness, to: .number(0.5))
        XCTAssertEqual(lumas, lumas.sorted())
        XCTAssertGreaterThan(lumas[2] - lumas[0], 30, "\(lumas)")
        opened.close()
    }

    func testControlChangeByAnotherProgramIsReported() throws {
        let camera = try cameras()[0]
        let opened = try camera.open()
        let changed = expectation(description: "the change is reported")
        changed.assertForOverFulfill = false
        let observation = opened.observeControls { control, _ in if control == .contrast { changed.fulfill() } }
        try Vivid.set("Contrast", 90, path: camera.path)
        wait(for: [changed], timeout: labTimeout)
        observation.cancel()
        try opened.set(.contrast, to: .number(0.5))
        opened.close()
    }

    func testNumericControlsReadBack() throws {
        let opened = try cameras()[0].open()
        // In automatic mode, vivid changes the gain itself.
        try opened.set(.exposureMode, to: .integer(ControlMode.custom.rawValue))
        XCTAssertEqual(try opened.value(of: .exposureMode), .integer(ControlMode.custom.rawValue))
        var tested: Set<DeviceControl> = []
        for (control, range) in opened.controls {
            guard case .number(let limits, let step, let defaultValue) = range else { continue }
            for fraction in [0.25, 1, 0] {
                let value = limits.lowerBound + (limits.upperBound - limits.lowerBound) * fraction
                try opened.set(control, to: .number(value))
                guard case .number(let read) = try opened.value(of: control) else { return XCTFail("\(control)") }
                XCTAssertEqual(read, value, accuracy: step, "\(control)")
            }
            try opened.set(control, to: .number(defaultValue))
            tested.insert(control)
        }
        XCTAssertTrue(tested.isSuperset(of: [.brightness, .contrast, .saturation, .hue, .gain]), "\(tested)")
        try opened.set(.exposureMode, to: .integer(ControlMode.continuousAuto.rawValue))
        opened.close()
    }
}
