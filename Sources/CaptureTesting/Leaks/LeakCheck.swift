import CaptureHAL
import CaptureSimulation
import Foundation
import MediaTypes
import SimDevices
import Testing

/// Checks that code has released its resources: objects of its simulated systems, buffers, descriptors and threads.
struct LeakCheck {
    private let before = ProcessResources()
    private let created: SystemCollector
    /// The system in which the code runs if it creates none, and the number of its next object.
    private let surrounding: (record: SystemRecord, firstObject: Int)?

    /// Begins the check, before the code runs.
    init() {
        created = RunningTests.shared.collectSystems()
        surrounding = SimulatedSystem.active.map { ($0.record, $0.record.lifetimes?.nextNumber ?? 0) }
    }

    /// The parts of a system that a check needs after the system has been deallocated.
    struct System {
        let lifetimes: ObjectLifetimes
        /// The number of the first object that is checked.
        var firstObject = 0
        let history: StreamHistory?
        /// The folder of the system's files; nil if it has none.
        let folder: URL?

        init(_ lifetimes: ObjectLifetimes, _ history: StreamHistory?, folder: URL?) {
            (self.lifetimes, self.history, self.folder) = (lifetimes, history, folder)
        }

        init?(_ record: SystemRecord, from firstObject: Int = 0) {
            guard let lifetimes = record.lifetimes else { return nil }
            self.init(lifetimes, record.history, folder: record.folder)
            self.firstObject = firstObject
        }
    }

    /// The virtual time in which tasks can end after the code has cancelled them or has released an object.
    static let releaseTime = Duration.seconds(1)

    /// Closes the systems that the code created, and describes the resources that it has not released.
    ///
    /// Waits up to one second for other threads to release resources.
    ///
    /// - Parameter others: Systems that the code created and that are not simulated systems of the test.
    func leaks(of others: [System] = []) -> [String] {
        let records = created.end()
        for system in RunningTests.shared.systems(records) {
            if system.isOpen { system.advance(by: Self.releaseTime) }
            RunningTests.shared.close(system)
        }
        return leaks(records, others)
    }

    /// Closes the systems that asynchronous code created, and describes the resources that it has not released.
    func leaks(isolation: isolated (any Actor)?) async -> [String] {
        let records = created.end()
        for system in RunningTests.shared.systems(records) {
            if system.isOpen { await system.wait(for: Self.releaseTime) }
            RunningTests.shared.close(system)
        }
        return leaks(records, [])
    }

    private func leaks(_ records: [SystemRecord], _ others: [System]) -> [String] {
        var systems = records.compactMap { System($0) } + others
        if systems.isEmpty, let surrounding {
            systems += [System(surrounding.record, from: surrounding.firstObject)].compactMap(\.self)
        }
        func resources() -> [String] {
            ProcessResources().additions(since: before, of: systems, isAlone: Test.current == nil)
        }
        let leaks = ObjectLifetimes.leaks {
            systems.flatMap { $0.lifetimes.existing(from: $0.firstObject) } + resources()
        }
        if leaks.isEmpty { return [] }
        let objects = systems.flatMap { $0.lifetimes.existingObjects(from: $0.firstObject) }
        return LeakedObjects(objects).failures + resources()
    }

    /// Ends the check without a result, after the code has thrown an error. Has no effect after the check has ended.
    func cancel() { _ = created.end() }
}

/// Collects the simulated systems that a test creates during a leak check.
final class SystemCollector: Sendable {
    /// The name of a test of Swift Testing; nil for a test of XCTest.
    let test: String?
    private let records = Lock<[SystemRecord]>([], order: .primitive)

    init(test: String?) { self.test = test }

    /// Adds the record of a new system.
    func add(_ record: SystemRecord) { records.withLock { $0.append(record) } }

    /// Ends the collection, and returns the records.
    func end() -> [SystemRecord] {
        RunningTests.shared.end(self)
        return records.withLock { $0 }
    }
}
