import MediaTypes
import XCTest

@testable import CaptureHAL

final class AuthorizationTests: XCTestCase {
    /// The states that the completion handlers received.
    private let results = Lock<[AuthorizationState]>([])

    private func requestAccess(_ authorization: Authorization, _ resource: ProtectedResource = .video) {
        let results = results
        authorization.request(resource) { state in results.withLock { $0.append(state) } }
    }

    func testADeterminedStateIsReportedWithoutAPrompt() {
        let clock = SimClock()
        let authorization = Authorization(clock: clock, states: [.video: .denied])
        requestAccess(authorization)
        requestAccess(authorization, .audio)
        XCTAssertEqual(results.withLock { $0 }, [], "the handler ran inside the call")
        clock.settle()
        XCTAssertEqual(results.withLock { $0 }, [.denied, .authorized])
    }

    func testTheAnswerToThePromptCompletesAllPendingRequests() {
        let clock = SimClock()
        let authorization = Authorization(
            clock: clock, states: [.video: .notDetermined], answers: [.video: PromptAnswer(.denied, after: .seconds(3))]
        )
        requestAccess(authorization)
        clock.advance(by: .seconds(2))
        requestAccess(authorization)
        XCTAssertEqual(results.withLock { $0 }, [])
        clock.advance(by: .seconds(1))
        XCTAssertEqual(results.withLock { $0 }, [.denied, .denied])
        XCTAssertEqual(authorization.state(of: .video), .denied)
    }

    func testSettingTheStateCompletesAPendingRequestOnce() {
        let clock = SimClock()
        let authorization = Authorization(
            clock: clock, states: [.video: .notDetermined], answers: [.video: PromptAnswer(.denied, after: .seconds(3))]
        )
        requestAccess(authorization)
        authorization.set(.authorized, for: .video)
        clock.advance(by: .seconds(5))
        XCTAssertEqual(results.withLock { $0 }, [.authorized])
        XCTAssertEqual(authorization.state(of: .video), .authorized)
    }

    func testAPromptThatIsNeverAnsweredLeavesTheStateNotDetermined() {
        let clock = SimClock()
        let authorization = Authorization(clock: clock, states: [.video: .notDetermined], answers: [.video: .never])
        requestAccess(authorization)
        clock.advance(by: .seconds(1000))
        XCTAssertEqual(results.withLock { $0 }, [])
        XCTAssertEqual(authorization.state(of: .video), .notDetermined)
    }

    func testObserversAreNotifiedUntilTheirTokenIsCancelled() {
        let authorization = Authorization(clock: SimClock())
        let seen = Lock<[AuthorizationState]>([])
        let observation = authorization.observe { _, state in seen.withLock { $0.append(state) } }
        authorization.set(.restricted, for: .audio)
        observation.cancel()
        authorization.set(.authorized, for: .audio)
        XCTAssertEqual(seen.withLock { $0 }, [.restricted])
    }
}
