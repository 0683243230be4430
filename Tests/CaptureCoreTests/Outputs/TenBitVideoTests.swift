import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels
import SimDevices
import TestSupport
import XCTest

@testable import AssetTypes
@testable import CaptureCore
@testable import MediaAssets

/// Tests formats with 10 bits per component, and the color space HLG.
final class TenBitVideoTests: XCTestCase {
    private static let x420 = kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange
    private static let x422 = kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange

    /// Records the last frame.
    private final class LastFrame: AVCaptureVideoDataOutputSampleBufferDelegate, Sendable {
        let queue = DispatchQueue(label: "frames")
        let last = Lock<CMSampleBuffer?>(nil, order: .client)

        func captureOutput(
            _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
        ) { last.withLock { $0 = sampleBuffer } }
    }

    private func makeFixture(_ scene: SimScene = .grey) throws -> CaptureFixture {
        try CaptureFixture(profile: "phone", scene: scene)
    }

    /// Selects a format of 1920x1080 pixels.
    private func activate(_ pixelFormat: OSType, _ space: AVCaptureColorSpace, of device: AVCaptureDevice) throws {
        let format = try XCTUnwrap(
            device.formats.first {
                $0.formatDescription.mediaSubType.rawValue == pixelFormat
                    && $0.formatDescription.dimensions.width == 1920
            })
        try device.lockForConfiguration()
        device.activeFormat = format
        device.activeColorSpace = space
        device.unlockForConfiguration()
        XCTAssertEqual(device.activeColorSpace, space)
    }

    /// Returns a frame with a custom exposure, or after the automatic exposure has settled.
    private func frame(
        _ pixelFormat: OSType, _ space: AVCaptureColorSpace, as requested: OSType? = nil, isAutomatic: Bool = true
    ) throws -> CVPixelBuffer {
        let fixture = try makeFixture()
        let (output, frames) = (fixture.inSystem { AVCaptureVideoDataOutput() }, LastFrame())
        output.setSampleBufferDelegate(frames, queue: frames.queue)
        let session = try fixture.makeSession(
            camera: "phone.back-wide", microphone: nil, preset: .inputPriority, [output])
        try activate(pixelFormat, space, of: fixture.device("phone.back-wide"))
        if !isAutomatic {
            let device = try fixture.device("phone.back-wide")
            try device.lockForConfiguration()
            device.setExposureModeCustom(duration: CMTime(value: 1, timescale: 100), iso: 100)
            device.unlockForConfiguration()
        }
        XCTAssertEqual(output.availableVideoPixelFormatTypes.first, pixelFormat)
        if let requested { output.videoSettings = [kCVPixelBufferPixelFormatTypeKey: requested] }
        session.startRunning()
        fixture.advance(milliseconds: 1000)
        session.stopRunning()
        fixture.assertNoMisuse()
        return try XCTUnwrap(frames.last.withLock { $0 }?.imageBuffer)
    }

    /// Returns the luma code values in the middle of a frame.
    private func lumaCodes(_ pixels: CVPixelBuffer) -> [Int] {
        let (luma, bytesPerSample) = (pixels.planes[0], pixels.format.bitsPerComponent > 8 ? 2 : 1)
        return withExtendedLifetime(pixels) {
            (500..<580).flatMap { y in
                (900..<980).map { x in
                    let address = luma.baseAddress + y * luma.bytesPerRow + x * bytesPerSample
                    return bytesPerSample == 2
                        ? Int(address.load(as: UInt16.self)) >> 6 : Int(address.load(as: UInt8.self))
                }
            }
        }
    }

    private func mean(_ lumaCodes: [Int]) -> Double { Double(lumaCodes.reduce(0, +)) / Double(lumaCodes.count) }

