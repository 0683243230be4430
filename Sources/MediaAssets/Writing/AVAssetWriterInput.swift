package import AssetTypes
import CaptureHAL
import Dispatch
public import Foundation
public import KeyValueObserving
import MediaCodecs
public import MediaTypes

/// A track of the file that an `AVAssetWriter` writes.
///
/// - Important: Thread-safe; appends must be serialized.
public final class AVAssetWriterInput: NSObject, KeyValueObserving, @unchecked Sendable {
    // SAFETY: the constants are values; mutable state is behind `options` and `attachment`.

    /// How appended media is processed.
    enum Processing {
        case video(WriterVideoSettings)
        case audio(WriterAudioSettings)
        case passthrough(CMFormatDescription?)
        case metadata(TimedMetadataFormat)
        case captions(SubtitleSampleFormat)
        /// The settings cannot be used, for the given reason.
        case unsupported(String)

        init(_ mediaType: AVMediaType, _ settings: [String: Any]?, hint: CMFormatDescription?) {
            if let hint, hint.mediaType.rawValue != mediaType.code {
                self = .unsupported("the source format hint is not of media type \(mediaType.rawValue)")
                return
            }
            do throws(SettingsDictionary.SettingsError) {
                switch (mediaType, settings) {
                case (.metadata, nil):
                    guard let hint else {
                        self = .unsupported("a metadata input needs a source format hint with its keys")
                        return
                    }
                    self = .metadata(try TimedMetadataFormat(hint))
                case (.subtitle, nil), (.text, nil):
                    self = .captions(try SubtitleSampleFormat(mediaType, hint: hint))
                case (_, nil): self = .passthrough(hint)
                case (.video, let settings?): self = .video(try WriterVideoSettings(settings, hint: hint))
                case (.audio, let settings?):
                    let source = hint?.audioStreamBasicDescription.map { Int($0.mChannelsPerFrame) }
                    self = .audio(
                        try WriterAudioSettings(settings, isComplete: hint == nil, sourceChannelCount: source))
                default: self = .unsupported("media of type \(mediaType.rawValue) can only pass through")
                }
            } catch {
                self = .unsupported(error.reason)
            }
        }
    }

    /// The settings that cannot change after the writer has started.
    struct Options: Sendable {
        var isRealTime = false
        var transform = CGAffineTransform.identity
        var naturalSize = CGSize.zero
        var timescale: CMTimeScale = 0
        var languageCode: String?
        var extendedLanguageTag: String?
        var volume: Float = 1
        var isEnabled = true
        var chunkDuration = CMTime.invalid
        var chunkAlignment = 0
        var wantsMultiplePasses = false
        var metadata: [AVMetadataItem] = []
        var sampleReferenceBaseURL: URL?
        var mediaDataLocation = MediaDataLocation.interleavedWithMainMediaData
        var associations: [TrackAssociation] = []
        /// The number of the input group, from 1; 0 for none.
        var alternateGroup: Int16 = 0
    }

    /// A block that is called for each pass over the media, and its queue.
    struct PassRequest: Sendable {
        let queue: DispatchQueue
        let block: @Sendable () -> Void
    }

    /// The writer to which the input was added, and the calls so far.
    struct Attachment: Sendable {
        weak var writer: AVAssetWriter?
        /// The index in the writer's inputs.
        var index = 0
        /// Whether the writer has started.
        var hasStarted = false
        /// Whether `requestMediaDataWhenReady(on:using:)` was called.
        var hasRequest = false
        var hasAdaptor = false
        var hasFinishedPass = false
        var passRequest: PassRequest?
    }

    public let mediaType: AVMediaType
    public let observedProperties: ObservedProperties
    /// How media is compressed; nil to pass it through.
    public var outputSettings: [String: Any]? { settings }
    public let sourceFormatHint: CMFormatDescription?
    // SAFETY: a constant.
    private nonisolated(unsafe) let settings: [String: Any]?
    let processing: Processing
    /// Whether captions can be appended.
    package var acceptsCaptions: Bool { if case .captions = processing { true } else { false } }
    let system: CaptureSystem
    let options = Lock(Options())
    let attachment = Lock(Attachment())

    /// Creates an input.
    ///
    /// - Parameters:
    ///   - outputSettings: For video at least `AVVideoCodecKey`, `AVVideoWidthKey` and `AVVideoHeightKey`; for audio at
    ///     least `AVFormatIDKey`, `AVSampleRateKey` and `AVNumberOfChannelsKey`. nil to pass media through. Settings
    ///     that cannot be used are misuse.
    ///   - sourceFormatHint: The format of the media to append. With it, the codec or format key alone is enough.
    public init(
        mediaType: AVMediaType, outputSettings: [String: Any]?, sourceFormatHint: CMFormatDescription? = nil
    ) {
        self.mediaType = mediaType
        settings = outputSettings?.plainSettings
        self.sourceFormatHint = sourceFormatHint
        system = CaptureSystem.current
        observedProperties = ObservedProperties(system.reference, system.misuse)
        processing = Processing(mediaType, outputSettings, hint: sourceFormatHint)
        super.init()
        if case .unsupported(let reason) = processing {
            report(.invalidArgument, "initWithMediaType:outputSettings:sourceFormatHint:", reason)
        }
    }

