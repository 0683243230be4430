import CLinuxDevices
import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import LinuxDevices

/// Tests `ALSAPCM` with a PCM of alsa-lib's file plugin, which does not need hardware.
final class ALSAPCMTests: XCTestCase {
    /// Opens a PCM that reads its samples from a file.
    private func open(_ samples: [Int16]) throws -> ALSAPCM {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ALSAPCMTests-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        addTeardownBlock { try FileManager.default.removeItem(at: folder) }
        let input = folder.appendingPathComponent("in.raw")
        try samples.withUnsafeBytes { Data($0) }.write(to: input)
        let text = """
            pcm.test {
                type file
                file "/dev/null"
                infile "\(input.path)"
                format raw
                slave.pcm { type null }
            }
            """
        var configuration: OpaquePointer?
        XCTAssertEqual(snd_config_top(&configuration), 0)
        defer { snd_config_delete(configuration) }
        var source: OpaquePointer?
        XCTAssertEqual(snd_input_buffer_open(&source, text, text.utf8.count), 0)
        defer { snd_input_close(source) }
        XCTAssertEqual(snd_config_load(configuration, source), 0)
        var handle: OpaquePointer?
        let result = snd_pcm_open_lconf(
            &handle, "test", SND_PCM_STREAM_CAPTURE, Int32(SND_PCM_NONBLOCK), configuration)
        return ALSAPCM(try XCTUnwrap(handle, "snd_pcm_open_lconf: \(result)"), name: "test")
    }

    private let format = AudioStreamFormat(sampleRate: 48_000, channelCount: 1, sample: .int16)

    func testFormatsAreListedWithoutDuplicatesStereoFirst() throws {
        let formats = try open([1]).formats()
        XCTAssertTrue(formats.contains(format))
        XCTAssertEqual(formats.first, AudioStreamFormat(sampleRate: 48_000, channelCount: 2, sample: .int16))
        XCTAssertEqual(Set(formats).count, formats.count)
    }

    func testSamplesAreReadUnchanged() throws {
        let samples = (0..<Int16(4800)).map { $0 &* 5 }
        let pcm = try open(samples)
        let period = try pcm.configure(format, periodFrames: 480)
        XCTAssertEqual(period, 480)
        _ = try pcm.start()
        var received: [Int16] = []
        while received.count < samples.count {
            var chunk = [Int16](repeating: 0, count: period)
            let count = try chunk.withUnsafeMutableBytes { try pcm.read(into: $0, frameCount: period) }
            XCTAssertGreaterThan(count, 0)
            if count == 0 { break }
            received += chunk.prefix(count)
        }
        XCTAssertEqual(received, samples)
        pcm.drop()
        pcm.close()
    }

    func testACallOnAClosedPCMFailsWithENODEV() throws {
        let pcm = try open([1])
        pcm.close()
        pcm.close()
        XCTAssertEqual(pcm.formats(), [])
        XCTAssertThrowsError(try pcm.start()) { XCTAssertEqual(($0 as? KernelError)?.number, ENODEV) }
        XCTAssertThrowsError(try pcm.position()) { XCTAssertEqual(($0 as? KernelError)?.number, ENODEV) }
    }

    func testOpeningAMissingDeviceFails() {
        XCTAssertThrowsError(try ALSAPCM(opening: "hw:CARD=NoSuchCard,DEV=0")) { error in
            XCTAssertEqual((error as? KernelError)?.number, ENODEV)
        }
    }
}
