import CaptureHAL
import CaptureTesting
import Foundation
import RecordedDevices
import XCTest

final class MediaFileHostConformanceTests: XCTestCase {
    /// A file cannot be disconnected, used by another application or damaged while it plays, and has no controls.
    private let skipped: Set<HostCheck> = [
        .useByAnotherApplicationIsBusy, .deniedPermissionIsReported, .controlsReadInRange, .controlsReadBack,
        .settingsStayAfterClosing,
        .settingsAppearInFrames,
        .mutedDeviceIsSilent, .controlChangesAreReported, .disconnectionIsReported, .disconnectionEndsTheStream,
        .lostFramesAreReported,
        .damagedFramesAreReported, .failureEndsTheStream,
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

    func testAMovieWithAudioConforms() {
        check("handheld-3s.mp4", .end, skipping: skipped)
    }

    func testALoopingMovieConforms() {
        check("handheld-3s.mp4", .loop, skipping: skipped.union([.endIsReported]))
    }

    func testAMovieWithoutAudioConforms() {
        check("street-3s.avi", .end, skipping: skipped.union([.audioHasNoGaps]))
    }
}
