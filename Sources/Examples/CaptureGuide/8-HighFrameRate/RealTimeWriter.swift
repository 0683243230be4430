import AVFoundation

/// Writes the frames of a session's camera to a movie with an asset writer.
public final class RealTimeWriter: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, @unchecked Sendable {
    // SAFETY: the writer and the counts are used on `queue` only.
    /// The output; add it to the session.
    public let output = AVCaptureVideoDataOutput()
    private let queue = DispatchQueue(label: "RealTimeWriterQueue")
    private let writer: AVAssetWriter
    private let input: AVAssetWriterInput
    private var frameCount = 0
    private var missedFrameCount = 0

    /// Creates a writer for a file that does not exist yet.
    public init(to url: URL, width: Int, height: Int) throws {
        writer = try AVAssetWriter(outputURL: url, fileType: .mov)
        input = AVAssetWriterInput(
            mediaType: .video,
            outputSettings: [
                AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: width, AVVideoHeightKey: height,
            ])
        // The input must accept frames at the rate of the camera.
        input.expectsMediaDataInRealTime = true
        super.init()
        guard writer.canAdd(input) else { throw SetupError.inputNotAccepted }
        writer.add(input)
        output.setSampleBufferDelegate(self, queue: queue)
    }

    /// Writes a frame; the movie begins with the first one.
    public func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) {
        if writer.status == .unknown {
            guard writer.startWriting() else { return }
            writer.startSession(atSourceTime: sampleBuffer.presentationTimeStamp)
        }
        guard writer.status == .writing else { return }
        if input.isReadyForMoreMediaData, input.append(sampleBuffer) {
            frameCount += 1
        } else {
            missedFrameCount += 1
        }
    }

    /// Counts a frame that the output dropped.
    public func captureOutput(
        _ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) { missedFrameCount += 1 }

    /// Completes the movie.
    ///
    /// - Parameter completion: Receives the counts of written and missed frames, or the error.
    public func finish(
        completion: @escaping @Sendable (Result<(written: Int, missed: Int), any Error>) -> Void
    ) {
        queue.async {
            guard self.writer.status == .writing else {
                return completion(.failure(self.writer.error ?? AVError(.noDataCaptured)))
            }
            self.input.markAsFinished()
            self.writer.finishWriting {
                self.queue.async {
                    if let error = self.writer.error { return completion(.failure(error)) }
                    completion(.success((self.frameCount, self.missedFrameCount)))
                }
            }
        }
    }
}
