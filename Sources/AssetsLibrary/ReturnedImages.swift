import MediaTypes

/// Retains the images that an object returned as unretained references, until the object is deallocated.
///
/// A client retains a returned image immediately, but the compiler may release the object before that. The last
/// returned images of the process are therefore retained, too.
/// - Important: Thread-safe.
final class ReturnedImages: Sendable {
    private static let recent = Lock<[CGImage]>([])
    private static let recentCount = 4
    private let images = Lock<[String: CGImage]>([:])

    /// Returns the image with a name, which is created if necessary; nil if it cannot be created.
    func unmanaged(_ name: String, _ create: () -> CGImage?) -> Unmanaged<CGImage>? {
        guard let image = images.withLock({ $0[name] }) ?? create() else { return nil }
        let kept = images.withLock { images in
            let kept = images[name] ?? image
            images[name] = kept
            return kept
        }
        Self.recent.withLock { recent in
            recent.append(kept)
            if recent.count > Self.recentCount { recent.removeFirst() }
        }
        return .passUnretained(kept)
    }
}
