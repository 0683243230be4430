import Foundation
import XCTest

@testable import MediaTypes

final class CMBufferQueueTests: XCTestCase {
    /// Creates a buffer without data at a time, with a duration of 1 s.
    private func sample(_ seconds: Int64) throws -> CMSampleBuffer {
        try CMSampleBuffer(
            dataBuffer: nil, formatDescription: nil, numSamples: 1,
            sampleTimings: [
                CMSampleTimingInfo(
                    duration: CMTime(value: 1, timescale: 1),
                    presentationTimeStamp: CMTime(value: seconds, timescale: 1), decodeTimeStamp: .invalid)
            ], sampleSizes: [])
    }

    private func times(_ queue: CMBufferQueue) -> [Double] {
        queue.buffers.compactMap { ($0 as? CMSampleBuffer)?.presentationTimeStamp.seconds }
    }

    func testBuffersKeepTheirOrderOrAreSorted() throws {
        let unsorted = try CMBufferQueue(capacity: 3, handlers: .unsortedSampleBuffers)
        var sorted: CMBufferQueue?
        XCTAssertEqual(
            CMBufferQueueCreate(
                allocator: nil, capacity: 0, callbacks: CMBufferQueueGetCallbacksForSampleBuffersSortedByOutputPTS(),
                queueOut: &sorted), noErr)
        let queue = try XCTUnwrap(sorted)
        for seconds in [2, 0, 1] as [Int64] {
            try unsorted.enqueue(sample(seconds))
            XCTAssertEqual(CMBufferQueueEnqueue(queue, buffer: try sample(seconds)), noErr)
        }
        XCTAssertEqual(times(unsorted), [2, 0, 1])
        XCTAssertEqual(times(queue), [0, 1, 2])
        XCTAssertThrowsError(try unsorted.enqueue(sample(3))) {
            XCTAssertEqual(($0 as NSError).code, Int(kCMBufferQueueError_QueueIsFull))
        }
        XCTAssertEqual(unsorted.duration, CMTime(value: 3, timescale: 1))
        XCTAssertEqual(unsorted.firstPresentationTimeStamp.seconds, 2)
        XCTAssertEqual(unsorted.minPresentationTimeStamp.seconds, 0)
        XCTAssertEqual(unsorted.maxPresentationTimeStamp.seconds, 2)
        XCTAssertEqual(unsorted.endPresentationTimeStamp.seconds, 3)
        XCTAssertEqual((unsorted.dequeue() as? CMSampleBuffer)?.presentationTimeStamp.seconds, 2)
        XCTAssertEqual(unsorted.bufferCount, 2)
    }

    func testAQueueIsAtItsEndWhenItIsEmptyAfterTheEndMark() throws {
        let queue = try CMBufferQueue(capacity: 0, handlers: .unsortedSampleBuffers)
        try queue.enqueue(sample(0))
        try queue.markEndOfData()
        XCTAssertTrue(queue.containsEndOfData)
        XCTAssertFalse(queue.isAtEndOfData)
        XCTAssertEqual(CMBufferQueueEnqueue(queue, buffer: try sample(1)), kCMBufferQueueError_EnqueueAfterEndOfData)
        _ = queue.dequeue()
        XCTAssertTrue(queue.isAtEndOfData)
        XCTAssertNil(queue.dequeue())
        try queue.reset()
        XCTAssertFalse(queue.containsEndOfData)
    }

