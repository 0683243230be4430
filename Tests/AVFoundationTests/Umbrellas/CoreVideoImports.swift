import CoreVideo

/// Uses the names of Foundation and Dispatch that `CoreVideo` alone imports.
@Observable
final class CoreVideoState {
    var isRunning = false
    @ObservationIgnored let queue = DispatchSerialQueue(label: "CoreVideo")
}
