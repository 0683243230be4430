import MediaTypes

/// The observers of one object's properties.
///
/// Key paths of a class and its subclass differ though they name the same property. So a key path is read once while the
/// getters note that they were asked: that tells on which properties it depends.
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

    /// The names of the properties of one object that are read.
    private final class Reading: Sendable {
        let owner: ObservedProperties
        let names = Lock<Set<String>>([])

        init(owner: ObservedProperties) { self.owner = owner }
    }

    @TaskLocal private static var reading: Reading?
    private let state = Lock(State())

    package init() {}

    /// Notes that a property is read; each getter of a property that can be watched begins with it.
    package func access(_ name: String = #function) {
        guard let reading = Self.reading, reading.owner === self else { return }
        reading.names.withLock { _ = $0.insert(name) }
    }

    /// The result of `body` and the names of the properties that it read.
    func tracking<Result>(_ body: () -> Result) -> (Result, Set<String>) {
        let reading = Reading(owner: self)
        let result = Self.$reading.withValue(reading) { body() }
        return (result, reading.names.withLock { $0 })
    }

    /// Tells the observers of properties that have changed; each once.
    package func changed(_ names: Set<String>) {
        let concerned = state.withLock { state in
            guard !state.observers.isEmpty else { return [Observer]() }
            return state.observers.filter { !$0.value.names.isDisjoint(with: names) }
                .sorted { $0.key < $1.key }.map(\.value)
        }
        for observer in concerned { observer.changed() }
    }

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
