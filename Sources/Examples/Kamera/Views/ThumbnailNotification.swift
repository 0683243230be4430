import Foundation

extension Notification.Name {
    /// A photo or movie was saved; the object is its thumbnail, a `UIImage`. Posted on the main thread.
    public static let thumbnailCreated = Notification.Name("ThumbnailCreated")
}
