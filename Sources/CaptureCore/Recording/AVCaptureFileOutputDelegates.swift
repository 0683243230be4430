public import Foundation
public import MediaTypes

/// Receives the events of a recording, one at a time on a private queue of the output.
///
/// The order for each recording: `didStartRecordingTo` at most once, `didPauseRecordingTo` and `didResumeRecordingTo`
/// alternately, `willFinishRecordingTo` once, `didFinishRecordingTo` once.
public protocol AVCaptureFileOutputRecordingDelegate: AnyObject {
    /// The file contains the first media; not called if the recording fails before.
    func fileOutput(
        _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, from connections: [AVCaptureConnection])
    /// The file contains the first media, which have the time `startPTS` on the session's clock. If this method is
    /// implemented, the method without `startPTS` is not called.
    func fileOutput(
        _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, startPTS: CMTime,
        from connections: [AVCaptureConnection])
    /// The recording was paused.
    func fileOutput(
        _ output: AVCaptureFileOutput, didPauseRecordingTo fileURL: URL, from connections: [AVCaptureConnection])
    /// The recording was resumed.
    func fileOutput(
        _ output: AVCaptureFileOutput, didResumeRecordingTo fileURL: URL, from connections: [AVCaptureConnection])
    /// No more media are added to the file; called exactly once, before `didFinishRecordingTo`.
    ///
    /// - Parameter error: An `AVError` if the recording was not ended by the client.
    func fileOutput(
        _ output: AVCaptureFileOutput, willFinishRecordingTo fileURL: URL, from connections: [AVCaptureConnection],
        error: (any Error)?)
    /// The recording has ended and the file is complete; called exactly once.
    ///
    /// - Parameter error: An `AVError`, or nil. The file may be usable despite an error: see
    ///   `AVErrorRecordingSuccessfullyFinishedKey` in its user info.
    func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
        from connections: [AVCaptureConnection], error: (any Error)?)
}

extension AVCaptureFileOutputRecordingDelegate {
    public func fileOutput(
        _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, from connections: [AVCaptureConnection]
    ) {}
    public func fileOutput(
        _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, startPTS: CMTime,
        from connections: [AVCaptureConnection]
    ) {
        fileOutput(output, didStartRecordingTo: fileURL, from: connections)
    }
    public func fileOutput(
        _ output: AVCaptureFileOutput, didPauseRecordingTo fileURL: URL, from connections: [AVCaptureConnection]
    ) {}
    public func fileOutput(
        _ output: AVCaptureFileOutput, didResumeRecordingTo fileURL: URL, from connections: [AVCaptureConnection]
    ) {}
    public func fileOutput(
        _ output: AVCaptureFileOutput, willFinishRecordingTo fileURL: URL, from connections: [AVCaptureConnection],
        error: (any Error)?
    ) {}
}

/// Receives each sample of a file output, before it is recorded.
public protocol AVCaptureFileOutputDelegate: AnyObject {
    /// Whether a recording that `fileOutput(_:didOutputSampleBuffer:from:)` starts, pauses, resumes or ends changes
    /// exactly at its sample. Called once, when the delegate is set.
    func fileOutputShouldProvideSampleAccurateRecordingStart(_ output: AVCaptureFileOutput) -> Bool
    /// A sample was captured: audio, or video in the device's native format.
    ///
    /// Called on the thread of the device; must return quickly. A recording that this method starts or resumes
    /// includes the sample; a recording that it ends or pauses excludes the sample.
    func fileOutput(
        _ output: AVCaptureFileOutput, didOutputSampleBuffer sampleBuffer: CMSampleBuffer,
        from connection: AVCaptureConnection)
}

extension AVCaptureFileOutputDelegate {
    public func fileOutput(
        _ output: AVCaptureFileOutput, didOutputSampleBuffer sampleBuffer: CMSampleBuffer,
        from connection: AVCaptureConnection
    ) {}
}
