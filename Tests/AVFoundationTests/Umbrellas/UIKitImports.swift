import UIKit

/// Uses the names of Foundation and Dispatch that `UIKit` alone imports.
@Observable
final class UIKitState {
    var isRunning = false
    @ObservationIgnored let queue = DispatchSerialQueue(label: "UIKit")
}
