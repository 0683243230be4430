import Foundation
import MediaCodecs
import MediaFiles
import MediaTypes
import PixelKernels
import TestSupport
import XCTest

@testable import AssetTypes
@testable import MediaAssets
@testable import MediaEditing

/// Tests how inputs apply their settings to appended media.
final class AVAssetWriterInputTests: XCTestCase {
    private func write(
        _ fixture: AssetWriterFixture, _ input: AVAssetWriterInput, _ name: String = "a.mov", _ type: AVFileType = .mov,
        frames: [CMSampleBuffer]
    ) throws -> URL {
        let writer = try fixture.makeWriter(name, type)
        fixture.system.run { writer.add(input) }
        XCTAssertTrue(writer.startWriting(), "\(String(describing: writer.error))")
        writer.startSession(atSourceTime: AssetWriterFixture.start)
        for frame in frames { XCTAssertTrue(input.append(frame), "\(String(describing: writer.error))") }
        fixture.finish(writer)
        XCTAssertEqual(writer.status, .completed, "\(String(describing: writer.error))")
        fixture.assertNoMisuse()
        return fixture.url(name)
    }

    private func frames(_ count: Int, width: Int = 320, height: Int = 240) throws -> [CMSampleBuffer] {
        try (0..<count).map {
            try AssetWriterFixture.videoSample(
                $0, at: CMTime(value: Int64($0), timescale: 30), width: width, height: height)
        }
    }

    /// Decodes the first frame of a file.
    private func firstFrame(_ url: URL) throws -> CVPixelBuffer {
        let reader = try MediaFileReader(path: url.path)
        let decoder = try VideoDecoder(reader: reader, track: try XCTUnwrap(reader.tracks.first))
        while case .packet(let packet) = try reader.next() {
            if let frame = try decoder.decode(packet).frames.first { return try render(frame, decoder) }
        }
        return try render(try XCTUnwrap(decoder.decode(nil).frames.first), decoder)
    }

    private func render(_ frame: VideoDecoder.Frame, _ decoder: VideoDecoder) throws -> CVPixelBuffer {
        let pixels = try XCTUnwrap(
            CVPixelBuffer(width: frame.width, height: frame.height, pixelFormat: decoder.pixelFormat))
        try decoder.render(frame, into: pixels)
        return pixels
    }

