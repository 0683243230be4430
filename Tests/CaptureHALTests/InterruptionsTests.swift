import MediaTypes
import XCTest

@testable import CaptureHAL

final class InterruptionsTests: XCTestCase {
    func testEndingAnInactiveInterruptionHasNoEffect() {
        let interruptions = Interruptions()
        let changes = Lock<[[InterruptionReason]]>([], order: .client)
        let token = interruptions.observe { active in changes.withLock { $0.append(active) } }
        interruptions.begin(.audioInUseByAnotherClient)
        interruptions.end(.audioInUseByAnotherClient, shouldResume: false)
        XCTAssertFalse(interruptions.shouldResume)
        interruptions.end(.audioInUseByAnotherClient)
        interruptions.end(.videoInUseByAnotherClient)
        XCTAssertFalse(interruptions.shouldResume)
        XCTAssertEqual(changes.withLock { $0 }, [[.audioInUseByAnotherClient], []])
        token.cancel()
    }
}
