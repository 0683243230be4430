import AVFoundation

extension MovieRecorder {
    /// Adds a location, in degrees, to the metadata of the movie, also while it is recorded. The format is ISO 6709.
    public func addLocation(latitude: Double, longitude: Double) {
        let item = AVMutableMetadataItem()
        item.keySpace = .common
        item.key = AVMetadataKey.commonKeyLocation.rawValue as NSString
        item.value = String(format: "%+08.4lf%+09.4lf/", latitude, longitude) as NSString
        output.metadata = (output.metadata ?? []) + [item]
    }
}
