import CaptureHAL
import CoreLocation
public import Foundation
public import FoundationAdditions
import ImageTypes
import MediaCodecs
public import MediaTypes
import PhotoStore
import PixelKernels

/// A file of an asset.
///
/// - Important: Thread-safe.
public final class ALAssetRepresentation: NSObject, @unchecked Sendable {
    // SAFETY: all properties are constants, or have a lock.
    let resource: PHAssetResource
    private let asset: PHAsset
    private let system: SystemReference
    /// The metadata of the file; nil until it is read.
    private let exif = Lock<EXIF?>(nil)
    private let images = ReturnedImages()
    /// The longer side of a full-screen image in pixels: that of a 4-inch iPhone.
    private static let screenSide: CGFloat = 1136

    init(_ resource: PHAssetResource, of asset: PHAsset, in system: SystemReference) {
        self.resource = resource
        self.asset = asset
        self.system = system
    }

    private var isImage: Bool { asset.mediaType == .image }

    public func uti() -> String! { resource.uniformTypeIdentifier }

    /// Returns the size of the stored image in pixels, before the orientation is applied.
    public func dimensions() -> CGSize {
        let size = CGSize(width: resource.pixelWidth, height: resource.pixelHeight)
        return orientation().property.rotation.swapsWidthAndHeight
            ? CGSize(width: size.height, height: size.width) : size
    }

    /// Returns the size of the file in bytes.
    public func size() -> Int64 { resource.byteCount }

    /// Copies bytes of the file.
    ///
    /// - Parameters:
    ///   - offset: The index of the first byte.
    ///   - length: The number of bytes; fewer are copied at the end of the file.
    ///   - error: Receives an error of `ALAssetsLibraryErrorDomain` if the file cannot be read.
    /// - Returns: The number of copied bytes; 0 after an error.
    public func getBytes(
        _ buffer: UnsafeMutablePointer<UInt8>!, fromOffset offset: Int64, length: Int, error: NSErrorPointer
    ) -> Int {
        guard let buffer, offset >= 0, length > 0, offset < size() else { return 0 }
        do throws(PHPhotosError) {
            let data = try resource.data(at: offset, byteCount: Int(min(Int64(length), size() - offset)))
            data.copyBytes(to: buffer, count: data.count)
            return data.count
        } catch let reason {
            error?.pointee = makeLibraryError(reason)
            return 0
        }
    }

    /// The whole file; nil if it cannot be read.
    private func contents() -> Data? {
        // The methods for images return nil; the client reads the reason with `getBytes`.
        try? resource.data(byteCount: Int(clamping: size()))
    }

    /// Returns the image as it is stored, or the first frame of a movie; nil if it cannot be read. The representation
    /// retains the image.
    public func fullResolutionImage() -> Unmanaged<CGImage>! {
        images.unmanaged("full resolution") {
            self.isImage
                ? self.contents().flatMap(UIImage.init(data:))?.cgImage
                : self.asset.image(PHImageManagerMaximumSize, .aspectFit, .none, in: self.system)
        }
    }

    /// Returns the same as `fullResolutionImage()`.
    ///
    /// - Parameter options: Has no effect.
    public func cgImage(options: [AnyHashable: Any]! = [:]) -> Unmanaged<CGImage>! { fullResolutionImage() }

    /// Returns the upright image with at most 1136 pixels on its longer side; nil if it cannot be read. The
    /// representation retains the image.
    public func fullScreenImage() -> Unmanaged<CGImage>! {
        images.unmanaged("full screen") {
            self.asset.image(
                CGSize(width: Self.screenSide, height: Self.screenSide), .aspectFit, .fast, in: self.system)
        }
    }

    public func url() -> URL! {
        AssetURL.asset(asset.localIdentifier, fileExtension: resource.fileExtensions.first ?? "JPG")
    }

    /// Returns the metadata under `kCGImageProperty…` keys; nil for a movie.
    public func metadata() -> [AnyHashable: Any]! {
        guard isImage else { return nil }
        var properties = readEXIF().imageProperties
        properties[kCGImagePropertyPixelWidth] = Int(dimensions().width)
        properties[kCGImagePropertyPixelHeight] = Int(dimensions().height)
        return properties
    }

    /// Returns the orientation of the image that `fullResolutionImage()` returns; up for a movie.
    public func orientation() -> ALAssetOrientation { ALAssetOrientation(readEXIF().orientation ?? .up) }

    /// Returns 1.
    public func scale() -> Float { 1 }

    public func filename() -> String! { resource.originalFilename }

    /// The location in the metadata.
    var location: CLLocation? {
        readEXIF().location.map { location in
            CLLocation(
                coordinate: CLLocationCoordinate2D(latitude: location.latitude, longitude: location.longitude),
                altitude: location.altitude ?? 0, horizontalAccuracy: 0,
                verticalAccuracy: location.altitude == nil ? -1 : 0,
                timestamp: asset.creationDate ?? Date(timeIntervalSince1970: 0))
        }
    }

    private func readEXIF() -> EXIF {
        if let known = exif.withLock({ $0 }) { return known }
        // A file without metadata, or with damaged metadata, has no properties.
        let read = (isImage ? contents() : nil).flatMap { EXIF(file: $0) } ?? EXIF()
        exif.withLock { $0 = read }
        return read
    }
}
