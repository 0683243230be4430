import CaptureHAL
import Dispatch
public import Foundation
public import KeyValueObserving
import MediaCodecs
public import MediaTypes
public import UniformTypeIdentifiers

/// Writes media into one new file, once: compresses it, or passes it through.
///
/// Add inputs, call `startWriting()` and `startSession(atSourceTime:)`, append to the inputs, and finish.
///
/// - Important: Thread-safe; the calls for one input must come one after the other.
public final class AVAssetWriter: NSObject, KeyValueObserving, @unchecked Sendable {
    // SAFETY: all state is behind `options` and `state`; the engine is confined to `worker`.

    /// Where the writing is.
    public enum Status: Int, Sendable {
        case unknown = 0
        case writing = 1
        case completed = 2
        case failed = 3
        case cancelled = 4
    }

    /// What is fixed by `startWriting()`.
    struct Options: @unchecked Sendable {
        // SAFETY: values, and a delegate that is only called on the writer's queue.
        var inputs: [AVAssetWriterInput] = []
        var shouldOptimizeForNetworkUse = false
        var fragmentInterval = CMTime.invalid
        var initialFragmentInterval = CMTime.invalid
        var durationHint = CMTime.invalid
        var timescale: CMTimeScale = 0
        var temporaryFolder: URL?
        var metadata: [AVMetadataItem] = []
        var segmentInterval = CMTime.invalid
        var segmentStart = CMTime.invalid
        var profile: AVFileTypeProfile?
        var firstSequenceNumber = 1
        var isCombinable = false
        weak var delegate: (any AVAssetWriterDelegate)?
    }

    /// The file; a URL of no meaning where segments are written.
    public let outputURL: URL
    public let outputFileType: AVFileType
    public let observedProperties = ObservedProperties()
    let system: CaptureSystem
    let kind: WriterFileKind
    /// Whether segments are handed to the delegate instead of written to a file.
    let isSegmented: Bool
    let options = Lock(Options())
    let state = Lock(AssetWriterState(), order: .assetWriter)
    let worker: any ClockWorker
    let callbackQueue = DispatchQueue(label: "obscura.writer.callbacks")
    /// Made by `startWriting()`, before anything is handed to the worker.
    let engine = Lock<AssetWriterEngine?>(nil)

    /// - Parameters:
    ///   - outputURL: A file that does not exist; whether it does is looked at by `startWriting()`.
    ///   - outputFileType: `.mov`, `.mp4`, `.m4v`, `.m4a`, `.caf` or `.wav`.
    /// - Throws: `AVError.unknown` where the URL is none of a file or the type cannot be written, which is misuse, too.
    public init(outputURL: URL, fileType outputFileType: AVFileType) throws {
        let system = CaptureSystem.current
        self.outputURL = outputURL
        self.outputFileType = outputFileType
        self.system = system
        worker = system.clock.makeWorker(label: "obscura.writer")
        guard outputURL.isFileURL else {
            let message = "Cannot write to URL \(outputURL) because it is not a file URL"
            system.misuse.report(.invalidArgument, "-[AVAssetWriter initWithURL:fileType:error:] \(message)")
            throw AVError(.unknown, message)
        }
        guard let kind = WriterFileKind(outputFileType) else {
            let message = "Invalid file type UTI \(outputFileType.rawValue)"
            system.misuse.report(.invalidArgument, "-[AVAssetWriter initWithURL:fileType:error:] \(message)")
            throw AVError(.unknown, message)
        }
        self.kind = kind
        isSegmented = false
        super.init()
    }

    /// Makes a writer that hands segments to its delegate.
    ///
    /// - Parameter outputContentType: MPEG-4 or QuickTime; another is misuse.
    public init(contentType outputContentType: UTType) {
        let system = CaptureSystem.current
        self.system = system
        outputURL = URL(fileURLWithPath: "/dev/null")
        outputFileType = AVFileType(rawValue: outputContentType.identifier)
        worker = system.clock.makeWorker(label: "obscura.writer")
        isSegmented = true
        let known = WriterFileKind(outputFileType)
        kind = known ?? .movie(.mp4)
        super.init()
        switch known {
        case .movie?: return
        case .sound?, nil:
            report(.invalidArgument, "initWithContentType:", "segments cannot be of type \(outputFileType.rawValue)")
        }
    }

    /// As `init(outputURL:fileType:)`.
    public convenience init(url outputURL: URL, fileType outputFileType: AVFileType) throws {
        try self.init(outputURL: outputURL, fileType: outputFileType)
    }

    /// The media for which the file has tracks.
    public var availableMediaTypes: [AVMediaType] { kind.mediaTypes }

    /// Where the writing is; can be observed.
    public var status: Status {
        observedProperties.access()
        return state.withLock { $0.status }
    }

    /// Why the writing failed, an `AVError`; nil unless `status` is `.failed`.
    public var error: (any Error)? { state.withLock { $0.error } }

    /// The inputs, in the order in which they were added, which is that of the file's tracks.
    public var inputs: [AVAssetWriterInput] { options.withLock { $0.inputs } }

