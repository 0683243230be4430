import Foundation
import PhotoStore

/// An asset that a command could not process.
struct AssetFailure: Encodable {
    var id: String
    var reason: String

    /// Prints the failure on standard error.
    func printError() { _ = writeAll("Error: \(id): \(reason)\n", to: STDERR_FILENO) }
}

/// The properties of an asset that commands print.
struct AssetReport: Encodable {
    struct File: Encodable {
        var type: String
        var name: String
        var path: String
        var uti: String
        var bytes: Int64
        var width: Int
        var height: Int
        var sha256: String?
        /// How the file is damaged; nil if it is not, or was not compared.
        var damage: String?
        /// The metadata in the file; nil if they were not read.
        var metadata: [String: String]?
    }

    var id: String
    var type: String
    var file: String
    var width: Int
    var height: Int
    var duration: Double
    var created: String
    var modified: String
    var added: String
    /// Nil for an asset that is not in Recently Deleted.
    var deleted: String?
    var favorite: Bool
    var hidden: Bool
    /// The number of stars; 0 for none.
    var rating: Int
    var edited: Bool
    var subtypes: [String]
    var make: String?
    var model: String?
    var latitude: Double?
    var longitude: Double?
    var altitude: Double?
    var albums: [String]
    var files: [File]

    init(_ asset: ListedAsset) {
        func text(_ date: Double) -> String { Date(timeIntervalSince1970: date).ISO8601Format() }
        id = asset.localIdentifier
        type = Self.typeName(asset.mediaType)
        file = asset.originalFilename
        width = asset.pixelWidth
        height = asset.pixelHeight
        duration = asset.duration
        created = text(asset.creationDate)
        modified = text(asset.modificationDate)
        added = text(asset.addedDate)
        deleted = asset.deletedDate.map(text)
        favorite = asset.isFavorite
        hidden = asset.isHidden
        rating = asset.rating
        edited = asset.adjustmentFormat != nil
        subtypes = Self.subtypeNames.filter { asset.mediaSubtypes.contains($0.subtype) }.map(\.name)
        make = asset.cameraMake
        model = asset.cameraModel
        latitude = asset.latitude
        longitude = asset.longitude
        altitude = asset.altitude
        albums = asset.albums
        files = asset.files.map {
            File(
                type: "\($0.type)", name: $0.originalFilename, path: $0.url.path, uti: $0.uniformTypeIdentifier,
                bytes: $0.byteCount, width: $0.pixelWidth, height: $0.pixelHeight, sha256: $0.checksum)
        }
    }

    static func typeName(_ type: PHAssetMediaType) -> String { type == .video ? "movie" : "picture" }

    private static let subtypeNames: [(subtype: PHAssetMediaSubtype, name: String)] = [
        (.photoPanorama, "panorama"), (.photoHDR, "hdr"), (.photoScreenshot, "screenshot"), (.photoLive, "live"),
        (.photoDepthEffect, "depth-effect"), (.spatialMedia, "spatial"), (.videoStreamed, "streamed"),
        (.videoHighFrameRate, "high-frame-rate"), (.videoTimelapse, "time-lapse"),
        (.videoScreenRecording, "screen-recording"), (.videoCinematic, "cinematic"),
    ]

    /// A column of a table of assets.
    enum Column: String, NamedArgument {
        case id, type, file, width, height, duration, created, modified, added, deleted, favorite, hidden, rating,
            edited
        case subtypes, make, model, latitude, longitude, altitude, albums, bytes, sha256, path

        static let noun = "column"
    }

    /// Returns the text in a column; empty for an unknown value.
    func text(_ column: Column) -> String {
        func number(_ value: Double?) -> String { value.map { "\($0)" } ?? "" }
        func yes(_ value: Bool) -> String { value ? "yes" : "no" }
        return switch column {
        case .id: id
        case .type: type
        case .file: file
        case .width: "\(width)"
        case .height: "\(height)"
        case .duration: String(format: "%.3f", duration)
        case .created: created
        case .modified: modified
        case .added: added
        case .deleted: deleted ?? ""
        case .favorite: yes(favorite)
        case .hidden: yes(hidden)
        case .rating: "\(rating)"
        case .edited: yes(edited)
        case .subtypes: subtypes.joined(separator: ", ")
        case .make: make ?? ""
        case .model: model ?? ""
        case .latitude: number(latitude)
        case .longitude: number(longitude)
        case .altitude: number(altitude)
        case .albums: albums.joined(separator: ", ")
        case .bytes: files.first.map { "\($0.bytes)" } ?? ""
        case .sha256: files.first?.sha256 ?? ""
        case .path: files.first?.path ?? ""
        }
    }
}
