import CaptureHAL
import Foundation
import MediaCodecs
import MediaFiles
import MediaTypes
import PixelKernels

/// The properties of a media file, read before playback.
struct MediaSource: Sendable {
    let path: String
    let fileName: String
    let atEnd: MediaFileHost.AtEnd
    let videoTrack: MediaTrack?
    let audioTrack: MediaTrack?
    /// The media that the file contains but no decoder reads.
    let undecodableMedia: [DeviceMedia]
    /// The indexes of both tracks.
    let trackIndexes: Set<Int>
    /// The first presentation time in the file; playback begins there.
    let startNanoseconds: Int64
    /// The duration of the longer track. Exact only if the file is played in a loop.
    let lengthNanoseconds: Int64
    /// The shortest and the longest time between frames in the first part of the file.
    let frameDurations: FrameDurationRange
    /// Whether video packets are stored in another order than they are presented: then their times are those of the
    /// presentation. Some files have only decode times, which are in order.
    let isReordered: Bool
    /// Whether the file is a still image. A movie with one frame is not: it lasts as long as its frame.
    let isStill: Bool
    /// The date at which recording began; nil if the file does not contain it.
    let creationDate: Date?

    /// The frame durations at which a still image can be delivered.
    static let stillFrameDurations = FrameDurationRange(
        minimum: CMTime(value: 1, timescale: 60), maximum: CMTime(value: 1, timescale: 1))
    /// 100 days. A longer duration in a file is assumed to be an error and is limited to this one.
    private static let maximumLengthNanoseconds: Int64 = 8_640_000_000_000_000
    /// The part of the file that is read to determine its frame rates; uncompressed frames are slow to read.
    private static let scanLimit = PacketScan.Limit(packetCount: 1000, byteCount: 32 << 20, frameCount: 8)

    init(path: String, atEnd: MediaFileHost.AtEnd) throws(MediaFileError) {
        let reader = try MediaFileReader(path: path)
        self.path = path
        self.atEnd = atEnd
        fileName = URL(fileURLWithPath: path).lastPathComponent
        videoTrack = reader.tracks.first { $0.isVideo }
        audioTrack = reader.tracks.first { !$0.isVideo }
        let undecodable = reader.undecodableTracks
        undecodableMedia =
            (videoTrack == nil && undecodable.contains(where: \.isVideo) ? [.video] : [])
            + (audioTrack == nil && undecodable.contains { !$0.isVideo } ? [.audio] : [])
        let tracks = [videoTrack, audioTrack].compactMap { $0 }
        trackIndexes = Set(tracks.map(\.index))
        reader.select(trackIndexes)
        let fallback = Self.nominalFrameDuration(of: videoTrack)
        let scan = try PacketScan(
            reader, video: videoTrack?.index, frameNanoseconds: fallback.nanoseconds,
            limit: atEnd == .loop ? nil : Self.scanLimit)
        let starts = tracks.map(\.startTime.nanoseconds)
        let start = starts.min() ?? 0
        startNanoseconds = start
        creationDate = reader.creationDate
        isReordered = scan.isReordered
        isStill = reader.isImage && audioTrack == nil && scan.videoTimes.count <= 1 && scan.isComplete
        lengthNanoseconds = min(max(1, scan.endNanoseconds - start), Self.maximumLengthNanoseconds)
        frameDurations = isStill ? Self.stillFrameDurations : scan.frameDurations ?? FrameDurationRange(fallback)
    }

    /// Returns the container's mean frame duration, or 1/30 s if it has none.
    private static func nominalFrameDuration(of track: MediaTrack?) -> CMTime {
        if case .video(let video) = track?.content, video.frameDuration.isValid, video.frameDuration.value > 0 {
            return video.frameDuration
        }
        return CMTime(value: 1, timescale: 30)
    }

    /// Returns the capture date of the frame at a media time; nil if the file has no creation date. All frames of a
    /// still image have its creation date.
    func date(at mediaTime: Int64) -> Date? {
        var elapsed = isStill ? 0 : mediaTime
        if atEnd == .loop { elapsed %= lengthNanoseconds }
        return creationDate?.addingTimeInterval(Double(elapsed) / 1e9)
    }

    /// The frame duration that is used when neither timestamps nor packets contain one.
    var nominalFrameNanoseconds: Int64 { Self.nominalFrameDuration(of: videoTrack).nanoseconds }
}

/// The result of reading a file's packets without decoding them.
private struct PacketScan {
    private(set) var videoTimes: [CMTime] = []
    private(set) var endNanoseconds: Int64 = 0
    private(set) var isComplete = false

    /// The limit of a scan: `packetCount` packets, or `byteCount` bytes if they contain `frameCount` frames.
    struct Limit {
        var packetCount: Int
        var byteCount: Int
        var frameCount: Int
    }

    /// Reads packets up to the limit.
    ///
    /// - Parameters:
    ///   - video: The index of the video track.
    ///   - frameNanoseconds: The duration of frames for which the file has none.
    ///   - limit: The limit; nil for the complete file.
    init(
        _ reader: MediaFileReader, video: Int?, frameNanoseconds: Int64, limit: Limit?
    ) throws(MediaFileError) {
        var count = 0
        var byteCount = 0
        reading: while true {
            if let limit {
                if count >= limit.packetCount { break reading }
                if byteCount >= limit.byteCount, videoTimes.count >= limit.frameCount { break reading }
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
                // The first frames are sufficient to determine the frame rates.
                if isVideo, videoTimes.count < 1000 { videoTimes.append(time) }
                guard time.isValid else { continue }
                let usual = isVideo ? frameNanoseconds : 0
                let duration = packet.duration.isValid ? packet.duration.nanoseconds : usual
                endNanoseconds = max(endNanoseconds, time.nanoseconds + duration)
            }
        }
    }

    /// Whether video packets are stored in another order than they are presented. A single wrong time is no order.
    var isReordered: Bool {
        let times = videoTimes.filter(\.isValid)
        return zip(times.dropFirst(), times).count { $0 < $1 } * 8 > times.count
    }

    /// The shortest and the longest time between frames; nil if fewer than two frames have a timestamp.
    var frameDurations: FrameDurationRange? {
        let times = videoTimes.filter(\.isValid).sorted()
        let steps = zip(times.dropFirst(), times).map { $0 - $1 }.filter { $0.value > 0 }
        guard let shortest = steps.min(), let longest = steps.max() else { return nil }
        return FrameDurationRange(minimum: shortest, maximum: longest)
    }
}
