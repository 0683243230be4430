import AssetTypes
package import CaptureHAL
public import Foundation
import MediaCodecs
public import MediaTypes

/// Reads the samples of an asset's tracks.
///
/// - Important: Thread-safe; each output is read by one caller at a time.
public final class AVAssetReader: NSObject, @unchecked Sendable {
    // SAFETY: all state is behind `state`.

    /// The state of a reader.
    public enum Status: Int, Sendable {
        case unknown = 0
        case reading = 1
        case completed = 2
        case failed = 3
        case cancelled = 4
    }

    private struct State {
        var status = Status.unknown
        var error: AVError?
        var timeRange = CMTimeRange(start: .zero, duration: .positiveInfinity)
        var outputs: [AVAssetReaderOutput] = []
    }

    public let asset: AVAsset
    private let state = Lock(State())
    package var misuse: MisuseHandler { asset.system.misuse }

    /// Creates a reader.
    ///
    /// - Throws: An `AVError` if the asset cannot be read.
    public init(asset: AVAsset) throws {
        _ = try asset.open()
        self.asset = asset
    }

    public var status: Status { state.withLock { $0.status } }
    /// Why reading failed; nil unless `status` is `.failed`.
    public var error: (any Error)? { state.withLock { $0.error } }
    public var outputs: [AVAssetReaderOutput] { state.withLock { $0.outputs } }

    /// The part of the asset's timeline to read; the whole timeline by default.
    public var timeRange: CMTimeRange {
        get { state.withLock { $0.timeRange } }
        set {
            guard status == .unknown else {
                return misuse.report(
                    .internalInconsistency, "-[AVAssetReader setTimeRange:] cannot be called after reading has started")
            }
            state.withLock { $0.timeRange = newValue }
        }
    }

    /// Whether an output can be added: reading has not started, no reader has the output, and it reads from this
    /// reader's asset.
    public func canAdd(_ output: AVAssetReaderOutput) -> Bool { reasonNotToAdd(output) == nil }

    private func reasonNotToAdd(_ output: AVAssetReaderOutput) -> String? {
        if status != .unknown { return "the reader has already started" }
        if output.reader != nil { return Self.outputInUse }
        if output.tracks.contains(where: { $0.asset !== asset }) { return "the output reads from another asset" }
        return nil
    }

    private static let outputInUse = "the output already belongs to a reader"

    public func add(_ output: AVAssetReaderOutput) {
        // Another thread can add the output to another reader after the check.
        if let reason = reasonNotToAdd(output) ?? (output.attach(to: self) ? nil : Self.outputInUse) {
            return misuse.report(.invalidArgument, "-[AVAssetReader addOutput:] \(reason)")
        }
        state.withLock { $0.outputs.append(output) }
    }

    /// Prepares all outputs for reading.
    ///
    /// - Returns: False on failure; see `error`.
    @discardableResult
    public func startReading() -> Bool {
        let canStart = state.withLock { state in
            guard state.status == .unknown else { return false }
            state.status = .reading
            return true
        }
        guard canStart else {
            misuse.report(
                .internalInconsistency,
                "-[AVAssetReader startReading] cannot be called again after reading has already started")
            return false
        }
        let range = timeRange
        do throws(AVError) {
            for output in outputs { try output.start([range]) }
        } catch {
            fail(error)
            return false
        }
        finishIfDone()
        return true
    }

    /// Stops reading; outputs return no more samples.
    public func cancelReading() {
        state.withLock { state in
            if state.status == .reading || state.status == .unknown { state.status = .cancelled }
        }
    }

    func fail(_ error: AVError) {
        state.withLock { state in
            guard state.status == .reading else { return }
            state.status = .failed
            state.error = error
        }
    }

    /// Completes reading when every output has returned its last sample.
    func finishIfDone() {
        let outputs = outputs
        guard outputs.allSatisfy(\.isFinished) else { return }
        state.withLock { state in
            if state.status == .reading { state.status = .completed }
        }
    }
}
