import AssetTypes
import CaptureHAL
import Dispatch
import Foundation
import MediaTypes

/// Calls the delegate of a recording on the output's callback queue.
struct RecordingDelegateNotifier: @unchecked Sendable {
    // SAFETY: the delegate is only called on `queue`.
    let output: AVCaptureFileOutput
    let url: URL
    let connections: [AVCaptureConnection]
    private weak let delegate: (any AVCaptureFileOutputRecordingDelegate)?
    /// The type of the delegate, for the warning after its release.
    private let delegateType: String
    let queue: DispatchQueue

    /// - Parameter delegate: Not retained, as on Apple's systems.
    init(
        output: AVCaptureFileOutput, url: URL, connections: [AVCaptureConnection],
        delegate: any AVCaptureFileOutputRecordingDelegate, queue: DispatchQueue
    ) {
        (self.output, self.url, self.connections, self.queue) = (output, url, connections, queue)
        self.delegate = delegate
        delegateType = "\(type(of: delegate))"
    }

    func didStart(at time: CMTime) {
        notify(.didStartRecording(url)) {
            $1.fileOutput($0.output, didStartRecordingTo: $0.url, startPTS: time, from: $0.connections)
        }
    }

    func didPause() {
        notify(.didPauseRecording(url)) {
            $1.fileOutput($0.output, didPauseRecordingTo: $0.url, from: $0.connections)
        }
    }

    func didResume() {
        notify(.didResumeRecording(url)) {
            $1.fileOutput($0.output, didResumeRecordingTo: $0.url, from: $0.connections)
        }
    }

    func willFinish(_ error: AVError?) {
        notify { $1.fileOutput($0.output, willFinishRecordingTo: $0.url, from: $0.connections, error: error) }
    }

    func didFinish(_ error: AVError?) {
        notify(.didFinishRecording(url, error)) {
            $1.fileOutput($0.output, didFinishRecordingTo: $0.url, from: $0.connections, error: error)
        }
    }

    private func notify(
        _ report: DelegateCall? = nil,
        _ call: @escaping @Sendable (RecordingDelegateNotifier, any AVCaptureFileOutputRecordingDelegate) -> Void
    ) {
        output.system.deliver(on: queue) {
            guard let delegate else {
                return output.system.warnings.report(
                    "the recording's delegate (\(delegateType)) was released before its last callback, so it is not "
                        + "notified of the end; the file output does not retain the delegate, the app must")
            }
            if let report { output.delegateCalls.report(report) }
            call(self, delegate)
        }
    }
}
