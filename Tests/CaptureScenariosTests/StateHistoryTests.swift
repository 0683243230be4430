import XCTest

@testable import CaptureScenarios

final class StateHistoryTests: XCTestCase {
    private func entries(_ texts: [String]) -> [LogEntry] {
        texts.enumerated().map { LogEntry(time: Int64($0.offset) * 100_000, text: $0.element, line: $0.offset + 1) }
    }

    func testSimultaneousRecordingsAreDistinguishedByTheirWholeNames() {
        let log = entries([
            "recording did start clip 1.mov", "recording did start clip 2.mov", "recording did finish clip 1.mov",
            "recording did pause clip 2.mov", "recording did finish clip 2.mov diskFull",
        ])
        let all = StateHistory(.recording, log, end: 500_000)
        XCTAssertEqual(all.periods.map(\.state), ["idle", "recording", "paused", "idle"])
        XCTAssertEqual(all.periods.map(\.end), [0, 300_000, 400_000, 500_000])
        let second = StateHistory(.recordingOfCamera("webcam.camera", files: ["clip 2.mov"]), log, end: 500_000)
        XCTAssertEqual(second.periods.map(\.start), [0, 100_000, 300_000, 400_000])
    }
}
