import AssetTypes
import CaptureHAL
import Dispatch
public import Foundation
import MediaAssets
import MediaCodecs
import MediaStorage
public import MediaTypes

/// Exports an asset, or a part of it, to a file, with transcoded or stored samples.
///
/// The passthrough preset exports all tracks, including disabled ones and those of unknown codecs. If the file type cannot
/// contain an enabled video or audio track, the export fails; other tracks are omitted. The other presets encode the enabled
/// video and audio tracks, and copy the tracks of other media.
///
/// If the app enters the background, an export fails with `AVError.operationInterrupted`, unless a background task of
/// `UIApplication` is active.
///
/// - Important: Thread-safe. A session exports once.
public final class AVAssetExportSession: NSObject, @unchecked Sendable {
    // SAFETY: the constants are thread-safe, and all state is behind `state`.

    /// The state of an export.
    public enum Status: Int, Sendable {
        case unknown = 0
        case waiting = 1
        case exporting = 2
        case completed = 3
        case failed = 4
        case cancelled = 5
    }

    struct Options: @unchecked Sendable {
        // SAFETY: values and thread-safe objects.
        var outputURL: URL?
        var outputFileType: AVFileType?
        var timeRange = CMTimeRange(start: .zero, duration: .positiveInfinity)
        var metadata: [AVMetadataItem]?
        var metadataItemFilter: AVMetadataItemFilter?
        var shouldOptimizeForNetworkUse = false
        var fileLengthLimit: Int64 = 0
        var allowsParallelizedExport = true
        var audioTimePitchAlgorithm = AVAudioTimePitchAlgorithm.spectral
        var audioTrackGroupHandling = AVAssetTrackGroupOutputHandling.defaultPolicy
        var wantsMultiplePasses = false
        var temporaryFolder: URL?
        var videoComposition: AVVideoComposition?
        var videoCompositor: (any AVVideoCompositing)?
        var audioMix: AVAudioMix?
        var exportedTrackIDs: Set<CMPersistentTrackID>?
        var metadataSource: AVAsset?
    }

    private struct Contents {
        var options = Options()
        var status = Status.unknown
        var error: AVError?
        var progress: Float = 0
        var omittedTracks: [OmittedTrack] = []
        var omittedBoxes: [String] = []
    }

    public let asset: AVAsset
    public let presetName: String
    let preset: ExportPreset
    private let state = Lock(Contents())
    let observers = ExportObservers()
    /// The progress that `states(updateInterval:)` returns, in thousandths.
    let exportProgress = Progress(totalUnitCount: 1000)
    private let queue = DispatchQueue(label: "obscura.export")

    /// Creates a session; nil for a preset that is unknown or needs media that the asset does not have.
    public init?(asset: AVAsset, presetName: String) {
        guard let preset = ExportPreset.named(presetName), preset.supports(asset) else { return nil }
        self.asset = asset
        self.presetName = presetName
        self.preset = preset
    }

    public class func allExportPresets() -> [String] { ExportPreset.all.map(\.name) }

    /// Returns the presets that can export an asset.
    public class func exportPresets(compatibleWith asset: AVAsset) -> [String] {
        ExportPreset.all.filter { $0.supports(asset) }.map(\.name)
    }

    /// Returns whether a preset can export an asset to a file type.
    ///
    /// - Parameter outputFileType: The file type; nil for any.
    public class func compatibility(
        ofExportPreset presetName: String, with asset: AVAsset, outputFileType: AVFileType?
    ) async -> Bool {
        guard let session = AVAssetExportSession(asset: asset, presetName: presetName) else { return false }
        return outputFileType.map(session.supportedFileTypes.contains) ?? true
    }

    /// The file types to which the preset can export the asset.
    public var supportedFileTypes: [AVFileType] {
        preset.fileTypes.filter { rejection(of: $0) == nil }
    }

    /// The output file, which must not exist.
    public var outputURL: URL? {
        get { state.withLock { $0.options.outputURL } }
        set { set("setOutputURL:") { $0.outputURL = newValue } }
    }

