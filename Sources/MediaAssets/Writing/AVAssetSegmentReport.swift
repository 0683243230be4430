public import Foundation
import MediaCodecs
public import MediaTypes

/// What a piece of a segmented movie is.
public enum AVAssetSegmentType: Int, Sendable {
    /// The header, which a player needs before any other segment.
    case initialization = 1
    /// A stretch of media that can be played after the header.
    case separable = 2
}

/// What a segment holds.
public final class AVAssetSegmentReport: NSObject, Sendable {
    public let segmentType: AVAssetSegmentType
    /// One for each track that has samples in the segment.
    public let trackReports: [AVAssetSegmentTrackReport]

    init(_ segmentType: AVAssetSegmentType, _ trackReports: [AVAssetSegmentTrackReport]) {
        self.segmentType = segmentType
        self.trackReports = trackReports
    }
}

/// What a segment holds of one track.
public final class AVAssetSegmentTrackReport: NSObject, Sendable {
    public let trackID: CMPersistentTrackID
    public let mediaType: AVMediaType
    public let earliestPresentationTimeStamp: CMTime
    /// The sum of the samples' durations.
    public let duration: CMTime
    /// For video: the sample at which a player can begin.
    public let firstVideoSampleInformation: AVAssetSegmentReportSampleInformation?

    init(_ report: MovieSegmentWriter.TrackReport) {
        trackID = CMPersistentTrackID(report.trackNumber)
        mediaType = AVMediaType(rawValue: report.handler)
        earliestPresentationTimeStamp = report.earliestPresentationTime
        duration = report.duration
        firstVideoSampleInformation = report.firstSample.map(AVAssetSegmentReportSampleInformation.init)
    }
}

/// Where a sample lies in a segment.
public final class AVAssetSegmentReportSampleInformation: NSObject, Sendable {
    public let presentationTimeStamp: CMTime
    /// From the segment's begin, in bytes.
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
