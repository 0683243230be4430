import AVFoundation

/// Receives the frames of a session's camera, one at a time.
public final class FrameReceiver: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, Sendable {
    /// The output; add it to the session.
    public let output = AVCaptureVideoDataOutput()
    /// A serial queue keeps the frames in order.
    private let queue = DispatchQueue(label: "VideoDataOutputQueue")
    private let receive: @Sendable (CMSampleBuffer) -> Void
    private let dropped: @Sendable (CMSampleBuffer) -> Void

    /// Creates a receiver.
    ///
    /// - Parameters:
    ///   - pixelFormat: One of `output.availableVideoPixelFormatTypes`; nil for the camera's own.
    ///   - discardsLateFrames: Whether frames are dropped while `receive` is busy. Otherwise they are queued, and
    ///     dropped when no more buffers are free.
    ///   - dropped: Receives a sample buffer without an image for each dropped frame.
    ///   - receive: Receives each frame, on the receiver's queue. It must not retain many frames: the camera has a
    ///     limited number of buffers.
    public init(
        pixelFormat: OSType? = kCVPixelFormatType_32BGRA, discardsLateFrames: Bool = true,
        dropped: @escaping @Sendable (CMSampleBuffer) -> Void = { _ in },
        receive: @escaping @Sendable (CMSampleBuffer) -> Void
    ) {
        self.receive = receive
        self.dropped = dropped
        super.init()
        if let pixelFormat { output.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: pixelFormat] }
        output.alwaysDiscardsLateVideoFrames = discardsLateFrames
        output.setSampleBufferDelegate(self, queue: queue)
    }

    /// Passes a frame to `receive`.
    public func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) { receive(sampleBuffer) }

    /// Passes the timing of a dropped frame to `dropped`.
    public func captureOutput(
        _ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) { dropped(sampleBuffer) }
}

extension AVCaptureDevice {
    /// Limits the frame rate of the camera, which saves power.
    public func limitFrameRate(to framesPerSecond: Int32) throws {
        try configure { $0.activeVideoMinFrameDuration = CMTime(value: 1, timescale: framesPerSecond) }
    }
}