    /// The output file type, one of `supportedFileTypes`. Setting another type is misuse.
    public var outputFileType: AVFileType? {
        get { state.withLock { $0.options.outputFileType } }
        set {
            if let newValue, let problem = problem(with: newValue) {
                return reportMisuse("setOutputFileType:", problem.localizedDescription)
            }
            set("setOutputFileType:") { $0.outputFileType = newValue }
        }
    }

    /// The time range to export; the whole asset by default.
    public var timeRange: CMTimeRange {
        get { state.withLock { $0.options.timeRange } }
        set { set("setTimeRange:") { $0.timeRange = newValue } }
    }

    /// The file's metadata; nil, the default, copies the asset's.
    public var metadata: [AVMetadataItem]? {
        get { state.withLock { $0.options.metadata } }
        set { set("setMetadata:") { $0.metadata = newValue } }
    }

    /// The filter for the metadata; nil copies all of it.
    public var metadataItemFilter: AVMetadataItemFilter? {
        get { state.withLock { $0.options.metadataItemFilter } }
        set { set("setMetadataItemFilter:") { $0.metadataItemFilter = newValue } }
    }

    /// Whether the file's index is written before its media data; false by default.
    public var shouldOptimizeForNetworkUse: Bool {
        get { state.withLock { $0.options.shouldOptimizeForNetworkUse } }
        set { set("setShouldOptimizeForNetworkUse:") { $0.shouldOptimizeForNetworkUse = newValue } }
    }

    public var status: Status { state.withLock { $0.status } }
    /// Why the export failed, an `AVError`; nil unless `status` is `.failed`.
    public var error: (any Error)? { state.withLock { $0.error } }
    /// From 0 to 1.
    public var progress: Float { state.withLock { $0.progress } }

    /// The identifiers of the tracks to export; nil, the default, for all that the preset exports.
    package var exportedTrackIDs: Set<CMPersistentTrackID>? {
        get { options.exportedTrackIDs }
        set { set("setExportedTrackIDs:") { $0.exportedTrackIDs = newValue } }
    }

    /// The asset with the metadata and the creation time of the file; nil, the default, for `asset`.
    ///
    /// It is used for compositions, which have no metadata.
    package var metadataSource: AVAsset? {
        get { options.metadataSource }
        set { set("setMetadataSource:") { $0.metadataSource = newValue } }
    }

    /// The selected tracks of the asset that the file does not contain; known when the export has ended.
    package var omittedTracks: [OmittedTrack] { state.withLock { $0.omittedTracks } }

    /// Descriptions of boxes of the asset's movie that the file does not contain; known when the export has ended.
    package var omittedBoxes: [String] { state.withLock { $0.omittedBoxes } }

    /// Starts the export. Calling it without a URL or a file type, or again, is misuse.
    ///
    /// - Parameter handler: Called once, on a private queue of the session, after `status` has its final value. Not
    ///   called after misuse.
    @preconcurrency
    public func exportAsynchronously(completionHandler handler: @escaping @Sendable () -> Void) {
        // The misuse is reported.
        guard let options = try? begin() else { return }
        asset.system.deliver(on: queue) {
            self.export(options)
            handler()
        }
    }

    /// Exports the asset and returns when `status` has its final value.
    public func export() async {
        // The misuse is reported.
        guard let options = try? begin() else { return }
        await run(options)
    }

    private func run(_ options: Options) async {
        // A virtual clock without a scheduler runs deliveries only while it is advanced, and the caller may be the code
        // that advances it.
        guard asset.system.runsWorkOfWaitingClients else { return export(options) }
        await withCheckedContinuation { continuation in
            asset.system.deliver(on: queue) {
                self.export(options)
                continuation.resume()
            }
        }
    }

