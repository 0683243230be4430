import AssetTypes
import CaptureHAL
public import Dispatch
import Foundation
import MediaCodecs
public import MediaTypes

/// Receives the audio of an audio data output, on the queue passed to `setSampleBufferDelegate(_:queue:)`.
public protocol AVCaptureAudioDataOutputSampleBufferDelegate: AnyObject {
    /// Audio was captured. The samples are interleaved linear PCM in the format of the buffer's format description.
    func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection)
}

extension AVCaptureAudioDataOutputSampleBufferDelegate {
    public func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) {}
}

/// Delivers audio to a delegate, in the format of the device or of `audioSettings`. No audio is dropped.
///
/// - Important: Thread-safe.
public final class AVCaptureAudioDataOutput: AVCaptureOutput, @unchecked Sendable {
    // SAFETY: all state is accessed while holding locks.
    private struct Settings {
        var values: [String: Any]?
        /// The requested format; nil for the device's format.
        var requested: WriterAudioSettings?
        /// Converts audio of the last format received to the requested format.
        var transcoder: AudioTranscoder?
    }

    private let settings = Lock(Settings())
    /// The format of the last chunk and its format description, which is reused while the format stays the same.
    private let lastFormat = Lock<(format: AudioStreamFormat, description: CMFormatDescription)?>(nil)
    let clients: DataOutputClients<any AVCaptureAudioDataOutputSampleBufferDelegate>

    public init() {
        let system = CaptureSystem.current
        clients = DataOutputClients(system)
        super.init(system: system)
    }

    override var acceptedMedia: [AVMediaType] { [.audio] }
    override var sampleSubscribers: SampleSubscribers? { clients.subscribers }

    /// Sets the delegate and the serial queue on which it is called; a delegate without a queue is misuse.
    public func setSampleBufferDelegate(
        _ sampleBufferDelegate: (any AVCaptureAudioDataOutputSampleBufferDelegate)?,
        queue sampleBufferCallbackQueue: DispatchQueue?
    ) {
        clients.setDelegate(
            sampleBufferDelegate, queue: sampleBufferCallbackQueue,
            "AVCaptureAudioDataOutput setSampleBufferDelegate:queue:"
        ) { [weak sampleBufferDelegate] in sampleBufferDelegate }
    }

    public var sampleBufferDelegate: (any AVCaptureAudioDataOutputSampleBufferDelegate)? { clients.delegate }

    public var sampleBufferCallbackQueue: DispatchQueue? { clients.callbackQueue }

    /// The format of the delivered audio; nil, the default, selects the device's format.
    ///
    /// Only interleaved linear PCM is supported, with the optional keys `AVSampleRateKey`, `AVNumberOfChannelsKey`,
    /// `AVLinearPCMBitDepthKey`, `AVLinearPCMIsFloatKey` and `AVLinearPCMIsBigEndianKey`. If the sample rate or the
    /// channel count differs from the device's, buffers of 1024 frames are delivered. Invalid settings are misuse
    /// and ignored.
    public var audioSettings: [String: Any]! {
        get {
            observedProperties.access()
            return settings.withLock { $0.values }
        }
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
                observedProperties.changed()
            } catch {
                system.misuse.report(
                    .invalidArgument, "-[AVCaptureAudioDataOutput setAudioSettings:] \(error.reason)")
            }
        }
    }

    /// The channel layout of spatial audio; always unknown. Setting another layout is misuse, since no backend records
    /// spatial audio.
    public var spatialAudioChannelLayoutTag: AudioChannelLayoutTag {
        get {
            observedProperties.access()
            return kAudioChannelLayoutTag_Unknown
        }
        set {
            guard newValue != kAudioChannelLayoutTag_Unknown else { return observedProperties.changed() }
            system.misuse.report(
                .invalidArgument,
                "-[AVCaptureAudioDataOutput setSpatialAudioChannelLayoutTag:] \(newValue) requires an input with "
                    + "multichannelAudioMode AVCaptureMultichannelAudioModeFirstOrderAmbisonics")
        }
    }

    override func consume(_ media: CapturedMedia, from connection: AVCaptureConnection) {
        guard case .audio(let chunk) = media, let receiver = clients.receiver else { return }
        for sample in samples(of: chunk) {
            clients.subscribers.yield(sample)
            _ = clients.offer(
                SampleSynchronizer.Item(sample: sample, dropped: .none), from: self, to: receiver, discardsLate: false
            ) { [self] in
                delegateCalls.report(.didOutputAudio(sample))
                receiver.delegate?.captureOutput(self, didOutput: sample, from: connection)
            }
        }
    }

    override func sessionDidStop(_ reason: StopReason) {
        settings.withLock { $0.transcoder = nil }
        super.sessionDidStop(reason)
    }

    /// Returns a chunk as sample buffers in the requested format.
    private func samples(of chunk: AudioChunk) -> [CMSampleBuffer] {
        let transcoded = settings.withLock { settings -> [CMSampleBuffer]? in
            guard let requested = settings.requested else { return nil }
            if settings.transcoder?.canContinue(with: chunk) != true {
                settings.transcoder = AudioTranscoder(requested, startingWith: chunk)
            }
            // Audio that `AudioTranscoder` cannot convert is not delivered.
            return settings.transcoder?.transcode(chunk) ?? []
        }
        return transcoded ?? [CMSampleBuffer(chunk, description(of: chunk.format))]
    }

    /// Returns the format description of a format; consecutive chunks with the same format share one description.
    private func description(of format: AudioStreamFormat) -> CMFormatDescription {
        if let last = lastFormat.withLock({ $0 }), last.format == format { return last.description }
        let new = CMFormatDescription(pcm: format.streamDescription)
        lastFormat.withLock { $0 = (format, new) }
        return new
    }
}

extension CMSampleBuffer {
    /// Creates the sample buffer of an audio chunk.
    convenience init(_ chunk: AudioChunk, _ description: CMFormatDescription) {
        self.init(
            pcm: chunk.data, format: description, frameCount: chunk.frameCount,
            timing: CMSampleTimingInfo(
                duration: CMTime(value: 1, timescale: CMTimeScale(chunk.format.sampleRate)),
                presentationTimeStamp: chunk.presentationTime, decodeTimeStamp: .invalid))
    }
}
