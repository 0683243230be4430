import Dispatch
public import Foundation
import MediaCodecs
public import MediaTypes

/// Makes a file of an asset, or of a part of it: coded anew, or with its samples as they are.
///
/// - Important: Thread-safe. A session exports once.
/// - Note: Unlike Apple, tracks of pictures and sound are exported and no others, and there are no compositions or mixes.
public final class AVAssetExportSession: NSObject, @unchecked Sendable {
    // SAFETY: the constants are thread-safe, and all state is behind `state`.

    /// How far the export is.
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
    }

    private struct State {
        var options = Options()
        var status = Status.unknown
        var error: AVError?
        var progress: Float = 0
    }

    public let asset: AVAsset
    public let presetName: String
    private let preset: ExportPreset
    private let state = Lock(State())
    private let queue = DispatchQueue(label: "obscura.export")

    /// - Returns: nil for a preset that is not known, or that needs media that the asset does not have.
    public init?(asset: AVAsset, presetName: String) {
        guard let preset = ExportPreset.named(presetName), preset.fits(asset) else { return nil }
        self.asset = asset
        self.presetName = presetName
        self.preset = preset
    }

    public class func allExportPresets() -> [String] { ExportPreset.all.map(\.name) }

    /// The presets whose media an asset has.
    public class func exportPresets(compatibleWith asset: AVAsset) -> [String] {
        ExportPreset.all.filter { $0.fits(asset) }.map(\.name)
    }

    /// Whether a preset makes a file of a type, nil for any, out of an asset.
    public class func compatibility(
        ofExportPreset presetName: String, with asset: AVAsset, outputFileType: AVFileType?
    ) async -> Bool {
        guard let session = AVAssetExportSession(asset: asset, presetName: presetName) else { return false }
        return outputFileType.map(session.supportedFileTypes.contains) ?? true
    }

    /// The types of files that the preset makes out of the asset.
    public var supportedFileTypes: [AVFileType] {
        switch preset.video {
        case .none: return [.m4a]
        case .coded: return [.mov, .mp4, .m4v]
        case .stored:
            let formats = preset.tracks(of: asset).map { track in
                // What a movie cannot hold at all no type can.
                track.typedFormatDescriptions.first.flatMap { try? MovieSampleFormat($0) }
            }
            return [AVFileType.mov, .mp4, .m4v, .m4a].filter { type in
                guard let kind = WriterFileKind(type) else { return false }
                return formats.allSatisfy { $0.map { kind.refusal(of: $0) == nil } ?? false }
            }
        }
    }

    /// The file to make; must not exist.
    public var outputURL: URL? {
        get { state.withLock { $0.options.outputURL } }
        set { set("setOutputURL:") { $0.outputURL = newValue } }
    }

    /// One of `supportedFileTypes`; another is misuse.
    public var outputFileType: AVFileType? {
        get { state.withLock { $0.options.outputFileType } }
        set {
            if let newValue, !supportedFileTypes.contains(newValue) {
                return report("setOutputFileType:", "Invalid output file type \(newValue.rawValue)")
            }
            set("setOutputFileType:") { $0.outputFileType = newValue }
        }
    }

    /// What is exported; all by default.
    public var timeRange: CMTimeRange {
        get { state.withLock { $0.options.timeRange } }
        set { set("setTimeRange:") { $0.timeRange = newValue } }
    }

    /// What the file says about itself; nil, the default, takes the asset's.
    public var metadata: [AVMetadataItem]? {
        get { state.withLock { $0.options.metadata } }
        set { set("setMetadata:") { $0.metadata = newValue } }
    }

    /// Keeps some of the metadata back; nil keeps none.
    public var metadataItemFilter: AVMetadataItemFilter? {
        get { state.withLock { $0.options.metadataItemFilter } }
        set { set("setMetadataItemFilter:") { $0.metadataItemFilter = newValue } }
    }

    /// Whether the file's index comes before its media.
    public var shouldOptimizeForNetworkUse: Bool {
        get { state.withLock { $0.options.shouldOptimizeForNetworkUse } }
        set { set("setShouldOptimizeForNetworkUse:") { $0.shouldOptimizeForNetworkUse = newValue } }
    }

    public var status: Status { state.withLock { $0.status } }
    /// Why the export failed, an `AVError`; nil unless `status` is `.failed`.
    public var error: (any Error)? { state.withLock { $0.error } }
    /// From 0 to 1.
    public var progress: Float { state.withLock { $0.progress } }

    /// Exports; misuse where there is no URL or no type, or the session has exported already.
    ///
    /// - Parameter handler: Runs once, on a queue of the session's, when `status` tells how it ended.
    public func exportAsynchronously(completionHandler handler: @escaping @Sendable () -> Void) {
        guard let options = begin() else { return }
        asset.system.clock.deliver(on: queue) {
            self.export(options)
            handler()
        }
    }

    /// As `exportAsynchronously(completionHandler:)`; `status` tells how it ended.
    public func export() async {
        guard let options = begin() else { return }
        // In virtual time nobody may be there to advance the clock.
        guard !asset.system.clock.isVirtual else { return export(options) }
        await withCheckedContinuation { continuation in
            asset.system.clock.deliver(on: queue) {
                self.export(options)
                continuation.resume()
            }
        }
    }

    /// Exports into a file of a type.
    ///
    /// - Throws: An `AVError`: `.operationCancelled` where it was called off.
    public func export(to url: URL, as fileType: AVFileType) async throws {
        outputURL = url
        outputFileType = fileType
        await export()
        if let error { throw error }
        if status == .cancelled { throw AVError(.operationCancelled, "the export was called off") }
    }

    /// Calls the export off; the file goes.
    public func cancelExport() {
        state.withLock { state in
            if [.unknown, .waiting, .exporting].contains(state.status) { state.status = .cancelled }
        }
    }

    private func begin() -> Options? {
        let (options, problem) = state.withLock { state -> (Options, String?) in
            if state.status == .cancelled { return (state.options, nil) }
            guard state.status == .unknown else { return (state.options, "the session has exported already") }
            guard state.options.outputURL != nil else { return (state.options, "there is no outputURL") }
            guard state.options.outputFileType != nil else { return (state.options, "there is no outputFileType") }
            state.status = .waiting
            return (state.options, nil)
        }
        guard let problem else { return options }
        report("exportAsynchronouslyWithCompletionHandler:", problem)
        return nil
    }

    private func export(_ options: Options) {
        let isWanted = state.withLock { state in
            guard state.status == .waiting else { return false }
            state.status = .exporting
            return true
        }
        guard isWanted else { return }
        do throws(AVError) {
            let export = try AssetExport(asset, preset, options)
            try export.run { progress in
                self.state.withLock { state in
                    state.progress = max(state.progress, progress)
                    return state.status == .exporting
                }
            }
            state.withLock { state in
                if state.status == .exporting { (state.status, state.progress) = (.completed, 1) }
            }
        } catch {
            state.withLock { state in
                if state.status == .exporting { (state.status, state.error) = (.failed, error) }
            }
        }
    }

    private func set(_ method: String, _ body: (inout Options) -> Void) {
        let isOpen = state.withLock { state in
            guard state.status == .unknown else { return false }
            body(&state.options)
            return true
        }
        if !isOpen { report(method, "cannot be called after the export has begun") }
    }

    private func report(_ method: String, _ message: String) {
        asset.system.misuse.report(.invalidArgument, "-[AVAssetExportSession \(method)] \(message)")
    }
}
