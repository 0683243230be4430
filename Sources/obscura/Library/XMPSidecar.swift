import Foundation
import MediaCodecs
import PhotoStore

/// The properties of an asset that its file does not contain, as an XMP packet (ISO 16684-1) in a file of its own.
struct XMPSidecar {
    let text: String

    init(_ asset: ListedAsset) {
        var properties = [
            "photoshop:DateCreated": Date(timeIntervalSince1970: asset.creationDate).ISO8601Format()
        ]
        properties["tiff:Make"] = asset.cameraMake
        properties["tiff:Model"] = asset.cameraModel
        if asset.rating > 0 {
            properties["xmp:Rating"] = "\(asset.rating)"
        } else if asset.isFavorite {
            properties["xmp:Rating"] = "5"
        }
        if let latitude = asset.latitude, let longitude = asset.longitude {
            properties["exif:GPSLatitude"] = Self.coordinate(latitude, "N", "S")
            properties["exif:GPSLongitude"] = Self.coordinate(longitude, "E", "W")
        }
        if let altitude = asset.altitude {
            properties["exif:GPSAltitude"] = "\(Int((abs(altitude) * 1000).rounded()))/1000"
            properties["exif:GPSAltitudeRef"] = altitude < 0 ? "1" : "0"
        }
        var writer = XMPWriter(namespaces: [
            ("dc", "http://purl.org/dc/elements/1.1/"), ("exif", "http://ns.adobe.com/exif/1.0/"),
            ("photoshop", "http://ns.adobe.com/photoshop/1.0/"), ("tiff", "http://ns.adobe.com/tiff/1.0/"),
            ("xmp", "http://ns.adobe.com/xap/1.0/"),
        ])
        for (name, value) in properties.sorted(by: { $0.key < $1.key }) { writer.add(name, value) }
        if !asset.albums.isEmpty { writer.add("dc:subject", asset.albums, isOrdered: false) }
        text = writer.text
    }

    /// Returns a coordinate as XMP writes it: degrees and minutes, as in `48,51.462000N`.
    private static func coordinate(_ degrees: Double, _ positive: String, _ negative: String) -> String {
        // In millionths of a minute, so that the minutes are never rounded to 60.
        let minutes = Int((abs(degrees) * 60 * 1_000_000).rounded())
        let fraction = String(minutes % 1_000_000)
        let padded = String(repeating: "0", count: 6 - fraction.count) + fraction
        return "\(minutes / 60_000_000),\(minutes / 1_000_000 % 60).\(padded)\(degrees < 0 ? negative : positive)"
    }
}
