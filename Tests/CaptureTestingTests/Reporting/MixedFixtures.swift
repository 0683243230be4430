import CaptureSimulation
import CaptureTesting
import Foundation
import Testing
import XCTest

/// Swift Testing tests in real time beside tests of simulated systems, run by `MixedFixtureTests` in a separate process.
@Suite(.enabled(if: TestFixtures.areEnabled)) struct MixedFixtures {
    @Suite struct InRealTime {
        @Test(arguments: 0..<8) func tasksAndQueuesContinue(_ number: Int) async throws {
            for _ in 0..<20 {
                await Task { @MainActor in }.value
                try await Task.sleep(nanoseconds: 2_000_000)
                try await Task.sleep(for: .milliseconds(2))
                await withCheckedContinuation { continuation in
                    DispatchQueue.global().async {
                        DispatchQueue.main.asyncAfter(deadline: .now() + 0.002) { continuation.resume() }
                    }
                }
                await withCheckedContinuation { continuation in
                    DispatchQueue.main.async { continuation.resume() }
                }
            }
        }

        @Test @MainActor func theMainActorReadsRealTime() async throws {
            for _ in 0..<50 {
                let start = Date()
                try await Task.sleep(for: .milliseconds(5))
                #expect(abs(Date().timeIntervalSince(start)) < 30)
            }
        }
    }

    @Suite(.simulated(profile: "webcam")) struct Simulated {
        @Test(arguments: 0..<20) func timeIsVirtual(_ number: Int) async throws {
            let simulated = try SimulatedSystem.current
            let start = Date()
            try await Task.sleep(for: .seconds(3))
            await MainActor.run {}
            DispatchQueue.main.async {}
            #expect(Date().timeIntervalSince(start) == 3)
            await simulated.wait(for: .seconds(1))
        }
    }
}

/// Tests that tests in real time and tests of simulated systems can share a process. Runs `MixedFixtures`.
final class MixedFixtureTests: XCTestCase {
    func testTestsInRealTimeRunBesideSimulatedSystems() throws {
        for _ in 0..<3 {
            let result = try TestFixtures.runSwiftTesting("MixedFixtures")
            XCTAssertEqual(result.status, 0, result.output)
            XCTAssertTrue(result.output.contains("with 3 tests"), result.output)
        }
    }
}
