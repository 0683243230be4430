package import AssetTypes
package import CaptureHAL
package import Foundation
package import MediaAssets
import MediaCodecs
package import MediaStorage
package import MediaTypes
import SimDevices
import XCTest

/// A capture system, by default in virtual time, with a temporary folder, and synthetic media for asset writers.
package final class AssetWriterFixture {
    package static let width = 320
    package static let height = 240
    /// The source time of the first sample: not zero, as for captured media.
    package static let start = CMTime(value: 7_654_321, timescale: 90_000)

    package let clock: any CaptureClock
    package let storage: SimStorage
    package let system: CaptureSystem
    package let folder: URL
    private let reported: Lock<[Misuse]>

    /// Creates a fixture with an empty temporary folder, which is removed when the fixture is released.
    package init(
        storage: SimStorage = SimStorage(), clock: any CaptureClock = SimClock(),
        backgroundModes: Set<BackgroundMode> = []
    ) throws {
        let reported = Lock<[Misuse]>([])
        self.reported = reported
        self.storage = storage
        self.clock = clock
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("obscura-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        system = CaptureSystem(
            hosts: [], clock: clock, storage: storage,
            misuse: MisuseHandler { misuse in reported.withLock { $0.append(misuse) } },
            photoLibraryURL: folder.appendingPathComponent("library"), seed: 1,
            backgroundModes: backgroundModes)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Returns the URL of a file in the temporary folder.
    package func url(_ name: String) -> URL { folder.appendingPathComponent(name) }

    /// Whether a file exists in the temporary folder.
    package func fileExists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: url(name).path) }

    /// Returns and clears the reported misuses.
    package func dequeueMisuses() -> [Misuse] {
        reported.withLock { misuses in
            defer { misuses = [] }
            return misuses
        }
    }

    /// Asserts that `body` reports exactly one misuse, with a message that contains `text`.
    package func assertMisuse(
        _ exception: Misuse.Exception, _ text: String, file: StaticString = #filePath, line: UInt = #line,
        _ body: () throws -> Void
    ) rethrows {
        _ = dequeueMisuses()
        try system.run(body)
        let misuses = dequeueMisuses()
        XCTAssertEqual(misuses.map(\.exception), [exception], "\(misuses)", file: file, line: line)
        XCTAssertTrue(misuses.first?.message.contains(text) ?? false, "\(misuses)", file: file, line: line)
    }

    /// Asserts that no misuse was reported since the last call of `dequeueMisuses` or of an assertion.
    package func assertNoMisuse(file: StaticString = #filePath, line: UInt = #line) {
        XCTAssertEqual(dequeueMisuses().map(\.description), [], file: file, line: line)
    }

    /// Runs all work that is due without advancing the virtual clock; does nothing in real time.
    package func settle() { (clock as? SimClock)?.settle() }

    /// Creates a writer of a file in the temporary folder.
    package func makeWriter(_ name: String, _ type: AVFileType = .mov) throws -> AVAssetWriter {
        try system.run { try AVAssetWriter(outputURL: url(name), fileType: type) }
    }

    /// Creates a video input.
    ///
    /// - Parameters:
    ///   - properties: The compression properties.
    ///   - more: Additional output settings.
    package func makeVideoInput(
        codec: AVVideoCodecType = .h264, width: Int = width, height: Int = height, _ properties: [String: Any] = [:],
        _ more: [String: Any] = [:]
    ) -> AVAssetWriterInput {
        var settings: [String: Any] = [AVVideoCodecKey: codec, AVVideoWidthKey: width, AVVideoHeightKey: height]
        if !properties.isEmpty { settings[AVVideoCompressionPropertiesKey] = properties }
        settings.merge(more) { $1 }
        let final = settings
        return system.run { AVAssetWriterInput(mediaType: .video, outputSettings: final) }
    }

    /// Creates a mono audio input at 48 kHz; `more` adds output settings.
    package func makeAudioInput(_ format: AudioFormatID = kAudioFormatMPEG4AAC, _ more: [String: Any] = [:])
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

    /// Creates a gray pixel buffer with a machine-readable marker that contains the frame number.
    package static func pixelBuffer(
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

    /// Creates the sample buffer of a numbered frame at `start` plus a time.
    package static func videoSample(
        _ number: Int, at time: CMTime, duration: CMTime = CMTime(value: 1, timescale: 30), width: Int = width,
        height: Int = height
    ) throws -> CMSampleBuffer {
        let pixels = try pixelBuffer(number, width: width, height: height)
        return try CMSampleBuffer(
            imageBuffer: pixels, formatDescription: CMFormatDescription(imageBuffer: pixels),
            sampleTiming: CMSampleTimingInfo(
                duration: duration, presentationTimeStamp: start + time, decodeTimeStamp: .invalid))
    }

    /// Creates a sample buffer of a 1 kHz tone, 16 bits at 48 kHz, for audio frames counted from `start`.
    package static func audioSample(_ frames: Range<Int>, channels: Int = 1) throws -> CMSampleBuffer {
        let values = frames.flatMap { frame in
            [Int16](repeating: Int16(6000 * sin(2 * Double.pi * 1000 * Double(frame) / 48000)), count: channels)
        }
        return try audioSample(
            values.withUnsafeBytes { Data($0) }, flags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked,
            bits: 16, channels: channels, frameCount: frames.count,
            at: start + CMTime(value: Int64(frames.lowerBound), timescale: 48000))
    }

    /// Creates a sample buffer of linear PCM.
    package static func audioSample(
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

    /// Writes interleaved video at 30 frames per second and audio in chunks of 20 ms, then finishes the writer.
    package func writeMedia(
        _ seconds: Double, _ writer: AVAssetWriter, video: AVAssetWriterInput?, audio: AVAssetWriterInput?
    ) throws {
        for input in [video, audio].compactMap({ $0 }) { system.run { writer.add(input) } }
        XCTAssertTrue(writer.startWriting(), "\(String(describing: writer.error))")
        writer.startSession(atSourceTime: Self.start)
        var chunk = 0
        for frame in 0..<Int(seconds * 30) {
            let time = CMTime(value: Int64(frame), timescale: 30)
            if let video { video.append(try Self.videoSample(frame, at: time)) }
            while let audio, Double(chunk + 1) / 50 <= Double(frame + 1) / 30 + 1e-9 {
                audio.append(try Self.audioSample(chunk * 960..<(chunk + 1) * 960))
                chunk += 1
            }
        }
        finish(writer)
    }

    /// Finishes a writer. With a virtual clock, it is complete when this method returns; in real time it may not be.
    package func finish(_ writer: AVAssetWriter) {
        let isDone = Lock(false)
        writer.finishWriting { isDone.withLock { $0 = true } }
        settle()
        XCTAssertTrue(isDone.withLock { $0 } || !clock.isVirtual)
    }

    /// Asserts that `ffmpeg` decodes a file without messages and that its structure has no problems.
    package static func assertDecodesSilently(_ url: URL, file: StaticString = #filePath, line: UInt = #line) throws {
        try MovieInspection.assertNoProblems(url, file: file, line: line)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["ffmpeg", "-v", "error", "-i", url.path, "-f", "null", "-"]
        let messages = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = messages
        try process.run()
        let text = String(decoding: messages.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        XCTAssertEqual(text, "", url.lastPathComponent, file: file, line: line)
        XCTAssertEqual(process.terminationStatus, 0, file: file, line: line)
    }
}
