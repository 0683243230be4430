import Foundation
import MediaTypes

/// An observation of a key path that is a string.
package final class KeyPathObservation: @unchecked Sendable {
    // SAFETY: `state` is behind a lock; the other properties are constant. The closures capture weak references, and
    // the pointer is only compared and passed on.

    /// A value and the properties on which it depends.
    package typealias TrackedValue = (value: Any?, dependencies: [ObservedProperties.Dependency])

    private struct State {
        var last: Any?
        var cancellations: [@Sendable () -> Void] = []
    }

    private weak let observer: (any KeyPathObserver)?
    private let keyPath: String
    private let options: NSKeyValueObservingOptions
    private let context: UnsafeMutableRawPointer?
    private let object: () -> Any?
    private let track: () -> TrackedValue
    private let state = Lock(UncheckedSendable(value: State()))

    /// Creates an observation that has not started.
    ///
    /// - Parameters:
    ///   - object: Returns the observed object; nil after it is released.
    ///   - track: Returns the current value of the key path.
    package init(
        _ observer: any KeyPathObserver, _ keyPath: String, _ options: NSKeyValueObservingOptions,
        _ context: UnsafeMutableRawPointer?, object: @escaping () -> Any?,
        track: @escaping () -> TrackedValue
    ) {
        self.observer = observer
        self.keyPath = keyPath
        self.options = options
        self.context = context
        self.object = object
        self.track = track
    }

    deinit { for cancel in state.withLock({ $0.value.cancellations }) { cancel() } }

    /// Whether the observer was released.
    package var isObsolete: Bool { observer == nil }

    /// Starts the observation, and calls the observer with the option `.initial`.
    ///
    /// - Returns: False if the value depends on no observable property, so that changes are not reported.
    package func start() -> Bool {
        let (value, dependencies) = track()
        _ = store(value, dependingOn: dependencies)
        if options.contains(.initial) { notify([.kindKey: NSKeyValueChange.setting.rawValue], new: value) }
        return !dependencies.isEmpty
    }

    /// Whether the observation was created with these arguments.
    ///
    /// - Parameter context: Nil for any context.
    package func matches(
        _ observer: any KeyPathObserver, _ keyPath: String, _ context: UnsafeMutableRawPointer??
    ) -> Bool {
        self.observer === observer && self.keyPath == keyPath && (context.map { $0 == self.context } ?? true)
    }

    /// Stores the current value, and observes the properties on which it depends. The properties may have changed,
    /// because an object in the middle of the key path may have been replaced.
    ///
    /// - Returns: The previous value.
    private func store(_ value: Any?, dependingOn dependencies: [ObservedProperties.Dependency]) -> Any? {
        let cancellations = dependencies.map { $0.observe { [weak self] in self?.changed() } }
        let new = UncheckedSendable(value: State(last: value, cancellations: cancellations))
        let old = state.withLock { state in
            defer { state = new }
            return state
        }
        for cancel in old.value.cancellations { cancel() }
        return old.value.last
    }

    private func changed() {
        let (value, dependencies) = track()
        let old = store(value, dependingOn: dependencies)
        var change: [NSKeyValueChangeKey: Any] = [.kindKey: NSKeyValueChange.setting.rawValue]
        if options.contains(.old) { change[.oldKey] = old ?? NSNull() }
        if options.contains(.prior) {
            notify(change.merging([.notificationIsPriorKey: true]) { $1 }, new: nil)
        }
        notify(change, new: value)
    }

    private func notify(_ change: [NSKeyValueChangeKey: Any], new: Any?) {
        guard let observer, let object = object() else { return }
        var change = change
        if options.contains(.new), change[.notificationIsPriorKey] == nil { change[.newKey] = new ?? NSNull() }
        observer.observeValue(forKeyPath: keyPath, of: object, change: change, context: context)
    }
}
