public import MediaTypes

/// One exposure of a `StillRequest`, or the error that prevented it.
public struct StillFrame: Sendable {
    /// The `id` of the request.
    public var requestID: UInt64
    /// The index of the exposure in the request's `exposures`.
    public var exposureIndex: Int
    /// The image, with the request's size, in the pixel format of the stream or uncompressed; nil if the request wants
    /// none, or after an error.
    public var payload: VideoFrame.Payload?
    /// The samples of the sensor; nil if the request wants none, or after an error.
    public var raw: RawSensorFrame?
    /// The start of the exposure, on the clock of the capture system. It may precede the frame that delivers the still.
    public var presentationTime: CMTime
    /// The settings in effect during the exposure.
    public var settings: FrameSettings
    /// The depth of the stream's frame at the time of the exposure; nil if it has none.
    public var depth: FrameDepth?
    /// The requested mattes of the people in the image, in `kCVPixelFormatType_OneComponent8`, with half the width and
    /// height of the image; without those of features that the image does not show.
    public var mattes: [StillMatte: CVPixelBuffer]
    /// The number of frames that were merged; at least 1.
    public var mergedFrameCount: Int
    /// The error that prevented the exposure. The request ends: no other exposure follows.
    public var error: DeviceError?

    /// Creates a still.
    public init(
        requestID: UInt64, exposureIndex: Int, payload: VideoFrame.Payload? = nil, raw: RawSensorFrame? = nil,
        presentationTime: CMTime, settings: FrameSettings = FrameSettings(), depth: FrameDepth? = nil,
        mattes: [StillMatte: CVPixelBuffer] = [:], mergedFrameCount: Int = 1, error: DeviceError? = nil
    ) {
        self.requestID = requestID
        self.exposureIndex = exposureIndex
        self.payload = payload
        self.raw = raw
        self.presentationTime = presentationTime
        self.settings = settings
        self.depth = depth
        self.mattes = mattes
        self.mergedFrameCount = mergedFrameCount
        self.error = error
    }
}

/// The samples of a sensor with a color filter array, before white balance and tone curve, and what is needed to develop
/// them. The terms are those of the Digital Negative specification (Adobe, version 1.7).
public struct RawSensorFrame: Sendable {
    /// The samples: `kCVPixelFormatType_14Bayer_RGGB`, one little-endian 16-bit word for each pixel with the 14-bit
    /// sample in the low bits. Even rows alternate red and green, odd rows green and blue.
    public var samples: CVPixelBuffer
    /// The sample without light.
    public var blackLevel: Int
    /// The sample at which the sensor saturates.
    public var whiteLevel: Int
    /// The sensor's response to white in the light of the scene: red, green and blue. The largest of them is 1.
    public var asShotNeutral: SIMD3<Double>
    /// The noise: a sample with the linear signal x, from 0 at the black level to 1 at the white level, has the variance
    /// `scale` × x + `offset` (`NoiseProfile`).
    public var noise: (scale: Double, offset: Double)
    /// From CIE XYZ to the sensor's colors in the light of standard illuminant A; nine numbers in row-major order.
    public var colorMatrixA: [Double]
    /// From CIE XYZ to the sensor's colors in the light of standard illuminant D65; nine numbers in row-major order.
    public var colorMatrixD65: [Double]
    /// From white-balanced sensor colors to CIE XYZ (D50) for illuminant A; nine numbers in row-major order.
    public var forwardMatrixA: [Double]
    /// From white-balanced sensor colors to CIE XYZ (D50) for illuminant D65; nine numbers in row-major order.
    public var forwardMatrixD65: [Double]

    /// Creates a frame.
    public init(
        samples: CVPixelBuffer, blackLevel: Int, whiteLevel: Int, asShotNeutral: SIMD3<Double>,
        noise: (scale: Double, offset: Double), colorMatrixA: [Double], colorMatrixD65: [Double],
        forwardMatrixA: [Double], forwardMatrixD65: [Double]
    ) {
        self.samples = samples
        self.blackLevel = blackLevel
        self.whiteLevel = whiteLevel
        self.asShotNeutral = asShotNeutral
        self.noise = noise
        self.colorMatrixA = colorMatrixA
        self.colorMatrixD65 = colorMatrixD65
        self.forwardMatrixA = forwardMatrixA
        self.forwardMatrixD65 = forwardMatrixD65
    }
}