    private func luma(_ buffer: CVPixelBuffer, x: Int, y: Int) throws -> Int {
        CVPixelBufferLockBaseAddress(buffer, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
        let base = try XCTUnwrap(CVPixelBufferGetBaseAddressOfPlane(buffer, 0))
        return Int(base.load(fromByteOffset: y * CVPixelBufferGetBytesPerRowOfPlane(buffer, 0) + x, as: UInt8.self))
    }

    func testImagesOfAnotherSizeAreScaledAsTheScalingModeSpecifies() throws {
        // The luma in the last rows of a square output for a gray 4:3 image: that of the image (110), or that of a
        // black bar (16).
        for (mode, expectedLuma) in [
            (AVVideoScalingModeResize, 110), (AVVideoScalingModeResizeAspect, 16),
            (AVVideoScalingModeResizeAspectFill, 110),
        ] {
            let fixture = try AssetWriterFixture()
            let input = fixture.makeVideoInput(width: 192, height: 192, [:], [AVVideoScalingModeKey: mode])
            let first = try firstFrame(try write(fixture, input, frames: try frames(5)))
            XCTAssertEqual(CVPixelBufferGetWidth(first), 192)
            XCTAssertEqual(CVPixelBufferGetHeight(first), 192)
            // The marker is at the top edge.
            XCTAssertEqual(try luma(first, x: 96, y: 187), expectedLuma, accuracy: 3, mode)
        }
    }

    func testCompressionPropertiesApplyToTheStream() throws {
        let fixture = try AssetWriterFixture()
        let input = fixture.makeVideoInput(
            [
                AVVideoProfileLevelKey: AVVideoProfileLevelH264Main31, AVVideoMaxKeyFrameIntervalKey: 10,
                AVVideoH264EntropyModeKey: AVVideoH264EntropyModeCAVLC, AVVideoAverageBitRateKey: 400_000,
                AVVideoExpectedSourceFrameRateKey: 30, AVVideoAllowFrameReorderingKey: false,
            ])
        let url = try write(fixture, input, frames: try frames(35))
        let data = try Data(contentsOf: url)
        let start = try XCTUnwrap(data.range(of: Data("avcC".utf8))).upperBound
        XCTAssertEqual(data[start + 1], 77)
        XCTAssertEqual(data[start + 3], 31)
        let reader = try MediaFileReader(path: url.path)
        var keys: [Int] = []
        var number = 0
        while case .packet(let packet) = try reader.next() {
            if packet.isKeyFrame { keys.append(number) }
            number += 1
        }
        XCTAssertEqual(keys, [0, 10, 20, 30])
    }

    func testKeyFramesAreNotFartherApartThanTheMaximumDuration() throws {
        let fixture = try AssetWriterFixture()
        let input = fixture.makeVideoInput([AVVideoMaxKeyFrameIntervalDurationKey: 0.5])
        let reader = try MediaFileReader(path: try write(fixture, input, frames: try frames(40)).path)
        var times: [Double] = []
        while case .packet(let packet) = try reader.next() {
            if packet.isKeyFrame { times.append(packet.presentationTime.seconds) }
        }
        XCTAssertEqual(times, [0, 0.5, 1])
    }

    func testColorAspectRatioAndApertureAreWritten() throws {
        let fixture = try AssetWriterFixture()
        let input = fixture.makeVideoInput(
            [:],
            [
                AVVideoColorPropertiesKey: [
                    AVVideoColorPrimariesKey: AVVideoColorPrimaries_ITU_R_2020,
                    AVVideoTransferFunctionKey: AVVideoTransferFunction_ITU_R_2100_HLG,
                    AVVideoYCbCrMatrixKey: AVVideoYCbCrMatrix_ITU_R_2020,
                ],
                AVVideoPixelAspectRatioKey: [
                    AVVideoPixelAspectRatioHorizontalSpacingKey: 4, AVVideoPixelAspectRatioVerticalSpacingKey: 3,
                ],
                AVVideoCleanApertureKey: [AVVideoCleanApertureWidthKey: 300, AVVideoCleanApertureHeightKey: 220],
            ])
        let data = try Data(contentsOf: try write(fixture, input, frames: try frames(3)))
        func bytes(_ type: String, _ count: Int) throws -> [UInt8] {
            let start = try XCTUnwrap(data.range(of: Data(type.utf8)), type).upperBound
            return Array(data[start..<start + count])
        }
        XCTAssertEqual(try bytes("colrnclc", 6), [0, 9, 0, 18, 0, 9])
        XCTAssertEqual(try bytes("pasp", 8), [0, 0, 0, 4, 0, 0, 0, 3])
        XCTAssertEqual(try bytes("clap", 12), [0, 0, 1, 44, 0, 0, 0, 1, 0, 0, 0, 220])
    }

    func testTheTrackHeaderContainsTheInputsSettings() throws {
        let fixture = try AssetWriterFixture()
        let input = fixture.makeVideoInput()
        input.transform = CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 240, ty: 0)
        input.languageCode = "deu"
        input.mediaTimeScale = 600
        let writer = try fixture.makeWriter("a.mov")
        writer.movieTimeScale = 1000
        let title = AVMutableMetadataItem()
        title.identifier = .commonIdentifierTitle
        title.value = "Ein Film" as NSString
        writer.metadata = [title]
        try fixture.writeMedia(1, writer, video: input, audio: nil)
        XCTAssertEqual(writer.status, .completed, "\(String(describing: writer.error))")
        let movie = try DecodedMovie(fixture.url("a.mov"))
        XCTAssertEqual(movie.rotation, .clockwise90)
        let data = try Data(contentsOf: fixture.url("a.mov"))
        XCTAssertNotNil(data.range(of: Data("Ein Film".utf8)))
        func number(_ type: String, _ offset: Int, _ count: Int) throws -> Int {
            let start = try XCTUnwrap(data.range(of: Data(type.utf8)), type).upperBound + offset
            return data[start..<start + count].reduce(0) { $0 << 8 | Int($1) }
        }
        XCTAssertEqual(try number("mvhd", 12, 4), 1000)
        XCTAssertEqual(try number("mdhd", 12, 4), 600)
        XCTAssertEqual(try number("mdhd", 20, 2), 4 << 10 | 5 << 5 | 21)
    }

