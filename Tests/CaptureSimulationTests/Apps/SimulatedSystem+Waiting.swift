import CaptureHAL
import CaptureTesting
import MediaTypes

extension SimulatedSystem {
    /// Suspends the test until a duration of virtual time has passed.
    func wait(for duration: Duration, isolation: isolated (any Actor)? = #isolation) async {
        await withCheckedContinuation { continuation in
            clock.schedule(at: clock.now + CMTime(nanoseconds: duration.nanoseconds)) { continuation.resume() }
        }
    }

    /// Suspends the test until a condition holds, which is evaluated every 10 ms of virtual time.
    ///
    /// - Returns: Whether the condition holds; false after `limit`.
    @discardableResult
    func wait(
        until condition: () -> Bool, limit: Duration = .seconds(10), isolation: isolated (any Actor)? = #isolation
    ) async -> Bool {
        let end = clock.now + CMTime(nanoseconds: limit.nanoseconds)
        while !condition() {
            guard clock.now < end else { return false }
            await wait(for: .milliseconds(10))
        }
        return true
    }
}
