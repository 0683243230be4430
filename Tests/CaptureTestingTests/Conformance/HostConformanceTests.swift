import CaptureHAL
import CaptureTesting
import XCTest

/// The suite finds what is wrong, and only that.
final class HostConformanceTests: XCTestCase {
    private func suite(_ flaw: FakeHost.Flaw?) -> HostConformance {
        HostConformance("fake host") { _ in
            let clock = SimClock()
            let host = FakeHost(flaw, clock: clock)
            var subject = ConformanceSubject(host: host, time: .virtual(clock), levers: host.levers)
            subject.traits.endsByItself = flaw == .endsTwice
            // Only the one that hangs needs it.
            subject.traits.checkLimit = flaw == .hangsInStop ? .seconds(2) : .seconds(60)
            return subject
        }
    }

    /// The checks that must find each flaw.
    private static let findings: [FakeHost.Flaw: Set<HostCheck>] = [
        .listsDevicesAnew: [.devicesStayTheSame], .givesOneIDTwice: [.devicesStayTheSame],
        .turnsByAnOddAngle: [.descriptorsAreSane], .reversesARange: [.formatsAreSane],
        .listsDescendingPhotos: [.formatsAreSane], .opensTwice: [.openIsExclusive],
        .staysBusyWhenClosed: [.openIsExclusive, .closeGivesBack], .worksWhenClosed: [.closeGivesBack],
        .streamsOnWhenClosed: [.closeStopsStreams], .keepsClientsAlive: [.releaseGivesBack, .nothingLeaks],
        .deliversAnotherSize: [.everyFormatDelivers], .deliversHalfChunks: [.everyFormatDelivers],
        .takesAnyFormat: [.otherFormatsAreRefused], .runsTwoStreams: [.oneStreamAtATime],
        .startsTwice: [.startTwiceIsRefused], .deliversAfterStop: [.stopIsFinal, .stopIsIdempotent],
        .ignoresStopInside: [.stopInsideAnEvent], .ignoresCloseInside: [.closeInsideAnEvent],
        .hangsInStop: [.stopInsideAnEvent], .countsOn: [.restartCountsAnew],
        .goesBackInTime: [.eventsComeInOrder], .ignoresTheRate: [.framesKeepTheirTimes, .frameDurationCanChange],
        .takesAnyDuration: [.frameDurationCanChange], .paintsOverHeldFrames: [.heldFramesStayIntact],
        .hidesStarvation: [.buffersRunOutAndReturn], .skipsSound: [.soundHasNoGaps], .endsTwice: [.endIsTold],
        .readsOutOfRange: [.controlsReadInRange], .forgetsSettings: [.controlsReadBack],
        .takesWrongValues: [.wrongControlsAreRefused], .hidesSettings: [.settingsShowInFrames],
        .soundsWhenMuted: [.mutedIsSilent], .keepsChangesSecret: [.controlChangesAreTold],
        .tellsTheCancelled: [.controlChangesAreTold, .unpluggingIsTold], .isNotToldAsGone: [.unpluggingIsTold],
        .comesBackAsItWas: [.unpluggingIsTold], .failsTwice: [.unpluggingEndsTheStream, .failureEndsTheStream],
        .failsByAnotherCode: [.failureEndsTheStream], .hidesLostFrames: [.lostFramesAreTold],
        .leavesFilesOpen: [.nothingLeaks], .keepsStreamsAlive: [.nothingLeaks],
    ]

    func testAHostThatKeepsTheContractPasses() {
        suite(nil).check(skipping: [.takenByAnotherIsBusy, .deniedIsNotPermitted, .endIsTold, .damagedFramesAreTold])
    }

    func testEachFlawIsFoundByItsCheck() {
        for flaw in FakeHost.Flaw.allCases {
            guard let checks = Self.findings[flaw] else {
                XCTFail("no check is named for \(flaw)")
                continue
            }
            let report = suite(flaw).run(HostCheck.allCases.filter(checks.contains))
            XCTAssertEqual(Set(report.failed), checks, "\(flaw): \(report)")
        }
    }

    func testAHangingCallIsNamedAndTheSuiteGoesOn() {
        let report = suite(.hangsInStop).run([.stopInsideAnEvent, .formatsAreSane])
        XCTAssertEqual(report.failed, [.stopInsideAnEvent])
        XCTAssertEqual(report.passed, [.formatsAreSane])
        XCTAssertTrue("\(report)".contains("a call into the host hangs"), "\(report)")
    }

    func testAReportTellsWhatRanWhereAndWhatWasSkippedAndWhy() {
        let suite = HostConformance("plain host") { _ in
            let clock = SimClock()
            var subject = ConformanceSubject(host: FakeHost(.opensTwice, clock: clock), time: .virtual(clock))
            subject.traits.exemptions[.nothingLeaks] = "there is no /proc"
            return subject
        }
        let report = suite.run([
            .descriptorsAreSane, .openIsExclusive, .unpluggingIsTold, .mutedIsSilent, .nothingLeaks,
        ])
        XCTAssertEqual(report.passed, [.descriptorsAreSane, .mutedIsSilent])
        XCTAssertEqual(report.failed, [.openIsExclusive])
        XCTAssertEqual(report.skipped, [.unpluggingIsTold, .nothingLeaks])
        XCTAssertEqual(
            "\(report)",
            """
            conformance of plain host: 2 passed, 1 failed, 2 skipped
              passed  descriptorsAreSane on 2 devices
              FAILED  openIsExclusive on 2 devices
                      fake.video: a second open() was not refused; it should throw .busy
                      fake.audio: a second open() was not refused; it should throw .busy
              skipped unpluggingIsTold
                      not on fake.audio, fake.video: nothing can pull a device's plug on this host
              passed  mutedIsSilent on 1 device
                      not on fake.video: the device delivers no audio
              skipped nothingLeaks
                      not on this host: there is no /proc
            """)
    }

    func testAHostThatCannotBeMadeFailsEveryCheck() {
        let report = HostConformance("no host") { _ in throw ConformanceSkip("the driver is missing") }
            .run([.formatsAreSane, .nothingLeaks])
        XCTAssertEqual(report.failed, [.formatsAreSane, .nothingLeaks])
        XCTAssertTrue("\(report)".contains("the driver is missing"), "\(report)")
    }
}