    func testExportsKeepTheLanguagesOfTracks() throws {
        let fixture = try AssetWriterFixture()
        let (video, audio) = (fixture.makeVideoInput(), fixture.makeAudioInput())
        (audio.languageCode, audio.extendedLanguageTag) = ("deu", "de-CH")
        let writer = try fixture.makeWriter("a.mov")
        try fixture.writeMedia(1, writer, video: video, audio: audio)
        XCTAssertEqual(writer.status, .completed, "\(String(describing: writer.error))")
        let source = fixture.asset("a.mov")
        for (name, preset) in [
            ("copy.mov", AVAssetExportPresetPassthrough), ("encoded.mp4", AVAssetExportPresetHighestQuality),
        ] {
            let type: AVFileType = name.hasSuffix("mp4") ? .mp4 : .mov
            let session = try fixture.export(source, preset, name, type)
            XCTAssertEqual(session.status, .completed, "\(String(describing: session.error))")
        }
        for name in ["a.mov", "copy.mov", "encoded.mp4"] {
            let asset = fixture.asset(name)
            let track = try XCTUnwrap(asset.tracks(withMediaType: .audio).first)
            XCTAssertEqual(track.languageCode, "deu", name)
            XCTAssertEqual(track.extendedLanguageTag, "de-CH", name)
            let videoTrack = try XCTUnwrap(asset.tracks(withMediaType: .video).first)
            XCTAssertNil(videoTrack.extendedLanguageTag, name)
            try AssetWriterFixture.assertDecodesSilently(fixture.url(name))
        }
    }

    func testNetworkOptimizationWritesTheIndexFirst() throws {
        for isOptimized in [false, true] {
            let fixture = try AssetWriterFixture()
            let writer = try fixture.makeWriter("a.mp4", .mp4)
            writer.shouldOptimizeForNetworkUse = isOptimized
            try fixture.writeMedia(1, writer, video: fixture.makeVideoInput(), audio: fixture.makeAudioInput())
            let data = try Data(contentsOf: fixture.url("a.mp4"))
            let index = try XCTUnwrap(data.range(of: Data("moov".utf8))).lowerBound
            let media = try XCTUnwrap(data.range(of: Data("mdat".utf8))).lowerBound
            XCTAssertEqual(index < media, isOptimized)
            XCTAssertEqual(try DecodedMovie(fixture.url("a.mp4")).counters, (0..<30).map { UInt32($0) })
        }
    }

