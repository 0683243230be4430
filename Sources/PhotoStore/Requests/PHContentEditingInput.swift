public import CoreLocation
public import Foundation
public import ImageTypes
public import MediaAssets
import MediaTypes
public import UniformTypeIdentifiers

/// The content of an asset to be edited.
///
/// Its file remains until the input is released, even if the asset is edited again or deleted.
/// - Important: Thread-safe.
public final class PHContentEditingInput: NSObject, @unchecked Sendable {
    // SAFETY: all properties are constants.
    public let mediaType: PHAssetMediaType
    public let mediaSubtypes: PHAssetMediaSubtype
    public let creationDate: Date?
    public let location: CLLocation?
    public let contentType: UTType?
    public var uniformTypeIdentifier: String? { contentType?.identifier }
    public let playbackStyle: PHAssetPlaybackStyle
    /// The adjustment data of the edit to continue; the content is then the original.
    ///
    /// Nil if the asset was not edited, or if the program cannot continue the edit; the content is then the displayed
    /// photo or movie.
    public let adjustmentData: PHAdjustmentData?
    /// An upright image of at most 1024 x 1024 pixels; nil for a movie.
    public let displaySizeImage: UIImage?
    /// The file of the photo in the library, which must not be modified; nil for a movie.
    public let fullSizeImageURL: URL?
    /// A raw value of `CGImagePropertyOrientation`; 0 for a movie.
    public let fullSizeImageOrientation: Int32
    /// The movie; nil for a photo.
    public let audiovisualAsset: AVAsset?
    /// The same as `audiovisualAsset`.
    public var avAsset: AVAsset? { audiovisualAsset }
    /// Always nil: Live Photos are edited as photos.
    public var livePhoto: PHLivePhoto? { nil }
    /// The library that contains the asset.
    let library: PHPhotoLibrary
    private let lease: FileLease

    /// The maximum width and height of `displaySizeImage` in pixels.
    private static let displaySide = 1024.0

    /// Reads the content of an asset.
    ///
    /// - Parameter canHandle: Returns whether the program can continue an edit.
    init(_ asset: PHAsset, canHandle: (PHAdjustmentData) -> Bool) throws(PHPhotosError) {
        let edited = try ImageSource(asset)
        let adjustment = try edited.adjustmentData()
        let continues = adjustment.map(canHandle) ?? false
        let source = continues ? try ImageSource(asset, version: .unadjusted) : edited
        let file = try source.primaryFile()
        lease = try source.lease(of: file)
        library = asset.library
        mediaType = asset.mediaType
        mediaSubtypes = asset.mediaSubtypes
        creationDate = asset.creationDate
        location = asset.location
        playbackStyle = asset.playbackStyle
        contentType = UTType(file.uniformTypeIdentifier)
        adjustmentData = continues ? adjustment : nil
        if asset.mediaType == .image {
            let side = Self.displaySide
            let size = ImageSize(
                asset: (file.pixelWidth, file.pixelHeight), target: CGSize(width: side, height: side),
                mode: .aspectFit, resize: .fast)
            let pixels = try source.image(of: size, fromThumbnail: false)
            displaySizeImage = UIImage(cgImage: CGImage(pixelBuffer: pixels))
            fullSizeImageURL = file.url
            fullSizeImageOrientation = Int32(try source.encodedImage().orientation.rawValue)
            audiovisualAsset = nil
        } else {
            displaySizeImage = nil
            fullSizeImageURL = nil
            fullSizeImageOrientation = 0
            audiovisualAsset = AVURLAsset(url: file.url)
        }
    }
}
