import Glibc
import MediaTypes
import Synchronization

/// A record of the existing objects of a capture system: sessions, inputs, outputs, and the delegates of clients.
///
/// A test reads the record after the client has released its objects. Objects that still exist are leaks. Objects are
/// recorded only on request, because a weak reference makes each use of an object slower.
/// - Important: Thread-safe.
package final class ObjectLifetimes: Sendable {
    private struct Entry {
        weak var object: AnyObject?
        let name: String
        /// The position in the order of creation.
        let number: Int
    }

    private struct State {
        // Invariant: at most one entry for each existing object.
        var entries: [ObjectIdentifier: Entry] = [:]
        var nextNumber = 0
        /// The number of entries at which the entries of deallocated objects are removed.
        var limit = 64
    }

    private let isRecording = Atomic(false)
    // The order is `primitive`, because objects are created and delegates are set in any critical section.
    private let state = Lock(State(), order: .primitive)

    init() {}

    /// Starts recording. Objects that were added before this call are not recorded.
    package func startRecording() { isRecording.store(true, ordering: .releasing) }

    /// Adds an object that the client must be able to release.
    ///
    /// - Parameters:
    ///   - object: The object; it is not retained.
    ///   - role: Its role, which precedes the name of its class in reports, such as "the delegate".
    package func add(_ object: AnyObject?, _ role: String) {
        guard isRecording.load(ordering: .acquiring), let object else { return }
        let name = "\(role) \(type(of: object))"
        state.withLock { state in
            // A delegate can be set again; an object that was deallocated may have had the same address.
            let id = ObjectIdentifier(object)
            if state.entries[id]?.object != nil { return }
            state.entries[id] = Entry(object: object, name: name, number: state.nextNumber)
            state.nextNumber += 1
            guard state.entries.count >= state.limit else { return }
            state.entries = state.entries.filter { $0.value.object != nil }
            state.limit = max(64, 2 * state.entries.count)
        }
    }

    /// The number of the next object.
    package var nextNumber: Int { state.withLock(\.nextNumber) }

    /// An object that exists.
    package struct Existing {
        package let object: AnyObject
        /// The role and the class.
        package let name: String
        /// Whether the object belongs to the client, such as a delegate.
        package var isOfClient: Bool { name.hasPrefix("the delegate ") }
    }

    /// Returns the objects that exist, in the order of their names.
    ///
    /// - Parameter number: The number of the first object that is included.
    package func existingObjects(from number: Int) -> [Existing] {
        let entries = state.withLock { $0.entries.values.filter { $0.number >= number } }
        return entries.compactMap { entry in entry.object.map { Existing(object: $0, name: entry.name) } }
            .sorted { $0.name < $1.name }
    }

    /// Returns the names of the objects that exist, sorted.
    ///
    /// - Parameter number: The number of the first object that is included.
    package func existing(from number: Int) -> [String] {
        state.withLock { state in
            state.entries.values.filter { $0.number >= number && $0.object != nil }.map(\.name)
        }.sorted()
    }

    /// The descriptions of the objects that describe their state, in the order of creation.
    package var states: [String] {
        let entries = state.withLock { Array($0.entries.values) }
        return entries.sorted { $0.number < $1.number }.compactMap { entry in
            (entry.object as? any StateDescribing)?.stateDescription
        }
    }

    /// Returns the names of unreleased objects that `find` returns. Repeats the call for up to one second of real
    /// time until it returns none.
    ///
    /// In a simulated world, a client's block counts as finished after its last statement, but its thread releases the
    /// captured objects shortly after that.
    package static func leaks(_ find: () -> [String]) -> [String] {
        var leaks = find()
        let clock = HostClock.shared
        let deadline = clock.now + CMTime(value: 1, timescale: 1)
        while !leaks.isEmpty, clock.now < deadline {
            // Waits for 2 ms of real time, also if the program has simulated worlds.
            poll(nil, 0, 2)
            leaks = find()
        }
        return leaks
    }
}

/// An object that lists the objects it holds, for leak checks.
package protocol ReferenceHolding: AnyObject {
    /// The objects that the object holds.
    var heldObjects: [AnyObject] { get }
}

/// An object that describes its state, for the reports of waiting tests.
package protocol StateDescribing: AnyObject {
    /// The state, with the kind of the object.
    var stateDescription: String { get }
}
