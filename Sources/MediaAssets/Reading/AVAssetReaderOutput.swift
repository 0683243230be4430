import AssetTypes
public import Foundation
public import MediaTypes

/// Reads samples of one media type of an asset.
open class AVAssetReaderOutput: NSObject, @unchecked Sendable {
    // SAFETY: all state is behind `state`; `sampleReader` is only used by the single caller that reads.
    private struct State {
        weak var reader: AVAssetReader?
        var alwaysCopiesSampleData = true
        var supportsRandomAccess = false
        /// Whether `markConfigurationAsFinal()` was called.
        var isFinal = false
        /// Whether no samples are left in the current time ranges.
        var isAtEnd = false
        var sampleReader: (any SampleReader)?
    }

    /// Creates a reader of the samples in time ranges.
    package typealias SampleReaderFactory = @Sendable ([CMTimeRange]) throws(AVError) -> any SampleReader

    private let state = Lock(State())
    /// The tracks from which samples are read.
    let tracks: [AVAssetTrack]
    package let makeSampleReader: SampleReaderFactory

    /// Creates an output that reads samples from tracks of one asset.
    package init(_ tracks: [AVAssetTrack], makeSampleReader: @escaping SampleReaderFactory) {
        self.tracks = tracks
        self.makeSampleReader = makeSampleReader
    }

    /// The reader to which the output was added; nil before.
    package var reader: AVAssetReader? { state.withLock { $0.reader } }
    public var mediaType: AVMediaType { tracks.first?.mediaType ?? .muxed }

    /// Whether the client may change the data of the buffers; true by default.
    ///
    /// - Note: Unlike Apple, data is never shared, whatever the value.
    public var alwaysCopiesSampleData: Bool {
        get { state.withLock { $0.alwaysCopiesSampleData } }
        set { configure("setAlwaysCopiesSampleData:") { $0.alwaysCopiesSampleData = newValue } }
    }

    /// Whether `reset(forReadingTimeRanges:)` can be called; false by default.
    public var supportsRandomAccess: Bool {
        get { state.withLock { $0.supportsRandomAccess } }
        set { configure("setSupportsRandomAccess:") { $0.supportsRandomAccess = newValue } }
    }

    private func configure(_ method: String, _ body: (inout State) -> Void) {
        if let reader, reader.status != .unknown {
            return reader.misuse.report(
                .internalInconsistency,
                "-[\(Self.self) \(method)] cannot be called after reading has started")
        }
        state.withLock { body(&$0) }
    }

    /// Returns the next sample; nil at the end or after a failure.
    ///
    /// Stored samples are in decode order, decoded ones in presentation order.
    @discardableResult
    public func copyNextSampleBuffer() -> CMSampleBuffer? {
        guard let reader, reader.status != .unknown else {
            reader?.misuse.report(
                .internalInconsistency,
                "-[\(Self.self) copyNextSampleBuffer] cannot copy next sample buffer before adding this output to an "
                    + "instance of AVAssetReader (using -addOutput:) and calling -startReading on that asset reader")
            return nil
        }
        let (sampleReader, isAtEnd) = state.withLock { ($0.sampleReader, $0.isAtEnd) }
        guard reader.status == .reading, let sampleReader, !isAtEnd else { return nil }
        do throws(AVError) {
            if let sample = try sampleReader.next() { return sample }
        } catch {
            reader.fail(error)
            return nil
        }
        state.withLock { $0.isAtEnd = true }
        reader.finishIfDone()
        return nil
    }

    /// Restarts reading with other time ranges, after all samples of the previous ones are read.
    public func reset(forReadingTimeRanges timeRanges: [NSValue]) {
        let ranges = timeRanges.map(\.timeRangeValue)
        let (supports, isFinal, isAtEnd) = state.withLock { ($0.supportsRandomAccess, $0.isFinal, $0.isAtEnd) }
        guard let reader else { return }
        var reason: String?
        if !supports {
            reason = "supportsRandomAccess is NO"
        } else if isFinal {
            reason = "markConfigurationAsFinal has been called"
        } else if reader.status == .unknown {
            reason = "reading has not started"
        } else if reader.status == .reading, !isAtEnd {
            reason = "not all samples have been read"
        } else if !ranges.allSatisfy({ $0.start.isNumeric && ($0.duration.isNumeric || $0.duration.isPositiveInfinity) }
        ) {
            reason = "a time range is not numeric"
        } else if zip(ranges, ranges.dropFirst()).contains(where: { $1.start < $0.end || $1.start <= $0.start }) {
            reason = "the time ranges overlap or are not in order"
        }
        if let reason {
            return reader.misuse.report(
                .invalidArgument, "-[\(Self.self) resetForReadingTimeRanges:] \(reason)")
        }
        guard reader.status == .reading else { return }
        do throws(AVError) {
            try start(ranges)
        } catch {
            reader.fail(error)
        }
    }

    /// Declares that no other time ranges will be read.
    public func markConfigurationAsFinal() {
        state.withLock { $0.isFinal = true }
        reader?.finishIfDone()
    }

    /// Makes the output belong to a reader.
    ///
    /// - Returns: False if it already belongs to a reader.
    func attach(to reader: AVAssetReader) -> Bool {
        state.withLock { state in
            guard state.reader == nil else { return false }
            state.reader = reader
            return true
        }
    }

    func start(_ ranges: [CMTimeRange]) throws(AVError) {
        let sampleReader = try makeSampleReader(ranges)
        state.withLock { state in
            state.sampleReader = sampleReader
            state.isAtEnd = false
        }
    }

    /// Whether no more samples will be returned.
    var isFinished: Bool { state.withLock { $0.isAtEnd && (!$0.supportsRandomAccess || $0.isFinal) } }
}

/// Reads the samples of an output.
///
/// - Important: Confined to the one caller that reads the output.
package protocol SampleReader: AnyObject {
    /// Returns the next sample; nil at the end.
    func next() throws(AVError) -> CMSampleBuffer?
}