    func testPCMSampleFormatsExceptUnsigned8BitAreAccepted() throws {
        let values = (0..<9600).map { Int16(6000 * sin(2 * Double.pi * 1000 * Double($0) / 48000)) }
        let left = values.map { Float($0) / 32768 }
        let right = left.map { -$0 }
        func bigEndian(_ bytes: [UInt8], _ bytesPerSample: Int) -> [UInt8] {
            stride(from: 0, to: bytes.count, by: bytesPerSample).flatMap { bytes[$0..<$0 + bytesPerSample].reversed() }
        }
        let packed = kAudioFormatFlagIsPacked
        let signed = kAudioFormatFlagIsSignedInteger | packed
        let int16 = zip(values, values).flatMap { [$0, -$1] }.withUnsafeBytes { Array($0) }
        let float = zip(left, right).flatMap { [$0, $1] }.withUnsafeBytes { Array($0) }
        let planes = (left + right).withUnsafeBytes { Array($0) }
        let int24 = zip(values, values).flatMap { [Int32($0) << 8, Int32(-$1) << 8] }.flatMap { value in
            [
                UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8),
                UInt8(truncatingIfNeeded: value >> 16),
            ]
        }
        for (name, bytes, flags, bits) in [
            ("int16", int16, signed, 16),
            ("int16 big", bigEndian(int16, 2), signed | kAudioFormatFlagIsBigEndian, 16),
            ("float", float, kAudioFormatFlagIsFloat | packed, 32),
            ("planes", planes, kAudioFormatFlagIsFloat | packed | kAudioFormatFlagIsNonInterleaved, 32),
            ("int24", int24, signed, 24),
        ] {
            let fixture = try AssetWriterFixture()
            let input = fixture.makeAudioInput(kAudioFormatLinearPCM, [AVNumberOfChannelsKey: 2])
            let audioBuffer = try AssetWriterFixture.audioSample(
                Data(bytes), flags: flags, bits: bits, channels: 2, frameCount: 9600, at: AssetWriterFixture.start)
            let url = try write(fixture, input, "a.wav", .wav, frames: [audioBuffer])
            XCTAssertEqual(try DecodedMovie(url).audioSamples, left, name)
            let file = try Data(contentsOf: url)
            XCTAssertEqual(Array(file.suffix(4)), Array(int16.suffix(4)), name)
        }
        let fixture = try AssetWriterFixture()
        let unsigned8Bit = try AssetWriterFixture.audioSample(
            Data(count: 100), flags: packed, bits: 8, channels: 1, frameCount: 100, at: AssetWriterFixture.start)
        let writer = try fixture.makeWriter("a.wav", .wav)
        let input = fixture.makeAudioInput(kAudioFormatLinearPCM)
        writer.add(input)
        writer.startWriting()
        writer.startSession(atSourceTime: AssetWriterFixture.start)
        XCTAssertFalse(input.append(unsigned8Bit))
        XCTAssertEqual((writer.error as? AVError)?.code, .formatUnsupported)
    }

    func testEncodedSamplesPassThroughUnchanged() throws {
        let fixture = try AssetWriterFixture()
        let samples = try EncodedSamples()
        for (name, type) in [("a.mov", AVFileType.mov), ("a.mp4", .mp4)] {
            let writer = try fixture.makeWriter(name, type)
            let inputs = samples.formats.map { format in
                fixture.system.run {
                    AVAssetWriterInput(
                        mediaType: format.mediaType == .video ? .video : .audio, outputSettings: nil,
                        sourceFormatHint: format)
                }
            }
            for input in inputs { writer.add(input) }
            XCTAssertTrue(writer.startWriting())
            writer.startSession(atSourceTime: AssetWriterFixture.start)
            for (track, buffer) in samples.buffers { XCTAssertTrue(inputs[track].append(buffer)) }
            fixture.finish(writer)
            XCTAssertEqual(writer.status, .completed, "\(String(describing: writer.error))")
            try AssetWriterFixture.assertDecodesSilently(fixture.url(name))
            let movie = try DecodedMovie(fixture.url(name))
            XCTAssertEqual(movie.frames.map(\.time), (0..<30).map { CMTime(value: Int64($0), timescale: 30) }, name)
            XCTAssertEqual(movie.counters, (0..<30).map { UInt32($0) }, name)
            XCTAssertEqual(movie.audioStart.seconds, 0, accuracy: 1e-6, name)
            for frame in stride(from: 4800, to: 43200, by: 11) {
                let expected = Float(Int16(6000 * sin(2 * Double.pi * 1000 * Double(frame) / 48000))) / 32768
                XCTAssertEqual(movie.audioSamples[frame], expected, accuracy: 0.02, "\(name) \(frame)")
            }
            // The file contains the first 20 samples unchanged.
            let file = try Data(contentsOf: fixture.url(name))
            for (_, buffer) in samples.buffers.prefix(20) {
                XCTAssertNotNil(file.range(of: try XCTUnwrap(buffer.dataBuffer?.dataBytes())), name)
            }
        }
        fixture.assertNoMisuse()
    }

    func testBuffersFromAnAdaptorsPoolAreWritten() throws {
        let fixture = try AssetWriterFixture()
        let input = fixture.makeVideoInput()
        let adaptor = AVAssetWriterInputPixelBufferAdaptor(
            assetWriterInput: input,
            sourcePixelBufferAttributes: [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA])
        let writer = try fixture.makeWriter("a.mov")
        writer.add(input)
        XCTAssertNil(adaptor.pixelBufferPool)
        writer.startWriting()
        writer.startSession(atSourceTime: .zero)
        let pool = try XCTUnwrap(adaptor.pixelBufferPool)
        XCTAssertTrue(adaptor.pixelBufferPool === pool)
        for frame in 0..<20 {
            var buffer: CVPixelBuffer?
            XCTAssertEqual(CVPixelBufferPoolCreatePixelBuffer(nil, pool, &buffer), kCVReturnSuccess)
            let target = try XCTUnwrap(buffer)
            XCTAssertEqual(CVPixelBufferGetWidth(target), 320)
            try PixelConverter().convert(try AssetWriterFixture.pixelBuffer(frame), to: target)
            XCTAssertTrue(adaptor.append(target, withPresentationTime: CMTime(value: Int64(frame), timescale: 25)))
        }
        fixture.finish(writer)
        XCTAssertNil(adaptor.pixelBufferPool)
        let movie = try DecodedMovie(fixture.url("a.mov"))
        XCTAssertEqual(movie.counters, (0..<20).map { UInt32($0) })
        XCTAssertEqual(movie.frames.map(\.time), (0..<20).map { CMTime(value: Int64($0), timescale: 25) })
        fixture.assertNoMisuse()
        fixture.assertMisuse(.internalInconsistency, "has already started") {
            _ = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: input)
        }
        fixture.assertMisuse(.invalidArgument, "media type must be vide") {
            _ = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: fixture.makeAudioInput())
        }
        let other = fixture.makeVideoInput()
        _ = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: other)
        fixture.assertMisuse(.invalidArgument, "already has an adaptor") {
            _ = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: other)
        }
    }

    /// Creates a group with a label and a number.
    ///
    /// - Parameters:
    ///   - start: The start in seconds since `AssetWriterFixture.start`.
    ///   - length: The duration in seconds; nil for a group without a duration.
    private func group(_ text: String, _ number: Int, _ start: Double, _ length: Double?) -> AVTimedMetadataGroup {
        let label = AVMutableMetadataItem()
        label.identifier = AVMetadataIdentifier(rawValue: "mdta/com.example.label")
        label.dataType = kCMMetadataBaseDataType_UTF8
        label.value = text as NSString
        let count = AVMutableMetadataItem()
        count.identifier = AVMetadataIdentifier(rawValue: "mdta/com.example.count")
        count.dataType = kCMMetadataBaseDataType_SInt32
        count.value = NSNumber(value: number)
        return AVTimedMetadataGroup(
            items: [label, count],
            timeRange: CMTimeRange(
                start: AssetWriterFixture.start + CMTime(seconds: start, preferredTimescale: 600),
                duration: length.map { CMTime(seconds: $0, preferredTimescale: 600) } ?? .invalid))
    }

    func testMetadataWithoutADurationLastsUntilTheNextGroup() throws {
        let fixture = try AssetWriterFixture()
        let description = try XCTUnwrap(group("", 0, 0, 1).copyFormatDescription())
        let input = fixture.system.run {
            AVAssetWriterInput(mediaType: .metadata, outputSettings: nil, sourceFormatHint: description)
        }
        let adaptor = AVAssetWriterInputMetadataAdaptor(assetWriterInput: input)
        let writer = try fixture.makeWriter("a.mov")
        writer.add(input)
        XCTAssertTrue(writer.startWriting())
        writer.startSession(atSourceTime: AssetWriterFixture.start)
        // The second group starts before the nominal end of the first one.
        for (number, start) in [0, 0.01, 0.5].enumerated() {
            XCTAssertTrue(adaptor.append(group("a", number, start, nil)))
        }
        XCTAssertTrue(adaptor.append(group("a", 3, 1, 0.25)))
        fixture.finish(writer)
        XCTAssertEqual(writer.status, .completed, "\(String(describing: writer.error))")
        let data = try Data(contentsOf: fixture.url("a.mov"))
        // No empty sample.
        XCTAssertNil(data.range(of: Data([0, 0, 0, 8, 0, 0, 0, 0])))
        // Entries of the sample table: four samples with durations of 900, 44100, 45000 and 22500 ticks of 1/90000 s.
        let durations = [900, 44100, 45000, 22500].flatMap {
            [0, 0, 0, 1, 0, 0, UInt8($0 / 256), UInt8($0 % 256)] as [UInt8]
        }
        XCTAssertNotNil(data.range(of: Data(durations)))
    }

    func testTimedMetadataHasItsOwnTrack() throws {
        let fixture = try AssetWriterFixture()
        let video = fixture.makeVideoInput()
        let description = try XCTUnwrap(group("", 0, 0, 1).copyFormatDescription())
        XCTAssertEqual(
            CMMetadataFormatDescriptionGetIdentifiers(description),
            ["mdta/com.example.label", "mdta/com.example.count"])
        let input = fixture.system.run {
            AVAssetWriterInput(mediaType: .metadata, outputSettings: nil, sourceFormatHint: description)
        }
        let adaptor = AVAssetWriterInputMetadataAdaptor(assetWriterInput: input)
        let writer = try fixture.makeWriter("a.mov")
        writer.add(video)
        writer.add(input)
        XCTAssertTrue(writer.startWriting())
        writer.startSession(atSourceTime: AssetWriterFixture.start)
        XCTAssertTrue(adaptor.append(group("eins", 1, 0, 0.25)))
        for frame in 0..<30 {
            video.append(try AssetWriterFixture.videoSample(frame, at: CMTime(value: Int64(frame), timescale: 30)))
        }
        XCTAssertTrue(adaptor.append(group("zwei", -2, 0.5, 0.5)))
        fixture.finish(writer)
        XCTAssertEqual(writer.status, .completed, "\(String(describing: writer.error))")
        try AssetWriterFixture.assertDecodesSilently(fixture.url("a.mov"))
        let data = try Data(contentsOf: fixture.url("a.mov"))
        XCTAssertNotNil(data.range(of: Data("mebx".utf8)))
        // Boxes with local key IDs: a text, and a 32-bit number.
        let first = Data([0, 0, 0, 12, 0, 0, 0, 1] + Array("eins".utf8) + [0, 0, 0, 12, 0, 0, 0, 2, 0, 0, 0, 1])
        let second = Data(
            [0, 0, 0, 12, 0, 0, 0, 1] + Array("zwei".utf8) + [0, 0, 0, 12, 0, 0, 0, 2, 255, 255, 255, 254])
        XCTAssertNotNil(data.range(of: first))
        XCTAssertNotNil(data.range(of: Data([0, 0, 0, 8, 0, 0, 0, 0]) + second))

        let unknown = AVMutableMetadataItem()
        unknown.identifier = AVMetadataIdentifier(rawValue: "mdta/com.example.other")
        unknown.value = "x" as NSString
        let failing = try fixture.makeWriter("b.mov")
        let secondInput = fixture.system.run {
            AVAssetWriterInput(mediaType: .metadata, outputSettings: nil, sourceFormatHint: description)
        }
        let appender = AVAssetWriterInputMetadataAdaptor(assetWriterInput: secondInput)
        failing.add(secondInput)
        failing.startWriting()
        failing.startSession(atSourceTime: .zero)
        XCTAssertFalse(
            appender.append(
                AVTimedMetadataGroup(
                    items: [unknown], timeRange: CMTimeRange(start: .zero, duration: CMTime(value: 1, timescale: 1)))))
        XCTAssertEqual(failing.status, .failed)
        fixture.assertMisuse(.invalidArgument, "source format hint") {
            _ = AVAssetWriterInput(mediaType: .metadata, outputSettings: nil)
        }
    }
}

