package import AssetTypes
import CaptureHAL
import Dispatch
public import Foundation
public import KeyValueObserving
import MediaCodecs
public import MediaTypes
public import UniformTypeIdentifiers

/// Writes compressed or passed-through media to one new file.
///
/// Add inputs, call `startWriting()` and `startSession(atSourceTime:)`, append to the inputs, then finish.
///
/// - Important: Thread-safe; calls on one input must be serialized.
public final class AVAssetWriter: NSObject, KeyValueObserving, @unchecked Sendable {
    // SAFETY: all state is behind `options` and `state`; the engine is confined to `worker`.

    /// The state of a writer.
    public enum Status: Int, Sendable {
        case unknown = 0
        case writing = 1
        case completed = 2
        case failed = 3
        case cancelled = 4
    }

    /// The settings that `startWriting()` locks.
    package struct Options: @unchecked Sendable {
        // SAFETY: values, tracks that only the engine uses, and a delegate that is only called on the writer's queue.
        var inputs: [AVAssetWriterInput] = []
        var inputGroups: [AVAssetWriterInputGroup] = []
        var shouldOptimizeForNetworkUse = false
        var fragmentInterval = CMTime.invalid
        var initialFragmentInterval = CMTime.invalid
        var durationHint = CMTime.invalid
        var timescale: CMTimeScale = 0
        var temporaryFolder: URL?
        /// Whether a file remains after a failure if its samples up to the failure are playable.
        package var keepsPartialFile = true
        var metadata: [AVMetadataItem] = []
        /// What an export copies from its asset; nil for other writers.
        package var export: Export?
        var segmentInterval = CMTime.invalid
        var segmentStart = CMTime.invalid
        var profile: AVFileTypeProfile?
        var firstSequenceNumber = 1
        var isCombinable = false
        weak var delegate: (any AVAssetWriterDelegate)?
    }

    /// The parts of an asset that an export copies, beside the media of the inputs.
    package struct Export {
        package let copies: ExportTracks
        package let contents: MovieContents

        package init(copies: ExportTracks, contents: MovieContents) {
            self.copies = copies
            self.contents = contents
        }
    }

    /// The file; unused if segments are written.
    public let outputURL: URL
    public let outputFileType: AVFileType
    public let observedProperties: ObservedProperties
    let system: CaptureSystem
    let kind: WriterFileKind
    /// Whether segments are delivered to the delegate instead of written to a file.
    let isSegmented: Bool
    package let options = Lock(Options())
    let state = Lock(AssetWriterState(), order: .assetWriter)
    let worker: any ClockWorker
    let callbackQueue = DispatchQueue(label: "obscura.writer.callbacks")
    /// The virtual time that encoding and finishing take.
    let processing: ProcessingDurations
    /// Observes the suspension of media work while the writer is writing.
    let suspension = Lock<ObserverToken?>(nil)
    /// Created by `startWriting()`, before any work is submitted to the worker.
    let engine = Lock<AssetWriterEngine?>(nil)

