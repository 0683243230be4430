package import CLibAV
import Foundation
import MediaTypes
import PixelKernels

/// How the video tracks of a file are displayed: orientation, pixel aspect ratio and visible part.
///
/// The orientation of an image is in its EXIF metadata and the clean aperture of a movie in its sample description;
/// libavformat does not report either.
package struct FileGeometry {
    /// The EXIF orientation of an image file; nil for other files.
    private var orientation: CGImagePropertyOrientation?
    private let isStill: Bool
    /// The clean apertures by track number.
    private let apertures: [UInt32: PixelRect]

    /// Reads the geometry of an open file. Metadata that cannot be read is treated as missing.
    ///
    /// - Parameters:
    ///   - formatName: The name of libavformat's demuxer.
    ///   - apertures: The clean apertures of a movie by track number.
    init(_ input: StorageInput, formatName: String, apertures: [UInt32: PixelRect]) {
        self.apertures = apertures
        isStill = formatName.hasSuffix("_pipe")
        if isStill {
            orientation = (try? input.contents()).flatMap { EXIF(file: $0) }?.orientation
        }
    }

    /// Sets the geometry of a track.
    package func apply(to video: inout MediaTrack.Video, of stream: UnsafeMutablePointer<AVStream>) {
        if let orientation {
            (video.rotation, video.isMirrored) = (orientation.rotation, orientation.isMirrored)
        } else if let matrix = Self.displayMatrix(of: stream)?.orientation {
            (video.rotation, video.isMirrored) = matrix
        }
        // Viewers show images with square pixels: their density is meant for printing.
        if !isStill { video.pixelAspectRatio = Self.pixelAspectRatio(of: stream) }
        if let aperture = apertures[UInt32(truncatingIfNeeded: stream.pointee.id)],
            aperture.x + aperture.width <= Int(video.dimensions.width),
            aperture.y + aperture.height <= Int(video.dimensions.height)
        {
            video.visibleRect = aperture
        }
    }

    /// Returns the rotation, mirroring and scale of the display matrix, which has the layout of a track's matrix.
    private static func displayMatrix(of stream: UnsafeMutablePointer<AVStream>) -> CGAffineTransform? {
        clibav_display_matrix(stream).map { numbers in
            CGAffineTransform(
                a: Double(numbers[0]), b: Double(numbers[1]), c: Double(numbers[3]), d: Double(numbers[4]), tx: 0, ty: 0
            )
        }
    }

    /// Returns the ratio of the container, or that of the bitstream if the container has none; nil for square pixels.
    private static func pixelAspectRatio(of stream: UnsafeMutablePointer<AVStream>) -> PixelAspectRatio? {
        let ratios = [stream.pointee.sample_aspect_ratio, stream.pointee.codecpar.pointee.sample_aspect_ratio]
        guard let ratio = ratios.first(where: { $0.num > 0 && $0.den > 0 }), ratio.num != ratio.den else { return nil }
        return PixelAspectRatio(horizontalSpacing: UInt32(ratio.num), verticalSpacing: UInt32(ratio.den))
    }
}
