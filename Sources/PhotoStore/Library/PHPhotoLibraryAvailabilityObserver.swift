public import Foundation

/// An observer of the library's availability.
public protocol PHPhotoLibraryAvailabilityObserver: NSObjectProtocol {
    /// Called when a change fails because the folder of the library can no longer be used, or when a test makes the
    /// library unavailable; on the thread that does so.
    func photoLibraryDidBecomeUnavailable(_ photoLibrary: PHPhotoLibrary)
}
