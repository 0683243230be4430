import Foundation
import MediaCodecs
public import MediaTypes

/// Writing a movie in segments, as for HTTP Live Streaming.
///
/// Segments keep the source's times; they are not shifted to zero.
extension AVAssetWriter {
    /// The time between segments. With `.invalid`, the default, it is 6 s.
    ///
    /// With `.indefinite`, segments end only when `flushSegment()` is called.
    public var preferredOutputSegmentInterval: CMTime {
        get { options.withLock { $0.segmentInterval } }
        set {
            guard !newValue.isValid || newValue.isIndefinite || (newValue.isNumeric && newValue > .zero) else {
                return report(
                    .invalidArgument, "setPreferredOutputSegmentInterval:",
                    "the interval must be a time above 0, or indefinite")
            }
            set("setPreferredOutputSegmentInterval:") { $0.segmentInterval = newValue }
        }
    }

    /// The start of the first segment on the source's timeline; required if segments have an interval.
    public var initialSegmentStartTime: CMTime {
        get { options.withLock { $0.segmentStart } }
        set { set("setInitialSegmentStartTime:") { $0.segmentStart = newValue } }
    }

    /// The profile to which the segments conform; nil, the default, applies only the rules of the file type.
    public var outputFileTypeProfile: AVFileTypeProfile? {
        get { options.withLock { $0.profile } }
        set { set("setOutputFileTypeProfile:") { $0.profile = newValue } }
    }

    /// The sequence number of the first fragment, from 1 to half of the range of `UInt32`: the following numbers must
    /// be representable, too.
    public var initialMovieFragmentSequenceNumber: Int {
        get { options.withLock { $0.firstSequenceNumber } }
        set {
            guard (1...Int(UInt32.max / 2)).contains(newValue) else {
                return report(
                    .invalidArgument, "setInitialMovieFragmentSequenceNumber:", "the number must be at least 1")
            }
            set("setInitialMovieFragmentSequenceNumber:") { $0.firstSequenceNumber = newValue }
        }
    }

    /// Whether fragments of several writers can be combined.
    ///
    /// The value has no effect: fragments of writers with equal settings can always be combined.
    public var producesCombinableFragments: Bool {
        get { options.withLock { $0.isCombinable } }
        set { set("setProducesCombinableFragments:") { $0.isCombinable = newValue } }
    }

    /// Receives the segments; a weak reference.
    public var delegate: (any AVAssetWriterDelegate)? {
        get { options.withLock { $0.delegate } }
        set { set("setDelegate:") { $0.delegate = newValue } }
    }

    /// Ends the segment after the samples appended so far.
    ///
    /// The segment is delivered when the encoders have returned these samples. Calling it without a delegate, or if
    /// `preferredOutputSegmentInterval` is not `.indefinite`, is misuse.
    public func flushSegment() {
        let options = options.withLock { $0 }
        guard isSegmented, options.delegate != nil, options.segmentInterval.isIndefinite else {
            return report(
                .internalInconsistency, "flushSegment",
                "the writer needs a delegate and an indefinite preferredOutputSegmentInterval")
        }
        guard status == .writing else {
            return report(
                .internalInconsistency, "flushSegment", "Cannot call method when status is \(status.rawValue)")
        }
        worker.submit { [self] in engine.withLock { $0 }?.endSegment() }
    }

    /// Delivers a segment to the delegate; called on the worker.
    func deliver(_ segment: MovieSegmentWriter.Segment) {
        let type: AVAssetSegmentType = segment.isInitialization ? .initialization : .separable
        let report =
            segment.isInitialization
            ? nil : AVAssetSegmentReport(type, segment.reports.map(AVAssetSegmentTrackReport.init))
        system.deliver(on: callbackQueue) { [self] in
            delegate?.assetWriter(self, didOutputSegmentData: segment.data, segmentType: type, segmentReport: report)
        }
    }
}

extension AVAssetWriter.Options {
    /// The interval in use; indefinite if segments end only on request.
    ///
    /// The default of 6 s is the target duration that Apple recommends for HTTP Live Streaming.
    var effectiveSegmentInterval: CMTime { segmentInterval.isValid ? segmentInterval : CMTime(value: 6, timescale: 1) }

    /// Why segments cannot be written with these settings; nil if they can.
    var segmentProblem: String? {
        if delegate == nil { return "a segment writer needs a delegate" }
        if effectiveSegmentInterval.isNumeric, !segmentStart.isNumeric {
            return "initialSegmentStartTime must be a numeric time when preferredOutputSegmentInterval is numeric"
        }
        return nil
    }

    func segmentConfiguration(_ container: MovieContainer) -> MovieSegmentWriter.Configuration {
        MovieSegmentWriter.Configuration(
            container: container, interval: effectiveSegmentInterval,
            start: segmentStart.isNumeric ? segmentStart : .zero, isCMAF: profile == .mpeg4CMAFCompliant,
            firstSequenceNumber: UInt32(firstSequenceNumber))
    }
}