    /// Creates a writer of a file.
    ///
    /// - Parameters:
    ///   - outputURL: A file that does not exist; `startWriting()` checks this.
    ///   - outputFileType: `.mov`, `.mp4`, `.m4v`, `.m4a`, `.caf` or `.wav`.
    /// - Throws: `AVError.unknown` if the URL is not a file URL or the type cannot be written; both are also reported
    ///   as misuse.
    public init(outputURL: URL, fileType outputFileType: AVFileType) throws {
        let system = CaptureSystem.current
        self.outputURL = outputURL
        self.outputFileType = outputFileType
        self.system = system
        observedProperties = ObservedProperties(system.reference, system.misuse)
        worker = system.clock.makeWorker(label: "obscura.writer")
        processing = system.processingDurations
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

    /// Creates a writer that delivers segments to its delegate.
    ///
    /// - Parameter outputContentType: QuickTime, MPEG-4, M4V or M4A. Any other type is misuse.
    public init(contentType outputContentType: UTType) {
        let system = CaptureSystem.current
        self.system = system
        observedProperties = ObservedProperties(system.reference, system.misuse)
        outputURL = URL(fileURLWithPath: "/dev/null")
        outputFileType = AVFileType(rawValue: outputContentType.identifier)
        worker = system.clock.makeWorker(label: "obscura.writer")
        processing = system.processingDurations
        isSegmented = true
        let known = WriterFileKind(outputFileType)
        kind = known ?? .movie(.mp4)
        super.init()
        switch known {
        case .movie?: return
        case .audio?, nil:
            report(.invalidArgument, "initWithContentType:", "segments cannot have the type \(outputFileType.rawValue)")
        }
    }

    /// Creates a writer as `init(outputURL:fileType:)` does.
    public convenience init(url outputURL: URL, fileType outputFileType: AVFileType) throws {
        try self.init(outputURL: outputURL, fileType: outputFileType)
    }

    /// The media types of the tracks that the file can contain.
    public var availableMediaTypes: [AVMediaType] { kind.mediaTypes }

    /// The state of the writer; can be observed.
    public var status: Status {
        observedProperties.access()
        return state.withLock { $0.status }
    }

    /// Why writing failed, an `AVError`; nil unless `status` is `.failed`.
    public var error: (any Error)? { state.withLock { $0.error } }

    /// The inputs in the order in which they were added, which is the order of the file's tracks.
    public var inputs: [AVAssetWriterInput] { options.withLock { $0.inputs } }

    /// Whether the file's index is written before its media data. Cannot be set after the start.
    public var shouldOptimizeForNetworkUse: Bool {
        get { options.withLock { $0.shouldOptimizeForNetworkUse } }
        set { set("setShouldOptimizeForNetworkUse:") { $0.shouldOptimizeForNetworkUse = newValue } }
    }

    /// The file's metadata; audio files have none.
    public var metadata: [AVMetadataItem] {
        get { options.withLock { $0.metadata } }
        set { set("setMetadata:") { $0.metadata = newValue } }
    }

    /// The time between movie fragments, which is the maximum duration of media that a crash can lose.
    ///
    /// With the default, `.invalid`, no fragments are written, and a crash loses the whole file.
    public var movieFragmentInterval: CMTime {
        get { options.withLock { $0.fragmentInterval } }
        set { set("setMovieFragmentInterval:") { $0.fragmentInterval = newValue } }
    }

    /// The duration of the first fragment. The value is stored but has no effect.
    public var initialMovieFragmentInterval: CMTime {
        get { options.withLock { $0.initialFragmentInterval } }
        set { set("setInitialMovieFragmentInterval:") { $0.initialFragmentInterval = newValue } }
    }

    /// The expected duration of the movie; used only for audio files.
    public var overallDurationHint: CMTime {
        get { options.withLock { $0.durationHint } }
        set {
            guard !newValue.isValid || (newValue.isNumeric && newValue >= .zero) else {
                return report(.invalidArgument, "setOverallDurationHint:", "the hint must be a time of at least 0")
            }
            set("setOverallDurationHint:") { $0.durationHint = newValue }
        }
    }

    /// Ticks per second of the movie header; 0, the default, selects a scale in which all durations are exact.
    public var movieTimeScale: CMTimeScale {
        get { options.withLock { $0.timescale } }
        set {
            guard newValue >= 0 else {
                return report(.invalidArgument, "setMovieTimeScale:", "a time scale cannot be negative")
            }
            set("setMovieTimeScale:") { $0.timescale = newValue }
        }
    }

    /// The directory for temporary files. The value is stored but has no effect: no such files are created.
    public var directoryForTemporaryFiles: URL? {
        get { options.withLock { $0.temporaryFolder } }
        set { set("setDirectoryForTemporaryFiles:") { $0.temporaryFolder = newValue } }
    }

    /// Whether an input with these settings could be added; nil settings mean passthrough.
    public func canApply(outputSettings: [String: Any]?, forMediaType mediaType: AVMediaType) -> Bool {
        guard availableMediaTypes.contains(mediaType) else { return false }
        guard let outputSettings else { return true }
        let input = AVAssetWriterInput.Processing(mediaType, outputSettings, hint: nil)
        return unsupportedReason(input) == nil
    }

    /// Whether `add(_:)` would accept the input.
    public func canAdd(_ input: AVAssetWriterInput) -> Bool { reasonNotToAdd(input) == nil }

    /// Adds an input. Calling it after `startWriting()`, or if `canAdd(_:)` returns false, is misuse.
    public func add(_ input: AVAssetWriterInput) {
        // Another thread can add the input to another writer after the check.
        if let reason = reasonNotToAdd(input) ?? (input.attach(to: self) ? nil : Self.inputInUse) {
            let isLate = status != .unknown
            return report(isLate ? .internalInconsistency : .invalidArgument, "addInput:", reason)
        }
        let index = options.withLock { options in
            options.inputs.append(input)
            return options.inputs.count - 1
        }
        input.attachment.withLock { $0.index = index }
    }

    private static let inputInUse = "the input already belongs to a writer"

    private func reasonNotToAdd(_ input: AVAssetWriterInput) -> String? {
        let status = status
        guard status == .unknown else { return "Cannot call method when status is \(status.rawValue)" }
        if let message = system.reference.rejectionReason(
            joining: "the input", of: input.system.reference, to: "the writer")
        {
            return message
        }
        guard input.writer == nil else { return Self.inputInUse }
        guard availableMediaTypes.contains(input.mediaType) else {
            return "\(outputFileType.rawValue) files cannot have tracks of media type \(input.mediaType.rawValue)"
        }
        if case .passthrough = input.processing, outputFileType != .mov, input.sourceFormatHint == nil {
            return "passthrough to \(outputFileType.rawValue) files needs a source format hint"
        }
        return unsupportedReason(input.processing)
    }

    /// Why the file cannot contain an input's media; nil if it can.
    private func unsupportedReason(_ processing: AVAssetWriterInput.Processing) -> String? {
        switch processing {
        case .video(let settings): return kind.rejectionReason(for: settings.codec)
        case .audio(let settings): return kind.rejectionReason(for: settings.codec)
        case .metadata(let format): return kind.rejectionReason(for: .metadata(format))
        case .captions(let format): return kind.rejectionReason(for: .subtitle(format))
        case .passthrough(nil): return nil
        case .passthrough(let hint?):
            do throws(MovieError) {
                return kind.rejectionReason(for: try MovieSampleFormat(hint))
            } catch {
                return error.message
            }
        case .unsupported(let reason): return reason
        }
    }

    /// Changes a setting. Calling it after the start is misuse.
    func set(_ method: String, _ change: (inout Options) -> Void) {
        let status = status
        guard status == .unknown else {
            return report(.internalInconsistency, method, "Cannot call method when status is \(status.rawValue)")
        }
        options.withLock { change(&$0) }
    }

    /// Reports misuse of a method.
    ///
    /// - Parameter method: The Objective-C selector.
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
