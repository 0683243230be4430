import CaptureHAL
import Dispatch
public import Foundation
public import KeyValueObserving
import MediaCodecs
public import MediaTypes

/// One track of the file that an `AVAssetWriter` writes.
///
/// - Important: Thread-safe; appends must come one after the other.
public final class AVAssetWriterInput: NSObject, KeyValueObserving, @unchecked Sendable {
    // SAFETY: the constants are values; what changes is behind `options` and `place`.

    /// What is done with what is appended.
    enum Processing {
        case video(WriterVideoSettings)
        case audio(WriterAudioSettings)
        case passthrough(CMFormatDescription?)
        case metadata(TimedMetadataFormat)
        /// The settings cannot be used, for this reason.
        case refused(String)

        init(_ mediaType: AVMediaType, _ settings: [String: Any]?, hint: CMFormatDescription?) {
            if let hint, hint.mediaType.rawValue != mediaType.code {
                self = .refused("the source format hint is not of media type \(mediaType.rawValue)")
                return
            }
            do throws(SettingsDictionary.Refusal) {
                switch (mediaType, settings) {
                case (.metadata, nil):
                    guard let hint else {
                        self = .refused("an input of metadata needs a source format hint that tells its keys")
                        return
                    }
                    self = .metadata(try TimedMetadataFormat(hint))
                case (_, nil): self = .passthrough(hint)
                case (.video, let settings?): self = .video(try WriterVideoSettings(settings, hint: hint))
                case (.audio, let settings?): self = .audio(try WriterAudioSettings(settings, isComplete: hint == nil))
                default: self = .refused("media of type \(mediaType.rawValue) can only pass through")
                }
            } catch {
                self = .refused(error.reason)
            }
        }
    }