    func testTriggersFireWhenTheirConditionsBecomeTrue() throws {
        let queue = try CMBufferQueue(capacity: 0, handlers: .unsortedSampleBuffers)
        let calls = Lock<[String]>([])
        func install(_ name: String, _ condition: CMBufferQueue.TriggerCondition) throws -> CMBufferQueue.TriggerToken {
            try queue.installTrigger(condition: condition) { _ in calls.withLock { $0.append(name) } }
        }
        let full = try install("full", .whenDurationBecomesGreaterThanOrEqualTo(CMTime(value: 2, timescale: 1)))
        for (name, condition) in [
            ("low", .whenBufferCountBecomesLessThan(1)), ("end", .whenEndOfDataReached), ("reset", .whenReset),
            ("min", .whenMinPresentationTimeStampChanges),
        ] as [(String, CMBufferQueue.TriggerCondition)] {
            _ = try install(name, condition)
        }
        func firedTriggers(_ body: () throws -> Void) rethrows -> [String] {
            calls.withLock { $0 = [] }
            try body()
            return calls.withLock { $0 }
        }
        XCTAssertEqual(try firedTriggers { try queue.enqueue(sample(5)) }, ["min"])
        XCTAssertFalse(queue.testTrigger(full))
        XCTAssertEqual(try firedTriggers { try queue.enqueue(sample(6)) }, ["full"])
        XCTAssertTrue(queue.testTrigger(full))
        XCTAssertEqual(try firedTriggers { try queue.enqueue(sample(7)) }, [])
        try queue.removeTrigger(full)
        XCTAssertThrowsError(try queue.removeTrigger(full))
        XCTAssertEqual(try firedTriggers { try queue.reset() }, ["low", "reset", "min"])
        XCTAssertEqual(try firedTriggers { try queue.markEndOfData() }, ["end"])
        XCTAssertThrowsError(try queue.installTrigger(condition: .whenDurationBecomesLessThan(.invalid)))
        XCTAssertEqual(
            CMBufferQueueInstallTriggerHandlerWithIntegerThreshold(
                queue, kCMBufferQueueTrigger_WhenReset, 1, nil, nil), kCMBufferQueueError_InvalidTriggerCondition)
    }

