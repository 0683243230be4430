import CaptureHAL
public import Dispatch
import Foundation
public import MediaTypes

/// Receives the sound of an audio data output, on the queue that was given with it.
public protocol AVCaptureAudioDataOutputSampleBufferDelegate: AnyObject {
    /// Sound has come: linear PCM in the buffer's format description, interleaved.
    func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection)
}

extension AVCaptureAudioDataOutputSampleBufferDelegate {
    public func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) {}
}

/// Hands sound to a delegate, in the device's own format; nothing is dropped.
///
/// - Important: Thread-safe.
public final class AVCaptureAudioDataOutput: AVCaptureOutput, @unchecked Sendable {
    // SAFETY: all state is behind `client` and `last`.
    private typealias Client = DataOutputClient<any AVCaptureAudioDataOutputSampleBufferDelegate>

    private let client = Lock(Client(queue: nil) { nil })
    /// The format of the last chunk with its description: most have the same.
    private let last = Lock<(format: AudioStreamFormat, description: CMFormatDescription)?>(nil)
    private let deliveries: DeliveryQueue

    public init() {
        let system = CaptureSystem.current
        deliveries = DeliveryQueue(clock: system.clock)
        super.init(system: system)
    }

    override var acceptedMedia: [AVMediaType] { [.audio] }

    /// Sets who receives the sound and on which serial queue; a delegate without a queue is misuse.
    public func setSampleBufferDelegate(
        _ sampleBufferDelegate: (any AVCaptureAudioDataOutputSampleBufferDelegate)?,
        queue sampleBufferCallbackQueue: DispatchQueue?
    ) {
        guard sampleBufferDelegate == nil || sampleBufferCallbackQueue != nil else {
            return system.misuse.report(
                .invalidArgument, "-[AVCaptureAudioDataOutput setSampleBufferDelegate:queue:] NULL queue passed")
        }
        let new = Client(queue: sampleBufferCallbackQueue) { [weak sampleBufferDelegate] in sampleBufferDelegate }
        client.withLock { $0 = new }
    }

    public var sampleBufferDelegate: (any AVCaptureAudioDataOutputSampleBufferDelegate)? {
        client.withLock { $0 }.delegate
    }

    public var sampleBufferCallbackQueue: DispatchQueue? { client.withLock { $0.queue } }

    override func receive(_ media: CapturedMedia, from connection: AVCaptureConnection) {
        let client = client.withLock { $0 }
        guard case .audio(let chunk) = media.content, client.delegate != nil, let queue = client.queue else { return }
        let sample = CMSampleBuffer(chunk, description(of: chunk.format))
        _ = deliveries.submit(on: queue, discardsLate: false) { [self] in
            client.delegate?.captureOutput(self, didOutput: sample, from: connection)
        }
    }

    private func description(of format: AudioStreamFormat) -> CMFormatDescription {
        if let last = last.withLock({ $0 }), last.format == format { return last.description }
        let new = CMFormatDescription(pcm: format.streamDescription)
        last.withLock { $0 = (format, new) }
        return new
    }
}

extension CMSampleBuffer {
    /// Sound as Core Media carries it.
    convenience init(_ chunk: AudioChunk, _ description: CMFormatDescription) {
        self.init(
            pcm: chunk.data, format: description, frameCount: chunk.frameCount,
            timing: CMSampleTimingInfo(
                duration: CMTime(value: 1, timescale: CMTimeScale(chunk.format.sampleRate)),
                presentationTimeStamp: chunk.presentationTime, decodeTimeStamp: .invalid))
    }
}
