/// A check of the contract that `HardwareHost`, `HardwareDevice`, `OpenDevice` and `DeviceStream` document.
///
/// docs/conformance.md lists the requirements.
public enum HostCheck: String, Sendable, Hashable, CaseIterable {
    // Discovery
    case deviceListIsStable, descriptorsAreValid, formatsAreValid
    // Open and close
    case openIsExclusive, closeReleasesTheDevice, closeStopsStreams, deallocationReleasesTheDevice,
        useByAnotherApplicationIsBusy
    case deniedPermissionIsReported
    // Formats
    case everyFormatDelivers, unsupportedFormatsAreRefused, oneStreamAtATime
    // Start and stop
    case stopIsIdempotent, startTwiceIsRefused, stopIsFinal, stopInsideAnEvent, stopOnAnotherThread
    case closeInsideAnEvent
    case restartResetsTheCounters, callsFromManyThreads
    // Frames and audio
    case eventsArriveInOrder, frameTimesMatchTheDuration, frameDurationCanChange, retainedFramesStayUnchanged
    case bufferExhaustionIsReported, audioHasNoGaps, endIsReported
    // Controls
    case controlsReadInRange, controlsReadBack, settingsStayAfterClosing, invalidControlsAreRefused
    case settingsAppearInFrames, mutedDeviceIsSilent
    case controlChangesAreReported
    // Disconnection and faults
    case disconnectionIsReported, disconnectionEndsTheStream, lostFramesAreReported, damagedFramesAreReported,
        failureEndsTheStream
    // Leaks
    case nothingLeaks
}

extension HostCheck {
    /// The implementation of a check. A device check runs once for each device.
    enum Body: Sendable {
        case host(@Sendable (ConformanceContext) throws -> Void)
        case device(@Sendable (DeviceCheckContext) throws -> Void)
    }

    /// The implementation of this check.
    var body: Body {
        switch self {
        case .deviceListIsStable: .host { try $0.deviceListIsStable() }
        case .descriptorsAreValid: .device { try $0.descriptorsAreValid() }
        case .formatsAreValid: .device { try $0.formatsAreValid() }
        case .openIsExclusive: .device { try $0.openIsExclusive() }
        case .closeReleasesTheDevice: .device { try $0.closeReleasesTheDevice() }
        case .closeStopsStreams: .device { try $0.closeStopsStreams() }
        case .deallocationReleasesTheDevice: .device { try $0.deallocationReleasesTheDevice() }
        case .useByAnotherApplicationIsBusy: .device { try $0.useByAnotherApplicationIsBusy() }
        case .deniedPermissionIsReported: .device { try $0.deniedPermissionIsReported() }
        case .everyFormatDelivers: .device { try $0.everyFormatDelivers() }
        case .unsupportedFormatsAreRefused: .device { try $0.unsupportedFormatsAreRefused() }
        case .oneStreamAtATime: .device { try $0.oneStreamAtATime() }
        case .stopIsIdempotent: .device { try $0.stopIsIdempotent() }
        case .startTwiceIsRefused: .device { try $0.startTwiceIsRefused() }
        case .stopIsFinal: .device { try $0.stopIsFinal() }
        case .stopInsideAnEvent: .device { try $0.stopInsideAnEvent() }
        case .stopOnAnotherThread: .device { try $0.stopOnAnotherThread() }
        case .closeInsideAnEvent: .device { try $0.closeInsideAnEvent() }
        case .restartResetsTheCounters: .device { try $0.restartResetsTheCounters() }
        case .callsFromManyThreads: .device { try $0.callsFromManyThreads() }
        case .eventsArriveInOrder: .device { try $0.eventsArriveInOrder() }
        case .frameTimesMatchTheDuration: .device { try $0.frameTimesMatchTheDuration() }
        case .frameDurationCanChange: .device { try $0.frameDurationCanChange() }
        case .retainedFramesStayUnchanged: .device { try $0.retainedFramesStayUnchanged() }
        case .bufferExhaustionIsReported: .device { try $0.bufferExhaustionIsReported() }
        case .audioHasNoGaps: .device { try $0.audioHasNoGaps() }
        case .endIsReported: .device { try $0.endIsReported() }
        case .controlsReadInRange: .device { try $0.controlsReadInRange() }
        case .controlsReadBack: .device { try $0.controlsReadBack() }
        case .settingsStayAfterClosing: .device { try $0.settingsStayAfterClosing() }
        case .invalidControlsAreRefused: .device { try $0.invalidControlsAreRefused() }
        case .settingsAppearInFrames: .device { try $0.settingsAppearInFrames() }
        case .mutedDeviceIsSilent: .device { try $0.mutedDeviceIsSilent() }
        case .controlChangesAreReported: .device { try $0.controlChangesAreReported() }
        case .disconnectionIsReported: .device { try $0.disconnectionIsReported() }
        case .disconnectionEndsTheStream: .device { try $0.disconnectionEndsTheStream() }
        case .lostFramesAreReported: .device { try $0.lostFramesAreReported() }
        case .damagedFramesAreReported: .device { try $0.damagedFramesAreReported() }
        case .failureEndsTheStream: .device { try $0.failureEndsTheStream() }
        case .nothingLeaks: .host { try $0.nothingLeaks() }
        }
    }
}
