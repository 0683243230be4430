extension AVAsset {
    /// Whether the photo library accepts the file: a movie with a video track that can be decoded.
    public var isCompatibleWithSavedPhotosAlbum: Bool {
        tracks(withMediaType: .video).contains { $0.isDecodable }
    }
}