    func testOnlyFormatsWithTenBitsSupportHLG() throws {
        let fixture = try makeFixture()
        let device = try fixture.device("phone.back-wide")
        for format in device.formats {
            let hasTenBits = [Self.x420, Self.x422].contains(format.formatDescription.mediaSubType.rawValue)
            XCTAssertEqual(format.supportedColorSpaces, hasTenBits ? [.sRGB, .HLG_BT2020] : [.sRGB], "\(format)")
        }
        XCTAssertTrue(device.formats.contains { $0.formatDescription.mediaSubType.rawValue == Self.x420 })
        try device.lockForConfiguration()
        let message = fixture.assertMisuse(.invalidArgument) { device.activeColorSpace = .HLG_BT2020 }
        XCTAssertTrue(message.contains("supportedColorSpaces"), message)
        // Another format resets the color space.
        try activate(Self.x420, .HLG_BT2020, of: device)
        try device.lockForConfiguration()
        device.activeFormat = device.formats[0]
        device.unlockForConfiguration()
        XCTAssertEqual(device.activeColorSpace, .sRGB)
        device.unlockForConfiguration()
    }

    func testTenBitFramesHaveTheCodesOfEightBitFramesTimesFour() throws {
        let eightBit = try frame(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, .sRGB, isAutomatic: false)
        for format in [Self.x420, Self.x422] {
            let tenBit = try frame(format, .sRGB, isAutomatic: false)
            XCTAssertEqual(tenBit.pixelFormat, format)
            XCTAssertEqual(
                tenBit.attachments[kCVImageBufferTransferFunctionKey]?.value as? String,
                kCVImageBufferTransferFunction_ITU_R_709_2)
            XCTAssertEqual(mean(lumaCodes(tenBit)) / 4, mean(lumaCodes(eightBit)), accuracy: 0.1)
            XCTAssertEqual(Set(lumaCodes(tenBit).map { $0 % 4 }), [0, 1, 2, 3], "the lower bits are not constant")
        }
    }

    func testHLGFramesHaveHLGCodesAndTags() throws {
        let tenBit = try frame(Self.x420, .HLG_BT2020)
        XCTAssertEqual(
            [kCVImageBufferColorPrimariesKey, kCVImageBufferTransferFunctionKey, kCVImageBufferYCbCrMatrixKey].map {
                tenBit.attachments[$0]?.value as? String
            },
            [
                kCVImageBufferColorPrimaries_ITU_R_2020, kCVImageBufferTransferFunction_ITU_R_2100_HLG,
                kCVImageBufferYCbCrMatrix_ITU_R_2020,
            ])
        // Automatic exposure reproduces the card as in BT.709. The BT.709 code value yields the light of the card
        // relative to white.
        let signal = (mean(lumaCodes(try frame(Self.x420, .sRGB))) - 64) / 876
        let light = pow((signal + 0.099) / 1.099, 1 / 0.45)
        let expected = 64 + 876 * (3 * light * HybridLogGamma.white).squareRoot()
        XCTAssertEqual(mean(lumaCodes(tenBit)), expected, accuracy: 0.03 * expected)
        // 8 bits on request, with the same tags.
        let eightBit = try frame(Self.x420, .HLG_BT2020, as: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        XCTAssertEqual(mean(lumaCodes(eightBit)), mean(lumaCodes(tenBit)) / 4, accuracy: 0.3)
        XCTAssertEqual(
            eightBit.attachments[kCVImageBufferTransferFunctionKey]?.value as? String,
            kCVImageBufferTransferFunction_ITU_R_2100_HLG)
    }

    func testAPhotoInHLGLooksLikeOneInSRGB() throws {
        func photo(_ space: AVCaptureColorSpace) throws -> CVPixelBuffer {
            let fixture = try makeFixture(.chart)
            let (output, photos) = (fixture.inSystem { AVCapturePhotoOutput() }, RecordingPhotos())
            let session = try fixture.makeSession(
                camera: "phone.back-wide", microphone: nil, preset: .inputPriority, [output])
            try activate(Self.x420, space, of: fixture.device("phone.back-wide"))
            session.startRunning()
            fixture.advance(milliseconds: 1000)
            output.capturePhoto(with: AVCapturePhotoSettings(), delegate: photos)
            fixture.advance(milliseconds: 1000)
            let data = try XCTUnwrap(photos.photos.first?.fileDataRepresentation())
            return try JPEGCodec().decode(data).pixels
        }
        let (hlg, sRGB) = (try photo(.HLG_BT2020), try photo(.sRGB))
        let converter = PixelConverter()
        var means: [[Double]] = []
        for pixels in [hlg, sRGB] {
            // A pixel of each part of the chart.
            let small = try XCTUnwrap(
                CVPixelBuffer(width: 16, height: 9, pixelFormat: kCVPixelFormatType_32BGRA))
            try converter.convert(pixels, to: small)
            means.append(
                withExtendedLifetime(small) {
                    let plane = small.planes[0]
                    return (0..<9).flatMap { y in
                        (0..<64).map { x in
                            Double(plane.baseAddress.load(fromByteOffset: y * plane.bytesPerRow + x, as: UInt8.self))
                        }
                    }
                })
        }
        let differences = zip(means[0], means[1]).map { abs($0 - $1) }
        XCTAssertLessThan(differences.reduce(0, +) / Double(differences.count), 5)
        XCTAssertLessThan(try XCTUnwrap(differences.max()), 30)
    }

    private func probe(_ fixture: CaptureFixture, _ entries: String) throws -> String {
        let result = try ExternalTool.run(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "v", "-show_entries", "stream=\(entries)", "-of", "csv=p=0",
                fixture.url("a.mov").path,
            ])
        return result.text.trimmingCharacters(in: CharacterSet(charactersIn: ",\n"))
    }