    /// Whether more media can be appended now; can be observed.
    ///
    /// It is false while too many samples wait for the encoder, and while the input is too far ahead of another audio
    /// or video input: by more than one second, or, with a real-time source, by more than ten seconds if the other
    /// input has no samples yet.
    public var isReadyForMoreMediaData: Bool {
        observedProperties.access()
        let (writer, index) = attachment.withLock { ($0.writer, $0.index) }
        return writer?.state.withLock { $0.isReady(index) } ?? false
    }

    /// Whether media comes from a real-time source, such as a camera; false by default.
    public var expectsMediaDataInRealTime: Bool {
        get { options.withLock { $0.isRealTime } }
        set { set("setExpectsMediaDataInRealTime:") { $0.isRealTime = newValue } }
    }

    /// The transform for display; pixels are not changed.
    public var transform: CGAffineTransform {
        get { options.withLock { $0.transform } }
        set { set("setTransform:") { $0.transform = newValue } }
    }

    /// The display size of the track; zero, the default, uses the size of the images.
    public var naturalSize: CGSize {
        get { options.withLock { $0.naturalSize } }
        set { set("setNaturalSize:") { $0.naturalSize = newValue } }
    }

    /// Ticks per second of the track's times.
    ///
    /// 0, the default, selects a scale in which the first sample's times are exact. Audio tracks use their sample rate;
    /// setting the time scale of an audio input is misuse.
    public var mediaTimeScale: CMTimeScale {
        get { options.withLock { $0.timescale } }
        set {
            guard mediaType != .audio, newValue >= 0 else {
                return report(.invalidArgument, "setMediaTimeScale:", "\(newValue) cannot be set for this track")
            }
            set("setMediaTimeScale:") { $0.timescale = newValue }
        }
    }

    /// The ISO 639-2/T language code, for example `deu`; nil if undetermined.
    public var languageCode: String? {
        get { options.withLock { $0.languageCode } }
        set { set("setLanguageCode:") { $0.languageCode = newValue } }
    }

    /// The BCP 47 language tag, for example `de-CH`; nil for none.
    public var extendedLanguageTag: String? {
        get { options.withLock { $0.extendedLanguageTag } }
        set { set("setExtendedLanguageTag:") { $0.extendedLanguageTag = newValue } }
    }

    /// The volume at which the track is played, 1 by default.
    public var preferredVolume: Float {
        get { options.withLock { $0.volume } }
        set { set("setPreferredVolume:") { $0.volume = newValue } }
    }

    /// The track's metadata.
    public var metadata: [AVMetadataItem] {
        get { options.withLock { $0.metadata } }
        set { set("setMetadata:") { $0.metadata = newValue } }
    }

    /// Whether the track is played by default.
    public var marksOutputTrackAsEnabled: Bool {
        get { options.withLock { $0.isEnabled } }
        set { set("setMarksOutputTrackAsEnabled:") { $0.isEnabled = newValue } }
    }

    /// The duration of the chunks of samples in the file. The value is stored but has no effect.
    public var preferredMediaChunkDuration: CMTime {
        get { options.withLock { $0.chunkDuration } }
        set {
            guard newValue.isNumeric, newValue > .zero else {
                return report(
                    .invalidArgument, "setPreferredMediaChunkDuration:", "the duration must be a time above 0")
            }
            set("setPreferredMediaChunkDuration:") { $0.chunkDuration = newValue }
        }
    }

    /// The byte alignment of chunks in the file. The value is stored but has no effect.
    public var preferredMediaChunkAlignment: Int {
        get { options.withLock { $0.chunkAlignment } }
        set {
            guard newValue >= 0 else {
                return report(.invalidArgument, "setPreferredMediaChunkAlignment:", "the alignment cannot be negative")
            }
            set("setPreferredMediaChunkAlignment:") { $0.chunkAlignment = newValue }
        }
    }

    /// Whether video may be compressed in several passes. The value is stored but has no effect.
    public var performsMultiPassEncodingIfSupported: Bool {
        get { options.withLock { $0.wantsMultiplePasses } }
        set { set("setPerformsMultiPassEncodingIfSupported:") { $0.wantsMultiplePasses = newValue } }
    }

    /// False: no encoder supports several passes.
    public var canPerformMultiplePasses: Bool { false }

    /// Changes a setting. Calling it after the start is misuse.
    func set(_ method: String, _ change: (inout Options) -> Void) {
        guard !attachment.withLock({ $0.hasStarted }) else {
            return report(.internalInconsistency, method, "Cannot call method after writing has started")
        }
        options.withLock { change(&$0) }
    }

    func report(_ exception: Misuse.Exception, _ method: String, _ message: String) {
        system.misuse.report(exception, "-[AVAssetWriterInput \(method)] \(message)")
    }
}

extension AVMediaType {
    /// The media type as a four-character code.
    var code: FourCharCode { rawValue.utf8.reduce(0) { $0 << 8 | FourCharCode($1) } }
}
