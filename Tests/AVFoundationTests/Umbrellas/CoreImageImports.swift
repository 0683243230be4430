import CoreImage

/// Uses the names of Foundation and Dispatch that `CoreImage` alone imports.
@Observable
final class CoreImageState {
    var isRunning = false
    @ObservationIgnored let queue = DispatchSerialQueue(label: "CoreImage")
}
