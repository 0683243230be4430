import CLinuxDevices
import XCTest

/// The loopback card (snd-aloop): audio that is played on device 0 is captured on device 1.
enum Loopback {
    /// Opens the playback device: 48 kHz, two channels of 16 bits, interleaved.
    ///
    /// - Parameter bufferSeconds: The duration of the buffer, at most 10 s. An emulated machine can be late by seconds;
    ///   playback continues from the buffer.
    static func openPlayback(bufferSeconds: Double = 2) throws -> OpaquePointer {
        var opened: OpaquePointer?
        let result = snd_pcm_open(&opened, "hw:CARD=Loopback,DEV=0", SND_PCM_STREAM_PLAYBACK, 0)
        let handle = try XCTUnwrap(opened, "snd_pcm_open returned \(result)")
        XCTAssertEqual(
            snd_pcm_set_params(
                handle, SND_PCM_FORMAT_S16_LE, SND_PCM_ACCESS_RW_INTERLEAVED, 2, 48_000, 0,
                UInt32(bufferSeconds * 1e6)), 0)
        return handle
    }
}
