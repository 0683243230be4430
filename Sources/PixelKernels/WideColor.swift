import CPixelKernels
package import MediaTypes

/// The conversion of images with the primaries of P3 and the white point D65.
package enum WideColor {
    /// Whether a buffer is tagged with the primaries of P3.
    package static func isP3(_ buffer: CVPixelBuffer) -> Bool {
        CVBufferCopyAttachment(buffer, kCVImageBufferColorPrimariesKey, nil) as? String
            == kCVImageBufferColorPrimaries_P3_D65
    }

    /// Converts the colors of a 32BGRA buffer from Display P3 to sRGB, in place. Colors outside of sRGB are clipped;
    /// alpha does not change.
    ///
    /// - Throws: `.unsupportedFormat` for another pixel format, `.inaccessible`.
    package static func convertToSRGB(_ buffer: CVPixelBuffer) throws(ImageError) {
        guard CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_32BGRA else {
            throw ImageError(.unsupportedFormat, "the colors of an image that is not 32BGRA cannot be converted")
        }
        guard CVPixelBufferLockBaseAddress(buffer, []) == kCVReturnSuccess else {
            throw ImageError(.inaccessible, "the pixel buffer cannot be locked for writing")
        }
        defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
        let image = try PixelImage(buffer)
        let plane = image.planes.0
        cpixel_convert_p3_to_bt709(
            plane.base, plane.stride, image.width32, image.height32, lightOfCode, codeOfLight)
    }

    /// The linear light of each 8-bit code value of sRGB (IEC 61966-2-1); 65,535 is white.
    private static let lightOfCode: [UInt16] = (0..<256).map { code in
        UInt16((light(ofSignal: Double(code) / 255) * 65535).rounded())
    }

    /// The 8-bit code value of linear light. The index is the light divided by 16.
    private static let codeOfLight: [UInt8] = {
        // The inverse of the monotonic table above, so that no power function is needed.
        var codes: [UInt8] = []
        var code = 0
        for index in 0..<4096 {
            let light = Double(index) * 16 + 7.5
            while code < 255, abs(Double(lightOfCode[code + 1]) - light) <= abs(Double(lightOfCode[code]) - light) {
                code += 1
            }
            codes.append(UInt8(code))
        }
        return codes
    }()

    private static func light(ofSignal signal: Double) -> Double {
        guard signal > 0.04045 else { return signal / 12.92 }
        return RepeatableMath.exp2(2.4 * RepeatableMath.log2((signal + 0.055) / 1.055))
    }
}
