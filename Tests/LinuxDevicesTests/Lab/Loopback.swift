import CLinuxDevices
import XCTest

/// The loopback card (snd-aloop): audio that is played on device 0 is captured on device 1.
enum Loopback {
    /// Opens the playback device: 48 kHz, two channels of 16 bits, interleaved, with a buffer of 2 s, because an emulated machine can be late.
    static func openPlayback() throws -> OpaquePointer {
        var opened: OpaquePointer?
        let result = snd_pcm_open(&opened, "hw:CARD=Loopback,DEV=0", SND_PCM_STREAM_PLAYBACK, 0)
        let handle = try XCTUnwrap(opened, "snd_pcm_open returned \(result)")
        XCTAssertEqual(
            snd_pcm_set_params(handle, SND_PCM_FORMAT_S16_LE, SND_PCM_ACCESS_RW_INTERLEAVED, 2, 48_000, 0, 2_000_000), 0
        )
        return handle
    }
}
