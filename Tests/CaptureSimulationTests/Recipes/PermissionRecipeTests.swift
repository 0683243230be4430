import AVFoundation
import CaptureTesting
import XCTest

/// The recipes of docs/testing.md for permissions.
final class PermissionRecipeTests: XCTestCase {
    func testAPromptThatIsAnsweredLate() throws {
        // recipe: prompt answered late
        let simulated = try SimulatedSystem(
            authorization: [.video: .notDetermined],
            answers: [.video: PromptAnswer(.authorized, after: .seconds(20))])
        let camera = RecipeCamera()
        camera.start()
        simulated.advance(by: .seconds(19))
        XCTAssertEqual(camera.state, .idle)
        simulated.advance(by: .seconds(2))
        XCTAssertEqual(camera.state, .running)
        // end
    }

    func testAPromptThatIsDenied() throws {
        // recipe: prompt denied
        let simulated = try SimulatedSystem(
            authorization: [.video: .notDetermined], answers: [.video: PromptAnswer(.denied, after: .seconds(1))])
        let camera = RecipeCamera()
        camera.start()
        simulated.advance(by: .seconds(2))
        XCTAssertEqual(camera.state, .noAccess)
        XCTAssertEqual(camera.frameCount, 0)
        // end
    }

    func testAPermissionThatIsChangedInSettings() throws {
        // recipe: changed in Settings
        let simulated = try SimulatedSystem(authorization: [.video: .denied])
        let camera = RecipeCamera()
        camera.start()
        simulated.advance(by: .seconds(1))
        XCTAssertEqual(camera.state, .noAccess)

        simulated.system.authorization.set(.authorized, for: .video)
        camera.start()
        simulated.advance(by: .seconds(1))
        XCTAssertEqual(camera.state, .running)
        // end
    }
}
