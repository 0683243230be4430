import AssetTypes
public import Foundation
import MediaCodecs
public import MediaTypes

/// The type of a segment of a segmented movie.
public enum AVAssetSegmentType: Int, Sendable {
    /// The initialization segment, which a player needs before any other segment.
    case initialization = 1
    /// A media segment that can be played after the initialization segment.
    case separable = 2
}

/// Describes the contents of a segment.
public final class AVAssetSegmentReport: NSObject, Sendable {
    public let segmentType: AVAssetSegmentType
    /// One report for each track that has samples in the segment.
    public let trackReports: [AVAssetSegmentTrackReport]

    init(_ segmentType: AVAssetSegmentType, _ trackReports: [AVAssetSegmentTrackReport]) {
        self.segmentType = segmentType
        self.trackReports = trackReports
    }
}

/// Describes one track's samples in a segment.
public final class AVAssetSegmentTrackReport: NSObject, Sendable {
    public let trackID: CMPersistentTrackID
    public let mediaType: AVMediaType
    public let earliestPresentationTimeStamp: CMTime
    /// The sum of the samples' durations.
    public let duration: CMTime
    /// For video, the first sync sample in the segment.
    public let firstVideoSampleInformation: AVAssetSegmentReportSampleInformation?

    init(_ report: MovieSegmentWriter.TrackReport) {
        trackID = CMPersistentTrackID(report.trackNumber)
        mediaType = AVMediaType(rawValue: report.handler)
        earliestPresentationTimeStamp = report.earliestPresentationTime
        duration = report.duration
        firstVideoSampleInformation = report.firstSample.map(AVAssetSegmentReportSampleInformation.init)
    }
}

/// The position of a sample in a segment.
public final class AVAssetSegmentReportSampleInformation: NSObject, Sendable {
    public let presentationTimeStamp: CMTime
    /// From the start of the segment, in bytes.
    public let offset: Int
    /// In bytes.
    public let length: Int
    public let isSyncSample: Bool

    init(_ sample: MovieSegmentWriter.TrackReport.FirstSample) {
        presentationTimeStamp = sample.presentationTime
        offset = sample.offset
        length = sample.byteCount
        isSyncSample = sample.isKeyFrame
    }
}
