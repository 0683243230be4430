import AssetTypes
public import CaptureCore
import Foundation
import MediaTypes

extension Scenario {
    /// The settings of a photo that differ from those of new `AVCapturePhotoSettings`.
    public struct PhotoSettings: Sendable, Hashable {
        /// The files of a photo. Each exposure of a bracket has its own.
        public enum Format: String, Sendable, Hashable, CaseIterable {
            case jpeg, heif, dng
            /// A RAW photo and a processed one.
            case dngAndJPEG = "dng+jpeg"
            case dngAndHEIF = "dng+heif"

            /// The codec of the processed photo; nil if there is none.
            var codec: AVVideoCodecType? {
                switch self {
                case .jpeg, .dngAndJPEG: .jpeg
                case .heif, .dngAndHEIF: .hevc
                case .dng: nil
                }
            }

            /// Whether there is a RAW photo.
            var isRAW: Bool {
                switch self {
                case .jpeg, .heif: false
                case .dng, .dngAndJPEG, .dngAndHEIF: true
                }
            }
        }

        /// The flash mode; nil means `off`.
        public var flashMode: AVCaptureDevice.FlashMode?
        /// The priority of quality over speed; nil means `balanced`, or `speed` for a RAW photo.
        public var qualityPrioritization: AVCapturePhotoOutput.QualityPrioritization?
        /// Whether the photo contains a depth map.
        public var isDepthDataDeliveryEnabled = false
        /// The files; nil means `jpeg`.
        public var format: Format?
        /// Whether the photo is a Live Photo: the movie has the name of the photo and the extension `mov`.
        public var isLive = false
        /// The exposure biases of a bracket in EV; empty for a single exposure.
        public var bracket: [Double] = []
        /// Width and height of the largest accepted photo; nil means the smallest size of the camera's format.
        public var maximumDimensions: [Int]?

        /// Creates settings that do not differ from those of new `AVCapturePhotoSettings`.
        public init() {}

        static let flashModes: [(name: String, value: AVCaptureDevice.FlashMode)] = [
            ("off", .off), ("on", .on), ("auto", .auto),
        ]
        static let qualities: [(name: String, value: AVCapturePhotoOutput.QualityPrioritization)] = [
            ("speed", .speed), ("balanced", .balanced), ("quality", .quality),
        ]
        static let formats = Format.allCases.map { (name: $0.rawValue, value: $0) }

        /// The keys and values in a scenario file.
        var fields: [KeyedValue] {
            var fields: [KeyedValue] = []
            if let flashMode { fields.append(KeyedValue("flash-mode", flashMode, in: Self.flashModes)) }
            if let qualityPrioritization {
                fields.append(KeyedValue("quality-prioritization", qualityPrioritization, in: Self.qualities))
            }
            if isDepthDataDeliveryEnabled { fields.append(KeyedValue("depth-data-delivery", true)) }
            if let format { fields.append(KeyedValue("format", format.rawValue)) }
            if isLive { fields.append(KeyedValue("live", true)) }
            if !bracket.isEmpty { fields.append(KeyedValue("bracket", "\(bracket)")) }
            if let size = maximumDimensions {
                fields.append(KeyedValue("max-photo-dimensions", "\(size[0])x\(size[1])"))
            }
            return fields
        }

        /// Returns the names of the photos, in the order of their delivery.
        ///
        /// - Parameter name: The name in the step.
        func photoNames(_ name: String) -> [String] {
            let exposures = bracket.isEmpty ? [0] : Array(1...bracket.count)
            let kinds = (format?.isRAW ?? false ? [true] : []) + (format?.codec == nil && format != nil ? [] : [false])
            return exposures.flatMap { exposure in
                kinds.map { Self.photoName(name, isRAW: $0, sequenceCount: exposure) }
            }
        }

        /// Returns the name of the movie of a Live Photo.
        static func movieName(_ name: String) -> String {
            URL(fileURLWithPath: name).deletingPathExtension().lastPathComponent + ".mov"
        }

        /// Returns the name of a photo: the name in the step, with the number of the exposure in its bracket, and with
        /// the extension `dng` for a RAW photo.
        ///
        /// - Parameter sequenceCount: As `AVCapturePhoto.sequenceCount`.
        static func photoName(_ name: String, isRAW: Bool, sequenceCount: Int) -> String {
            guard isRAW || sequenceCount > 0 else { return name }
            let url = URL(fileURLWithPath: name)
            let stem = url.deletingPathExtension().lastPathComponent + (sequenceCount > 0 ? "-\(sequenceCount)" : "")
            let pathExtension = isRAW ? "dng" : url.pathExtension
            return pathExtension.isEmpty ? stem : "\(stem).\(pathExtension)"
        }
    }
}

extension AVCapturePhotoOutput {
    /// Returns settings for a photo, and enables the features of the output that they require.
    ///
    /// - Parameter movie: The file of the movie of a Live Photo.
    func settings(_ settings: Scenario.PhotoSettings, movie: URL) -> AVCapturePhotoSettings {
        let result = makeSettings(settings)
        if let flashMode = settings.flashMode { result.flashMode = flashMode }
        if let quality = settings.qualityPrioritization {
            if maxPhotoQualityPrioritization.rawValue < quality.rawValue { maxPhotoQualityPrioritization = quality }
            result.photoQualityPrioritization = quality
        }
        if settings.isDepthDataDeliveryEnabled {
            if !isDepthDataDeliveryEnabled { isDepthDataDeliveryEnabled = true }
            result.isDepthDataDeliveryEnabled = true
        }
        if settings.isLive {
            if !isLivePhotoCaptureEnabled { isLivePhotoCaptureEnabled = true }
            result.livePhotoMovieFileURL = movie
        }
        if let size = settings.maximumDimensions {
            let dimensions = CMVideoDimensions(width: Int32(size[0]), height: Int32(size[1]))
            let limit = maxPhotoDimensions
            if limit.width < dimensions.width || limit.height < dimensions.height { maxPhotoDimensions = dimensions }
            result.maxPhotoDimensions = dimensions
        }
        return result
    }

    private func makeSettings(_ settings: Scenario.PhotoSettings) -> AVCapturePhotoSettings {
        let format = settings.format ?? .jpeg
        let processed = format.codec.map { [AVVideoCodecKey: $0] }
        let raw = format.isRAW ? kCVPixelFormatType_14Bayer_RGGB : 0
        guard settings.bracket.isEmpty else {
            return AVCapturePhotoBracketSettings(
                rawPixelFormatType: raw, processedFormat: processed,
                bracketedSettings: settings.bracket.map {
                    AVCaptureAutoExposureBracketedStillImageSettings.autoExposureSettings(
                        exposureTargetBias: Float($0))
                })
        }
        return AVCapturePhotoSettings(rawPixelFormatType: raw, processedFormat: processed)
    }
}