    /// What is fixed by the writer's start.
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
    }

    /// Who is to be told of each pass over the media.
    struct PassRequest: Sendable {
        let queue: DispatchQueue
        let block: @Sendable () -> Void
    }

    /// The writer that the input belongs to.
    struct Place: Sendable {
        weak var writer: AVAssetWriter?
        var index = 0
        var hasStarted = false
        var hasRequest = false
        var hasAdaptor = false
        var hasFinishedPass = false
        var passRequest: PassRequest?
    }

    public let mediaType: AVMediaType
    public let observedProperties = ObservedProperties()
    /// How media are compressed; nil passes them through.
    public var outputSettings: [String: Any]? { settings }
    public let sourceFormatHint: CMFormatDescription?
    // SAFETY: never changes.
    private nonisolated(unsafe) let settings: [String: Any]?
    let processing: Processing
    let system: CaptureSystem
    let options = Lock(Options())
    let place = Lock(Place())

    /// - Parameters:
    ///   - outputSettings: Video: `AVVideoCodecKey`, `AVVideoWidthKey` and `AVVideoHeightKey` at least; audio:
    ///     `AVFormatIDKey`, `AVSampleRateKey` and `AVNumberOfChannelsKey`. nil passes through. Others are misuse.
    ///   - sourceFormatHint: The format of what will come: then the codec or format alone is enough.
    public init(
        mediaType: AVMediaType, outputSettings: [String: Any]?, sourceFormatHint: CMFormatDescription? = nil
    ) {
        self.mediaType = mediaType
        settings = outputSettings
        self.sourceFormatHint = sourceFormatHint
        system = CaptureSystem.current
        processing = Processing(mediaType, outputSettings, hint: sourceFormatHint)
        super.init()
        if case .refused(let reason) = processing {
            report(.invalidArgument, "initWithMediaType:outputSettings:sourceFormatHint:", reason)
        }
    }

    /// Whether more can be appended now; can be observed.
    ///
    /// In real time it can as long as the encoder keeps up; else also while the input is not a second ahead of another.
    public var isReadyForMoreMediaData: Bool {
        observedProperties.access()
        let (writer, index) = place.withLock { ($0.writer, $0.index) }
        return writer?.state.withLock { $0.isReady(index) } ?? false
    }

    /// Whether media come from a source that does not wait, as a camera; false by default.
    public var expectsMediaDataInRealTime: Bool {
        get { options.withLock { $0.isRealTime } }
        set { set("setExpectsMediaDataInRealTime:") { $0.isRealTime = newValue } }
    }

    /// How the picture is to be turned for display; pixels stay as they are.
    public var transform: CGAffineTransform {
        get { options.withLock { $0.transform } }
        set { set("setTransform:") { $0.transform = newValue } }
    }

    /// The size at which the track is to be shown; zero, the default, takes that of the pictures.
    public var naturalSize: CGSize {
        get { options.withLock { $0.naturalSize } }
        set { set("setNaturalSize:") { $0.naturalSize = newValue } }
    }

    /// Ticks a second of the track's times; 0, the default, takes one in which the first samples' times are exact.
    ///
    /// Tracks of sound count by their sample rate: setting it for them is misuse.
    public var mediaTimeScale: CMTimeScale {
        get { options.withLock { $0.timescale } }
        set {
            guard mediaType != .audio, newValue >= 0 else {
                return report(.invalidArgument, "setMediaTimeScale:", "\(newValue) cannot be set for this track")
            }
            set("setMediaTimeScale:") { $0.timescale = newValue }
        }
    }

    /// The language by ISO 639-2/T, as `deu`; nil leaves it open.
    public var languageCode: String? {
        get { options.withLock { $0.languageCode } }
        set { set("setLanguageCode:") { $0.languageCode = newValue } }
    }

    /// The language by RFC 4646, as `de-CH`.
    public var extendedLanguageTag: String? {
        get { options.withLock { $0.extendedLanguageTag } }
        set { set("setExtendedLanguageTag:") { $0.extendedLanguageTag = newValue } }
    }

    /// How loud the track is played, 1 by default.
    public var preferredVolume: Float {
        get { options.withLock { $0.volume } }
        set { set("setPreferredVolume:") { $0.volume = newValue } }
    }

    /// What the track says about itself.
    public var metadata: [AVMetadataItem] {
        get { options.withLock { $0.metadata } }
        set { set("setMetadata:") { $0.metadata = newValue } }
    }

    /// Whether the track is played by default.
    public var marksOutputTrackAsEnabled: Bool {
        get { options.withLock { $0.isEnabled } }
        set { set("setMarksOutputTrackAsEnabled:") { $0.isEnabled = newValue } }
    }

    /// The length of the runs in which samples lie in the file; kept, and without effect here.
    public var preferredMediaChunkDuration: CMTime {
        get { options.withLock { $0.chunkDuration } }
        set {
            guard newValue.isNumeric, newValue > .zero else {
                return report(.invalidArgument, "setPreferredMediaChunkDuration:", "it must be a time above 0")
            }
            set("setPreferredMediaChunkDuration:") { $0.chunkDuration = newValue }
        }
    }

    /// The bytes of which runs of samples begin at a multiple; kept, and without effect here.
    public var preferredMediaChunkAlignment: Int {
        get { options.withLock { $0.chunkAlignment } }
        set {
            guard newValue >= 0 else {
                return report(.invalidArgument, "setPreferredMediaChunkAlignment:", "it cannot be negative")
            }
            set("setPreferredMediaChunkAlignment:") { $0.chunkAlignment = newValue }
        }
    }

    /// Whether pictures may be compressed in several passes; none of the encoders here does.
    public var performsMultiPassEncodingIfSupported: Bool {
        get { options.withLock { $0.wantsMultiplePasses } }
        set { set("setPerformsMultiPassEncodingIfSupported:") { $0.wantsMultiplePasses = newValue } }
    }

    /// Always false.
    public var canPerformMultiplePasses: Bool { false }

    /// Changes an option, which is misuse after the start.
    private func set(_ method: String, _ change: (inout Options) -> Void) {
        guard !place.withLock({ $0.hasStarted }) else {
            return report(.internalInconsistency, method, "Cannot call method after writing has started")
        }
        options.withLock { change(&$0) }
    }

    func report(_ exception: Misuse.Exception, _ method: String, _ message: String) {
        system.misuse.report(exception, "-[AVAssetWriterInput \(method)] \(message)")
    }
}

extension AVMediaType {
    /// The four-character code.
    var code: FourCharCode { rawValue.utf8.reduce(0) { $0 << 8 | FourCharCode($1) } }
}
