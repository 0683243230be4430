import CLinuxDevices
import Foundation
import MediaTypes

@testable import LinuxDevices

/// Plays a tone into the loopback card, on its own thread, until `stop` is called.
final class TonePlayer: Sendable {
    static let hertz = 1000.0
    private let isStopped = Lock(false)
    private let ended = DispatchSemaphore(value: 0)
    /// The time on CLOCK_MONOTONIC, in nanoseconds, at which playback was first seen to run; nil before.
    let startNanoseconds = Lock<Int64?>(nil)

    init() throws {
        // SAFETY: used only by the player's thread.
        nonisolated(unsafe) let handle = try Loopback.openPlayback()
        // Twenty whole periods, written again and again: an emulated machine computes sines slower than the card plays.
        let samples = (0..<960).flatMap { frame -> [Int16] in
            let value = Int16(16_000 * cos(2 * Double.pi * Self.hertz * Double(frame) / 48_000))
            return [value, value]
        }
        Thread.detachNewThread { [self] in
            while !isStopped.withLock({ $0 }) {
                let written = samples.withUnsafeBytes { snd_pcm_writei(handle, $0.baseAddress, 960) }
                if written < 0 { snd_pcm_recover(handle, Int32(written), 1) }
                if snd_pcm_state(handle) == SND_PCM_STATE_RUNNING {
                    startNanoseconds.withLock { $0 = $0 ?? LinuxKernel().monotonicNanoseconds }
                }
            }
            snd_pcm_drop(handle)
            snd_pcm_close(handle)
            ended.signal()
        }
    }

    /// Stops playback and waits until the card is closed.
    func stop() {
        isStopped.withLock { $0 = true }
        ended.wait()
    }
}
