import CaptureHAL
import Foundation
import MediaAssets
import MediaTypes
import TestSupport
import XCTest

@testable import Playback

/// A speaker that records what it plays, at the times of a virtual clock.
private final class FakeSpeaker: Speaker, SpeakerStream {
    struct State {
        var isOpen = false
        var openCount = 0
        var failsToOpen = false
        /// The latency that a sound server adds, in frames.
        var delay = 0
        /// The played audio: for each part without an interruption, the first frame and the samples of the left
        /// channel.
        var played: [(start: Int64, samples: [Float])] = []
        /// The frame at which all written samples have been played.
        var end: Int64 = 0
        var error: DeviceError.Code?
    }

    let name = "fake speaker"
    let state = Lock(State())
    private let clock: SimClock

    init(clock: SimClock) { self.clock = clock }

    private var now: Int64 { SoundOutput.frame(at: clock.now) }

    func open(_ format: AudioStreamFormat, bufferFrameCount: Int) throws(DeviceError) -> any SpeakerStream {
        XCTAssertEqual(format, AudioStreamFormat(sampleRate: 48_000, channelCount: 2, sample: .float32))
        let isOpened = state.withLock { state in
            state.openCount += 1
            state.isOpen = !state.failsToOpen
            return state.isOpen
        }
        guard isOpened else { throw DeviceError(.disconnected, device: name, "there is no fake speaker") }
        return self
    }

    func queuedFrameCount() throws(DeviceError) -> Int? {
        let now = now
        let (end, error) = state.withLock { ($0.end, $0.error) }
        if let error { throw DeviceError(error, device: name, "the fake speaker failed") }
        return end > now ? Int(end - now) : nil
    }

    func write(_ samples: [Float]) throws(DeviceError) -> Int {
        let now = now
        let count = samples.count / 2
        state.withLock { state in
            if state.end <= now {
                state.end = now + Int64(state.delay)
                state.played.append((state.end, []))
            }
            state.played[state.played.count - 1].samples += (0..<count).map { samples[$0 * 2] }
            state.end += Int64(count)
        }
        return count
    }

    func close() { state.withLock { $0.isOpen = false } }
}

final class SpeakerPlaybackTests: XCTestCase {
    private let clock = SimClock()
    private lazy var speaker = FakeSpeaker(clock: clock)

    /// Creates a player of a tone of two seconds in a system with the speaker.
    private func makePlayer() throws -> (AVPlayer, CaptureSystem, AssetWriterFixture) {
        let media = try AssetWriterFixture(clock: clock)
        let writer = try media.makeWriter("tone.mov")
        try media.writeMedia(2, writer, video: nil, audio: media.makeAudioInput(kAudioFormatLinearPCM))
        let system = CaptureSystem(hosts: [], clock: clock, speaker: speaker)
        let player = system.run { AVPlayer(url: writer.outputURL) }
        clock.settle()
        XCTAssertEqual(player.currentItem?.status, .readyToPlay)
        return (player, system, media)
    }

    /// Returns the left channel of the system's sound output for a range of frames.
    private func expected(_ system: CaptureSystem, _ start: Int64, _ count: Int) throws -> [Float] {
        let samples = system.soundOutput.samples(start..<start + Int64(count)) { XCTFail("\($0)") }
        return (0..<count).map { samples[$0 * 2] }
    }

    func testTheSpeakerPlaysTheSoundOutputOfTheSystem() throws {
        let (player, system, media) = try makePlayer()
        clock.advance(by: .microseconds(12_345))
        let start = SoundOutput.frame(at: clock.now)
        player.play()
        clock.advance(by: .milliseconds(500))
        let played = speaker.state.withLock { $0.played }
        XCTAssertEqual(played.count, 1, "without interruption")
        XCTAssertEqual(played.first?.start, start)
        let samples = try XCTUnwrap(played.first?.samples)
        XCTAssertGreaterThan(samples.count, 24_000)
        XCTAssertEqual(samples, try expected(system, start, samples.count))
        XCTAssertEqual(Tone.frequency(samples), 1000, accuracy: 2)
        media.system.run { player.pause() }
    }

    func testTheDelayOfASoundServerIsCompensated() throws {
        speaker.state.withLock { $0.delay = 7200 }
        let (player, system, _) = try makePlayer()
        player.play()
        clock.advance(by: .milliseconds(800))
        let played = try XCTUnwrap(speaker.state.withLock { $0.played.first })
        // The delay is known after the first frames were written.
        let correctedFrameOffset = 9600
        let samples = Array(played.samples.dropFirst(correctedFrameOffset))
        XCTAssertGreaterThan(samples.count, 12_000)
        XCTAssertEqual(samples, try expected(system, played.start + Int64(correctedFrameOffset), samples.count))
        // The correction does not click.
        XCTAssertLessThan(Tone.greatestStep(played.samples), 0.06)
    }

    func testTheSpeakerIsClosedDuringSilenceAndReopened() throws {
        let (player, _, _) = try makePlayer()
        clock.advance(by: .seconds(1))
        XCTAssertEqual(speaker.state.withLock { $0.openCount }, 0)
        player.play()
        clock.advance(by: .milliseconds(200))
        XCTAssertTrue(speaker.state.withLock { $0.isOpen })
        player.pause()
        clock.advance(by: .milliseconds(100))
        XCTAssertTrue(speaker.state.withLock { $0.isOpen }, "its buffer is still played")
        let paused = try XCTUnwrap(speaker.state.withLock { $0.played.last?.samples.suffix(480) })
        XCTAssertEqual(Tone.peak(paused), 0)
        clock.advance(by: .seconds(1))
        XCTAssertFalse(speaker.state.withLock { $0.isOpen })
        player.play()
        clock.advance(by: .milliseconds(200))
        XCTAssertEqual(speaker.state.withLock { $0.openCount }, 2)
        XCTAssertGreaterThan(Tone.peak(try XCTUnwrap(speaker.state.withLock { $0.played.last?.samples })), 0.1)
    }

    func testPlaybackContinuesWithoutASpeaker() throws {
        speaker.state.withLock { $0.failsToOpen = true }
        let (player, _, _) = try makePlayer()
        player.play()
        clock.advance(by: .seconds(1))
        XCTAssertEqual(player.currentTime(), CMTime(value: 1, timescale: 1))
        XCTAssertEqual(player.timeControlStatus, .playing)
        XCTAssertEqual(speaker.state.withLock { $0.openCount }, 1, "opening is not tried again")
    }

    func testAnUnpluggedSpeakerIsClosedAndReopenedByTheNextStart() throws {
        let (player, _, _) = try makePlayer()
        player.play()
        clock.advance(by: .milliseconds(100))
        speaker.state.withLock { $0.error = .disconnected }
        clock.advance(by: .milliseconds(100))
        XCTAssertFalse(speaker.state.withLock { $0.isOpen })
        XCTAssertEqual(player.timeControlStatus, .playing)
        speaker.state.withLock { $0.error = nil }
        player.pause()
        player.play()
        clock.advance(by: .milliseconds(100))
        XCTAssertTrue(speaker.state.withLock { $0.isOpen })
    }
}