/// Sample buffers of one second of H.264 with reordered frames, and of one second of AAC.
private struct EncodedSamples {
    let formats: [CMFormatDescription]
    /// The buffers in decode order. Track 0 is the video, track 1 the audio.
    let buffers: [(track: Int, buffer: CMSampleBuffer)]

    init() throws {
        let video = try VideoEncoder(
            VideoEncoderSettings(
                codec: .h264, dimensions: CMVideoDimensions(width: 320, height: 240), allowsFrameReordering: true))
        let audio = try AudioEncoder(
            AudioEncoderSettings(input: AudioStreamFormat(sampleRate: 48000, channelCount: 1, sample: .int16)))
        var videoSamples: [EncodedSample] = []
        for frame in 0..<30 {
            videoSamples += try video.encode(
                try AssetWriterFixture.pixelBuffer(frame), at: CMTime(value: Int64(frame), timescale: 30),
                duration: CMTime(value: 1, timescale: 30))
        }
        videoSamples += try video.finish()
        let tone = (0..<48000).map { Int16(6000 * sin(2 * Double.pi * 1000 * Double($0) / 48000)) }
        var audioSamples = try tone.withUnsafeBytes { try audio.encode($0, frameCount: 48000) }
        audioSamples += try audio.finish()
        let formats = [
            try MovieSampleFormat.video(video.format).makeDescription(),
            try MovieSampleFormat.audio(audio.format).makeDescription(),
        ]
        self.formats = formats
        let all = videoSamples.map { (0, $0) } + audioSamples.map { (1, $0) }
        buffers = try all.sorted { $0.1.decodeTime < $1.1.decodeTime }.map { track, sample in
            (track, try Self.buffer(sample, formats[track]))
        }
    }

