import CaptureHAL
public import Dispatch
import Foundation
import MediaAssets
import MediaCodecs
public import MediaTypes

/// Receives the audio of an audio data output, on the queue that was set with the delegate.
public protocol AVCaptureAudioDataOutputSampleBufferDelegate: AnyObject {
    /// Audio was captured: linear PCM in the buffer's format description, interleaved.
    func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection)
}

extension AVCaptureAudioDataOutputSampleBufferDelegate {
    public func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) {}
}

/// Delivers audio to a delegate, in the device's own format or another one; nothing is dropped.
///
/// - Important: Thread-safe.
public final class AVCaptureAudioDataOutput: AVCaptureOutput, @unchecked Sendable {
    // SAFETY: all state is behind locks.
    private struct Settings {
        var values: [String: Any]?
        /// The requested format; nil for the device's own.
        var requested: WriterAudioSettings?
        /// Converts the current audio to the requested format.
        var transcoder: AudioTranscoder?
    }

    private let settings = Lock(Settings())
    /// The format of the last chunk with its description, which later chunks of the format share.
    private let last = Lock<(format: AudioStreamFormat, description: CMFormatDescription)?>(nil)
    let delivery: DataOutputDelivery<any AVCaptureAudioDataOutputSampleBufferDelegate>

    public init() {
        let system = CaptureSystem.current
        delivery = DataOutputDelivery(system)
        super.init(system: system)
    }

    override var acceptedMedia: [AVMediaType] { [.audio] }
    override var sampleTaps: SampleTaps? { delivery.taps }

    /// Sets the delegate and the serial queue on which it is called; a delegate without a queue is misuse.
    public func setSampleBufferDelegate(
        _ sampleBufferDelegate: (any AVCaptureAudioDataOutputSampleBufferDelegate)?,
        queue sampleBufferCallbackQueue: DispatchQueue?
    ) {
        delivery.setDelegate(
            sampleBufferDelegate, queue: sampleBufferCallbackQueue,
            "AVCaptureAudioDataOutput setSampleBufferDelegate:queue:"
        ) { [weak sampleBufferDelegate] in sampleBufferDelegate }
    }

    public var sampleBufferDelegate: (any AVCaptureAudioDataOutputSampleBufferDelegate)? { delivery.delegate }

    public var sampleBufferCallbackQueue: DispatchQueue? { delivery.callbackQueue }

    /// The format of the delivered audio, with the keys of audio settings; nil, the default, is the device's own.
    ///
    /// Linear PCM with `AVSampleRateKey`, `AVNumberOfChannelsKey`, `AVLinearPCMBitDepthKey`, `AVLinearPCMIsFloatKey`
    /// and `AVLinearPCMIsBigEndianKey`, each optional, interleaved. Audio of another sample rate or channel count is
    /// delivered in buffers of 1024 frames.
    public var audioSettings: [String: Any]! {
        get { settings.withLock { $0.values } }
        set {
            do throws(SettingsDictionary.SettingsError) {
                let requested = try newValue.map { values throws(SettingsDictionary.SettingsError) in
                    try WriterAudioSettings(
                        [AVFormatIDKey: kAudioFormatLinearPCM].merging(values) { $1 }, isComplete: false)
                }
                guard requested?.codec ?? .pcm == .pcm else {
                    throw SettingsDictionary.SettingsError("only linear PCM ('lpcm') is delivered")
                }
                settings.withLock { $0 = Settings(values: newValue?.plainSettings, requested: requested) }
            } catch {
                system.misuse.report(
                    .invalidArgument, "-[AVCaptureAudioDataOutput setAudioSettings:] \(error.reason)")
            }
        }
    }

    override func receive(_ media: CapturedMedia, from connection: AVCaptureConnection) {
        guard case .audio(let chunk) = media.content, delivery.hasReceiver else { return }
        for sample in samples(of: chunk) {
            delivery.taps.yield(sample)
            _ = delivery.deliver(
                SampleSynchronizer.Item(sample: sample, dropped: .none), from: self, discardsLate: false
            ) { [self] in $0.captureOutput(self, didOutput: sample, from: connection) }
        }
    }

    override func sessionDidStop(_ reason: StopReason) {
        settings.withLock { $0.transcoder = nil }
        super.sessionDidStop(reason)
    }

    /// Converts a chunk to samples in the requested format.
    private func samples(of chunk: AudioChunk) -> [CMSampleBuffer] {
        let transcoded = settings.withLock { settings -> [CMSampleBuffer]? in
            guard let requested = settings.requested else { return nil }
            if settings.transcoder?.canContinue(with: chunk) != true {
                settings.transcoder = AudioTranscoder(requested, startingWith: chunk)
            }
            // Audio that cannot be converted is not delivered; see `AudioTranscoder`.
            return settings.transcoder?.transcode(chunk) ?? []
        }
        return transcoded ?? [CMSampleBuffer(chunk, description(of: chunk.format))]
    }

    /// The format description shared by the chunks of a format.
    private func description(of format: AudioStreamFormat) -> CMFormatDescription {
        if let last = last.withLock({ $0 }), last.format == format { return last.description }
        let new = CMFormatDescription(pcm: format.streamDescription)
        last.withLock { $0 = (format, new) }
        return new
    }
}

extension CMSampleBuffer {
    /// Creates the sample of an audio chunk.
    convenience init(_ chunk: AudioChunk, _ description: CMFormatDescription) {
        self.init(
            pcm: chunk.data, format: description, frameCount: chunk.frameCount,
            timing: CMSampleTimingInfo(
                duration: CMTime(value: 1, timescale: CMTimeScale(chunk.format.sampleRate)),
                presentationTimeStamp: chunk.presentationTime, decodeTimeStamp: .invalid))
    }
}
