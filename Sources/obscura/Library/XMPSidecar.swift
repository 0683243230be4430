import CaptureScenarios
import Foundation
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
        if asset.isFavorite { properties["xmp:Rating"] = "5" }
        if let latitude = asset.latitude, let longitude = asset.longitude {
            properties["exif:GPSLatitude"] = Self.coordinate(latitude, "N", "S")
            properties["exif:GPSLongitude"] = Self.coordinate(longitude, "E", "W")
        }
        if let altitude = asset.altitude {
            properties["exif:GPSAltitude"] = "\(Int((abs(altitude) * 1000).rounded()))/1000"
            properties["exif:GPSAltitudeRef"] = altitude < 0 ? "1" : "0"
        }
        let attributes = properties.sorted { $0.key < $1.key }
            .map { "\n   \($0.key)=\"\(Self.escaped($0.value))\"" }.joined()
        let subjects = asset.albums.map { "     <rdf:li>\(Self.escaped($0))</rdf:li>\n" }.joined()
        let keywords =
            subjects.isEmpty ? "" : "   <dc:subject>\n    <rdf:Bag>\n\(subjects)    </rdf:Bag>\n   </dc:subject>\n"
        text = """
            <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
            <x:xmpmeta xmlns:x="adobe:ns:meta/">
             <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
              <rdf:Description rdf:about=""
               xmlns:dc="http://purl.org/dc/elements/1.1/"
               xmlns:exif="http://ns.adobe.com/exif/1.0/"
               xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
               xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
               xmlns:xmp="http://ns.adobe.com/xap/1.0/"\(attributes)>
            \(keywords)  </rdf:Description>
             </rdf:RDF>
            </x:xmpmeta>
            <?xpacket end="w"?>

            """
    }

    /// Returns a coordinate as XMP writes it: degrees and minutes, as in `48,51.462000N`.
    private static func coordinate(_ degrees: Double, _ positive: String, _ negative: String) -> String {
        // In millionths of a minute, so that the minutes are never rounded to 60.
        let minutes = Int((abs(degrees) * 60 * 1_000_000).rounded())
        let fraction = String(minutes % 1_000_000)
        let padded = String(repeating: "0", count: 6 - fraction.count) + fraction
        return "\(minutes / 60_000_000),\(minutes / 1_000_000 % 60).\(padded)\(degrees < 0 ? negative : positive)"
    }

    /// Escapes the characters with a meaning in XML, and removes those that it cannot contain. The text is one line.
    private static func escaped(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\t", "\n", "\r": line.append(" ")
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: break
            default: line.append(scalar)
            }
        }
        return String(line).xmlEscaped
    }
}
