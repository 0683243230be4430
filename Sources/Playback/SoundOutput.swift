public import CaptureHAL
import Foundation
import MediaAssets
public import MediaTypes

extension CaptureSystem {
    /// The output that plays the sound of all players of the system.
    public var soundOutput: SoundOutput {
        component(SoundOutput.self) { SoundOutput(isRecording: clock.isVirtual) }
    }
}

/// What players play, mixed, at the times of the system's clock.
///
/// With a virtual clock the output records which part of which asset each player plays when. The sound is decoded when
/// it is read, so that playback costs no time, and a sample has the same time in every run. With a real clock nothing
/// is recorded, and playback is silent.
/// - Important: Thread-safe.
public final class SoundOutput: Sendable {
    /// The number of audio frames per second.
    public static let sampleRate = 48_000
    /// The channels: left and right.
    public static let channelCount = 2

    /// The length of the ramps at each change of what is played, in audio frames: 5 ms.
    private static let rampFrameCount: Int64 = 240

    /// The segments of each player in the order of their starts. A segment ends where the next one starts.
    private let segments = Lock<[ObjectIdentifier: [SoundSegment]]>([:])
    private let isRecording: Bool

    init(isRecording: Bool) { self.isRecording = isRecording }

    /// Starts a segment of a player and ends the one before it; nil for silence.
    ///
    /// A segment that continues the one before it is ignored.
    func play(_ segment: SoundSegment?, by player: AnyObject, atHostTime hostTime: CMTime) {
        guard isRecording else { return }
        let segment = segment ?? .silence(atHostTime: hostTime)
        segments.withLock { segments in
            var list = segments[ObjectIdentifier(player), default: []]
            // Of several changes at one time only the last one is heard.
            while let last = list.last, last.hostStart >= segment.hostStart { list.removeLast() }
            let isContinued = list.last.map { segment.continues($0) } ?? !segment.isAudible
            if !isContinued { list.append(segment) }
            segments[ObjectIdentifier(player)] = list
        }
    }

    /// Returns what is played in a range of the clock's time.
    ///
    /// - Returns: Interleaved samples, left and right, from −1 to 1 unless players are louder together. Sample frame n
    ///   of the clock is at n / 48,000 seconds; the first one is the first that does not precede the range.
    /// - Throws: An `AVError` if a movie cannot be read or decoded.
    public func samples(in range: CMTimeRange) throws -> [Float] {
        let first = Self.frame(atHostTime: range.start)
        let end = max(first, Self.frame(atHostTime: range.end))
        var mix = [Float](repeating: 0, count: Int(end - first) * Self.channelCount)
        for list in segments.withLock({ Array($0.values) }) {
            for (index, segment) in list.enumerated() where segment.isAudible {
                let start = Self.frame(atHostTime: segment.hostStart)
                let stop = list.dropFirst(index + 1).first.map { Self.frame(atHostTime: $0.hostStart) }
                let low = max(first, start)
                let high = min(end, stop.map { $0 + Self.rampFrameCount } ?? end)
                guard low < high else { continue }
                let samples = try segment.samples(low..<high)
                for frame in low..<high {
                    let rise = min(1, Float(frame - start) / Float(Self.rampFrameCount))
                    let fall = stop.map { min(1, max(0, 1 - Float(frame - $0) / Float(Self.rampFrameCount))) } ?? 1
                    for channel in 0..<Self.channelCount {
                        mix[Int(frame - first) * Self.channelCount + channel] +=
                            samples[Int(frame - low) * Self.channelCount + channel] * rise * fall * segment.gain
                    }
                }
            }
        }
        return mix
    }

    /// Returns the first audio frame that does not precede a time of the clock.
    private static func frame(atHostTime time: CMTime) -> Int64 {
        let product = time.nanoseconds.multipliedFullWidth(by: Int64(sampleRate))
        let (quotient, remainder) = Int64(1_000_000_000).dividingFullWidth(product)
        return remainder > 0 ? quotient + 1 : quotient
    }
}
