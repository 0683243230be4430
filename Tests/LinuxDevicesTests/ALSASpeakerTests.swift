import CLinuxDevices
import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import LinuxDevices

/// Tests the speaker with a PCM of alsa-lib's file plugin, which does not need hardware.
final class ALSASpeakerTests: XCTestCase {
    private let format = AudioStreamFormat(sampleRate: 48_000, channelCount: 2, sample: .float32)

    /// Creates a speaker that writes its samples to a file.
    private func makeSpeaker() throws -> (ALSASpeaker, URL) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ALSASpeakerTests-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        addTeardownBlock { try FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("out.raw")
        let text = """
            pcm.test {
                type file
                file "\(file.path)"
                format raw
                slave.pcm { type null }
            }
            """
        let speaker = ALSASpeaker { () throws(KernelError) in try openTestPCM(text, SND_PCM_STREAM_PLAYBACK) }
        return (speaker, file)
    }

    func testSamplesArriveUnchanged() throws {
        let (speaker, file) = try makeSpeaker()
        let stream = try speaker.open(format, bufferFrameCount: 4800)
        XCTAssertNil(try stream.queuedFrameCount(), "nothing plays before the first frame")
        var written: [Float] = []
        for block in 0..<10 {
            let samples = (0..<1920).map { Float($0 + block) / 4096 }
            XCTAssertEqual(try stream.write(samples), 960)
            written += samples
            XCTAssertNotNil(try stream.queuedFrameCount(), "it plays")
        }
        stream.close()
        stream.close()
        let read = try Data(contentsOf: file).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        XCTAssertEqual(read, written)
        XCTAssertThrowsError(try stream.write([0, 0])) { XCTAssertEqual(($0 as? DeviceError)?.code, .invalidState) }
    }

    func testTheErrorNamesAMissingDevice() {
        let speaker = ALSASpeaker { () throws(KernelError) in try ALSASpeaker.open("hw:CARD=NoSuchCard,DEV=0") }
        XCTAssertThrowsError(try speaker.open(format, bufferFrameCount: 4800)) { error in
            let error = error as? DeviceError
            XCTAssertEqual(error?.code, .disconnected)
            XCTAssertTrue(error?.message.contains("NoSuchCard") == true, "\(String(describing: error))")
        }
    }
}
