import Foundation
import MediaTypes
import XCTest

@testable import MediaCodecs
@testable import MediaFiles

final class PacketTimelineTests: XCTestCase {
    private static let tick = MediaTimeBase(numerator: 1, denominator: 1000)
    private let video = MediaTrack(
        index: 0,
        content: .video(
            MediaTrack.Video(
                dimensions: CMVideoDimensions(width: 64, height: 48), rotation: .none, isFullRange: false,
                frameDuration: CMTime(value: 40, timescale: 1000))),
        codecName: "h264", startTime: .zero, duration: .invalid, timeBase: tick)
    private let audio = MediaTrack(
        index: 1, content: .audio(MediaTrack.Audio(sampleRate: 8000, channelCount: 1)), codecName: "aac",
        startTime: .zero, duration: .invalid, timeBase: tick)

    /// Passes packets of 40 ms with these times in milliseconds through a timeline; returns the times of each track, nil
    /// for packets without a time.
    private func pass(
        _ packets: [(track: MediaTrack, time: Int)], wrapPeriod: Int64? = nil, indicatesDurations: Bool = false
    ) throws -> (video: [Int64?], audio: [Int64?], jumps: [TimestampJump]) {
        var tracks: [Int: TrackTimeline] = [:]
        for (track, _) in packets {
            tracks[track.index] = TrackTimeline(track, wrapPeriod: wrapPeriod, hasDecodeTimes: true)
        }
        var timeline = PacketTimeline(tracks, indicatesDurations: indicatesDurations)
        for (track, time) in packets {
            let packet = [UInt8](repeating: 0, count: 8).withUnsafeBytes { bytes in
                MediaPacket(
                    bytes, track: track, presentation: Int64(time), decode: Int64(time), duration: 40, isKeyFrame: true)
            }
            timeline.add(.packet(try XCTUnwrap(packet)))
        }
        timeline.add(.end)
        var times: [Int: [Int64?]] = [:]
        while let event = timeline.next() {
            guard case .packet(let packet) = event else { break }
            times[packet.trackIndex, default: []].append(packet.time.isValid ? packet.time.value : nil)
        }
        return (times[0] ?? [], times[1] ?? [], timeline.jumps)
    }

    /// Returns the times of packets of 40 ms.
    private func times(from start: Int, count: Int) -> [Int] { (0..<count).map { start + $0 * 40 } }

    private func milliseconds(_ jump: TimestampJump) -> [Double] {
        [jump.time, jump.size].map { ($0.seconds * 1000).rounded() }
    }

    func testTimesWithoutJumpsAreKept() throws {
        let packets = times(from: 0, count: 100).flatMap { [(video, $0), (audio, $0)] }
        let result = try pass(packets)
        XCTAssertEqual(result.video, times(from: 0, count: 100).map(Int64.init))
        XCTAssertEqual(result.audio, result.video)
        XCTAssertEqual(result.jumps, [])
    }

    func testTheMediaAfterAJumpFollowsThatBeforeIt() throws {
        for size in [37_600_000, 5000, -1900] {
            let all = times(from: 0, count: 50) + times(from: 2000 + size, count: 50)
            let result = try pass(all.flatMap { [(video, $0), (audio, $0)] })
            XCTAssertEqual(result.video, times(from: 0, count: 100).map(Int64.init), "\(size)")
            XCTAssertEqual(result.audio, result.video, "\(size)")
            XCTAssertEqual(result.jumps.map(milliseconds), [[2000, Double(size)]], "\(size)")
        }
    }

    func testTheMediaAfterASmallJumpBackFollowsThatBeforeIt() throws {
        for size in [-160, -200, -500, -960] {
            let all = times(from: 0, count: 50) + times(from: 2000 + size, count: 100)
            for packets in [all.flatMap { [(video, $0), (audio, $0)] }, all.map { (video, $0) }] {
                let result = try pass(packets)
                XCTAssertEqual(result.video, times(from: 0, count: 150).map(Int64.init), "\(size)")
                XCTAssertEqual(result.jumps.map(milliseconds), [[2000, Double(size)]], "\(size)")
            }
        }
    }

    func testAJumpAfterTheFirstPacketMovesTheTracksThatBeginAfterIt() throws {
        let packets = times(from: 37_600_000, count: 100).flatMap { [(audio, $0), (video, $0 + 40)] }
        let result = try pass([(video, 0)] + packets)
        XCTAssertEqual(result.video, times(from: 0, count: 101).map(Int64.init))
        XCTAssertEqual(result.audio, times(from: 0, count: 100).map(Int64.init))
        XCTAssertEqual(result.jumps.map(milliseconds), [[40, 37_600_000]])
    }

    func testAPacketFarFromTheOthersLosesItsTime() throws {
        for size in [37_600_000, -37_600_000, -400] {
            let result = try pass(
                times(from: 0, count: 100).flatMap { [(video, $0 == 1600 ? $0 + size : $0), (audio, $0)] })
            XCTAssertEqual(result.video.count, 100)
            XCTAssertNil(result.video[40], "\(size)")
            XCTAssertEqual(result.video.compactMap { $0 }.count, 99, "\(size)")
            XCTAssertEqual(result.video[41], 41 * 40, "\(size)")
            XCTAssertEqual(result.jumps.map(milliseconds), [[1600, Double(size)]], "\(size)")
        }
    }

    func testAPauseOfOneTrackIsKeptWhileAnotherContinues() throws {
        let pause = times(from: 0, count: 10) + times(from: 9000, count: 50)
        let sound = times(from: 0, count: 275)
        let packets = (pause.map { (video, $0) } + sound.map { (audio, $0) }).sorted { $0.1 < $1.1 }
        let result = try pass(packets)
        XCTAssertEqual(result.video, pause.map(Int64.init))
        XCTAssertEqual(result.audio, sound.map(Int64.init))
        XCTAssertEqual(result.jumps, [])
    }

    func testLongFramesOfALoneVideoTrackAreKept() throws {
        let lapse = (0..<30).map { $0 * 60_000 }
        XCTAssertEqual(try pass(lapse.map { (video, $0) }).video, lapse.map(Int64.init))
        let slide = times(from: 0, count: 10) + times(from: 600_000, count: 50)
        let indicated = try pass(slide.map { (video, $0) }, indicatesDurations: true)
        XCTAssertEqual(indicated.video, slide.map(Int64.init))
        // Without durations in the container, ten minutes are a jump.
        XCTAssertEqual(try pass(slide.map { (video, $0) }).jumps.map(milliseconds), [[400, 599_600]])
    }

    func testTimesThatRestartFromZeroContinue() throws {
        let all = times(from: 93_000, count: 50) + times(from: 0, count: 50)
        let result = try pass(all.flatMap { [(video, $0), (audio, $0)] }, wrapPeriod: 95_000_000_000)
        XCTAssertEqual(result.video, times(from: 93_000, count: 100).map(Int64.init))
        XCTAssertEqual(result.jumps.map(milliseconds), [[95_000, 0]])
    }
}
