import CoreMedia

/// Uses the names of Foundation and Dispatch that `CoreMedia` alone imports.
@Observable
final class CoreMediaState {
    var isRunning = false
    @ObservationIgnored let queue = DispatchSerialQueue(label: "CoreMedia")
}
