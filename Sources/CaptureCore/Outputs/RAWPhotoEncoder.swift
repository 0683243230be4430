import AssetTypes
import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels

/// Creates a RAW photo from the samples of a sensor: its pixels, and a DNG file with the processed frame as preview.
///
/// - Important: Reentrant.
struct RAWPhotoEncoder {
    let settings: AVCapturePhotoSettings
    /// The camera that captured the frame; nil if it was released.
    let device: AVCaptureDevice?

    /// Encodes a RAW photo.
    ///
    /// - Parameters:
    ///   - raw: The samples of the sensor.
    ///   - metadata: The metadata under Image I/O's keys.
    ///   - preview: The processed pixels of the same exposure.
    func encode(_ raw: RawSensorFrame, _ metadata: [String: Any], preview: CVPixelBuffer) -> EncodedPhoto {
        var photo = EncodedPhoto(isRAW: true)
        do {
            let mosaic = try BayerMosaic(raw.samples, blackLevel: raw.blackLevel, whiteLevel: raw.whiteLevel)
            let isLinear = AVCapturePhotoOutput.isAppleProRAWPixelFormat(settings.rawPhotoPixelFormatType)
            photo.pixelBuffer = isLinear ? try mosaic.interpolatedBuffer() : raw.samples
            let neutral = raw.asShotNeutral
            var dng = DNGPhoto(
                width: raw.samples.width, height: raw.samples.height,
                layout: isLinear ? .linear : .mosaic([0, 1, 1, 2]),
                samples: isLinear ? mosaic.interpolatedData() : mosaic.data,
                blackLevel: isLinear ? 0 : raw.blackLevel,
                whiteLevel: isLinear ? raw.whiteLevel - raw.blackLevel : raw.whiteLevel,
                calibrations: [
                    DNGPhoto.Calibration(
                        illuminant: .a, colorMatrix: raw.colorMatrixA, forwardMatrix: raw.forwardMatrixA),
                    DNGPhoto.Calibration(
                        illuminant: .d65, colorMatrix: raw.colorMatrixD65, forwardMatrix: raw.forwardMatrixD65),
                ],
                neutral: [neutral.x, neutral.y, neutral.z],
                cameraModel: [device?.manufacturer, device?.modelID].compactMap { $0 }.joined(separator: " "))
            dng.noise = Array(
                repeating: DNGPhoto.Noise(scale: raw.noise.scale, offset: raw.noise.offset), count: 3)
            photo.metadata = metadata
            dng.exif = EXIF(imageProperties: metadata)
            dng.preview = try JPEGCodec().encode(inSRGB(preview))
            photo.file = try dng.fileData()
            photo.dng = dng
        } catch {
            photo.error = AVError(.encodeFailed, "the RAW photo could not be encoded: \(error)", cause: error)
        }
        return photo
    }

    /// Returns pixels with the colors of sRGB, which the preview of a DNG file has.
    private func inSRGB(_ pixels: CVPixelBuffer) throws(ImageError) -> CVPixelBuffer {
        guard WideColor.isP3(pixels) else { return pixels }
        guard
            let converted = CVPixelBuffer(
                width: pixels.width, height: pixels.height, pixelFormat: kCVPixelFormatType_32BGRA)
        else { throw ImageError(.outOfMemory, "memory ran out while converting the preview of a RAW photo") }
        try PixelConverter().convert(pixels, to: converted)
        try WideColor.convertToSRGB(converted)
        return converted
    }
}
