import CaptureHAL
import Dispatch
import Foundation
import MediaAssets
import MediaTypes

/// Calls the delegate of a recording on the output's callback queue.
struct RecordingDelegateNotifier: @unchecked Sendable {
    // SAFETY: the delegate is only called on `queue`.
    let output: AVCaptureFileOutput
    let url: URL
    let connections: [AVCaptureConnection]
    let delegate: any AVCaptureFileOutputRecordingDelegate
    let queue: DispatchQueue

    func didStart(at time: CMTime) {
        notify(.didStartRecording(url)) {
            $0.delegate.fileOutput($0.output, didStartRecordingTo: $0.url, startPTS: time, from: $0.connections)
        }
    }

    func didPause() {
        notify(.didPauseRecording(url)) {
            $0.delegate.fileOutput($0.output, didPauseRecordingTo: $0.url, from: $0.connections)
        }
    }

    func didResume() {
        notify(.didResumeRecording(url)) {
            $0.delegate.fileOutput($0.output, didResumeRecordingTo: $0.url, from: $0.connections)
        }
    }

    func willFinish(_ error: AVError?) {
        notify { $0.delegate.fileOutput($0.output, willFinishRecordingTo: $0.url, from: $0.connections, error: error) }
    }

    func didFinish(_ error: AVError?) {
        notify(.didFinishRecording(url, error)) {
            $0.delegate.fileOutput($0.output, didFinishRecordingTo: $0.url, from: $0.connections, error: error)
        }
    }

    private func notify(
        _ report: DelegateCall? = nil, _ call: @escaping @Sendable (RecordingDelegateNotifier) -> Void
    ) {
        output.system.deliver(on: queue) {
            if let report { output.delegateCalls.report(report) }
            call(self)
        }
    }
}
