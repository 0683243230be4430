import Foundation
import MediaCodecs
public import MediaTypes

/// Writing a movie in segments, as for HTTP live streaming.
///
/// In segments times are the source's own; nothing is shifted to zero.
extension AVAssetWriter {
    /// The time between segments; `.indefinite` ends them by `flushSegment()` only, and invalid, the default, takes 6 s.
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

    /// When the first segment begins, on the source's timeline; needed where there is an interval.
    public var initialSegmentStartTime: CMTime {
        get { options.withLock { $0.segmentStart } }
        set { set("setInitialSegmentStartTime:") { $0.segmentStart = newValue } }
    }

    /// What the segments are restricted to; nil, the default, keeps to what the file type is.
    public var outputFileTypeProfile: AVFileTypeProfile? {
        get { options.withLock { $0.profile } }
        set { set("setOutputFileTypeProfile:") { $0.profile = newValue } }
    }

    /// The number of the first fragment, from 1.
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

    /// Whether fragments of several writers go together; those of equal settings always do here.
    public var producesCombinableFragments: Bool {
        get { options.withLock { $0.isCombinable } }
        set { set("setProducesCombinableFragments:") { $0.isCombinable = newValue } }
    }

    /// Who receives the segments; not kept alive.
    public var delegate: (any AVAssetWriterDelegate)? {
        get { options.withLock { $0.delegate } }
        set { set("setDelegate:") { $0.delegate = newValue } }
    }

    /// Ends the segment with what was appended so far.
    ///
    /// It comes when what the encoders hold of it is out. Misuse without a delegate, and where
    /// `preferredOutputSegmentInterval` is not `.indefinite`.
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

    /// On the worker: hands a segment to the delegate.
    func deliver(_ segment: MovieSegmentWriter.Segment) {
        let type: AVAssetSegmentType = segment.isInitialization ? .initialization : .separable
        let report =
            segment.isInitialization
            ? nil : AVAssetSegmentReport(type, segment.reports.map(AVAssetSegmentTrackReport.init))
        system.clock.deliver(on: callbackQueue) { [self] in
            delegate?.assetWriter(self, didOutputSegmentData: segment.data, segmentType: type, segmentReport: report)
        }
    }
}

extension AVAssetWriter.Options {
    /// The interval that counts; indefinite for none.
    var effectiveSegmentInterval: CMTime { segmentInterval.isValid ? segmentInterval : CMTime(value: 6, timescale: 1) }

    /// Why no segments can be written with these settings, nil where they can.
    var segmentProblem: String? {
        if delegate == nil { return "a writer of segments needs a delegate" }
        if effectiveSegmentInterval.isNumeric, !segmentStart.isNumeric {
            return "initialSegmentStartTime must be a time where segments end by an interval"
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
