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
    // SAFETY: all state is behind `client`.
    private struct Client: @unchecked Sendable {
        // SAFETY: the delegate is only called on `queue`.
        weak var delegate: (any AVCaptureAudioDataOutputSampleBufferDelegate)?
        var queue: DispatchQueue?
    }

    private let client = Lock(Client())
    private let deliveries: DeliveryQueue<CMSampleBuffer>

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
        client.withLock { client in
            client.delegate = sampleBufferDelegate
            client.queue = sampleBufferCallbackQueue
        }
    }

    public var sampleBufferDelegate: (any AVCaptureAudioDataOutputSampleBufferDelegate)? {
        client.withLock { $0 }.delegate
    }

    public var sampleBufferCallbackQueue: DispatchQueue? { client.withLock { $0.queue } }

    override func receive(_ media: CapturedMedia, from connection: AVCaptureConnection) {
        guard case .audio(let chunk) = media.content,
            let queue = client.withLock({ $0.delegate == nil ? nil : $0.queue })
        else { return }
        let sample = CMSampleBuffer(chunk)
        _ = deliveries.submit(sample, on: queue, discardsLate: false) { [weak self] sample in
            guard let self else { return }
            self.sampleBufferDelegate?.captureOutput(self, didOutput: sample, from: connection)
        }
    }
}

extension CMSampleBuffer {
    /// Sound as Core Media carries it.
    convenience init(_ chunk: AudioChunk) {
        self.init(
            pcm: chunk.data, format: CMFormatDescription(pcm: chunk.format.streamDescription),
            frameCount: chunk.frameCount,
            timing: CMSampleTimingInfo(
                duration: CMTime(value: 1, timescale: CMTimeScale(chunk.format.sampleRate)),
                presentationTimeStamp: chunk.presentationTime, decodeTimeStamp: .invalid))
    }
}
