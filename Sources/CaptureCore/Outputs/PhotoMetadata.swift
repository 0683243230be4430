import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes

/// The metadata of a photo, from the settings of its frame, the device and the connection.
struct PhotoMetadata: Sendable {
    var exif: EXIF

    /// Creates the metadata of a frame.
    ///
    /// - Parameters:
    ///   - device: The camera that captured the frame; nil if it was released.
    ///   - magnification: The magnification of the connection, at least 1.
    ///   - flashMode: The mode that the client requested.
    ///   - width: The width of the photo in pixels, before the orientation is applied.
    init(
        frame: VideoFrame, device: AVCaptureDevice?, magnification: Double = 1,
        flashMode: AVCaptureDevice.FlashMode = .off, orientation: CGImagePropertyOrientation, date: Date?, width: Int,
        height: Int
    ) {
        let settings = frame.settings
        var exif = EXIF()
        exif.exposureTime = settings.exposureDuration?.seconds
        exif.iso = settings.iso.map { Int($0.rounded()) }
        exif.exposureBias = settings.exposureBias ?? device?.appliedExposureBias
        exif.orientation = orientation
        exif.originalTime = date.map { EXIF.Moment($0) }
        exif.make = device?.manufacturer
        exif.model = device?.hardware.descriptor.modelID
        exif.lensModel = device?.localizedName
        exif.software = "Obscura"
        // For a camera without a flash, such as one that plays a file, it is unknown whether a flash fired.
        if settings.flashFired || device?.hasFlash ?? false {
            exif.flash = EXIF.Flash(fired: settings.flashFired, isAutomatic: flashMode == .auto)
        }
        exif.whiteBalance = settings.whiteBalanceMode.map { mode in
            switch mode {
            case .auto, .continuousAuto: .automatic
            case .locked, .custom: .manual
            }
        }
        exif.pixelWidth = width
        exif.pixelHeight = height
        exif.colorSpace = .sRGB
        exif.setOptics(settings, device, magnification: magnification)
        exif.setExposureProgram(settings)
        exif.setSubjectArea(frame, magnification: magnification)
        self.exif = exif
    }
}

extension EXIF {
    /// Stores the lens and the zoom factor.
    fileprivate mutating func setOptics(
        _ settings: FrameSettings, _ device: AVCaptureDevice?, magnification: Double
    ) {
        // The frames of a virtual device come from one of its constituents at a time.
        let lenses = device?.constituentLenses ?? []
        var lens = (device?.activePrimaryConstituent ?? device)?.hardware.descriptor.lens
        if let index = settings.constituent, lenses.indices.contains(index) { lens = lenses[index] }
        aperture = settings.aperture ?? lens?.aperture
        focalLengthMillimeters = lens?.focalLengthMillimeters
        // The zoom factor of a virtual device is relative to the widest view.
        let widest = lenses.first ?? lens
        let optical =
            (lens?.equivalentFocalLengthMillimeters ?? 1) / (widest?.equivalentFocalLengthMillimeters ?? 1)
        let ratio = max(1, (settings.zoomFactor ?? 1) / optical) * magnification
        equivalentFocalLengthMillimeters = lens.map { Int(($0.equivalentFocalLengthMillimeters * ratio).rounded()) }
        // Zero or a missing value mean that there is no digital zoom (CIPA DC-008, table 8).
        if ratio > 1 { additional[kCGImagePropertyExifDigitalZoomRatio] = .numbers([ratio]) }
        if let lens {
            lensMake = device?.manufacturer
            let all = lenses.isEmpty ? [lens] : lenses
            let focalLengths = all.map(\.focalLengthMillimeters).sorted()
            let apertures = all.map(\.aperture).sorted()
            additional[kCGImagePropertyExifLensSpecification] = .numbers([
                focalLengths[0], focalLengths[focalLengths.count - 1], apertures[0], apertures[apertures.count - 1],
            ])
        }
        if device?.hardware.descriptor.color != nil {
            // A sensor with color filters on one chip, and an image of a scene in front of it.
            additional[kCGImagePropertyExifSensingMethod] = .integers([2])
            additional[kCGImagePropertyExifSceneType] = .integers([1])
        }
    }

    /// Stores the exposure in APEX units (CIPA DC-008, annex C), and the mode of the exposure and its metering.
    fileprivate mutating func setExposureProgram(_ settings: FrameSettings) {
        if let aperture, aperture > 0 {
            additional[kCGImagePropertyExifApertureValue] = .numbers([2 * RepeatableMath.log2(aperture)])
        }
        if let exposureTime, exposureTime > 0 {
            additional[kCGImagePropertyExifShutterSpeedValue] = .numbers([-RepeatableMath.log2(exposureTime)])
        }
        guard let mode = settings.exposureMode else { return }
        let isManual = mode == .custom
        additional[kCGImagePropertyExifExposureProgram] = .integers([isManual ? 1 : 2])
        additional[kCGImagePropertyExifExposureMode] = .integers([isManual ? 1 : 0])
        // Spot at a point of interest, else pattern.
        let isSpot = settings.meteringPoint.map { $0 != .center } ?? false
        additional[kCGImagePropertyExifMeteringMode] = .integers([isSpot ? 3 : 5])
        additional[kCGImagePropertyExifSceneCaptureType] = .integers([0])
        // Only an automatic exposure without flash follows from the brightness of the scene.
        if !isManual, !settings.flashFired, let aperture, let exposureTime, let iso = settings.iso, aperture > 0,
            exposureTime > 0, iso > 0
        {
            let brightness = RepeatableMath.log2(aperture * aperture * 3.125 / (exposureTime * iso))
            additional[kCGImagePropertyExifBrightnessValue] = .numbers([brightness + (exposureBias ?? 0)])
        }
    }

    /// Stores the area of the main subject: the largest face, or the area that is metered.
    fileprivate mutating func setSubjectArea(_ frame: VideoFrame, magnification: Double) {
        guard let pixelWidth, let pixelHeight, frame.settings.exposureMode != nil else { return }
        var (x, y, width, height) = (0.5, 0.5, 0.55, 0.44)
        if let face = frame.faces.first {
            (x, y, width, height) = (face.x + face.width / 2, face.y + face.height / 2, face.width, face.height)
        } else if let point = frame.settings.meteringPoint, point != .center {
            // The region that simulated cameras meter.
            (x, y, width, height) = (point.x, point.y, 0.1, 0.18)
        }
        func position(_ share: Double, _ size: Int) -> Int {
            let magnified = (share - 0.5) * magnification + 0.5
            return Int((min(max(magnified, 0), 1) * Double(size)).rounded())
        }
        func length(_ share: Double, _ size: Int) -> Int {
            min(size, Int((share * magnification * Double(size)).rounded()))
        }
        // The center of a rectangle, its width and its height.
        additional[kCGImagePropertyExifSubjectArea] = .integers([
            position(x, pixelWidth), position(y, pixelHeight), length(width, pixelWidth), length(height, pixelHeight),
        ])
    }
}

extension FrameSettings.Point {
    fileprivate static let center = FrameSettings.Point(x: 0.5, y: 0.5)
}
