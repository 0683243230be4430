import CaptureSimulation
import Foundation

/// What went wrong in a demo.
struct DemoError: Error, LocalizedError {
    let errorDescription: String?

    init(_ description: String) { errorDescription = description }
}

/// Where the app runs: in a simulated world with virtual time, or on this machine.
struct DemoWorld {
    /// Nil on this machine.
    private let simulated: SimulatedSystem?
    let name: String

    /// Creates a world with a phone that is held with the home button at the right, unless `OBSCURA_BACKEND` selects
    /// other devices.
    init() throws {
        let backend = ProcessInfo.processInfo.environment["OBSCURA_BACKEND"] ?? ""
        let isSimulated = ["", "sim"].contains(backend)
        simulated = isSimulated ? try SimulatedSystem(scene: .street, orientation: .landscapeLeft) : nil
        name = isSimulated ? "in a simulated world" : "with \(backend)"
    }

    /// Lets time pass.
    func wait(_ seconds: Double) {
        if let simulated { return simulated.advance(by: .seconds(seconds)) }
        RunLoop.main.run(until: Date(timeIntervalSinceNow: seconds))
    }

    /// Lets time pass until a condition is true.
    ///
    /// - Returns: False if it is not true after 30 seconds.
    @discardableResult
    func wait(until condition: () -> Bool) -> Bool {
        if let simulated { return simulated.advance(until: condition, limit: .seconds(30)) }
        let end = Date(timeIntervalSinceNow: 30)
        while !condition(), Date() < end { wait(0.02) }
        return condition()
    }

    /// Runs a block and returns the CPU time in seconds that the process has used meanwhile.
    func measure(_ body: () throws -> Void) rethrows -> Double {
        let start = Self.processTime
        try body()
        return Self.processTime - start
    }

    private static var processTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