    /// Exports the asset to a file of the given type. Cancelling the task cancels the export.
    ///
    /// A file type that is not in `supportedFileTypes` is misuse, as is a second export.
    /// - Throws: An `AVError`: `.operationCancelled` if the export was canceled. After misuse,
    ///   `.operationNotSupportedForAsset` for the file type and `.operationNotAllowed` for a second export.
    public func export(
        to url: URL, as fileType: AVFileType, isolation: isolated (any Actor)? = #isolation
    ) async throws {
        let options = try begin(to: url, as: fileType)
        await withTaskCancellationHandler {
            await run(options)
        } onCancel: {
            cancelExport()
        }
        if let error { throw error }
        if status == .cancelled { throw AVError(.operationCancelled, "the export was cancelled") }
    }

    /// Exports the asset on the calling thread.
    ///
    /// - Throws: An `AVError`: `.operationCancelled` if the export was canceled.
    package func exportOnCallingThread() throws {
        export(try begin())
        if let error { throw error }
        if status == .cancelled { throw AVError(.operationCancelled, "the export was cancelled") }
    }

    /// Runs a closure asynchronously on the session's queue.
    func deliver(_ body: @escaping @Sendable () -> Void) { asset.system.deliver(on: queue, body) }

    /// Cancels the export and removes the file.
    public func cancelExport() {
        let wasPending = state.withLock { state in
            let isPending = [.unknown, .waiting].contains(state.status)
            if isPending || state.status == .exporting { state.status = .cancelled }
            return isPending
        }
        // A running export reports its final status after it has removed its file.
        if wasPending { reportStatus() }
    }

    private func reportStatus() { observers.statusDidChange(to: status, at: asset.system.clock.now, exportProgress) }

    /// Changes the status to waiting, unless the session is cancelled.
    ///
    /// - Parameters:
    ///   - url: The output file; nil for `outputURL`.
    ///   - fileType: The output file type; nil for `outputFileType`.
    /// - Returns: The settings of the export.
    /// - Throws: An error if the session cannot export, which is also reported as misuse; then nothing has changed.
    private func begin(to url: URL? = nil, as fileType: AVFileType? = nil) throws(AVError) -> Options {
        let typeProblem = fileType.flatMap(problem(with:))
        let result = state.withLock { state -> Result<Options, AVError> in
            if state.status == .cancelled { return .success(state.options) }
            guard state.status == .unknown else {
                return .failure(AVError(.operationNotAllowed, "the session has already been used for an export"))
            }
            if let typeProblem { return .failure(typeProblem) }
            var options = state.options
            if let url { options.outputURL = url }
            if let fileType { options.outputFileType = fileType }
            guard options.outputURL != nil else {
                return .failure(AVError(.operationNotAllowed, "outputURL is not set"))
            }
            guard options.outputFileType != nil else {
                return .failure(AVError(.operationNotAllowed, "outputFileType is not set"))
            }
            (state.options, state.status) = (options, .waiting)
            return .success(options)
        }
        if case .failure(let error) = result {
            reportMisuse("exportAsynchronouslyWithCompletionHandler:", error.localizedDescription)
        } else {
            reportStatus()
        }
        return try result.get()
    }

    /// Returns why the asset cannot be exported to a file type; nil if it can.
    package func problem(with fileType: AVFileType) -> AVError? {
        preset.fileTypes.contains(fileType)
            ? rejection(of: fileType)
            : AVError(.operationNotSupportedForAsset, "Invalid output file type \(fileType.rawValue)")
    }

    /// Returns why a file of one of the preset's types cannot contain an essential track as it is stored; nil if it can
    /// contain them all.
    private func rejection(of fileType: AVFileType) -> AVError? {
        guard preset.isPassthrough, case .movie(let container) = WriterFileKind(fileType) else { return nil }
        for track in options.tracks(of: asset, preset) where track.isEssential {
            if let reason = track.rejectionReason(in: container) { return track.exportError(reason) }
        }
        return nil
    }

