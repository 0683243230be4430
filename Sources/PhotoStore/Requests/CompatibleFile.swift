import CaptureHAL
package import Foundation
import MediaAssets
import MediaCodecs
import MediaEditing
import MediaStorage
import MediaTypes

/// A photo or movie of an asset, converted for programs that do not support HEIF and HEVC: to JPEG and H.264.
///
/// A JPEG has the metadata of the photo, but no auxiliary images such as depth.
package struct CompatibleFile: Sendable {
    private enum Conversion {
        case photo
        case movie
    }

    private static let photoSettings = JPEGCodec.Settings(quality: 95)

    package let uniformTypeIdentifier: String
    private let resource: PHAssetResource
    private let conversion: Conversion

    /// Creates the converted form of a file; nil if the file itself is compatible, or cannot be read.
    package init?(_ resource: PHAssetResource) {
        self.resource = resource
        let kind = MediaKind.allCases.first { $0.uniformTypeIdentifier == resource.uniformTypeIdentifier }
        switch kind {
        case .heic, .avif:
            conversion = .photo
            uniformTypeIdentifier = MediaKind.jpeg.uniformTypeIdentifier
        case .quickTime, .mpeg4:
            guard let url = try? resource.fileURL(), Self.containsHEVC(url, resource.library.system) else { return nil }
            conversion = .movie
            uniformTypeIdentifier = resource.uniformTypeIdentifier
        case .jpeg, .png, .webP, .rawPhoto, .avi, .matroska, .unknown, nil: return nil
        }
    }

    private static func containsHEVC(_ url: URL, _ system: SystemReference) -> Bool {
        var contains = false
        system.run {
            let codecs = AVURLAsset(url: url).tracks(withMediaType: .video).flatMap(\.formatDescriptions)
                .compactMap { ($0 as? CMFormatDescription)?.mediaSubType }
            contains = codecs.contains { [.hevc, .hevcWithAlpha].contains($0) }
        }
        return contains
    }

    /// Writes the converted file into a folder, on the calling thread, with the name of the original.
    ///
    /// - Throws: `PHPhotosError.invalidResource` if the file is damaged, or the error of the conversion.
    package func write(into folder: URL) throws -> URL {
        let source = try resource.fileURL()
        if let reason = try resource.damageReason() {
            throw PHPhotosError(
                .invalidResource, "a file of the asset \(resource.assetLocalIdentifier) is damaged: \(reason)")
        }
        let name = URL(fileURLWithPath: resource.originalFilename).deletingPathExtension().lastPathComponent
        switch conversion {
        case .photo:
            let url = folder.appendingPathComponent(name + ".JPG")
            let file = try resource.library.storage.create(url)
            try file.write(jpeg(source), at: 0)
            try file.close()
            return url
        case .movie:
            let isQuickTime = resource.uniformTypeIdentifier == MediaKind.quickTime.uniformTypeIdentifier
            let url = folder.appendingPathComponent(name + (isQuickTime ? ".MOV" : ".MP4"))
            try export(source, to: url, as: isQuickTime ? .mov : .mp4)
            return url
        }
    }

    private func jpeg(_ url: URL) throws -> Data {
        guard let photo = PhotoFile(try resource.library.storage.data(of: url)) else {
            throw PHPhotosError.invalidResource(resource.originalFilename, "it is not a photo")
        }
        let pixels = try photo.decoded().opaquePixels()
        var segments = try JPEGSegments(JPEGCodec().encode(pixels, settings: Self.photoSettings))
        try segments.setEXIF(photo.metadata)
        return segments.data
    }

    private func export(_ source: URL, to url: URL, as type: AVFileType) throws {
        var session: AVAssetExportSession?
        resource.library.system.run {
            session = AVAssetExportSession(
                asset: AVURLAsset(url: source), presetName: AVAssetExportPresetHighestQuality)
        }
        guard let session else {
            throw PHPhotosError.invalidResource(resource.originalFilename, "it cannot be converted to H.264")
        }
        session.outputURL = url
        session.outputFileType = type
        try session.exportOnCallingThread()
    }
}
