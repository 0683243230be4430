package import Foundation
package import PixelKernels

/// A RAW photo, as stored in a DNG file (Adobe Digital Negative specification 1.4).
package struct DNGPhoto: Sendable {
    /// The arrangement of the samples.
    package enum Layout: Sendable, Hashable {
        /// A mosaic with one sample for each pixel. The colors of the four pixels of a block, by rows: 0 red, 1 green,
        /// 2 blue.
        case mosaic([UInt8])
        /// Red, green and blue for each pixel.
        case linear

        var sampleCount: Int {
            switch self {
            case .mosaic: 1
            case .linear: 3
            }
        }
    }

    /// The colors of the sensor under one illuminant. Matrices have nine coefficients in row-major order.
    package struct Calibration: Sendable, Hashable {
        /// An illuminant by its value of EXIF's LightSource.
        package enum Illuminant: Int, Sendable, Hashable {
            case a = 17
            case d65 = 21
        }

        package var illuminant: Illuminant
        /// From CIE XYZ to the colors of the sensor (ColorMatrix).
        package var colorMatrix: [Double]
        /// From the white-balanced colors of the sensor to CIE XYZ with the white point D50 (ForwardMatrix).
        package var forwardMatrix: [Double]

        /// Creates a calibration.
        package init(illuminant: Illuminant, colorMatrix: [Double], forwardMatrix: [Double]) {
            self.illuminant = illuminant
            self.colorMatrix = colorMatrix
            self.forwardMatrix = forwardMatrix
        }
    }

    /// The noise of a color: the variance of the sample x, from 0 for black to 1 for white, is `scale` · x + `offset`.
    package struct Noise: Sendable, Hashable {
        package var scale: Double
        package var offset: Double

        /// Creates a noise.
        package init(scale: Double, offset: Double) {
            self.scale = scale
            self.offset = offset
        }
    }

    /// Width and height in pixels; both even in a mosaic.
    package var width: Int
    package var height: Int
    package var layout: Layout
    /// Samples of 16 bits in little-endian order, by rows without padding.
    package var samples: Data
    /// The samples of black and of saturation.
    package var blackLevel: Int
    package var whiteLevel: Int
    /// At most two; with two, the illuminant with the lower color temperature first.
    package var calibrations: [Calibration]
    /// The response of red, green and blue to a white surface in the light of the scene; the largest is 1.
    package var neutral: [Double]
    /// The noise of red, green and blue; empty if unknown.
    package var noise: [Noise] = []
    /// The maker and the model of the camera, not localized.
    package var cameraModel: String
    /// The EXIF data. Their orientation is that of the photo.
    package var exif = EXIF()
    /// The processed photo as a JPEG file, of any size.
    package var preview: Data?

    /// Creates a photo without metadata.
    package init(
        width: Int, height: Int, layout: Layout, samples: Data, blackLevel: Int, whiteLevel: Int,
        calibrations: [Calibration], neutral: [Double], cameraModel: String
    ) {
        self.width = width
        self.height = height
        self.layout = layout
        self.samples = samples
        self.blackLevel = blackLevel
        self.whiteLevel = whiteLevel
        self.calibrations = calibrations
        self.neutral = neutral
        self.cameraModel = cameraModel
    }

    /// Returns the contents of the file. The samples are not compressed.
    ///
    /// - Throws: `.invalidInput` if the number of samples does not fit the size, `.damaged` for a damaged preview, or
    ///   the errors of `EXIF.encoded()`.
    package func fileData() throws(ImageError) -> Data {
        guard samples.count == 2 * width * height * layout.sampleCount else {
            throw ImageError(
                .invalidInput,
                "\(samples.count) bytes are not a RAW image of \(width)x\(height) in the layout \(layout)")
        }
        var metadata = exif
        metadata.thumbnail = nil
        let block = try metadata.encoded()
        guard var root = TIFFDirectory(file: block.dropFirst(EXIFBlock.signature.count)) else {
            throw ImageError(.damaged, "libexif wrote an EXIF block that is not a TIFF file")
        }
        try setPreview(&root)
        root.set(.dngVersion, bytes: [1, 4, 0, 0])
        root.set(.dngBackwardVersion, bytes: [1, 1, 0, 0])
        root.set(.uniqueCameraModel, text: cameraModel)
        setColors(&root)
        root.subdirectories[TIFFDirectory.Tag.subdirectories.rawValue] = [rawDirectory()]
        return root.fileData()
    }

    private func setPreview(_ root: inout TIFFDirectory) throws(ImageError) {
        guard let preview else { return }
        let header = try JPEGCodec().header(of: preview)
        root.set(.newSubfileType, longs: [1])
        root.set(.imageWidth, longs: [header.width])
        root.set(.imageHeight, longs: [header.height])
        root.set(.bitsPerSample, shorts: [8, 8, 8])
        root.set(.compression, shorts: [7])  // JPEG
        root.set(.photometricInterpretation, shorts: [6])  // YCbCr
        root.set(.samplesPerPixel, shorts: [3])
        root.set(.rowsPerStrip, longs: [header.height])
        root.set(.planarConfiguration, shorts: [1])
        root.set(.previewColorSpace, longs: [2])  // sRGB
        let subsampling =
            switch header.subsampling {
            case .chroma420: [2, 2]
            case .chroma422: [2, 1]
            case .chroma444, .gray, nil: [1, 1]
            }
        root.set(.chromaSubsampling, shorts: subsampling)
        root.image = preview
    }

    private func setColors(_ root: inout TIFFDirectory) {
        let tags: [(illuminant: TIFFDirectory.Tag, color: TIFFDirectory.Tag, forward: TIFFDirectory.Tag)] = [
            (.calibrationIlluminant1, .colorMatrix1, .forwardMatrix1),
            (.calibrationIlluminant2, .colorMatrix2, .forwardMatrix2),
        ]
        for (tag, calibration) in zip(tags, calibrations) {
            root.set(tag.illuminant, shorts: [calibration.illuminant.rawValue])
            root.set(tag.color, fractions: calibration.colorMatrix, isSigned: true)
            root.set(tag.forward, fractions: calibration.forwardMatrix, isSigned: true)
        }
        root.set(.asShotNeutral, fractions: neutral)
        root.set(.baselineExposure, fractions: [0], isSigned: true)
        if !noise.isEmpty { root.set(.noiseProfile, doubles: noise.flatMap { [$0.scale, $0.offset] }) }
    }

    private func rawDirectory() -> TIFFDirectory {
        var directory = TIFFDirectory()
        let count = layout.sampleCount
        directory.set(.newSubfileType, longs: [0])
        directory.set(.imageWidth, longs: [width])
        directory.set(.imageHeight, longs: [height])
        directory.set(.bitsPerSample, shorts: Array(repeating: 16, count: count))
        directory.set(.compression, shorts: [1])
        directory.set(.samplesPerPixel, shorts: [count])
        directory.set(.rowsPerStrip, longs: [height])
        directory.set(.planarConfiguration, shorts: [1])
        switch layout {
        case .mosaic(let pattern):
            directory.set(.photometricInterpretation, shorts: [32803])
            directory.set(.cfaRepeatPatternSize, shorts: [2, 2])
            directory.set(.cfaPattern, bytes: pattern)
            directory.set(.cfaPlaneColor, bytes: [0, 1, 2])
            directory.set(.cfaLayout, shorts: [1])
            directory.set(.blackLevelRepeatSize, shorts: [2, 2])
            directory.set(.blackLevel, longs: Array(repeating: blackLevel, count: 4))
        case .linear:
            directory.set(.photometricInterpretation, shorts: [34892])
            directory.set(.blackLevel, longs: Array(repeating: blackLevel, count: 3))
        }
        directory.set(.whiteLevel, longs: Array(repeating: whiteLevel, count: count))
        directory.set(.defaultScale, fractions: [1, 1])
        directory.set(.defaultCropOrigin, longs: [0, 0])
        directory.set(.defaultCropSize, longs: [width, height])
        directory.set(.activeArea, longs: [0, 0, height, width])
        directory.image = samples
        return directory
    }
}
