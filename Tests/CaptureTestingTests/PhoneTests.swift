import AssetTypes
import CaptureCore
import CaptureSimulation
import CaptureTesting
import Foundation
import MediaTypes
import SimDevices
import Testing
import XCTest

/// Tests on each of several phones, by the trait `phones` and by `XCTAssertOnPhones`.
@Suite struct PhoneTests {
    private static let seen = Lock<[String]>([])

    @Test(.phones(.without(.builtInUltraWideCamera), scene: .grey)) func eachPhoneHasItsOwnSystem() throws {
        let simulated = try SimulatedSystem.current
        let camera = try #require(AVCaptureDevice.default(for: .video))
        #expect(simulated.clock.now == .zero)
        Self.seen.withLock { $0.append(camera.uniqueID) }
        let seen = Self.seen.withLock { $0 }
        #expect(seen == Array(["phone-small.back-wide", "tablet.back-wide"].prefix(seen.count)))
    }

    @Test(.phones(.named("tablet")) { try SimulatedSystem(profile: $0, scene: .grey, orientation: .landscapeLeft) })
    func aFunctionCreatesTheSystemOfAPhone() throws {
        #expect(try SimulatedSystem.current.system.orientation.current == .landscapeLeft)
        #expect(AVCaptureDevice.default(for: .video)?.uniqueID == "tablet.back-wide")
    }
}

final class PhoneXCTests: XCTestCase {
    func testTheCodeRunsOnEachPhone() {
        var seen: [String] = []
        XCTAssertOnPhones(.without(.builtInUltraWideCamera)) { phone in
            let simulated = try SimulatedSystem(profile: phone, scene: .grey)
            seen.append(try XCTUnwrap(simulated.run { AVCaptureDevice.default(for: .video) }).uniqueID)
        }
        XCTAssertEqual(seen, ["phone-small.back-wide", "tablet.back-wide"])
    }

    func testAsynchronousCodeRunsOnEachPhone() async {
        var seen: [String] = []
        await XCTAssertOnPhones(.named("phone-small", "tablet")) { phone in
            let simulated = try SimulatedSystem(profile: phone, scene: .grey)
            await simulated.wait(for: .seconds(1))
            seen.append(phone)
        }
        XCTAssertEqual(seen, ["phone-small", "tablet"])
    }
}

/// Tests that fail on some phones; `PhoneFailureTests` runs them in a separate process.
@Suite(.enabled(if: TestFixtures.areEnabled)) struct PhoneSuiteFixtures {
    @Test(.phones(.all, scene: .grey)) func failsWithoutDepth() {
        #expect(AVCaptureDevice.default(.builtInDualWideCamera, for: .video, position: .back) != nil, "no dual camera")
    }

    @Test(.phones(.named("phone-small", "tablet"), scene: .grey)) func throwsOnAllPhones() throws {
        struct Failure: Error {}
        throw Failure()
    }
}

final class PhoneFixtures: XCTestCase {
    override func invokeTest() {
        if TestFixtures.areEnabled { super.invokeTest() }
    }

    func testFailsWithoutDepth() {
        XCTAssertOnPhones { phone in
            let simulated = try SimulatedSystem(profile: phone, scene: .grey)
            try simulated.run {
                let camera = AVCaptureDevice.default(.builtInDualWideCamera, for: .video, position: .back)
                if phone == "tablet" { _ = try XCTUnwrap(camera) }
                XCTAssertNotNil(camera)
            }
        }
    }

    func testHasNoPhones() {
        XCTAssertOnPhones(.named("brick")) { _ in }
    }
}

/// Tests that a failure names the phone. Runs `PhoneSuiteFixtures` and `PhoneFixtures`.
final class PhoneFailureTests: XCTestCase {
    /// Returns the lines that contain a text.
    private func lines(_ output: String, with text: String) -> [String] {
        output.split(separator: "\n").map(String.init).filter { $0.contains(text) }
    }

    func testAFailureInSwiftTestingNamesThePhone() throws {
        let result = try TestFixtures.runSwiftTesting("PhoneSuiteFixtures")
        XCTAssertEqual(result.status, 1, result.output)
        for name in ["phone-small", "tablet"] {
            XCTAssertGreaterThanOrEqual(lines(result.output, with: "on \(name)").count, 2, result.output)
        }
        for name in ["phone-two-lenses", "phone-pro-5x"] {
            XCTAssertEqual(lines(result.output, with: "on \(name)"), [], result.output)
        }
    }

    func testAFailureInXCTestNamesThePhone() throws {
        let result = try TestFixtures.runXCTest("PhoneFixtures/testFailsWithoutDepth")
        XCTAssertEqual(result.status, 1, result.output)
        XCTAssertEqual(lines(result.output, with: "on phone-small: the failure above").count, 1, result.output)
        XCTAssertEqual(lines(result.output, with: "on tablet: threw the error").count, 1, result.output)
        XCTAssertEqual(lines(result.output, with: "on phone-pro"), [], result.output)
    }

    func testASelectionWithoutPhonesIsAFailure() throws {
        let result = try TestFixtures.runXCTest("PhoneFixtures/testHasNoPhones")
        XCTAssertEqual(result.status, 1, result.output)
        XCTAssertTrue(result.output.contains("no phone is in the selection \"brick\""), result.output)
    }
}
