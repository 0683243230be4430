package import Foundation
package import MediaTypes
package import PixelKernels

/// The parts of a HEIF file with an HEVC image (ISO/IEC 23008-12), which can be replaced without encoding the image again.
package struct HEIFPhoto: Sendable {
    /// An image that belongs to the photo and shows the same view, such as a depth map.
    package struct AuxiliaryImage: Sendable {
        /// The type in the property `auxC`.
        package enum Kind: String, Sendable, Hashable, CaseIterable {
            /// Depth or disparity (ISO/IEC 23008-2, F.14.3.3).
            case depth = "urn:mpeg:hevc:2015:auxid:2"
            case portraitEffectsMatte = "urn:com:apple:photo:2018:aux:portraiteffectsmatte"
            case skinMatte = "urn:com:apple:photo:2019:aux:semanticskinmatte"
            case hairMatte = "urn:com:apple:photo:2019:aux:semantichairmatte"
            case teethMatte = "urn:com:apple:photo:2019:aux:semanticteethmatte"
            case glassesMatte = "urn:com:apple:photo:2020:aux:semanticglassesmatte"
            case skyMatte = "urn:com:apple:photo:2020:aux:semanticskymatte"
        }

        package var kind: Kind
        package var picture: HEIFPicture
        /// The XMP packet that describes the image; nil for none.
        package var xmp: Data?

        /// Creates an auxiliary image.
        package init(kind: Kind, picture: HEIFPicture, xmp: Data?) {
            self.kind = kind
            self.picture = picture
            self.xmp = xmp
        }
    }

    package var picture: HEIFPicture
    /// A small version of the photo; nil for none.
    package var thumbnail: HEIFPicture?
    package var auxiliaryImages: [AuxiliaryImage] = []
    /// The EXIF block; nil for none. Its orientation must agree with `orientation`.
    package var exif: EXIF?
    /// The rotation and mirroring that readers apply to all images of the file (`irot` and `imir`).
    package var orientation = CGImagePropertyOrientation.up

    /// Creates a photo without metadata.
    package init(_ picture: HEIFPicture) { self.picture = picture }

    /// Returns the contents of the file.
    ///
    /// - Throws: The errors of `EXIF.encoded()`.
    package func fileData() throws(ImageError) -> Data {
        var items = HEIFItemList()
        let image = items.add(picture, orientation)
        items.primary = image
        if let thumbnail { items.refer("thmb", from: items.add(thumbnail, orientation, isHidden: true), to: [image]) }
        for auxiliary in auxiliaryImages {
            let item = items.add(auxiliary.picture, orientation, isHidden: true, auxiliary: auxiliary.kind.rawValue)
            items.refer("auxl", from: item, to: [image])
            if let xmp = auxiliary.xmp { items.addXMP(xmp, of: item) }
        }
        if let exif { items.addEXIF(try exif.encoded(), of: image) }
        return items.fileData()
    }
}
