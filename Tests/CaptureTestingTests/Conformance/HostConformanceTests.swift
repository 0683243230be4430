import CaptureHAL
import MediaTypes
import XCTest

@testable import CaptureTesting

/// Tests that the suite finds each defect of a host and passes a host without defects.
final class HostConformanceTests: XCTestCase {
    private func suite(_ defect: FakeHost.Defect?) -> HostConformance {
        HostConformance("fake host") { _ in
            let clock = SimClock()
            let host = FakeHost(defect, clock: clock)
            var subject = ConformanceSubject(host: host, time: .virtual(clock), actions: host.actions)
            subject.traits.endsByItself = defect == .endsTwice
            // A short timeout for the host that hangs.
            subject.traits.checkTimeout = defect == .hangsInStop ? .seconds(2) : .seconds(60)
            return subject
        }
    }

    /// The checks that must find each defect. "Inside" a stream means in the callback of an event.
    private static let checksByDefect: [FakeHost.Defect: Set<HostCheck>] = [
        .createsDevicesAtEachQuery: [.deviceListIsStable], .listsDuplicateIDs: [.deviceListIsStable],
        .hasInvalidMountingAngle: [.descriptorsAreValid], .hasReversedRange: [.formatsAreValid],
        .listsDescendingPhotoSizes: [.formatsAreValid], .opensTwice: [.openIsExclusive],
        .staysBusyWhenClosed: [.openIsExclusive, .closeReleasesTheDevice], .worksWhenClosed: [.closeReleasesTheDevice],
        .keepsStreamingWhenClosed: [.closeStopsStreams],
        // The device retains its clients, which are the `OpenDevice` objects.
        .keepsClientsAlive: [.deallocationReleasesTheDevice, .nothingLeaks],
        .deliversAnotherSize: [.everyFormatDelivers], .deliversHalfChunks: [.everyFormatDelivers],
        .acceptsAnyFormat: [.unsupportedFormatsAreRefused], .runsTwoStreams: [.oneStreamAtATime],
        .startsTwice: [.startTwiceIsRefused], .deliversAfterStop: [.stopIsFinal, .stopIsIdempotent],
        .ignoresStopInside: [.stopInsideAnEvent], .ignoresCloseInside: [.closeInsideAnEvent],
        .hangsInStop: [.stopInsideAnEvent, .stopOnAnotherThread], .doesNotResetCounters: [.restartResetsTheCounters],
        .hasDescendingTimes: [.eventsArriveInOrder],
        .ignoresFrameRate: [.frameTimesMatchTheDuration, .frameDurationCanChange],
        .acceptsAnyDuration: [.frameDurationCanChange], .overwritesRetainedFrames: [.retainedFramesStayUnchanged],
        .hidesPoolExhaustion: [.bufferExhaustionIsReported], .skipsAudioSamples: [.audioHasNoGaps],
        .endsTwice: [.endIsReported],
        .readsOutOfRange: [.controlsReadInRange], .forgetsSettings: [.controlsReadBack],
        .resetsSettings: [.settingsStayAfterClosing],
        .acceptsInvalidValues: [.invalidControlsAreRefused], .hidesSettings: [.settingsAppearInFrames],
        .deliversAudioWhenMuted: [.mutedDeviceIsSilent], .doesNotNotifyControlChanges: [.controlChangesAreReported],
        .notifiesCancelledObservers: [.controlChangesAreReported, .disconnectionIsReported],
        .doesNotNotifyDisconnection: [.disconnectionIsReported],
        .reconnectsSameInstance: [.disconnectionIsReported],
        .failsTwice: [.disconnectionEndsTheStream, .failureEndsTheStream],
        .failsWithAnotherCode: [.failureEndsTheStream], .hidesLostFrames: [.lostFramesAreReported],
        .leavesFilesOpen: [.nothingLeaks], .keepsStreamsAlive: [.nothingLeaks],
    ]

    func testAConformingHostPasses() {
        // These checks must be skipped: the fake host has no actions for the first, second and fourth, and its streams
        // do not end.
        suite(nil).check(skipping: [
            .useByAnotherApplicationIsBusy, .deniedPermissionIsReported, .endIsReported, .damagedFramesAreReported,
        ])
    }

    func testFrameDurationsInNanosecondsAreChecked() {
        let report = HostConformance("host with nanoseconds") { _ in
            let clock = SimClock()
            let durations = FrameDurationRange(
                minimum: CMTime(value: 33_333_333, timescale: 1_000_000_000),
                maximum: CMTime(value: 100_000_000, timescale: 1_000_000_000))
            let host = FakeHost(nil, clock: clock, frameDurations: durations)
            return ConformanceSubject(host: host, time: .virtual(clock), actions: host.actions)
        }.run([.unsupportedFormatsAreRefused])
        XCTAssertEqual(report.passed, [.unsupportedFormatsAreRefused], "\(report)")
    }

