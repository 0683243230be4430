package import MediaTypes

/// The observers of one object's properties.
///
/// Key paths of a class and of its subclass differ even for the same property. A key path is therefore read once while
/// getters record their names, which determines the properties on which it depends.
/// - Important: Thread-safe. Observers run on the changing thread, in the order in which they were added.
public final class ObservedProperties: Sendable {
    private struct Observer {
        let names: Set<String>
        let changed: @Sendable () -> Void
    }

    private struct State {
        var observers: [UInt64: Observer] = [:]
        var next: UInt64 = 0
    }

    /// Properties of one object on which a value depends.
    package struct Dependency: Sendable {
        let owner: ObservedProperties
        fileprivate(set) var names: Set<String>

        /// Calls `changed` after each change of the properties.
        ///
        /// - Returns: A function that ends the calls.
        func observe(_ changed: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
            let number = owner.add(names, changed: changed)
            return { [weak owner] in owner?.remove(number) }
        }

        /// Notifies the observers of the properties.
        func notify() { owner.changed(names) }
    }

    /// Records the properties that are read.
    private final class AccessRecorder: Sendable {
        let dependencies = Lock<[ObjectIdentifier: Dependency]>([:])
    }

    @TaskLocal private static var recorder: AccessRecorder?
    private let state = Lock(State())
    /// Receives a message about the observation of a property that cannot be observed.
    package let reportMisuse: @Sendable (String) -> Void
    /// The observations of key paths that are strings.
    package let keyPathObservations = Lock<[KeyPathObservation]>([])
    /// Runs the calls of the observers.
    private let perform: @Sendable (() -> Void) -> Void

    /// Creates an object without observers.
    ///
    /// - Parameters:
    ///   - perform: Runs the calls of the observers, once, before it returns.
    ///   - reportMisuse: Receives a message if a client observes a property that cannot be observed.
    package init(
        perform: @escaping @Sendable (() -> Void) -> Void = { $0() }, reportMisuse: @escaping @Sendable (String) -> Void
    ) {
        self.perform = perform
        self.reportMisuse = reportMisuse
    }

    /// Records that a property is read; called at the start of the getter of each observable property.
    package func access(_ name: String = #function) {
        guard let recorder = Self.recorder else { return }
        recorder.dependencies.withLock { dependencies in
            _ = dependencies[ObjectIdentifier(self), default: Dependency(owner: self, names: [])].names.insert(name)
        }
    }

    /// Returns the value of a property from the state of its object, and records that the property is read.
    package func value<State, Value>(
        _ keyPath: KeyPath<State, Value>, in state: Lock<State>, _ name: String = #function
    ) -> Value {
        access(name)
        return state.withLock { $0[keyPath: keyPath] }
    }

    /// Sets the value of a property in the state of its object, and notifies the property's observers.
    package func set<State, Value>(
        _ keyPath: WritableKeyPath<State, Value>, in state: Lock<State>, to value: Value, _ name: String = #function
    ) {
        state.withLock { $0[keyPath: keyPath] = value }
        changed(name)
    }

    /// Returns the result of `body` and the properties on which it depends.
    ///
    /// If `body` reads properties of this object, only these are returned, although their getters can also read those
    /// of other objects. Otherwise the properties of other objects are returned, for example for the key path
    /// `\.device.focusMode` of an input.
    package func tracking<Result>(_ body: () -> Result) -> (Result, [Dependency]) {
        let recorder = AccessRecorder()
        let result = Self.$recorder.withValue(recorder) { body() }
        let dependencies = recorder.dependencies.withLock { $0 }
        return (result, dependencies[ObjectIdentifier(self)].map { [$0] } ?? Array(dependencies.values))
    }

    /// Notifies the observers of a property; called at the end of the setter of each observable property.
    package func changed(_ name: String = #function) { changed([name]) }

    /// Notifies the observers of changed properties, each once.
    package func changed(_ names: Set<String>) {
        let affected = state.withLock { state in
            guard !state.observers.isEmpty else { return [Observer]() }
            return state.observers.filter { !$0.value.names.isDisjoint(with: names) }
                .sorted { $0.key < $1.key }.map(\.value)
        }
        guard !affected.isEmpty else { return }
        perform { for observer in affected { observer.changed() } }
    }

    /// Whether any property has observers.
    package var hasObservers: Bool { state.withLock { !$0.observers.isEmpty } }

    func add(_ names: Set<String>, changed: @escaping @Sendable () -> Void) -> UInt64 {
        state.withLock { state in
            defer { state.next += 1 }
            state.observers[state.next] = Observer(names: names, changed: changed)
            return state.next
        }
    }

    func remove(_ number: UInt64) {
        state.withLock { _ = $0.observers.removeValue(forKey: number) }
    }
}
