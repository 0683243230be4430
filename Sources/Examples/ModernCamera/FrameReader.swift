import AVFoundation

/// Turns the frames of a video data output into an asynchronous sequence, which drops frames while its reader is busy.
final class FrameReader: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, Sendable {
    let queue = DispatchQueue(label: "camera.frames")
    let frames: AsyncStream<CMSampleBuffer>
    private let continuation: AsyncStream<CMSampleBuffer>.Continuation

    override init() {
        (frames, continuation) = AsyncStream.makeStream(of: CMSampleBuffer.self, bufferingPolicy: .bufferingNewest(1))
    }

    deinit { continuation.finish() }

    func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) {
        continuation.yield(sampleBuffer)
    }
}
