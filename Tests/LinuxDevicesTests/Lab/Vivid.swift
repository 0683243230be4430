import CLinuxDevices
import Foundation
import MediaTypes
import XCTest

@testable import LinuxDevices

func cosine(_ angle: Double) -> Double { cos(angle) }

/// vivid's own controls and its place in the machine.
enum Vivid {
    /// Sets one of vivid's own controls, which have no names in headers.
    static func set(_ name: String, _ value: Int32, path: String) throws {
        let node = try V4L2Node(path, kernel: LinuxKernel())
        var query = v4l2_query_ext_ctrl()
        while true {
            query.id |= UInt32(V4L2_CTRL_FLAG_NEXT_CTRL)
            try node.request(clinuxdevices_VIDIOC_QUERY_EXT_CTRL, "QUERY_EXT_CTRL", &query)
            if text(query.name) == name { break }
        }
        var control = v4l2_control(id: query.id, value: value)
        try node.request(clinuxdevices_VIDIOC_S_CTRL, "S_CTRL", &control)
    }

    /// Takes both cameras out of the machine, as if unplugged.
    static func unplug() throws { try write("vivid.0", to: "/sys/bus/platform/drivers/vivid/unbind") }
    static func plug() throws { try write("vivid.0", to: "/sys/bus/platform/drivers/vivid/bind") }

    private static func write(_ word: String, to path: String) throws {
        let file = try XCTUnwrap(fopen(path, "w"), path)
        fputs(word, file)
        XCTAssertEqual(fclose(file), 0, path)
    }
}

/// Plays a tone into snd-aloop until told to stop.
final class TonePlayer: Sendable {
    static let hertz = 1000.0
    private let isStopped = Lock(false)
    private let ended = DispatchSemaphore(value: 0)
    /// When the first sample was handed to the card, on CLOCK_MONOTONIC in nanoseconds; nil before.
    let startNanoseconds = Lock<Int64?>(nil)

    init() throws {
        var opened: OpaquePointer?
        let result = snd_pcm_open(&opened, "hw:CARD=Loopback,DEV=0", SND_PCM_STREAM_PLAYBACK, 0)
        // SAFETY: from here on only the player's thread has the handle.
        nonisolated(unsafe) let handle = try XCTUnwrap(opened, "playback opens with \(result)")
        XCTAssertEqual(
            snd_pcm_set_params(handle, SND_PCM_FORMAT_S16_LE, SND_PCM_ACCESS_RW_INTERLEAVED, 2, 48_000, 0, 500_000), 0)
        Thread.detachNewThread { [self] in
            var place = 0
            while !isStopped.withLock({ $0 }) {
                let samples = (0..<960).flatMap { frame -> [Int16] in
                    let angle = 2 * Double.pi * Self.hertz * Double(place + frame) / 48_000
                    let value = Int16(16_000 * cosine(angle))
                    return [value, value]
                }
                place += 960
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

    func stop() {
        isStopped.withLock { $0 = true }
        ended.wait()
    }
}
