package import CaptureHAL
package import Foundation
package import MediaAssets
import MediaCodecs
package import MediaStorage
package import MediaTypes
import SimDevices
import XCTest

/// A system in virtual time with a folder, and made-up media for asset writers.
package final class WriterBench {
    package static let width = 320
    package static let height = 240
    /// A source's time that is not zero, as captured media have.
    package static let start = CMTime(value: 7_654_321, timescale: 90_000)

    package let clock: any CaptureClock
    package let storage: SimStorage
    package let system: CaptureSystem
    package let folder: URL
    private let reported: Lock<[Misuse]>

    package init(storage: SimStorage = SimStorage(), clock: any CaptureClock = SimClock()) throws {
        let reported = Lock<[Misuse]>([])
        self.reported = reported
        self.storage = storage
        self.clock = clock
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("obscura-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        system = CaptureSystem(
            hosts: [], clock: clock, storage: storage,
            misuse: MisuseHandler { misuse in reported.withLock { $0.append(misuse) } },
            photoLibraryURL: folder.appendingPathComponent("library"), seed: 1)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    package func url(_ name: String) -> URL { folder.appendingPathComponent(name) }

    package func fileExists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: url(name).path) }

    package func takeMisuses() -> [Misuse] {
        reported.withLock { misuses in
            defer { misuses = [] }
            return misuses
        }
    }

    /// Expects that `body` is one misuse with a message that contains `text`.
    package func assertMisuse(
        _ exception: Misuse.Exception, _ text: String, file: StaticString = #filePath, line: UInt = #line,
        _ body: () throws -> Void
    ) rethrows {
        _ = takeMisuses()
        try system.run(body)
        let misuses = takeMisuses()
        XCTAssertEqual(misuses.map(\.exception), [exception], "\(misuses)", file: file, line: line)
        XCTAssertTrue(misuses.first?.message.contains(text) ?? false, "\(misuses)", file: file, line: line)
    }

    package func assertNoMisuse(file: StaticString = #filePath, line: UInt = #line) {
        XCTAssertEqual(takeMisuses().map(\.description), [], file: file, line: line)
    }

    package func settle() { (clock as? SimClock)?.settle() }

    package func makeWriter(_ name: String, _ type: AVFileType = .mov) throws -> AVAssetWriter {
        try system.run { try AVAssetWriter(outputURL: url(name), fileType: type) }
    }

    package func makeVideo(
        codec: AVVideoCodecType = .h264, width: Int = width, height: Int = height, _ properties: [String: Any] = [:],
        _ more: [String: Any] = [:]
    ) -> AVAssetWriterInput {
        var settings: [String: Any] = [AVVideoCodecKey: codec, AVVideoWidthKey: width, AVVideoHeightKey: height]
        if !properties.isEmpty { settings[AVVideoCompressionPropertiesKey] = properties }
        settings.merge(more) { $1 }
        let final = settings
        return system.run { AVAssetWriterInput(mediaType: .video, outputSettings: final) }
    }

    package func makeAudio(_ format: AudioFormatID = kAudioFormatMPEG4AAC, _ more: [String: Any] = [:])
        -> AVAssetWriterInput
    {
        var settings: [String: Any] = [AVFormatIDKey: format, AVSampleRateKey: 48000.0, AVNumberOfChannelsKey: 1]
        if format == kAudioFormatLinearPCM {
            settings.merge(
                [
                    AVLinearPCMBitDepthKey: 16, AVLinearPCMIsFloatKey: false, AVLinearPCMIsBigEndianKey: false,
                    AVLinearPCMIsNonInterleaved: false,
                ]
            ) { $1 }
        }
        settings.merge(more) { $1 }
        let final = settings
        return system.run { AVAssetWriterInput(mediaType: .audio, outputSettings: final) }
    }

    /// A grey picture with a readable number.
    package static func picture(
        _ number: Int, width: Int = width, height: Int = height,
        format: OSType = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
    ) throws -> CVPixelBuffer {
        let buffer = try XCTUnwrap(CVPixelBuffer(width: width, height: height, pixelFormat: format))
        CVPixelBufferLockBaseAddress(buffer, [])
        for plane in 0..<max(1, CVPixelBufferGetPlaneCount(buffer)) {
            let bytes = CVPixelBufferGetBytesPerRowOfPlane(buffer, plane) * CVPixelBufferGetHeightOfPlane(buffer, plane)
            let base = try XCTUnwrap(CVPixelBufferGetBaseAddressOfPlane(buffer, plane))
            memset(base, plane == 0 ? 110 : 128, bytes)
        }
        CVPixelBufferUnlockBaseAddress(buffer, [])
        FrameMarker(counter: UInt32(number), nanoseconds: Int64(number)).draw(on: buffer)
        return buffer
    }

    /// A picture at `start` plus `seconds`, as a camera gives it.
    package static func frame(
        _ number: Int, at time: CMTime, duration: CMTime = CMTime(value: 1, timescale: 30), width: Int = width,
        height: Int = height
    ) throws -> CMSampleBuffer {
        let picture = try picture(number, width: width, height: height)
        return try CMSampleBuffer(
            imageBuffer: picture, formatDescription: CMFormatDescription(imageBuffer: picture),
            sampleTiming: CMSampleTimingInfo(
                duration: duration, presentationTimeStamp: start + time, decodeTimeStamp: .invalid))
    }

    /// The tone at 48 kHz, one channel of 16 bits, that belongs to these frames from `start` on.
    package static func sound(_ frames: Range<Int>, channels: Int = 1) throws -> CMSampleBuffer {
        let values = frames.flatMap { frame in
            [Int16](repeating: Int16(6000 * sin(2 * Double.pi * 1000 * Double(frame) / 48000)), count: channels)
        }
        return try sound(
            values.withUnsafeBytes { Data($0) }, flags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked,
            bits: 16, channels: channels, frameCount: frames.count,
            at: start + CMTime(value: Int64(frames.lowerBound), timescale: 48000))
    }

    package static func sound(
        _ data: Data, flags: AudioFormatFlags, bits: Int, channels: Int, frameCount: Int, at time: CMTime,
        rate: Double = 48000
    ) throws -> CMSampleBuffer {
        let isPlanar = flags & kAudioFormatFlagIsNonInterleaved != 0
        let bytes = UInt32(bits / 8 * (isPlanar ? 1 : channels))
        let stream = AudioStreamBasicDescription(
            mSampleRate: rate, mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags, mBytesPerPacket: bytes,
            mFramesPerPacket: 1, mBytesPerFrame: bytes, mChannelsPerFrame: UInt32(channels),
            mBitsPerChannel: UInt32(bits), mReserved: 0)
        let block = CMBlockBuffer(length: data.count)
        try data.withUnsafeBytes { try block.replaceDataBytes(with: $0) }
        return try CMSampleBuffer(
            dataBuffer: block, formatDescription: CMFormatDescription(audioStreamBasicDescription: stream),
            numSamples: frameCount,
            sampleTimings: [
                CMSampleTimingInfo(
                    duration: CMTime(value: 1, timescale: Int32(rate)), presentationTimeStamp: time,
                    decodeTimeStamp: .invalid)
            ], sampleSizes: isPlanar ? [] : [Int(bytes)])
    }

    /// Appends `seconds` of pictures at 30 a second and of sound in chunks of 20 ms, in step, then finishes.
    package func play(
        _ seconds: Double, _ writer: AVAssetWriter, video: AVAssetWriterInput?, audio: AVAssetWriterInput?
    ) throws {
        for input in [video, audio].compactMap({ $0 }) { system.run { writer.add(input) } }
        XCTAssertTrue(writer.startWriting(), "\(String(describing: writer.error))")
        writer.startSession(atSourceTime: Self.start)
        var chunk = 0
        for frame in 0..<Int(seconds * 30) {
            let time = CMTime(value: Int64(frame), timescale: 30)
            if let video { video.append(try Self.frame(frame, at: time)) }
            while let audio, Double(chunk + 1) / 50 <= Double(frame + 1) / 30 + 1e-9 {
                audio.append(try Self.sound(chunk * 960..<(chunk + 1) * 960))
                chunk += 1
            }
        }
        finish(writer)
    }

    /// Finishes a writer and waits for it.
    package func finish(_ writer: AVAssetWriter) {
        let isDone = Lock(false)
        writer.finishWriting { isDone.withLock { $0 = true } }
        settle()
        XCTAssertTrue(isDone.withLock { $0 } || !clock.isVirtual)
    }

    /// Decodes a file by FFmpeg's program, which is to say nothing about it, and looks its structure through.
    package static func assertDecodesSilently(_ url: URL, file: StaticString = #filePath, line: UInt = #line) throws {
        try MovieInspection.assertNoProblems(url, file: file, line: line)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["ffmpeg", "-v", "error", "-i", url.path, "-f", "null", "-"]
        let words = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = words
        try process.run()
        let text = String(decoding: words.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        XCTAssertEqual(text, "", url.lastPathComponent, file: file, line: line)
        XCTAssertEqual(process.terminationStatus, 0, file: file, line: line)
    }
}