    func testEachDefectFailsItsChecks() {
        for defect in FakeHost.Defect.allCases {
            guard let expectedChecks = Self.checksByDefect[defect] else {
                XCTFail("no check is named for \(defect)")
                continue
            }
            let report = suite(defect).run(HostCheck.allCases.filter(expectedChecks.contains))
            XCTAssertEqual(Set(report.failed), expectedChecks, "\(defect): \(report)")
        }
    }

    func testAHostWithInexactTimesMustHaveTheAverageRate() {
        func report(_ defect: FakeHost.Defect?) -> ConformanceReport {
            HostConformance("inexact host") { _ in
                let clock = SimClock()
                let host = FakeHost(defect, clock: clock)
                return ConformanceSubject(host: host, time: .virtual(clock), actions: host.actions, traits: .hardware)
            }.run([.frameTimesMatchTheDuration, .frameDurationCanChange, .audioHasNoGaps])
        }
        XCTAssertEqual(report(nil).failed, [])
        XCTAssertEqual(report(.ignoresFrameRate).failed, [.frameTimesMatchTheDuration, .frameDurationCanChange])
        XCTAssertEqual(report(.skipsAudioSamples).failed, [.audioHasNoGaps])
    }

    func testDelayedFramesDoNotChangeTheAverageStep() throws {
        // Every third frame is half a frame late, and the first is later than two frames.
        let items = (0..<12).map { number -> (position: Double, seconds: Double) in
            let delay = number == 0 ? 0.25 : number % 3 == 0 ? 0.05 : 0.0
            return (Double(number), 0.1 * Double(number) + delay)
        }
        XCTAssertEqual(try XCTUnwrap(DeviceCheckContext.averageStep(items)), 0.1, accuracy: 0.01)
        XCTAssertNil(DeviceCheckContext.averageStep(Array(items.prefix(3))))
    }

    func testAHangingCallFailsItsCheckAndTheSuiteContinues() {
        let report = suite(.hangsInStop).run([.stopInsideAnEvent, .formatsAreValid])
        XCTAssertEqual(report.failed, [.stopInsideAnEvent])
        XCTAssertEqual(report.passed, [.formatsAreValid])
        XCTAssertTrue("\(report)".contains("a call into the host hangs"), "\(report)")
    }

    func testTheReportListsResultsDevicesAndReasonsForSkips() {
        let suite = HostConformance("plain host") { _ in
            let clock = SimClock()
            var subject = ConformanceSubject(host: FakeHost(.opensTwice, clock: clock), time: .virtual(clock))
            subject.traits.exemptions[.nothingLeaks] = "there is no /proc"
            return subject
        }
        let report = suite.run([
            .descriptorsAreValid, .openIsExclusive, .disconnectionIsReported, .mutedDeviceIsSilent, .nothingLeaks,
        ])
        XCTAssertEqual(report.passed, [.descriptorsAreValid, .mutedDeviceIsSilent])
        XCTAssertEqual(report.failed, [.openIsExclusive])
        XCTAssertEqual(report.skipped, [.disconnectionIsReported, .nothingLeaks])
        XCTAssertEqual(
            "\(report)",
            """
            conformance of plain host: 2 passed, 1 failed, 2 skipped
              passed  descriptorsAreValid on 2 devices
              FAILED  openIsExclusive on 2 devices
                      fake.video: a second open() did not throw; it should throw .busy
                      fake.audio: a second open() did not throw; it should throw .busy
              skipped disconnectionIsReported
                      not on fake.audio, fake.video: the host has no action to disconnect a device
              passed  mutedDeviceIsSilent on 1 device
                      not on fake.video: the device delivers no audio
              skipped nothingLeaks
                      not on this host: there is no /proc
            """)
    }

    func testOneReasonForSkippingTheHostAndADeviceIsListedOnce() {
        var report = ConformanceReport(name: "plain host")
        report.entries = [
            // The empty ID is that of the host.
            ConformanceReport.Entry(
                check: .nothingLeaks, skips: ["": "there is no /proc", "fake.video": "there is no /proc"])
        ]
        XCTAssertEqual(
            "\(report)",
            """
            conformance of plain host: 0 passed, 0 failed, 1 skipped
              skipped nothingLeaks
                      not on this host, fake.video: there is no /proc
            """)
    }

    func testAHostThatCannotBeCreatedFailsEveryCheck() {
        // Only a check or an action can be skipped. Without a host there is no check, so the skip is a failure.
        let report = HostConformance("no host") { _ in throw ConformanceSkip("the driver is missing") }
            .run([.formatsAreValid, .nothingLeaks])
        XCTAssertEqual(report.failed, [.formatsAreValid, .nothingLeaks])
        XCTAssertTrue("\(report)".contains("the driver is missing"), "\(report)")
    }
}
