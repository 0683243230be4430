public import Foundation
public import MediaTypes

/// Receives the events of a recording, one at a time on a private queue of the output.
///
/// The order for each recording: didStart at most once, didPause and didResume alternating, willFinish once, didFinish
/// once.
public protocol AVCaptureFileOutputRecordingDelegate: AnyObject {
    /// The file contains the first media; not called if the recording fails before.
    func fileOutput(
        _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, from connections: [AVCaptureConnection])
    /// Like the other form, with the time of the first media on the session's clock. A delegate that implements this
    /// form does not receive the other one.
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
    /// Whether recordings that are started, paused, resumed or ended inside the other callback change exactly at its
    /// sample; called once.
    func fileOutputShouldProvideSampleAccurateRecordingStart(_ output: AVCaptureFileOutput) -> Bool
    /// A sample was captured: audio, or video in the device's native format.
    ///
    /// Called on the thread of the device; must return quickly. A recording that is started or resumed here includes
    /// the sample; one that is ended or paused here excludes it.
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
