import CaptureSimulation
import Testing

@testable import CaptureTesting

/// The tests have the trait, so that no other test with a system runs at the same time. The reporter of this suite does
/// not know that they have it.
@Suite(.serialized, .simulated(profile: "webcam")) struct RunningTestsTests {
    /// Not the reporter of the process, so that it never receives the deallocation of a system.
    private static let reporter = RunningTests()

    @Test(arguments: 0..<2) func aClosedSystemOfAnotherTestIsNotOpen(_ number: Int) throws {
        let simulated = try SimulatedSystem.current
        // The second case fails if the closed system of the first one is reported as open.
        Self.reporter.didCreate(simulated)
        simulated.close()
        Self.reporter.didClose(simulated.record)
    }
}
