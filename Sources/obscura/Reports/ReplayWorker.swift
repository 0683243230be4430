import CaptureScenarios
import Foundation

/// A process that plays scenarios for `obscura replay --jobs`, one after another.
///
/// Scenarios play at the same time only in separate processes, because a process runs the work of all its simulated
/// worlds in one order. The process has the arguments of this one and therefore the same list of scenarios.
/// - Important: Confined to one thread.
final class ReplayWorker {
    /// What the process writes for a scenario, as one line of JSON.
    private enum Answer: Codable {
        case report(ScenarioReport)
        /// The message of an error that ends the command.
        case failure(String)
    }

    private let process = Process()
    private var isStarted = false
    private let (input, output) = (Pipe(), Pipe())
    /// The bytes that were read after the last complete line.
    private var rest = Data()

    /// Plays a scenario in the process, which is started by the first call.
    ///
    /// - Parameter index: The index of the scenario in the list.
    /// - Throws: `CommandFailure` if the command cannot continue, or if the process ends.
    func play(_ index: Int) throws -> ScenarioReport {
        if !isStarted { try start() }
        try input.fileHandleForWriting.write(contentsOf: Data("\(index)\n".utf8))
        guard let line = readLine() else { throw CommandFailure("a process that plays scenarios has ended") }
        switch try JSONDecoder().decode(Answer.self, from: line) {
        case .report(let report): return report
        case .failure(let message): throw CommandFailure(message)
        }
    }

    /// Ends the process and waits until it has ended.
    func end() {
        guard isStarted else { return }
        // The process ends at the end of its input. The process can have ended before, so an error is not a problem.
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    private func start() throws {
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let arguments = CommandLine.arguments.drop { $0 != "replay" }.dropFirst()
        process.arguments = ["replay", "--worker"] + arguments
        (process.standardInput, process.standardOutput) = (input, output)
        do {
            try process.run()
        } catch {
            throw CommandFailure("a process to play scenarios cannot be started: \(errorReason(error))")
        }
        isStarted = true
    }

    /// Reads a line without its end; nil at the end of the output.
    private func readLine() -> Data? {
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                defer { rest = Data(rest[(end + 1)...]) }
                return rest[..<end]
            }
            let bytes = output.fileHandleForReading.availableData
            if bytes.isEmpty { return nil }
            rest += bytes
        }
    }

    /// Reads indices of scenarios from the standard input until it ends, and plays these scenarios. Called in the process.
    ///
    /// - Parameter play: Plays the scenario with an index.
    static func serve(_ play: (Int) throws -> ScenarioReport) throws {
        while let line = Swift.readLine() {
            guard let index = Int(line) else { throw CommandFailure("--worker reads numbers, not \(line)") }
            let answer: Answer
            do {
                answer = .report(try play(index))
            } catch {
                answer = .failure("\(error)")
            }
            try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(answer) + Data("\n".utf8))
        }
    }
}