    /// Whether the file's index is to come before its media; not after the start.
    public var shouldOptimizeForNetworkUse: Bool {
        get { options.withLock { $0.shouldOptimizeForNetworkUse } }
        set { set("setShouldOptimizeForNetworkUse:") { $0.shouldOptimizeForNetworkUse = newValue } }
    }

    /// What the file says about itself; sound files keep none.
    public var metadata: [AVMetadataItem] {
        get { options.withLock { $0.metadata } }
        set { set("setMetadata:") { $0.metadata = newValue } }
    }

    /// How much a crash can cost at most; invalid, the default, writes no fragments: then it costs everything.
    public var movieFragmentInterval: CMTime {
        get { options.withLock { $0.fragmentInterval } }
        set { set("setMovieFragmentInterval:") { $0.fragmentInterval = newValue } }
    }

    /// The length of the first fragment; kept, and without effect here.
    public var initialMovieFragmentInterval: CMTime {
        get { options.withLock { $0.initialFragmentInterval } }
        set { set("setInitialMovieFragmentInterval:") { $0.initialFragmentInterval = newValue } }
    }

    /// How long the movie is expected to be; kept, and without effect here.
    public var overallDurationHint: CMTime {
        get { options.withLock { $0.durationHint } }
        set {
            guard !newValue.isValid || (newValue.isNumeric && newValue >= .zero) else {
                return report(.invalidArgument, "setOverallDurationHint:", "the hint must be a time of 0 or more")
            }
            set("setOverallDurationHint:") { $0.durationHint = newValue }
        }
    }

    /// Ticks a second of the movie's own times; 0, the default, takes one in which all durations are exact.
    public var movieTimeScale: CMTimeScale {
        get { options.withLock { $0.timescale } }
        set {
            guard newValue >= 0 else {
                return report(.invalidArgument, "setMovieTimeScale:", "a time scale cannot be negative")
            }
            set("setMovieTimeScale:") { $0.timescale = newValue }
        }
    }

    /// Where temporary files go; none are made here.
    public var directoryForTemporaryFiles: URL? {
        get { options.withLock { $0.temporaryFolder } }
        set { set("setDirectoryForTemporaryFiles:") { $0.temporaryFolder = newValue } }
    }

    /// Whether an input with these settings could be added; nil asks for passing through.
    public func canApply(outputSettings: [String: Any]?, forMediaType mediaType: AVMediaType) -> Bool {
        guard availableMediaTypes.contains(mediaType) else { return false }
        guard let outputSettings else { return true }
        let input = AVAssetWriterInput.Processing(mediaType, outputSettings, hint: nil)
        return refusal(of: input) == nil
    }

    /// Whether `add(_:)` would take the input.
    public func canAdd(_ input: AVAssetWriterInput) -> Bool { reasonNotToAdd(input) == nil }

    /// Adds an input; misuse after `startWriting()`, or where `canAdd(_:)` is false.
    public func add(_ input: AVAssetWriterInput) {
        if let reason = reasonNotToAdd(input) {
            let isLate = status != .unknown
            return report(isLate ? .internalInconsistency : .invalidArgument, "addInput:", reason)
        }
        let index = options.withLock { options in
            options.inputs.append(input)
            return options.inputs.count - 1
        }
        input.attach(to: self, at: index)
    }

    private func reasonNotToAdd(_ input: AVAssetWriterInput) -> String? {
        let status = status
        guard status == .unknown else { return "Cannot call method when status is \(status.rawValue)" }
        guard input.writer == nil else { return "the input belongs to a writer already" }
        guard availableMediaTypes.contains(input.mediaType) else {
            return "\(outputFileType.rawValue) files have no tracks of media type \(input.mediaType.rawValue)"
        }
        if case .passthrough = input.processing, outputFileType != .mov, input.sourceFormatHint == nil {
            return "passing through into \(outputFileType.rawValue) files needs a source format hint"
        }
        return refusal(of: input.processing)
    }

    /// Why the file cannot hold what an input makes.
    private func refusal(of processing: AVAssetWriterInput.Processing) -> String? {
        switch processing {
        case .video(let settings): return kind.refusal(of: settings.codec)
        case .audio(let settings): return kind.refusal(of: settings.codec)
        case .metadata(let format): return kind.refusal(of: .metadata(format))
        case .passthrough(nil): return nil
        case .passthrough(let hint?):
            do throws(MovieError) {
                return kind.refusal(of: try MovieSampleFormat(hint))
            } catch {
                return error.message
            }
        case .refused(let reason): return reason
        }
    }

    /// Changes an option, which is misuse after the start.
    func set(_ method: String, _ change: (inout Options) -> Void) {
        let status = status
        guard status == .unknown else {
            return report(.internalInconsistency, method, "Cannot call method when status is \(status.rawValue)")
        }
        options.withLock { change(&$0) }
    }

    func report(_ exception: Misuse.Exception, _ method: String, _ message: String) {
        system.misuse.report(exception, "-[AVAssetWriter \(method)] \(message)")
    }
}

extension AVAssetWriter.Options {
    var movieMetadata: MovieMetadata {
        var result = MovieMetadata()
        result.add(metadata)
        return result
    }
}
