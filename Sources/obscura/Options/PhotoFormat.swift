import ArgumentParser
import AssetTypes
import CaptureCore
import Foundation
import MediaTypes

/// The files of a photo of `obscura photo`: a processed photo, a RAW photo, or both.
enum PhotoFormat: String, NamedArgument {
    case jpeg, heif, dng
    case dngAndJPEG = "dng+jpeg"
    case dngAndHEIF = "dng+heif"
    case proRAW = "proraw"
    case proRAWAndJPEG = "proraw+jpeg"
    case proRAWAndHEIF = "proraw+heif"

    /// The samples of a RAW photo. Its file is a DNG file.
    enum RAW {
        /// One color for each pixel, as the sensor captured it.
        case mosaic
        /// Red, green and blue for each pixel (Apple ProRAW).
        case linear

        /// The name in messages.
        var name: String {
            switch self {
            case .mosaic: "RAW"
            case .linear: "Apple ProRAW"
            }
        }

        func includes(_ pixelFormat: OSType) -> Bool {
            switch self {
            case .mosaic: AVCapturePhotoOutput.isBayerRAWPixelFormat(pixelFormat)
            case .linear: AVCapturePhotoOutput.isAppleProRAWPixelFormat(pixelFormat)
            }
        }
    }

    static let noun = "format"

    /// The RAW photo; nil if there is none.
    var raw: RAW? {
        switch self {
        case .jpeg, .heif: nil
        case .dng, .dngAndJPEG, .dngAndHEIF: .mosaic
        case .proRAW, .proRAWAndJPEG, .proRAWAndHEIF: .linear
        }
    }

    /// The codec of the processed photo; nil if there is none.
    var codec: AVVideoCodecType? {
        switch self {
        case .jpeg, .dngAndJPEG, .proRAWAndJPEG: .jpeg
        case .heif, .dngAndHEIF, .proRAWAndHEIF: .hevc
        case .dng, .proRAW: nil
        }
    }

    /// The extensions of the processed photo's file, the usual one first; empty if there is none.
    private var processedExtensions: [String] {
        switch codec {
        case .jpeg: ["jpg", "jpeg"]
        case .hevc: ["heic", "heif"]
        default: []
        }
    }

    private static let rawExtension = "dng"

    /// The extensions of the file name on the command line, which is that of either file.
    var fileExtensions: [String] { processedExtensions + (raw == nil ? [] : [Self.rawExtension]) }

    /// Returns the format of a file without `--format`; nil for other extensions.
    static func ofFile(_ path: String) -> PhotoFormat? {
        let name = URL(fileURLWithPath: path).pathExtension.lowercased()
        return [.jpeg, .heif, .dng].first { $0.fileExtensions.contains(name) }
    }

    /// Returns the names of the files of a photo, which differ in their extensions.
    ///
    /// - Parameter path: The name of either file, with one of `fileExtensions`.
    func files(_ path: String) -> (processed: String?, raw: String?) {
        let base = path.lastIndex(of: ".").map { String(path[..<$0]) } ?? path
        let isRAW = URL(fileURLWithPath: path).pathExtension.lowercased() == Self.rawExtension
        return (
            processedExtensions.first.map { isRAW ? "\(base).\($0)" : path },
            raw.map { _ in isRAW ? path : "\(base).\(Self.rawExtension)" }
        )
    }

    /// Throws `ValidationError` if photo outputs reject the options together with the format.
    func check(_ photos: PhotoOptions, _ settings: CameraOptions, depth: String?) throws {
        guard let raw else { return }
        switch raw {
        case .mosaic:
            if let quality = photos.quality, quality != .speed {
                throw ValidationError(
                    "--quality \(quality.rawValue) is not possible with a RAW photo: its frames are not processed")
            }
            if let zoom = settings.zoom, zoom != 1 {
                throw ValidationError("--zoom is not possible with a RAW photo: it has all pixels of the sensor")
            }
        case .linear:
            if photos.live { throw ValidationError("--live and Apple ProRAW exclude each other") }
        }
        guard codec == nil else { return }
        let both = "use --format \(rawValue)+heif or \(rawValue)+jpeg"
        if photos.live { throw ValidationError("--live requires a processed photo: \(both)") }
        if depth != nil { throw ValidationError("--depth requires a processed photo: \(both)") }
        if photos.thumbnail { throw ValidationError("--thumbnail requires a processed photo: \(both)") }
    }
}
