public import Foundation
public import MediaTypes

/// Follows a recording; callbacks come one at a time on a queue of the output's.
///
/// For each recording come, in this order: didStart at most once, didPause and didResume in turn, willFinish once,
/// didFinish once.
public protocol AVCaptureFileOutputRecordingDelegate: AnyObject {
    /// The first media are in the file; may not come.
    func fileOutput(
        _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, from connections: [AVCaptureConnection])
    /// The same with the time of the first media on the session's clock; a delegate that has this is not told the other.
    func fileOutput(
        _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, startPTS: CMTime,
        from connections: [AVCaptureConnection])
    /// The recording pauses.
    func fileOutput(
        _ output: AVCaptureFileOutput, didPauseRecordingTo fileURL: URL, from connections: [AVCaptureConnection])
    /// The recording goes on.
    func fileOutput(
        _ output: AVCaptureFileOutput, didResumeRecordingTo fileURL: URL, from connections: [AVCaptureConnection])
    /// No new media go into the file from here on; always comes, exactly once, before `didFinishRecordingTo`.
    ///
    /// - Parameter error: An `AVError` where the recording ends by itself.
    func fileOutput(
        _ output: AVCaptureFileOutput, willFinishRecordingTo fileURL: URL, from connections: [AVCaptureConnection],
        error: (any Error)?)
    /// The recording is over and the file complete; always comes, exactly once.
    ///
    /// - Parameter error: An `AVError`. The file may still be good: see `AVErrorRecordingSuccessfullyFinishedKey` in
    ///   its user info.
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

/// Sees each sample that comes to a file output, before it is recorded.
public protocol AVCaptureFileOutputDelegate: AnyObject {
    /// Whether recordings that are started, paused, resumed or ended inside the other callback change exactly at the
    /// sample that it shows; asked once.
    func fileOutputShouldProvideSampleAccurateRecordingStart(_ output: AVCaptureFileOutput) -> Bool
    /// A sample has come, of pictures in their native format or of sound.
    ///
    /// Runs on the thread of the device and must be quick. What is started or resumed here includes the sample; what is
    /// ended or paused here ends before it.
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
