/// One rule of the contract that is written in the comments of `HardwareHost`, `OpenDevice` and `DeviceStream`.
///
/// docs/conformance.md says what each asks for.
public enum HostCheck: String, Sendable, Hashable, CaseIterable {
    // What there is
    case devicesStayTheSame, descriptorsAreSane, formatsAreSane
    // Open and close
    case openIsExclusive, closeGivesBack, closeStopsStreams, releaseGivesBack, takenByAnotherIsBusy
    case deniedIsNotPermitted
    // Formats
    case everyFormatDelivers, otherFormatsAreRefused, oneStreamAtATime
    // Start and stop in every order
    case stopIsIdempotent, startTwiceIsRefused, stopIsFinal, stopInsideAnEvent, closeInsideAnEvent
    case restartCountsAnew, callsFromManyThreads
    // Frames and sound
    case eventsComeInOrder, framesKeepTheirTimes, frameDurationCanChange, heldFramesStayIntact
    case buffersRunOutAndReturn, soundHasNoGaps, endIsTold
    // Controls
    case controlsReadInRange, controlsReadBack, wrongControlsAreRefused, settingsShowInFrames, mutedIsSilent
    case controlChangesAreTold
    // The world
    case unpluggingIsTold, unpluggingEndsTheStream, lostFramesAreTold, damagedFramesAreTold, failureEndsTheStream
    // What is left behind
    case nothingLeaks
}

extension HostCheck {
    /// What the check does; a check of devices runs once for each.
    enum Body: Sendable {
        case host(@Sendable (ConformanceBench) throws -> Void)
        case device(@Sendable (DeviceBench) throws -> Void)
    }

    var body: Body {
        switch self {
        case .devicesStayTheSame: .host { try $0.devicesStayTheSame() }
        case .descriptorsAreSane: .device { try $0.descriptorsAreSane() }
        case .formatsAreSane: .device { try $0.formatsAreSane() }
        case .openIsExclusive: .device { try $0.openIsExclusive() }
        case .closeGivesBack: .device { try $0.closeGivesBack() }
        case .closeStopsStreams: .device { try $0.closeStopsStreams() }
        case .releaseGivesBack: .device { try $0.releaseGivesBack() }
        case .takenByAnotherIsBusy: .device { try $0.takenByAnotherIsBusy() }
        case .deniedIsNotPermitted: .device { try $0.deniedIsNotPermitted() }
        case .everyFormatDelivers: .device { try $0.everyFormatDelivers() }
        case .otherFormatsAreRefused: .device { try $0.otherFormatsAreRefused() }
        case .oneStreamAtATime: .device { try $0.oneStreamAtATime() }
        case .stopIsIdempotent: .device { try $0.stopIsIdempotent() }
        case .startTwiceIsRefused: .device { try $0.startTwiceIsRefused() }
        case .stopIsFinal: .device { try $0.stopIsFinal() }
        case .stopInsideAnEvent: .device { try $0.stopInsideAnEvent() }
        case .closeInsideAnEvent: .device { try $0.closeInsideAnEvent() }
        case .restartCountsAnew: .device { try $0.restartCountsAnew() }
        case .callsFromManyThreads: .device { try $0.callsFromManyThreads() }
        case .eventsComeInOrder: .device { try $0.eventsComeInOrder() }
        case .framesKeepTheirTimes: .device { try $0.framesKeepTheirTimes() }
        case .frameDurationCanChange: .device { try $0.frameDurationCanChange() }
        case .heldFramesStayIntact: .device { try $0.heldFramesStayIntact() }
        case .buffersRunOutAndReturn: .device { try $0.buffersRunOutAndReturn() }
        case .soundHasNoGaps: .device { try $0.soundHasNoGaps() }
        case .endIsTold: .device { try $0.endIsTold() }
        case .controlsReadInRange: .device { try $0.controlsReadInRange() }
        case .controlsReadBack: .device { try $0.controlsReadBack() }
        case .wrongControlsAreRefused: .device { try $0.wrongControlsAreRefused() }
        case .settingsShowInFrames: .device { try $0.settingsShowInFrames() }
        case .mutedIsSilent: .device { try $0.mutedIsSilent() }
        case .controlChangesAreTold: .device { try $0.controlChangesAreTold() }
        case .unpluggingIsTold: .device { try $0.unpluggingIsTold() }
        case .unpluggingEndsTheStream: .device { try $0.unpluggingEndsTheStream() }
        case .lostFramesAreTold: .device { try $0.lostFramesAreTold() }
        case .damagedFramesAreTold: .device { try $0.damagedFramesAreTold() }
        case .failureEndsTheStream: .device { try $0.failureEndsTheStream() }
        case .nothingLeaks: .host { try $0.nothingLeaks() }
        }
    }
}
