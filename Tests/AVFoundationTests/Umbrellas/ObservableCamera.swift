import AVFoundation

/// Uses the names of Foundation and Dispatch that `AVFoundation` alone imports.
@Observable
final class ObservableCamera {
    var isRunning = false
}

actor CameraActor {
    private let queue = DispatchSerialQueue(label: "camera")
    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    func value() -> Int { 1 }
}
