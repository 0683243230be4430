public import CaptureHAL
import Foundation
public import MediaTypes

extension CaptureSystem {
    /// The output that plays the sound of all players of the capture system.
    public var soundOutput: SoundOutput {
        component(SoundOutput.self) { SoundOutput(clock: clock, speaker: speaker) }
    }
}

/// The mixed sound of all players, at the times of the clock of the capture system.
///
/// The output records which part of which asset each player plays at which time. The sound is decoded when it is read,
/// so that a sample has the same time in every run. With a real clock, the speaker of the capture system plays the
/// sound, and the records of played sound are discarded.
/// - Important: Thread-safe.
public final class SoundOutput: Sendable {
    /// The number of audio frames per second.
    public static let sampleRate = 48_000
    /// The channels: left and right.
    public static let channelCount = 2

    /// The length of the ramps at each change of what is played, in audio frames: 5 ms.
    static let rampFrameCount: Int64 = 240

    /// The segments of each player in the order of their starts. A segment ends where the next one starts.
    private let segments = Lock<[ObjectIdentifier: [SoundSegment]]>([:])
    /// Whether segments are kept after they were played.
    private let isRecording: Bool
    private let playback: SpeakerPlayback?

    init(clock: any CaptureClock, speaker: (any Speaker)?) {
        isRecording = clock.isVirtual
        playback = speaker.map { SpeakerPlayback($0, clock: clock) }
    }

    /// Replaces the source that a player plays; nil for silence.
    ///
    /// A source that continues the previous one at the same gain has no effect.
    func play(_ source: SoundSource?, gain: Float, by player: AnyObject, atHostTime hostTime: CMTime) {
        guard isRecording || playback != nil else { return }
        let isChanged = segments.withLock { segments in
            var list = segments[ObjectIdentifier(player), default: []]
            // Of several changes at the same time, only the last one is heard.
            var previous: SoundSource?
            while let last = list.last, last.hostStart >= hostTime {
                previous = last.source
                list.removeLast()
            }
            previous = list.last?.source ?? previous
            var segment = SoundSegment(source: source, hostStart: hostTime, gain: gain)
            // Changes of the volume do not interrupt the rendering.
            if let previous, source?.continues(previous) == true { segment.source = previous }
            let isContinued = list.last.map { segment.continues($0) } ?? !segment.isAudible
            if !isContinued { list.append(segment) }
            segments[ObjectIdentifier(player)] = list
            return !isContinued
        }
        if isChanged { playback?.start(self) }
    }

    /// Returns what is played in a range of the clock's time.
    ///
    /// - Returns: Interleaved samples, left and right, from −1 to 1; the sum of several players can exceed this range.
    ///   Audio frame n of the clock is at n / 48,000 seconds. The first returned frame is the first one that does not
    ///   precede the range.
    /// - Throws: An `AVError` if a movie cannot be read or decoded.
    public func samples(in range: CMTimeRange) throws -> [Float] {
        let first = Self.frame(at: range.start)
        return try samples(first..<max(first, Self.frame(at: range.end))) { throw $0 }
    }

    /// Returns what is played in a range of audio frames of the clock.
    ///
    /// - Parameter failed: Called for each segment that cannot be read or decoded. Such a segment is silent.
    func samples(_ frames: Range<Int64>, failed: (any Error) throws -> Void) rethrows -> [Float] {
        var mix = [Float](repeating: 0, count: frames.count * Self.channelCount)
        for list in segments.withLock({ Array($0.values) }) {
            for (index, segment) in list.enumerated() where segment.isAudible {
                guard let source = segment.source else { continue }
                let start = Self.frame(at: segment.hostStart)
                let next = list.dropFirst(index + 1).first
                let stop = next.map { Self.frame(at: $0.hostStart) }
                let low = max(frames.lowerBound, start)
                let high = min(frames.upperBound, stop.map { $0 + Self.rampFrameCount } ?? frames.upperBound)
                guard low < high else { continue }
                do {
                    let samples = try source.samples(low..<high)
                    for frame in low..<high {
                        let rise = min(1, Float(frame - start) / Float(Self.rampFrameCount))
                        let fall = stop.map { min(1, max(0, 1 - Float(frame - $0) / Float(Self.rampFrameCount))) } ?? 1
                        for channel in 0..<Self.channelCount {
                            mix[Int(frame - frames.lowerBound) * Self.channelCount + channel] +=
                                samples[Int(frame - low) * Self.channelCount + channel] * rise * fall * segment.gain
                        }
                    }
                } catch {
                    try failed(error)
                }
                if let next, next.source !== source, high < frames.upperBound { source.close() }
            }
        }
        return mix
    }

    /// Whether the output is silent from an audio frame of the clock on, unless a player changes.
    func isSilent(from frame: Int64) -> Bool {
        segments.withLock { segments in
            segments.values.allSatisfy { list in
                guard let last = list.last else { return true }
                return !last.isAudible && Self.frame(at: last.hostStart) + Self.rampFrameCount <= frame
            }
        }
    }

    /// Discards segments that ended before an audio frame of the clock, unless the clock is virtual.
    func discardSegments(before frame: Int64) {
        guard !isRecording else { return }
        segments.withLock { segments in
            for (player, list) in segments {
                let ended = zip(list, list.dropFirst()).prefix {
                    Self.frame(at: $1.hostStart) + Self.rampFrameCount < frame
                }
                let rest = Array(list.dropFirst(ended.count))
                let isOver = rest.count == 1 && rest.allSatisfy { !$0.isAudible }
                segments[player] = isOver ? nil : rest
            }
        }
    }

    /// Returns the first audio frame that does not precede a time of the clock.
    static func frame(at time: CMTime) -> Int64 {
        let product = time.nanoseconds.multipliedFullWidth(by: Int64(sampleRate))
        let (quotient, remainder) = Int64(1_000_000_000).dividingFullWidth(product)
        return remainder > 0 ? quotient + 1 : quotient
    }
}
