// swift-format-ignore-file: AlwaysUseLowerCamelCase
// A function has the name of Dispatch.

import CaptureHAL
@preconcurrency import Dispatch
import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import CaptureSimulation

/// Tests the choice of work among that of many queues.
final class ScheduledWorkTests: XCTestCase {
    private var simulated: SimulatedSystem!

    override func setUpWithError() throws { simulated = try SimulatedSystem(profile: "webcam") }

    override func tearDown() {
        simulated.close()
        simulated = nil
    }

    // MARK: Order

    /// The rules of readiness, evaluated for each item by comparing it with all others.
    private struct Rules {
        /// The unfinished items, in the order of submission.
        var items: [WorkItem] = []
        var targets: [UnsafeMutableRawPointer: UnsafeMutableRawPointer] = [:]
        var suspended: Set<UnsafeMutableRawPointer> = []
        var inactive: Set<UnsafeMutableRawPointer> = []

        func chain(_ queue: UnsafeMutableRawPointer) -> [UnsafeMutableRawPointer] {
            Array(sequence(first: queue) { targets[$0] })
        }

        func isReady(_ item: WorkItem) -> Bool {
            if item.phase == .resumable { return true }
            guard item.phase == .ready else { return false }
            for earlier in items.prefix(while: { $0 !== item })
            where earlier.queue.pointer == item.queue.pointer && !earlier.isAdvancing {
                if !item.isConcurrent || item.isBarrier || earlier.isBarrier { return false }
            }
            return chain(item.queue.pointer).allSatisfy { queue in
                if suspended.contains(queue) || inactive.contains(queue) { return false }
                let isOccupied = items.contains {
                    $0.phase != .ready && !$0.isAdvancing && chain($0.queue.pointer).contains(queue)
                }
                return WorkQueue(RetainedObject(queue)).isConcurrent || !isOccupied
            }
        }

        var ready: [WorkItem] { items.filter(isReady).sorted { $0.number < $1.number } }
    }

    /// Adds, runs, suspends, deactivates and ends random work, and compares each choice with the rules.
    private func compareWithRules(seed: UInt64, isInterleaved: Bool) {
        var random = SplitMix64(seed: seed)
        let world = SimulatedWorld(
            clock: SimClock(), interleaving: isInterleaved ? .seeded(seed) : .submissionOrder)
        var expectedGenerator = isInterleaved ? SplitMix64(seed: seed) : nil
        let queues = (0..<8).map { RetainedObject(queue(isConcurrent: $0 % 3 == 0)) }
        var (work, rules) = (ScheduledWork(), Rules())
        var satisfied: Set<ObjectIdentifier> = []
        func index(_ count: Int) -> Int { random.index(below: count) }
        for _ in 0..<400 {
            let running = rules.items.filter { $0.phase == .running }
            switch index(13) {
            case 0...3:
                let item = WorkItem(
                    world: world, queue: queues[index(queues.count)].pointer, action: .call {},
                    isBarrier: index(4) == 0)
                work.add(item)
                rules.items.append(item)
            case 4...6:
                if !running.isEmpty {
                    let item = running[index(running.count)]
                    work.remove(item)
                    item.phase = .finished
                    rules.items.removeAll { $0 === item }
                }
            case 7:
                if let item = running.first(where: { !$0.isAdvancing }) {
                    let id = ObjectIdentifier(item)
                    satisfied.remove(id)
                    item.wait = WorkItem.Wait(description: "a test") { satisfied.contains(id) }
                    item.phase = .waiting
                }
            case 8:
                for item in rules.items where item.phase == .waiting && index(2) == 0 {
                    satisfied.insert(ObjectIdentifier(item))
                }
            case 9:
                if !running.isEmpty {
                    let item = running[index(running.count)]
                    work.setAdvancing(!item.isAdvancing, item)
                }
            case 10:
                let queue = queues[index(queues.count)].pointer
                if rules.inactive.remove(queue) != nil {
                    work.activate(queue)
                } else {
                    rules.inactive.insert(queue)
                    work.addInactive(queue)
                }
            case 11:
                let queue = queues[index(queues.count)].pointer
                // Resuming an inactive queue activates it.
                guard !rules.inactive.contains(queue) else { break }
                let isSuspended = rules.suspended.remove(queue) != nil
                if !isSuspended { rules.suspended.insert(queue) }
                if isSuspended { work.resume(queue) } else { work.suspend(queue) }
            default:
                // A target has a lower index, so that there is no cycle.
                let source = 1 + index(queues.count - 1)
                let target = index(source)
                rules.targets[queues[source].pointer] = queues[target].pointer
                work.setTarget(of: queues[source], to: queues[target])
            }
            guard index(2) == 0 else { continue }
            let phases = rules.items.map(\.phase)
            let chosen = work.choose(in: [world])
            // A choice ends waits, and marks the chosen item.
            let phase = chosen?.phase
            if let chosen, let index = rules.items.firstIndex(where: { $0 === chosen }) {
                chosen.phase = phases[index] == .ready ? .ready : .resumable
            }
            let ready = rules.ready
            let position = ready.count > 1 ? expectedGenerator?.index(below: ready.count) ?? 0 : 0
            XCTAssertTrue(
                chosen === (ready.isEmpty ? nil : ready[position]),
                "seed \(seed): \(chosen?.number ?? 0) of \(ready.map(\.number))")
            if let chosen, let phase { chosen.phase = phase }
        }
    }

