import MediaToolbox
import XCTest

final class MediaToolboxImportTests: XCTestCase {
    func testTheModuleExportsTheProcessingTap() {
        let isReleased = expectation(description: "the tap is finalized")
        var callbacks = MTAudioProcessingTapCallbacks(
            version: kMTAudioProcessingTapCallbacksVersion_0, clientInfo: nil, init: nil,
            finalize: { _ in isReleased.fulfill() }, prepare: nil, unprepare: nil,
            process: { _, count, _, _, countOut, _ in countOut.pointee = count })
        var tap: MTAudioProcessingTap?
        XCTAssertEqual(
            MTAudioProcessingTapCreate(
                kCFAllocatorDefault, &callbacks, kMTAudioProcessingTapCreationFlag_PreEffects, &tap), 0)
        XCTAssertNotNil(tap)
        tap = nil
        wait(for: [isReleased], timeout: 0)
    }
}
