// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The functions have the names of Dispatch.

@preconcurrency import Dispatch
import Foundation
import XCTest

/// Compares the C functions of Dispatch that Swift's `Dispatch` does not call in a world with those outside of all
/// worlds. `CI/entry-points.tsv` names the functions that each test covers.
final class DispatchFunctionTests: XCTestCase {
    func testFunctionsRunOnTheirQueues() throws {
        let expected = [
            "0 async", "0 sync", "0 barrier async", "0 barrier sync", "0 async and wait", "0 barrier async and wait",
            "0 group async", "0 notified", "100 after",
        ]
        try ScheduleRecorder.compare(seconds: 0.3, expected) { log in
            let (queue, group) = (dispatch_queue_create("client", nil), dispatch_group_create())
            let name = { (name: String) in Unmanaged.passRetained(Event(log, name)).toOpaque() }
            dispatch_after_f(dispatch_time(0, 100_000_000), queue, name("after"), record)
            dispatch_async_f(queue, name("async"), record)
            dispatch_sync_f(queue, name("sync"), record)
            dispatch_barrier_async_f(queue, name("barrier async"), record)
            dispatch_barrier_sync_f(queue, name("barrier sync"), record)
            dispatch_async_and_wait_f(queue, name("async and wait"), record)
            dispatch_barrier_async_and_wait_f(queue, name("barrier async and wait"), record)
            dispatch_group_async_f(group, queue, name("group async"), record)
            dispatch_group_notify_f(group, queue, name("notified"), record)
        }
    }

    func testIterationsOnASerialQueueWaitForItsEarlierWork() throws {
        try ScheduleRecorder.compare(seconds: 0.1, ["0 earlier", "0 applied 3"]) { log in
            let queue = dispatch_queue_create("client", nil)
            dispatch_async_f(queue, Unmanaged.passRetained(Event(log, "earlier")).toOpaque(), record)
            var sum = 0
            dispatch_apply_f(3, queue, &sum) { sum, index in
                sum?.assumingMemoryBound(to: Int.self).pointee += index
            }
            log.add("applied \(sum)")
        }
    }

    func testBlocksThatTheCallerWaitsForRunInOrder() throws {
        let expected = ["0 async", "0 async and wait", "0 barrier async and wait", "0 workloop", "0 end"]
        try ScheduleRecorder.compare(seconds: 0.1, expected) { log in
            let queue = dispatch_queue_create("client", nil)
            let workloop = dispatch_workloop_create("workloop")
            let name = { (name: String) in Unmanaged.passRetained(Event(log, name)).toOpaque() }
            dispatch_async_f(queue, name("async"), record)
            dispatch_async_and_wait(queue) { log.add("async and wait") }
            dispatch_barrier_async_and_wait(queue) { log.add("barrier async and wait") }
            dispatch_async_f(workloop, name("workloop"), record)
            dispatch_async_f(workloop, name("end"), record)
        }
    }

    func testHandlersOfSourcesReceiveTheContext() throws {
        let expected = ["100 registered", "100 event", "200 cancelled", "200 mandatory"]
        try ScheduleRecorder.compare(seconds: 0.4, expected) { log in
            let queue = dispatch_queue_create("client", nil)
            let timer = dlsym(nil, "_dispatch_source_type_timer")
            let source = dispatch_source_create(timer, 0, 0, queue)
            dispatch_set_context(source, Unmanaged.passRetained(log).toOpaque())
            dispatch_source_set_timer(source, dispatch_time(0, 100_000_000), .max, 0)
            dispatch_source_set_registration_handler_f(source) { recorder($0)?.add("registered") }
            dispatch_source_set_event_handler_f(source) { recorder($0)?.add("event") }
            dispatch_source_set_cancel_handler_f(source) { recorder($0)?.add("cancelled") }
            let other = dispatch_source_create(timer, 0, 0, queue)
            dispatch_set_context(other, Unmanaged.passRetained(log).toOpaque())
            dispatch_source_set_mandatory_cancel_handler_f(other) { recorder($0)?.add("mandatory") }
            // SAFETY: the objects of libdispatch are thread-safe.
            nonisolated(unsafe) let sources = (source, other)
            DispatchQueue.main.asyncAfter(deadline: .now() + 0.1) {
                dispatch_resume(sources.0)
                dispatch_resume(sources.1)
            }
            DispatchQueue.main.asyncAfter(deadline: .now() + 0.2) {
                dispatch_source_cancel(sources.0)
                dispatch_source_cancel(sources.1)
            }
        }
    }
}

private final class Event: Sendable {
    let log: ScheduleRecorder
    let name: String