    func testChoicesFollowTheRulesOfQueuesBarriersTargetsAndSuspensions() {
        for seed in 1...60 as ClosedRange<UInt64> {
            compareWithRules(seed: seed, isInterleaved: seed % 2 == 0)
        }
    }

    // MARK: Cost

    /// The number of items that the scheduler examines for each of `count` units of work.
    private func examinedCount(_ count: Int, _ submit: (Int) -> [Any]) -> Double {
        let before = Scheduler.shared.monitor.read { $0.work.examinedCount }
        let objects = submit(count)
        simulated.advance(by: .seconds(1))
        withExtendedLifetime(objects) {}
        return Double(Scheduler.shared.monitor.read { $0.work.examinedCount } - before) / Double(count)
    }

    /// Checks that the work of the scheduler for each item is the same for 100 and for 2,000 items, or for 10,000 if all
    /// cases are tried.
    private func assertConstantCost(_ name: String, _ submit: (Int) -> [Any]) {
        let few = examinedCount(100, submit)
        let many = examinedCount(CaseSample.isComplete ? 10_000 : 2_000, submit)
        XCTAssertGreaterThan(few, 0, name)
        XCTAssertLessThan(many, 1.3 * few, name)
    }

    func testTheCostOfAnItemDoesNotDependOnTheNumberOfOthers() {
        assertConstantCost("blocks on a concurrent queue") { count in
            let queue = DispatchQueue(label: "client", attributes: .concurrent)
            for _ in 0..<count { queue.async {} }
            return [queue]
        }
        assertConstantCost("barriers among them") { count in
            let queue = DispatchQueue(label: "client", attributes: .concurrent)
            for index in 0..<count { queue.async(flags: index % 3 == 0 ? .barrier : []) {} }
            return [queue]
        }
        assertConstantCost("blocks on a serial queue") { count in
            let queue = DispatchQueue(label: "client")
            for _ in 0..<count { queue.async {} }
            return [queue]
        }
        assertConstantCost("serial queues") { count in
            (0..<count).map { _ in
                let queue = DispatchQueue(label: "client")
                queue.async {}
                return queue
            }
        }
        assertConstantCost("queues with one target") { count in
            let target = DispatchQueue(label: "target")
            return (0..<count).map { _ in
                let queue = DispatchQueue(label: "client", target: target)
                queue.async {}
                return queue
            }
        }
        assertConstantCost("tasks") { count in (0..<count).map { _ in Task.detached {} as Task<Void, Never> } }
        assertConstantCost("notifications of groups") { count in
            let queue = DispatchQueue(label: "client")
            return (0..<count).map { _ in
                let group = DispatchGroup()
                group.enter()
                group.notify(queue: queue) {}
                queue.async { group.leave() }
                return group
            }
        }
    }

    // MARK: Queues and groups

    func testWorkOfATargetQueueWaitsForWorkOfItsQueues() {
        let log = Lock<[String]>([])
        let target = DispatchQueue(label: "target")
        let (queue, other) = (DispatchQueue(label: "queue", target: target), DispatchQueue(label: "other"))
        let semaphore = DispatchSemaphore(value: 0)
        queue.async {
            semaphore.wait()
            log.withLock { $0.append("queue") }
        }
        target.async { log.withLock { $0.append("target") } }
        other.async {
            log.withLock { $0.append("other") }
            semaphore.signal()
        }
        simulated.advance(by: .zero)
        XCTAssertEqual(log.withLock { $0 }, ["other", "queue", "target"])
    }

    func testAGroupThatWorkOutsideOfTheWorldLeavesNotifies() {
        let isNotified = Lock(false)
        let (group, queue) = (DispatchGroup(), DispatchQueue(label: "client"))
        group.enter()
        group.notify(queue: queue) { isNotified.withLock { $0 = true } }
        // Neither the thread nor the queue belongs to the world, so libdispatch runs the block and leaves the group.
        Thread.detachNewThread { DispatchQueue(label: "outside").async(group: group) { group.leave() } }
        for _ in 0..<500 where !isNotified.withLock({ $0 }) {
            poll(nil, 0, 2)
            simulated.advance(by: .zero)
        }
        XCTAssertTrue(isNotified.withLock { $0 })
    }
}

/// Creates a queue of libdispatch.
private func queue(isConcurrent: Bool) -> UnsafeMutableRawPointer {
    dispatch_queue_create("client", isConcurrent ? dlsym(nil, "_dispatch_queue_attr_concurrent") : nil)
}

// Swift's `Dispatch` does not import the function.
@_silgen_name("dispatch_queue_create")
private func dispatch_queue_create(
    _ label: UnsafePointer<CChar>, _ attributes: UnsafeMutableRawPointer?
) -> UnsafeMutableRawPointer
