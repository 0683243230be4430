import Photos

/// Uses the names of Foundation and Dispatch that `Photos` alone imports.
@Observable
final class PhotosState {
    var isRunning = false
    @ObservationIgnored let queue = DispatchSerialQueue(label: "Photos")
}