    init(_ log: ScheduleRecorder, _ name: String) {
        self.log = log
        self.name = name
    }
}

private typealias Function = @convention(c) (UnsafeMutableRawPointer?) -> Void
private typealias Object = UnsafeMutableRawPointer

/// Adds the event that is the context.
private let record: Function = { context in
    guard let context else { return }
    let event = Unmanaged<Event>.fromOpaque(context).takeRetainedValue()
    event.log.add(event.name)
}

private func recorder(_ context: UnsafeMutableRawPointer?) -> ScheduleRecorder? {
    context.map { Unmanaged<ScheduleRecorder>.fromOpaque($0).takeUnretainedValue() }
}

// Swift's `Dispatch` does not import these functions. Each takes at most six pointers and integers, for which the
// calling conventions of Swift and C are the same.
@_silgen_name("dispatch_queue_create")
private func dispatch_queue_create(_ label: UnsafePointer<CChar>, _ attributes: Object?) -> Object
@_silgen_name("dispatch_workloop_create")
private func dispatch_workloop_create(_ label: UnsafePointer<CChar>) -> Object
@_silgen_name("dispatch_group_create")
private func dispatch_group_create() -> Object
@_silgen_name("dispatch_time")
private func dispatch_time(_ base: UInt64, _ delta: Int64) -> UInt64
@_silgen_name("dispatch_async_f")
private func dispatch_async_f(_ queue: Object, _ context: Object?, _ work: Function)
@_silgen_name("dispatch_sync_f")
private func dispatch_sync_f(_ queue: Object, _ context: Object?, _ work: Function)
@_silgen_name("dispatch_barrier_async_f")
private func dispatch_barrier_async_f(_ queue: Object, _ context: Object?, _ work: Function)
@_silgen_name("dispatch_barrier_sync_f")
private func dispatch_barrier_sync_f(_ queue: Object, _ context: Object?, _ work: Function)
@_silgen_name("dispatch_async_and_wait_f")
private func dispatch_async_and_wait_f(_ queue: Object, _ context: Object?, _ work: Function)
@_silgen_name("dispatch_barrier_async_and_wait_f")
private func dispatch_barrier_async_and_wait_f(_ queue: Object, _ context: Object?, _ work: Function)
@_silgen_name("dispatch_async_and_wait")
private func dispatch_async_and_wait(_ queue: Object, _ block: @convention(block) () -> Void)
@_silgen_name("dispatch_barrier_async_and_wait")
private func dispatch_barrier_async_and_wait(_ queue: Object, _ block: @convention(block) () -> Void)
@_silgen_name("dispatch_group_async_f")
private func dispatch_group_async_f(_ group: Object, _ queue: Object, _ context: Object?, _ work: Function)
@_silgen_name("dispatch_group_notify_f")
private func dispatch_group_notify_f(_ group: Object, _ queue: Object, _ context: Object?, _ work: Function)
@_silgen_name("dispatch_after_f")
private func dispatch_after_f(_ when: UInt64, _ queue: Object, _ context: Object?, _ work: Function)
@_silgen_name("dispatch_apply_f")
private func dispatch_apply_f(
    _ count: Int, _ queue: Object?, _ context: Object?, _ work: @convention(c) (UnsafeMutableRawPointer?, Int) -> Void)
@_silgen_name("dispatch_source_create")
private func dispatch_source_create(_ type: Object?, _ handle: UInt, _ mask: UInt, _ queue: Object) -> Object
@_silgen_name("dispatch_set_context")
private func dispatch_set_context(_ object: Object, _ context: Object?)
@_silgen_name("dispatch_resume")
private func dispatch_resume(_ object: Object)
@_silgen_name("dispatch_source_cancel")
private func dispatch_source_cancel(_ source: Object)
@_silgen_name("dispatch_source_set_timer")
private func dispatch_source_set_timer(_ source: Object, _ start: UInt64, _ interval: UInt64, _ leeway: UInt64)
@_silgen_name("dispatch_source_set_registration_handler_f")
private func dispatch_source_set_registration_handler_f(_ source: Object, _ handler: Function)
@_silgen_name("dispatch_source_set_event_handler_f")
private func dispatch_source_set_event_handler_f(_ source: Object, _ handler: Function)
@_silgen_name("dispatch_source_set_cancel_handler_f")
private func dispatch_source_set_cancel_handler_f(_ source: Object, _ handler: Function)
@_silgen_name("dispatch_source_set_mandatory_cancel_handler_f")
private func dispatch_source_set_mandatory_cancel_handler_f(_ source: Object, _ handler: Function)
