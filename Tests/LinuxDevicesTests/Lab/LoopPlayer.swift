import CLinuxDevices
import XCTest

/// Plays a ramp into the loop.
final class LoopPlayer: @unchecked Sendable {
    // SAFETY: used by one test's thread; the library plays what was written before.
    private let handle: OpaquePointer
    private let frameCount: Int

    /// Rises by 7 a frame and wraps, so that a lost or doubled frame shows at once; begins above 0.
    static func ramp(_ count: Int) -> [Int16] { (0..<count).map { Int16(truncatingIfNeeded: $0 * 7 + 1) } }

    init(frameCount: Int) throws {
        var handle: OpaquePointer?
        let result = snd_pcm_open(&handle, "hw:CARD=Loopback,DEV=0", SND_PCM_STREAM_PLAYBACK, 0)
        self.handle = try XCTUnwrap(handle, "playback opens with \(result)")
        self.frameCount = frameCount
        XCTAssertEqual(
            snd_pcm_set_params(
                self.handle, SND_PCM_FORMAT_S16_LE, SND_PCM_ACCESS_RW_INTERLEAVED, 2, 48_000, 0, 500_000), 0)
    }

    /// Returns when all but the last buffer has been played.
    func play() throws {
        let samples = Self.ramp(frameCount).flatMap { [$0, $0] }
        let written = samples.withUnsafeBytes { snd_pcm_writei(handle, $0.baseAddress, snd_pcm_uframes_t(frameCount)) }
        XCTAssertEqual(written, frameCount)
        snd_pcm_drain(handle)
    }

    func finish() { snd_pcm_close(handle) }
}
