import CLinuxDevices
import XCTest

/// Plays a ramp into the loopback card.
final class RampPlayer: @unchecked Sendable {
    // SAFETY: used only by the thread of one test.
    private let handle: OpaquePointer
    private let frameCount: Int

    /// Returns samples that start at 1, increase by 7 and wrap around, so that a lost or repeated sample is detected.
    static func ramp(_ count: Int) -> [Int16] { (0..<count).map { Int16(truncatingIfNeeded: $0 * 7 + 1) } }

    init(frameCount: Int) throws {
        handle = try Loopback.openPlayback()
        self.frameCount = frameCount
    }

    /// Plays the ramp on both channels; returns when the card has played all of it.
    func play() throws {
        let samples = Self.ramp(frameCount).flatMap { [$0, $0] }
        let written = samples.withUnsafeBytes { snd_pcm_writei(handle, $0.baseAddress, snd_pcm_uframes_t(frameCount)) }
        XCTAssertEqual(written, frameCount)
        snd_pcm_drain(handle)
    }

    func close() { snd_pcm_close(handle) }
}