    private static func buffer(_ sample: EncodedSample, _ format: CMFormatDescription) throws -> CMSampleBuffer {
        let block = CMBlockBuffer(length: sample.data.count)
        try sample.data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in try block.replaceDataBytes(with: bytes) }
        let buffer = try CMSampleBuffer(
            dataBuffer: block, formatDescription: format, numSamples: 1,
            sampleTimings: [
                CMSampleTimingInfo(
                    duration: sample.duration,
                    presentationTimeStamp: AssetWriterFixture.start + sample.presentationTime,
                    decodeTimeStamp: AssetWriterFixture.start + sample.decodeTime)
            ], sampleSizes: [sample.data.count])
        var attachments = buffer.sampleAttachments
        attachments[0][.notSync] = !sample.isKeyFrame
        buffer.sampleAttachments = attachments
        return buffer
    }

    func testMoreThanTwoChannelsNeedALayoutUnlessTheSourceHasAsMany() throws {
        let fixture = try AssetWriterFixture()
        func input(_ channels: Int, source: Int) throws -> AVAssetWriterInput {
            let sample = try AssetWriterFixture.audioSample(0..<1024, channels: source)
            let settings: [String: Any] = [
                AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: channels,
            ]
            return AVAssetWriterInput(
                mediaType: .audio, outputSettings: settings, sourceFormatHint: sample.formatDescription)
        }
        try fixture.assertMisuse(.invalidArgument, "4 channels need AVChannelLayoutKey") {
            _ = try input(4, source: 2)
        }
        try fixture.system.run {
            _ = try input(4, source: 4)
            _ = try input(2, source: 4)
        }
        fixture.assertNoMisuse()
    }
}
