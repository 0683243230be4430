public import Foundation

/// An observer of the library's availability.
public protocol PHPhotoLibraryAvailabilityObserver: NSObjectProtocol {
    /// Called when a change fails because the folder of the library can no longer be used, on the thread of the change.
    func photoLibraryDidBecomeUnavailable(_ photoLibrary: PHPhotoLibrary)
}
