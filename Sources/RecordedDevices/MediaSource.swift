import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels

/// What is known of a media file before it plays.
struct MediaSource: Sendable {
    let path: String
    let fileName: String
    let atEnd: MediaFileHost.AtEnd
    let videoTrack: MediaTrack?
    let audioTrack: MediaTrack?
    /// The first presentation time in the file, which is where playing begins.
    let startNanoseconds: Int64
    /// Until the longer of both tracks is over; known where the file loops.
    let lengthNanoseconds: Int64
    /// The shortest and the longest time between frames that the first part of the file has.
    let frameDurations: FrameDurationRange
    /// Whether the file is one picture.
    let isStill: Bool
    /// When recording began, where the file tells.
    let creationDate: Date?

    /// Frame rates at which a picture that stands still can be had.
    static let stillFrameDurations = FrameDurationRange(
        minimum: CMTime(value: 1, timescale: 60), maximum: CMTime(value: 1, timescale: 1))
    /// A hundred days: what a file says beyond that is a mistake.
    private static let maximumLengthNanoseconds: Int64 = 8_640_000_000_000_000
    /// How far is looked to tell a file's frame rates: uncompressed pictures are dear to read.
    private static let surveyLimit = Survey.Limit(packetCount: 1000, byteCount: 32 << 20, pictureCount: 8)

    init(path: String, atEnd: MediaFileHost.AtEnd) throws(MediaFileError) {
        let reader = try MediaFileReader(path: path)
        self.path = path
        self.atEnd = atEnd
        fileName = URL(fileURLWithPath: path).lastPathComponent
        videoTrack = reader.tracks.first { $0.isVideo }
        audioTrack = reader.tracks.first { !$0.isVideo }
        let used = [videoTrack, audioTrack].compactMap { $0 }
        reader.select(Set(used.map(\.index)))
        let survey = try Survey(
            reader, video: videoTrack?.index, limit: atEnd == .loop ? nil : Self.surveyLimit)
        let starts = used.map(\.startTime.nanoseconds)
        let start = starts.min() ?? 0
        startNanoseconds = start
        creationDate = reader.creationDate
        isStill = audioTrack == nil && survey.videoTimes.count <= 1 && survey.isComplete
        lengthNanoseconds = min(max(1, survey.endNanoseconds - start), Self.maximumLengthNanoseconds)
        let fallback = Self.nominalFrameDuration(of: videoTrack)
        frameDurations = isStill ? Self.stillFrameDurations : survey.frameDurations ?? FrameDurationRange(fallback)
    }

    /// The container's mean frame duration, or 1/30 s where it has none.
    private static func nominalFrameDuration(of track: MediaTrack?) -> CMTime {
        if case .video(let video) = track?.content, video.frameDuration.isValid, video.frameDuration.value > 0 {
            return video.frameDuration
        }
        return CMTime(value: 1, timescale: 30)
    }

    /// When the picture at a place in the file was taken; nil where the file does not tell, and in a still, whose only
    /// date is that of the picture itself.
    func date(at place: Int64) -> Date? {
        let passed = isStill ? 0 : atEnd == .loop ? place % lengthNanoseconds : place
        return creationDate?.addingTimeInterval(Double(passed) / 1e9)
    }

    /// The time from one frame to the next where nothing else tells.
    var nominalFrameNanoseconds: Int64 { Self.nominalFrameDuration(of: videoTrack).nanoseconds }
}

/// What a pass over a file's packets shows.
private struct Survey {
    private(set) var videoTimes: [CMTime] = []
    private(set) var endNanoseconds: Int64 = 0
    private(set) var isComplete = false

    /// Where a pass ends: at so many packets, or at so many bytes, though not before so many pictures.
    struct Limit {
        var packetCount: Int
        var byteCount: Int
        var pictureCount: Int
    }

    /// - Parameter limit: Nil for the whole file, of which only times are kept.
    init(_ reader: MediaFileReader, video: Int?, limit: Limit?) throws(MediaFileError) {
        var count = 0
        var byteCount = 0
        reading: while true {
            if let limit {
                if count >= limit.packetCount { break reading }
                if byteCount >= limit.byteCount, videoTimes.count >= limit.pictureCount { break reading }
            }
            switch try reader.next() {
            case .end:
                isComplete = true
                break reading
            case .damaged:
                count += 1
            case .packet(let packet):
                count += 1
                byteCount += packet.byteCount
                let isVideo = packet.trackIndex == video
                let time = packet.time
                if isVideo, videoTimes.count < 1000 { videoTimes.append(time) }
                guard time.isValid else { continue }
                let duration = packet.duration.isValid ? packet.duration.nanoseconds : 0
                endNanoseconds = max(endNanoseconds, time.nanoseconds + duration)
            }
        }
    }

    /// Nil where there are less than two frames with a time.
    var frameDurations: FrameDurationRange? {
        let times = videoTimes.filter(\.isValid).sorted()
        let steps = zip(times.dropFirst(), times).map { $0 - $1 }.filter { $0.value > 0 }
        guard let shortest = steps.min(), let longest = steps.max() else { return nil }
        return FrameDurationRange(minimum: shortest, maximum: longest)
    }
}
