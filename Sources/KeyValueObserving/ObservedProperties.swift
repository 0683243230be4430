import MediaTypes

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

    /// Records the names of the properties of one object that are read.
    private final class AccessRecorder: Sendable {
        let owner: ObservedProperties
        let names = Lock<Set<String>>([])

        init(owner: ObservedProperties) { self.owner = owner }
    }

    @TaskLocal private static var recorder: AccessRecorder?
    private let state = Lock(State())
    /// Receives a message about the observation of a property that cannot be observed.
    let reportMisuse: @Sendable (String) -> Void
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

    /// Records that a property is read; called first in the getter of each observable property.
    package func access(_ name: String = #function) {
        guard let recorder = Self.recorder, recorder.owner === self else { return }
        recorder.names.withLock { _ = $0.insert(name) }
    }

    /// Returns the result of `body` and the names of the properties that it read.
    func tracking<Result>(_ body: () -> Result) -> (Result, Set<String>) {
        let recorder = AccessRecorder(owner: self)
        let result = Self.$recorder.withValue(recorder) { body() }
        return (result, recorder.names.withLock { $0 })
    }

    /// Notifies the observers of a property; called last in the setter of each observable property.
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
