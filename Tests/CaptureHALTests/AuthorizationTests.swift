import MediaTypes
import XCTest

@testable import CaptureHAL

final class AuthorizationTests: XCTestCase {
    private let answers = Lock<[AuthorizationState]>([])

    private func ask(_ authorization: Authorization, _ resource: ProtectedResource = .video) {
        let answers = answers
        authorization.request(resource) { state in answers.withLock { $0.append(state) } }
    }

    func testAKnownStateIsReportedWithoutAPrompt() {
        let clock = SimClock()
        let authorization = Authorization(clock: clock, states: [.video: .denied])
        ask(authorization)
        ask(authorization, .audio)
        XCTAssertEqual(answers.withLock { $0 }, [], "the handler ran inside the call")
        clock.settle()
        XCTAssertEqual(answers.withLock { $0 }, [.denied, .authorized])
    }

    func testThePromptIsAnsweredAfterItsDelayForAllRequests() {
        let clock = SimClock()
        let authorization = Authorization(
            clock: clock, states: [.video: .notDetermined], answers: [.video: PromptAnswer(.denied, after: .seconds(3))]
        )
        ask(authorization)
        clock.advance(by: .seconds(2))
        ask(authorization)
        XCTAssertEqual(answers.withLock { $0 }, [])
        clock.advance(by: .seconds(1))
        XCTAssertEqual(answers.withLock { $0 }, [.denied, .denied])
        XCTAssertEqual(authorization.state(of: .video), .denied)
    }

    func testAChangeOfTheSettingsAnswersTheOpenPromptOnce() {
        let clock = SimClock()
        let authorization = Authorization(
            clock: clock, states: [.video: .notDetermined], answers: [.video: PromptAnswer(.denied, after: .seconds(3))]
        )
        ask(authorization)
        authorization.set(.authorized, for: .video)
        clock.advance(by: .seconds(5))
        XCTAssertEqual(answers.withLock { $0 }, [.authorized])
        XCTAssertEqual(authorization.state(of: .video), .authorized)
    }

    func testAUserWhoNeverAnswersLeavesTheStateOpen() {
        let clock = SimClock()
        let authorization = Authorization(clock: clock, states: [.video: .notDetermined], answers: [.video: .never])
        ask(authorization)
        clock.advance(by: .seconds(1000))
        XCTAssertEqual(answers.withLock { $0 }, [])
        XCTAssertEqual(authorization.state(of: .video), .notDetermined)
    }

    func testObserversAreNotifiedUntilTheirTokenIsReleased() {
        let authorization = Authorization(clock: SimClock())
        let seen = Lock<[AuthorizationState]>([])
        let observation = authorization.observe { _, state in seen.withLock { $0.append(state) } }
        authorization.set(.restricted, for: .audio)
        observation.cancel()
        authorization.set(.authorized, for: .audio)
        XCTAssertEqual(seen.withLock { $0 }, [.restricted])
    }
}
