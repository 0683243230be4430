import CLinuxDevices
import Foundation
import MediaTypes

@testable import LinuxDevices

/// Plays a tone into the loopback card, from `start` until `stop`.
///
/// At the start, the card's buffer contains seven seconds of the tone, so that a late thread does not interrupt it.
final class TonePlayer: @unchecked Sendable {
    // SAFETY: the card is used by the test's thread until `start`, then only by the player's thread.
    static let hertz = 1000.0
    /// Twenty whole periods, written repeatedly, because an emulated machine cannot compute the sines in real time.
    private static let block = (0..<960).flatMap { frame -> [Int16] in
        let value = Int16(16_000 * cos(2 * Double.pi * hertz * Double(frame) / 48_000))
        return [value, value]
    }

    private let handle: OpaquePointer
    private let isStopped = Lock(false)
    private let ended = DispatchSemaphore(value: 0)

    init() throws {
        handle = try Loopback.openPlayback(bufferSeconds: 8)
        for _ in 0..<350 { writeBlock() }
    }

    /// Starts playback; returns the time on CLOCK_MONOTONIC, in nanoseconds.
    func start() -> Int64 {
        snd_pcm_start(handle)
        let startTime = LinuxKernel().monotonicNanoseconds
        Thread.detachNewThread { [self] in
            while !isStopped.withLock({ $0 }) { writeBlock() }
            snd_pcm_drop(handle)
            snd_pcm_close(handle)
            ended.signal()
        }
        return startTime
    }

    /// Stops playback and waits until the card is closed.
    func stop() {
        isStopped.withLock { $0 = true }
        ended.wait()
    }

    private func writeBlock() {
        let written = Self.block.withUnsafeBytes { snd_pcm_writei(handle, $0.baseAddress, 960) }
        if written < 0 { snd_pcm_recover(handle, Int32(written), 1) }
    }
}
