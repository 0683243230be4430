import CaptureCore
import CaptureHAL
import CaptureSimulation
import MediaTypes

extension SystemRecord {
    /// Logs the recordings and photos of a system, as its delegates and completion handlers are called.
    ///
    /// Frames and audio are not logged: the log contains the streams of the devices.
    func noteDelegateCalls(of system: CaptureSystem) {
        retain(DelegateCalls.of(system).observe { [weak self] in self?.note($0) })
    }

    private func note(_ call: DelegateCall) {
        func failure(_ error: (any Error)?) -> String { error.map { ": \($0.localizedDescription)" } ?? "" }
        switch call {
        case .didOutputVideo, .didDropVideo, .didOutputAudio: return
        case .didStartRecording(let url): note("recording to \(url.lastPathComponent) did start")
        case .didPauseRecording(let url): note("recording to \(url.lastPathComponent) did pause")
        case .didResumeRecording(let url): note("recording to \(url.lastPathComponent) did resume")
        case .didFinishRecording(let url, let error):
            note("recording to \(url.lastPathComponent) did finish\(failure(error))")
        case .willBeginPhoto(let id): note("photo \(id) will begin")
        case .willCapturePhoto(let id): note("photo \(id) will be captured")
        case .didProcessPhoto(let id, _, let error): note("photo \(id) was processed\(failure(error))")
        case .didRecordLivePhoto(let id, let url): note("photo \(id): \(url.lastPathComponent) was recorded")
        case .didProcessLivePhoto(let id, let url, _, _, let error):
            note("photo \(id): \(url.lastPathComponent) was processed\(failure(error))")
        case .didFinishPhoto(let id, let error): note("photo \(id) did finish\(failure(error))")
        case .willCaptureStillImage: note("a still image will be captured")
        case .didCaptureStillImage(_, _, let error): note("a still image was captured\(failure(error))")
        // Observed at the device itself.
        case .didChangeSystemPressure: return
        }
    }
}
