import CameraKit
import CaptureTesting
import Testing

// The first test of docs/testing.md.

@Suite(.simulated(profile: "phone")) struct CameraTests {
    @Test func theSessionStopsDuringACall() async throws {
        let simulated = try SimulatedSystem.current
        let controller = CameraController()
        controller.start { #expect($0 == nil) }
        await simulated.wait { controller.session.isRunning }
        simulated.system.interruptions.begin(.videoInUseByAnotherClient)
        await simulated.wait { controller.session.isInterrupted }
    }
}
