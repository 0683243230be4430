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

    /// Hands a frame on whose picture is taken as it came from the device.
    ///
    /// - Returns: False, and nothing was done, where something must be made of it first.
    func take(_ frame: VideoFrame) -> Bool {
        guard case .pixels(let picture) = frame.payload else { return false }
        if let pixelFormat, CVPixelBufferGetPixelFormatType(picture) != pixelFormat { return false }
        output.hand(
            CMSampleBuffer(picture: picture, kind: kind(of: picture, frame.settings), timing: frame.timing),
            frame.timing, to: self, discardsLate: discardsLate)
        return true
    }

    /// Whether a picture in lent memory is of the last one's kind, so that it is taken as it came from the device.
    func takes(_ memory: LentMemory, _ settings: FrameSettings) -> Bool {
        guard let kind else { return false }
        return kind.describes(memory) && kindSettings == settings
    }

    /// Hands a picture on of which `takes` was true.
    func take(_ memory: LentMemory, _ timing: CMSampleTimingInfo) {
        guard let kind else { return memory.giveBack() }
        output.hand(
            CMSampleBuffer(lent: memory, kind: kind, timing: timing), timing, to: self, discardsLate: discardsLate)
    }

    /// Tells the client that a frame was dropped.
    func drop(_ timing: CMSampleTimingInfo, _ reason: AVCaptureOutput.DataDroppedReason) {
        output.drop(timing, reason, to: client, from: connection)
    }

    private func kind(of picture: CVPixelBuffer, _ settings: FrameSettings) -> CMSampleBuffer.Kind {
        if let kind, kind.describes(picture), kindSettings == settings { return kind }
        let new = CMSampleBuffer.Kind(
            formatDescription: .shared(by: picture), attachments: output.attachments(of: settings))
        (kind, kindSettings) = (new, settings)
        return new
    }
}
