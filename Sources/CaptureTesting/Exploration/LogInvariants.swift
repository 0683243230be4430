#if Everything || Scenarios
import CaptureScenarios
import Foundation
import MediaMeasurements

/// The invariants of the event log, the movies and the photo library of a whole scenario.
struct LogInvariants {
    private let invariants: StandardInvariants
    private let folder: URL

    /// - Parameter folder: The folder with copies of the recorded movies.
    init(_ invariants: StandardInvariants, folder: URL) {
        self.invariants = invariants
        self.folder = folder
    }

    /// A recording that has finished.
    private struct Recording {
        let name: String
        /// The time between the first and the last event, without pauses, in seconds.
        let duration: Double
        /// Whether the movie was reported as good.
        let isGood: Bool
    }

    /// Returns the first violation; nil if there is none.
    func violation(_ entries: [LogEntry], _ library: LibraryContents) throws -> Violation? {
        let (recordings, recordingProblem) = recordings(entries)
        if let recordingProblem, invariants.contains(.recordingsFinishOnce) {
            return Violation(.recordingsFinishOnce, recordingProblem)
        }
        if invariants.contains(.photosFinishOnce), let problem = photoProblem(entries) {
            return Violation(.photosFinishOnce, problem)
        }
        if let problem = sampleProblem(entries) { return problem }
        if invariants.contains(.goodMoviesPlay) {
            for recording in recordings where recording.isGood {
                if let problem = problem(of: recording) { return Violation(.goodMoviesPlay, problem) }
            }
        }
        if invariants.contains(.savedMoviesAreComplete) {
            for asset in library.assets where asset.isMovie && asset.isAdded {
                let isComplete = recordings.contains { isMovie($0.name, ofDuration: asset.duration) }
                if !isComplete {
                    return Violation(
                        .savedMoviesAreComplete,
                        "the photo library contains a movie of \(number(asset.duration)) s, and no recording finished with "
                            + "this duration")
                }
            }
        }
        return nil
    }

    /// Returns the recordings that have finished, and the first recording that did not finish once.
    private func recordings(_ entries: [LogEntry]) -> ([Recording], problem: String?) {
        /// A recording in progress: the time of the last change, the recorded time, and whether it is paused.
        struct Progress { var start: Int64, recorded: Int64 = 0, isPaused = false }
        var (current, finished): ([String: Progress], [Recording]) = ([:], [])
        var problem: String?
        var isRunning = false
        for entry in entries {
            func name(_ words: String) -> String? {
                guard entry.text.hasPrefix(words + " ") else { return nil }
                return entry.text.dropFirst(words.count + 1).split(separator: " ").first.map(String.init)
            }
            if entry.text.hasPrefix("session did start running") { isRunning = true }
            if entry.text.hasPrefix("session did stop running") { isRunning = false }
            if let name = name("recording did start") {
                if current[name] != nil { problem = problem ?? "\(name) started twice" }
                current[name] = Progress(start: entry.time)
            } else if let name = name("recording did pause") {
                if var progress = current[name] {
                    progress.recorded += entry.time - progress.start
                    progress.isPaused = true
                    current[name] = progress
                }
            } else if let name = name("recording did resume") {
                current[name]?.start = entry.time
                current[name]?.isPaused = false
            } else if let name = name("recording did finish") {
                let isGood = !entry.text.contains("no good file")
                guard let progress = current.removeValue(forKey: name) else {
                    // A recording that fails before it starts finishes with an error.
                    if isGood { problem = problem ?? "\(name) finished without having started, or twice" }
                    continue
                }
                let last = progress.isPaused ? 0 : entry.time - progress.start
                finished.append(
                    Recording(name: name, duration: Double(progress.recorded + last) / 1e6, isGood: isGood))
            }
        }
        if problem == nil, !isRunning, let name = current.keys.min() {
            problem = "\(name) has started and has not finished, although no session runs"
        }
        return (finished, problem)
    }

    private func photoProblem(_ entries: [LogEntry]) -> String? {
        let begun = entries.filter { $0.text.hasPrefix("photo will begin") }.count
        let finished = entries.filter { $0.text.hasPrefix("photo did finish") }.count
        return begun == finished ? nil : "\(begun) photos have begun, and \(finished) have finished"
    }

    /// Returns the violation by a frame or sound after a stop or in the background.
    private func sampleProblem(_ entries: [LogEntry]) -> Violation? {
        var (stopped, background): (Int64?, Int64?) = (nil, nil)
        // The events of several sessions are not distinguished.
        let hasOneSession = !entries.contains { $0.text.hasPrefix("session ") && $0.text.contains(" of session ") }
        for entry in entries {
            if entry.text.hasPrefix("session did stop running") { stopped = entry.time }
            if entry.text.hasPrefix("session did start running") { stopped = nil }
            if entry.text.hasPrefix("application did enter background") { background = entry.time }
            if entry.text.hasPrefix("application will enter foreground") { background = nil }
            guard entry.isSample else { continue }
            let time = "at \(number(Double(entry.time) / 1e6)) s"
            if invariants.contains(.nothingAfterStop), hasOneSession, let stopped, entry.time - stopped > 200_000 {
                return Violation(.nothingAfterStop, "a \(entry.text) arrives \(time), after the session has stopped")
            }
            if invariants.contains(.releasesDevicesInBackground), let background, entry.time - background > 1_000_000 {
                return Violation(
                    .releasesDevicesInBackground, "a \(entry.text) arrives \(time), while the app is in the background")
            }
        }
        return nil
    }

    /// Returns why a good movie does not play, or differs from its recording; nil if there is no reason.
    private func problem(of recording: Recording) -> String? {
        guard FileManager.default.fileExists(atPath: folder.appendingPathComponent(recording.name).path) else {
            return nil
        }
        var expectation = MovieExpectation(movie: recording.name)
        expectation.isPlayable = true
        expectation.duration = Bounds(0...recording.duration + 0.5)
        let unmet = expectation.results(in: folder).first { !$0.isMet }
        return unmet.map { "\(recording.name): expected \($0.expected), seen \($0.seen)" }
    }

    /// Whether a recorded movie has a duration in seconds.
    private func isMovie(_ name: String, ofDuration duration: Double) -> Bool {
        var expectation = MovieExpectation(movie: name)
        expectation.duration = Bounds(duration - 0.05...duration + 0.05)
        return expectation.results(in: folder).allSatisfy(\.isMet)
    }
}
#endif
