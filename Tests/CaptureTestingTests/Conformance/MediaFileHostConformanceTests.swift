import CaptureHAL
import CaptureTesting
import Foundation
import RecordedDevices
import XCTest

final class MediaFileHostConformanceTests: XCTestCase {
    /// A file cannot be unplugged, taken away or broken while it plays, and has no controls.
    private let skipped: Set<HostCheck> = [
        .takenByAnotherIsBusy, .deniedIsNotPermitted, .controlsReadInRange, .controlsReadBack, .settingsShowInFrames,
        .mutedIsSilent, .controlChangesAreTold, .unpluggingIsTold, .unpluggingEndsTheStream, .lostFramesAreTold,
        .damagedFramesAreTold, .failureEndsTheStream,
    ]

    private func check(
        _ name: String, _ atEnd: MediaFileHost.AtEnd, skipping: Set<HostCheck>, file: StaticString = #filePath,
        line: UInt = #line
    ) {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Fixtures/Media/\(name)").standardizedFileURL.path
        HostConformance("file \(name), at its end: \(atEnd)") { _ in
            let clock = SimClock()
            let host = try MediaFileHost(path: path, clock: clock, atEnd: atEnd)
            var traits = HostTraits()
            traits.followsFrameDuration = false
            traits.endsByItself = atEnd == .end
            return ConformanceSubject(host: host, time: .virtual(clock), traits: traits)
        }.check(skipping: skipping, file: file, line: line)
    }

    func testAMovieWithSoundKeepsTheContract() {
        check("handheld-3s.mp4", .end, skipping: skipped)
    }

    func testAMovieThatLoopsKeepsTheContract() {
        check("handheld-3s.mp4", .loop, skipping: skipped.union([.endIsTold]))
    }

    func testASilentMovieKeepsTheContract() {
        check("street-3s.avi", .end, skipping: skipped.union([.soundHasNoGaps]))
    }
}
