import Foundation
import MediaTypes

/// A debugger that traces this process.
package enum Debugger {
    /// Whether a debugger is attached: the kernel reports its process ID in `/proc/self/status`.
    package static var isAttached: Bool {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("TracerPid:") })
        else { return false }
        return line.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) }.map { $0 != 0 } ?? false
    }

    /// Stops the process in the debugger; no effect without one.
    package static func stop() {
        if isAttached { raise(SIGTRAP) }
    }

    /// How to attach a debugger to this process.
    package static var attachCommand: String { "lldb -p \(getpid())" }

    /// The virtual time at which simulated systems of tests stop, in seconds, from `OBSCURA_STOP_AT`; nil if the variable
    /// is not set or is not a number.
    static let stopTime: CMTime? = {
        guard let text = ProcessInfo.processInfo.environment["OBSCURA_STOP_AT"], !text.isEmpty else { return nil }
        guard let seconds = Double(text), seconds >= 0, seconds < 1e9 else {
            FileHandle.standardError.write(
                Data("obscura: OBSCURA_STOP_AT is \"\(text)\"; it must be a number of seconds, such as 1.5\n".utf8))
            return nil
        }
        return CMTime(nanoseconds: Int64((seconds * 1e9).rounded()))
    }()
}

extension SimulatedSystem {
    /// Prints the pending work at the time of `OBSCURA_STOP_AT`, and stops the process in the debugger.
    func stopIfRequested() {
        guard let time = Debugger.stopTime else { return }
        clock.schedule(at: time) { [weak self] in
            guard let self else { return }
            let lines =
                ["stopped at \(time.seconds) s; attach a debugger before the test starts to stop in it"]
                + (pendingWork.isEmpty ? ["no work is pending"] : pendingWork)
                + record.events.suffix(10).map { "event: \($0)" }
            FileHandle.standardError.write(Data(lines.map { "obscura: \($0)\n" }.joined().utf8))
            Debugger.stop()
        }
    }
}