    func testConcurrentChangesFireEachTriggerOnce() throws {
        let queue = try CMBufferQueue(capacity: 0, handlers: .unsortedSampleBuffers)
        let counts = Lock([0, 0, 0])
        let conditions: [CMBufferQueue.TriggerCondition] = [
            .whenBufferCountBecomesGreaterThan(0), .whenBufferCountBecomesLessThan(1), .whenDataBecomesReady,
        ]
        for (index, condition) in conditions.enumerated() {
            try queue.installTrigger(condition: condition) { _ in counts.withLock { $0[index] += 1 } }
        }
        let buffer = try sample(0)
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 0..<2000 {
                XCTAssertEqual(CMBufferQueueEnqueue(queue, buffer: buffer), noErr)
                XCTAssertNotNil(queue.dequeue())
            }
        }
        let finalCounts = counts.withLock { $0 }
        XCTAssertEqual(finalCounts[0], finalCounts[1], "the queue is filled as often as it is emptied")
        XCTAssertEqual(finalCounts[0], finalCounts[2], "the first buffer of a filled queue is ready")
    }

    func testAChangeDuringAChangeFiresATriggerOnce() throws {
        let (readinessChecks, calls) = (Lock(0), Lock(0))
        let created = Lock<CMBufferQueue?>(nil)
        let queue = try CMBufferQueue(
            capacity: 0,
            handlers: CMBufferQueue.Handlers { builder in
                builder.isDataReady { _ in
                    let isFirst = readinessChecks.withLock { count in
                        count += 1
                        return count == 1
                    }
                    if isFirst, let queue = created.withLock({ $0 }) { CMBufferQueueEnqueue(queue, buffer: 2) }
                    return true
                }
            })
        created.withLock { $0 = queue }
        defer { created.withLock { $0 = nil } }
        try queue.enqueue(0)
        try queue.installTrigger(condition: .whenDataBecomesReady)
        try queue.installTrigger(condition: .whenBufferCountBecomesGreaterThan(1)) { _ in calls.withLock { $0 += 1 } }
        try queue.enqueue(1)
        XCTAssertEqual(calls.withLock { $0 }, 1)
    }

    func testAFailedInsertionDoesNotChangeTheVersion() throws {
        let queue = try CMBufferQueue(capacity: 1, handlers: .unsortedSampleBuffers)
        try queue.enqueue(sample(0))
        let version = queue.state.withLock { $0.version }
        XCTAssertThrowsError(try queue.enqueue(sample(1)))
        XCTAssertEqual(queue.state.withLock { $0.version }, version)
        _ = queue.dequeue()
        _ = queue.dequeue()
        XCTAssertEqual(queue.state.withLock { $0.version }, version + 1, "the queue was empty at the second call")
    }

    func testATokenOfAnotherQueueIsRejected() throws {
        let queues = try (0..<2).map { _ in try CMBufferQueue(capacity: 0, handlers: .unsortedSampleBuffers) }
        let tokens = try queues.map { try $0.installTrigger(condition: .whenBufferCountBecomesLessThan(1)) }
        XCTAssertEqual(
            CMBufferQueueRemoveTrigger(queues[0], triggerToken: tokens[1]), kCMBufferQueueError_InvalidTriggerToken)
        XCTAssertFalse(queues[0].testTrigger(tokens[1]))
        XCTAssertTrue(queues[0].testTrigger(tokens[0]))
        XCTAssertEqual(CMBufferQueueRemoveTrigger(queues[0], triggerToken: tokens[0]), noErr)
    }

    func testARemovedTriggerIsNotCalled() throws {
        let queue = try CMBufferQueue(capacity: 0, handlers: .unsortedSampleBuffers)
        let second = Lock<CMBufferQueue.TriggerToken?>(nil)
        try queue.installTrigger(condition: .whenBufferCountBecomesGreaterThan(0)) { [unowned queue] _ in
            guard let token = second.withLock({ $0 }) else { return XCTFail("no token") }
            XCTAssertEqual(CMBufferQueueRemoveTrigger(queue, triggerToken: token), noErr)
        }
        let token = try queue.installTrigger(condition: .whenBufferCountBecomesGreaterThan(0)) { _ in
            XCTFail("the trigger was removed")
        }
        second.withLock { $0 = token }
        try queue.enqueue(sample(0))
    }

    func testHandlersDescribeOtherBuffers() throws {
        let queue = try CMBufferQueue(
            capacity: 0,
            handlers: CMBufferQueue.Handlers { builder in
                builder.getDuration { CMTime(value: Int64($0 as? Int ?? 0), timescale: 1) }
                builder.isDataReady { $0 as? Int != 1 }
                builder.getSize { ($0 as? Int ?? 0) * 10 }
            })
        queue.setValidationHandler { _, buffer in
            if buffer as? Int == 13 { throw CMBufferQueue.Error.invalidBuffer }
        }
        for number in [1, 2] { try queue.enqueue(number) }
        XCTAssertEqual(CMBufferQueueEnqueue(queue, buffer: 13), kCMBufferQueueError_InvalidBuffer)
        XCTAssertEqual(queue.duration.seconds, 3)
        XCTAssertEqual(queue.totalSize, 30)
        XCTAssertNil(queue.dequeueIfDataReady())
        _ = queue.dequeue()
        XCTAssertEqual(queue.dequeueIfDataReady() as? Int, 2)
    }

    func testASimpleQueueIsBounded() throws {
        var created: CMSimpleQueue?
        CMSimpleQueueCreate(allocator: nil, capacity: 2, queueOut: &created)
        let queue = try XCTUnwrap(created)
        let values = [1, 2, 3]
        try values.withUnsafeBytes { bytes in
            let pointers = try (0..<3).map { try XCTUnwrap(bytes.baseAddress) + $0 * 8 }
            XCTAssertEqual(CMSimpleQueueEnqueue(queue, element: pointers[0]), noErr)
            XCTAssertEqual(queue.fullness, 0.5)
            XCTAssertEqual(CMSimpleQueueEnqueue(queue, element: pointers[1]), noErr)
            XCTAssertEqual(CMSimpleQueueEnqueue(queue, element: pointers[2]), kCMSimpleQueueError_QueueIsFull)
            XCTAssertEqual(CMSimpleQueueGetHead(queue), pointers[0])
            XCTAssertEqual(queue.dequeue(), pointers[0])
            XCTAssertEqual(CMSimpleQueueGetCount(queue), 1)
            CMSimpleQueueReset(queue)
            XCTAssertNil(queue.dequeue())
        }
    }
}
