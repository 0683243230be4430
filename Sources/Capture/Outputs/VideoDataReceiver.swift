import CaptureHAL
import Dispatch
import MediaTypes

/// Who gets a video data output's frames from one connection, while the settings are those it was made for.
final class VideoDataReceiver: @unchecked Sendable {
    // SAFETY: `kind` and `kindSettings` are touched by `take` alone, whose calls do not overlap; all else is constant, and the delegate is only
    // called on the queue that was given with it.
    typealias Client = DataOutputClient<any AVCaptureVideoDataOutputSampleBufferDelegate>

    let queue: DispatchQueue
    private let output: AVCaptureVideoDataOutput
    private let connection: AVCaptureConnection
    private let client: Client
    private let discardsLate: Bool
    /// The format of which pictures are taken as they are; nil takes all.
    private let pixelFormat: OSType?
    /// What the last picture had in common with others.
    private var kind: CMSampleBuffer.Kind?
    /// Those of its frame.
    private var kindSettings = FrameSettings()

    init(
        _ client: Client, on queue: DispatchQueue, of output: AVCaptureVideoDataOutput,
        from connection: AVCaptureConnection, discardsLate: Bool, pixelFormat: OSType?
    ) {
        self.client = client
        self.queue = queue
        self.output = output
        self.connection = connection
        self.discardsLate = discardsLate
        self.pixelFormat = pixelFormat
    }

    func receive(_ sample: CMSampleBuffer) {
        client.delegate?.captureOutput(output, didOutput: sample, from: connection)
    }

    /// Hands a picture on as it came from the device.
    ///
    /// - Returns: False, and nothing was done, where something must be made of it first.
    func take(_ picture: CVPixelBuffer, of frame: VideoFrame) -> Bool {
        if let pixelFormat, CVPixelBufferGetPixelFormatType(picture) != pixelFormat { return false }
        let timing = frame.timing
        let sample = CMSampleBuffer(picture: picture, kind: kind(of: picture, frame.settings), timing: timing)
        output.hand(sample, timing, to: self, discardsLate: discardsLate)
        return true
    }

    /// Tells the client that a frame was dropped.
    func drop(_ timing: CMSampleTimingInfo, _ reason: AVCaptureOutput.DataDroppedReason) {
        output.drop(timing, reason, to: client, from: connection)
    }

    private func kind(of picture: CVPixelBuffer, _ settings: FrameSettings) -> CMSampleBuffer.Kind {
        let description = CMFormatDescription.shared(by: picture)
        if let known = kind, known.formatDescription === description, kindSettings == settings { return known }
        let new = CMSampleBuffer.Kind(formatDescription: description, attachments: output.attachments(of: settings))
        (kind, kindSettings) = (new, settings)
        return new
    }
}
