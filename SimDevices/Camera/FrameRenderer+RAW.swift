import CSimKernels
import CaptureHAL
import MediaTypes
import ThreeA

extension FrameRenderer {
    /// The samples of black and of saturation. The sensors of phones have 14 bits and such a black level.
    private static let (blackLevel, whiteLevel) = (528, 16383)

    /// Renders the samples of the sensor, before white balance, tone and zoom.
    ///
    /// - Parameters:
    ///   - samples: Receives them: a buffer of the view's size in `kCVPixelFormatType_14Bayer_RGGB`.
    ///   - time: The start of the exposure in nanoseconds.
    func renderRAW(_ samples: CVPixelBuffer, time: Int64, state: CameraState) -> RawSensorFrame {
        let sensor = profile.sensor
        // With more amplification, fewer electrons result in full scale.
        let fullWell = sensor.fullWell * profile.isoRange.lowerBound / state.exposure.iso
        let noise = (scale: 1 / fullWell, offset: (sensor.readNoise / fullWell) * (sensor.readNoise / fullWell))
        let range = Double(Self.whiteLevel - Self.blackLevel)
        let deviations = (0..<Int(csim_raw_levels)).map { index in
            let signal = (Double(index) + 0.5) / Double(csim_raw_levels)
            return UInt32(((noise.scale * signal + noise.offset).squareRoot() * range * 64).rounded())
        }
        let scratch = UnsafeMutableRawPointer.allocate(
            byteCount: Int(csim_raw_scratch_size(Int32(paddedView.width))), alignment: 64)
        defer { scratch.deallocate() }
        var unzoomed = state
        unzoomed.zoom = 1
        samples.withPlane(0) { plane in
            withFrame(time: time, unzoomed, .off, alignedWith: nil, usesDevelopedLayers: false) { frame, color in
                frame.color = color
                frame.scratch = scratch
                deviations.withUnsafeBufferPointer { deviations in
                    var raw = csim_raw()
                    raw.samples = plane.baseAddress.assumingMemoryBound(to: UInt16.self)
                    raw.stride = Int64(plane.bytesPerRow / 2)
                    (raw.blackLevel, raw.whiteLevel) = (Int32(Self.blackLevel), Int32(Self.whiteLevel))
                    raw.deviations = deviations.baseAddress
                    csim_render_raw(&frame, &raw)
                }
            }
        }
        return RawSensorFrame(
            samples: samples, blackLevel: Self.blackLevel, whiteLevel: Self.whiteLevel,
            asShotNeutral: Self.neutral(state.gains), noise: noise,
            colorMatrixA: sensor.colorMatrix(crosstalk: sensor.crosstalkA, white: SensorProfile.whiteA),
            colorMatrixD65: sensor.colorMatrix(crosstalk: sensor.crosstalkD65, white: SensorProfile.whiteD65),
            forwardMatrixA: sensor.forwardMatrix(crosstalk: sensor.crosstalkA),
            forwardMatrixD65: sensor.forwardMatrix(crosstalk: sensor.crosstalkD65))
    }

    /// Returns the response to a surface that the white balance makes white; the largest is 1.
    private static func neutral(_ gains: ColorGains) -> SIMD3<Double> {
        let response = SIMD3(1 / gains.red, 1 / gains.green, 1 / gains.blue)
        return response / response.max()
    }
}
