import CaptureHAL
import Foundation
import MediaTypes

/// Advancing virtual time, and waiting for a condition.
extension SimulatedSystem {
    /// Advances virtual time and runs all events that become due.
    public func advance(by duration: Duration) {
        let wait = Scheduler.shared.beginTestWait("the end of advance(by: \(duration))", in: world, endsWith: .time)
        defer { Scheduler.shared.end(wait) }
        clock.advance(by: duration)
    }

    /// Advances virtual time until a condition is true. The test fails if it is not true after `limit`, if no event is
    /// pending, or after the limit of the system in real time.
    public func advance(
        until condition: () -> Bool, limit: Duration = .seconds(60), fileID: StaticString = #fileID,
        file: StaticString = #filePath, line: UInt = #line
    ) {
        if let message = advance(until: condition, within: limit) {
            fail(message, fileID: fileID, file: file, line: line)
        }
    }

    /// Advances virtual time until a condition is true, for callers that use the result.
    ///
    /// - Returns: Whether the condition is true; false after `limit`, if no event is pending, or after the limit of the
    ///   system in real time. If it is false, the pending work is listed on standard error.
    @_disfavoredOverload
    public func advance(until condition: () -> Bool, limit: Duration = .seconds(60)) -> Bool {
        guard let message = advance(until: condition, within: limit) else { return true }
        // The caller can still claim misuse, which is only named here.
        for misuse in record.unclaimed {
            FileHandle.standardError.write(Data("obscura: before the condition below: \(misuse)\n".utf8))
        }
        FileHandle.standardError.write(Data("obscura: \(message)\n".utf8))
        return false
    }

    /// Suspends an asynchronous test until a duration of virtual time has passed.
    public func wait(for duration: Duration, isolation: isolated (any Actor)? = #isolation) async {
        let wait = Scheduler.shared.beginTestWait("the end of wait(for: \(duration))", in: world, endsWith: .time)
        defer { Scheduler.shared.end(wait) }
        await suspend(for: duration)
    }

    /// Suspends an asynchronous test until a condition is true. It is evaluated every 10 ms of virtual time. The test
    /// fails if it is not true after `limit`, or after the limit of the system in real time.
    public func wait(
        until condition: () -> Bool, limit: Duration = .seconds(60), isolation: isolated (any Actor)? = #isolation,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line
    ) async {
        if let message = await wait(until: condition, within: limit) {
            fail(message, fileID: fileID, file: file, line: line)
        }
    }

    /// Suspends an asynchronous test until a condition is true, for callers that use the result.
    ///
    /// - Returns: Whether the condition is true; false after `limit`, or after the limit of the system in real time.
    @_disfavoredOverload
    public func wait(
        until condition: () -> Bool, limit: Duration = .seconds(60), isolation: isolated (any Actor)? = #isolation
    ) async -> Bool {
        await wait(until: condition, within: limit) == nil
    }

    /// Returns nil if the condition is true, otherwise the reason why it is not.
    private func advance(until condition: () -> Bool, within limit: Duration) -> String? {
        let scheduler = Scheduler.shared
        let wait = scheduler.beginTestWait("the condition of advance(until:)", in: world, endsWith: .condition)
        defer { scheduler.end(wait) }
        var isMet = false
        clock.run(
            until: {
                isMet = condition()
                return isMet || scheduler.isOverLimit(wait)
            }, limit: limit)
        return isMet ? nil : reason(wait, limit)
    }

    private func wait(
        until condition: () -> Bool, within limit: Duration, isolation: isolated (any Actor)? = #isolation
    ) async -> String? {
        let scheduler = Scheduler.shared
        let wait = scheduler.beginTestWait("the condition of wait(until:)", in: world, endsWith: .condition)
        defer { scheduler.end(wait) }
        let end = clock.now.nanoseconds.addingWithLimits(limit.nanoseconds)
        while !condition() {
            if clock.now.nanoseconds >= end || scheduler.isOverLimit(wait) { return reason(wait, limit) }
            await suspend(for: .milliseconds(10))
        }
        return nil
    }

    private func suspend(for duration: Duration, isolation: isolated (any Actor)? = #isolation) async {
        let end = CMTime(nanoseconds: clock.now.nanoseconds.addingWithLimits(duration.nanoseconds))
        await withCheckedContinuation { continuation in
            clock.schedule(at: end) { continuation.resume() }
        }
    }

    /// Why a condition is not true, with the warnings and the pending work.
    private func reason(_ wait: Scheduler.TestWait, _ limit: Duration) -> String {
        let pending = pendingWork
        let time =
            Scheduler.shared.isOverLimit(wait)
            ? "\(realTimeLimit) of real time" : "\(limit) of virtual time"
        let warnings = record.warnings.map { "; warning: \($0)" }.joined()
        return "\(wait.description) is false after \(time)\(warnings); "
            + (pending.isEmpty ? "no work is pending" : "pending: " + pending.joined(separator: "; "))
    }

    private func fail(_ message: String, fileID: StaticString, file: StaticString, line: UInt) {
        guard let reporter = TestReporting.reporter else {
            return FileHandle.standardError.write(Data("obscura: \(message)\n".utf8))
        }
        // Misuse is the probable cause, and no later code of the failed test can explain it.
        if !record.unclaimed.isEmpty { reporter.didRecordMisuse(record) }
        reporter.fail(message, fileID: fileID, file: file, line: line)
    }
}
