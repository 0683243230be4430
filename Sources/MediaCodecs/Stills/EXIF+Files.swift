package import Foundation

extension EXIF {
    /// Reads the metadata of a JPEG or PNG file; nil if there is none or it cannot be read.
    package init?(file data: Data) {
        let block: EXIF?
        if data.starts(with: PNGChunks.signature) {
            block = PNGChunks(data)?.exif
        } else {
            block = try? JPEGSegments(data).exif()
        }
        guard let block else { return nil }
        self = block
    }
}