    private func export(_ options: Options) {
        let shouldStart = state.withLock { state in
            guard state.status == .waiting else { return false }
            state.status = .exporting
            return true
        }
        guard shouldStart else { return }
        reportStatus()
        defer { reportStatus() }
        let background = BackgroundExecution.of(asset.system)
        let suspension = background.observeSuspensions { [weak self] in self?.interrupt() }
        defer { suspension.cancel() }
        if background.isSuspended { return interrupt() }
        do throws(AVError) {
            let isFileComplete = try export(options) { fraction in
                let (canContinue, progress) = self.state.withLock { state in
                    state.progress = max(state.progress, fraction)
                    return (state.status == .exporting, state.progress)
                }
                self.exportProgress.completedUnitCount = Int64(progress * 1000)
                self.observers.progressDidChange(at: self.asset.system.clock.now, self.exportProgress)
                return canContinue
            }
            // The writer of a transcoding export takes the time itself.
            if isFileComplete, preset.isPassthrough {
                asset.system.wait(for: asset.system.processingDurations.finishing)
            }
            let isCompleted = state.withLock { state in
                guard state.status == .exporting else { return false }
                (state.status, state.progress) = (.completed, 1)
                return true
            }
            // The export was canceled while its file was being completed. No caller could handle an error.
            if isFileComplete, !isCompleted, let url = options.outputURL { try? asset.system.storage.remove(url) }
        } catch {
            state.withLock { state in
                if state.status == .exporting { (state.status, state.error) = (.failed, error) }
            }
        }
    }

    /// Fails a running export because media work is suspended. The operation then removes its file.
    private func interrupt() {
        state.withLock { state in
            if state.status == .exporting { (state.status, state.error) = (.failed, .interruptedInBackground) }
        }
    }

    /// Exports the time range, or as much of it as fits in `fileLengthLimit`.
    ///
    /// - Parameter report: Receives the progress from 0 to 1; returns false to cancel the export.
    /// - Returns: Whether the file is complete; false if the export was canceled, then no file remains.
    private func export(_ options: Options, _ report: (Float) -> Bool) throws(AVError) -> Bool {
        guard let url = options.outputURL, let type = options.outputFileType else {
            throw AVError(.unknown, "an export needs an output URL and a file type")
        }
        if let folder = options.temporaryFolder {
            do throws(StorageError) {
                _ = try asset.system.storage.contents(ofDirectory: folder)
            } catch {
                throw AVError(error)
            }
        }
        let range = try exportedRange(options)
        func operation(_ range: CMTimeRange) throws(AVError) -> any AssetExportOperation {
            let operation: any AssetExportOperation =
                try preset.isPassthrough
                ? PassthroughExport(asset, preset, in: range, to: url, as: type, options)
                : TranscodingExport(asset, preset, in: range, to: url, as: type, options)
            state.withLock { state in
                (state.omittedTracks, state.omittedBoxes) = (operation.omittedTracks, operation.omittedBoxes)
            }
            return operation
        }
        guard options.fileLengthLimit > 0, range.duration.isNumeric else { return try operation(range).run(report) }
        let limit = FileLengthLimit(byteCount: options.fileLengthLimit, url: url, storage: asset.system.storage)
        return try limit.export(range, operation, report)
    }

    /// Returns the part of the time range that the asset has.
    ///
    /// - Throws: `.invalidSourceMedia` if there is none.
    func exportedRange(_ options: Options) throws(AVError) -> CMTimeRange {
        let range = options.timeRange.intersection(CMTimeRange(start: .zero, duration: asset.duration))
        guard range.isValid, range.duration > .zero else {
            throw AVError(.invalidSourceMedia, "\(asset.path) has no media in the time range to export")
        }
        return range
    }

    /// The settings of the export.
    var options: Options { state.withLock { $0.options } }

    func set(_ method: String, _ body: (inout Options) -> Void) {
        let canChange = state.withLock { state in
            guard state.status == .unknown else { return false }
            body(&state.options)
            return true
        }
        if !canChange { reportMisuse(method, "cannot be called after the export has begun") }
    }

    /// Reports misuse of a method.
    ///
    /// - Parameter method: The Objective-C selector.
    func reportMisuse(_ method: String, _ message: String) {
        asset.system.misuse.report(.invalidArgument, "-[AVAssetExportSession \(method)] \(message)")
    }
}
