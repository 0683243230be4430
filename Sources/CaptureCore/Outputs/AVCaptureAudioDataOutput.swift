import CaptureHAL
public import Dispatch
import Foundation
import MediaAssets
import MediaCodecs
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

/// Hands sound to a delegate, in the device's own format or another one; nothing is dropped.
///
/// - Important: Thread-safe.
public final class AVCaptureAudioDataOutput: AVCaptureOutput, @unchecked Sendable {
    // SAFETY: all state is behind locks.
    private typealias Client = DataOutputClient<any AVCaptureAudioDataOutputSampleBufferDelegate>

    private struct Settings {
        var values: [String: Any]?
        /// nil takes the sound as it comes.
        var sound: WriterAudioSettings?
        /// Made for the sound that comes and `sound`.
        var recoder: SoundRecoder?
    }

    private let client = Lock(Client(queue: nil) { nil })
    private let settings = Lock(Settings())
    /// The format of the last chunk with its description: most have the same.
    private let last = Lock<(format: AudioStreamFormat, description: CMFormatDescription)?>(nil)
    private let deliveries: DeliveryQueue
    let taps = SampleTaps()

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
        guard
            system.misuse.checkQueue(
                sampleBufferCallbackQueue, of: sampleBufferDelegate,
                "AVCaptureAudioDataOutput setSampleBufferDelegate:queue:")
        else { return }
        let new = Client(queue: sampleBufferCallbackQueue) { [weak sampleBufferDelegate] in sampleBufferDelegate }
        client.withLock { $0 = new }
    }

    public var sampleBufferDelegate: (any AVCaptureAudioDataOutputSampleBufferDelegate)? {
        client.withLock { $0 }.delegate
    }

    public var sampleBufferCallbackQueue: DispatchQueue? { client.withLock { $0.queue } }

    /// The form of what is delivered, under the keys of audio settings; nil, as by default, takes the device's.
    ///
    /// Linear PCM with `AVSampleRateKey`, `AVNumberOfChannelsKey`, `AVLinearPCMBitDepthKey`, `AVLinearPCMIsFloatKey` and
    /// `AVLinearPCMIsBigEndianKey`, each optional, interleaved. Sound of another rate or number of channels comes in
    /// buffers of 1024 frames.
    public var audioSettings: [String: Any]! {
        get { settings.withLock { $0.values } }
        set {
            do throws(SettingsDictionary.Refusal) {
                let sound = try newValue.map { values throws(SettingsDictionary.Refusal) in
                    try WriterAudioSettings(
                        [AVFormatIDKey: kAudioFormatLinearPCM].merging(values) { $1 }, isComplete: false)
                }
                guard sound?.codec ?? .pcm == .pcm else {
                    throw SettingsDictionary.Refusal("only linear PCM ('lpcm') is delivered")
                }
                settings.withLock { $0 = Settings(values: newValue, sound: sound) }
            } catch {
                system.misuse.report(
                    .invalidArgument, "-[AVCaptureAudioDataOutput setAudioSettings:] \(error.reason)")
            }
        }
    }

    override func receive(_ media: CapturedMedia, from connection: AVCaptureConnection) {
        let client = client.withLock { $0 }
        guard case .audio(let chunk) = media.content else { return }
        let hasClient = client.delegate != nil && client.queue != nil
        guard hasClient || !taps.isEmpty else { return }
        for sample in samples(of: chunk) {
            taps.give(sample)
            if let synchronizer = taps.synchronizer {
                synchronizer.take(SampleSynchronizer.Item(sample: sample, dropped: .none), from: self)
            } else if hasClient, let queue = client.queue {
                let delivery = Delivery.call(on: queue) { [self] in
                    client.delegate?.captureOutput(self, didOutput: sample, from: connection)
                }
                _ = deliveries.submit(delivery, discardsLate: false)
            }
        }
    }

    override func connectionDidChange(_ connection: AVCaptureConnection) { taps.synchronizer?.lookAgain() }

    override func sessionDidStop(_ reason: StopReason) {
        settings.withLock { $0.recoder = nil }
        taps.sessionDidStop(reason, isInSession: session != nil)
    }

    /// The sound in the form that the client wants.
    private func samples(of chunk: AudioChunk) -> [CMSampleBuffer] {
        let recoded = settings.withLock { settings -> [CMSampleBuffer]? in
            guard let sound = settings.sound else { return nil }
            if settings.recoder?.takes(chunk) != true { settings.recoder = SoundRecoder(sound, from: chunk) }
            // Sound that cannot be brought into the form does not come; `SoundRecoder` says when that is.
            return settings.recoder?.recode(chunk) ?? []
        }
        return recoded ?? [CMSampleBuffer(chunk, description(of: chunk.format))]
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