    private func record(
        _ pixelFormat: OSType, _ space: AVCaptureColorSpace, _ settings: [String: Any]? = nil
    ) throws -> MovieRecordingFixture {
        let fixture = try makeFixture(.chart)
        let recording = try MovieRecordingFixture(
            fixture, camera: "phone.back-wide", microphone: nil, preset: .inputPriority)
        try activate(pixelFormat, space, of: fixture.device("phone.back-wide"))
        if let settings, let connection = recording.movie.connection(with: .video) {
            recording.movie.setOutputSettings(settings, for: connection)
        }
        recording.start()
        recording.advance(milliseconds: 300)
        recording.record()
        recording.advance(milliseconds: 500)
        recording.stopRecording()
        try recording.assertEnd(nil, isPlayable: nil)
        return recording
    }

    func testAnHLGMovieIsTenBitHEVCWithHLGTags() throws {
        let recording = try record(Self.x420, .HLG_BT2020)
        let fixture = recording.capture
        XCTAssertEqual(recording.movie.availableVideoCodecTypes, [.hevc])
        XCTAssertEqual(
            try probe(fixture, "codec_name,profile,pix_fmt,color_space,color_transfer,color_primaries,nb_frames"),
            "hevc,Main 10,yuv420p10le,bt2020nc,arib-std-b67,bt2020,14")
        let asset = fixture.inSystem { AVURLAsset(url: fixture.url("a.mov")) }
        let track = try XCTUnwrap(asset.tracks(withMediaType: .video).first)
        XCTAssertTrue(track.hasMediaCharacteristic(.containsHDRVideo))
        // Read with 10 bits.
        let reader = try fixture.inSystem { try AVAssetReader(asset: asset) }
        let output = AVAssetReaderTrackOutput(
            track: track, outputSettings: [kCVPixelBufferPixelFormatTypeKey: Self.x420])
        reader.add(output)
        XCTAssertTrue(reader.startReading())
        let pixels = try XCTUnwrap(output.copyNextSampleBuffer()?.imageBuffer)
        XCTAssertEqual(pixels.pixelFormat, Self.x420)
        XCTAssertEqual(Set(lumaCodes(pixels).map { $0 % 4 }), [0, 1, 2, 3])
    }

    func testProResIsRecordedFrom422Frames() throws {
        let recording = try record(Self.x422, .sRGB, [AVVideoCodecKey: AVVideoCodecType.proRes422])
        XCTAssertEqual(
            recording.movie.availableVideoCodecTypes,
            [.h264, .hevc, .jpeg, .proRes422, .proRes422HQ, .proRes422LT, .proRes422Proxy])
        XCTAssertEqual(
            try probe(recording.capture, "codec_name,codec_tag_string,pix_fmt,color_space,nb_frames"),
            "prores,apcn,yuv422p10le,bt709,14")
    }
}
