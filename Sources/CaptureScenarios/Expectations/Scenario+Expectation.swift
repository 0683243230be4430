import AssetTypes
import CaptureHAL
import Foundation
import MediaMeasurements
import SimDevices

extension Scenario {
    /// A condition that a run of a scenario must meet: an entry of the section `expect`.
    public struct Expectation: Sendable, Hashable {
        var kind: Kind
        /// The time or interval that the expectation applies to.
        var window = TimeWindow()
        /// The path of the file that contains the expectation.
        public var file: String
        /// The line in the file, from 1.
        public var line: Int

        enum Kind: Sendable, Hashable {
            /// Events in this order. Other events may occur between them.
            case events([Event])
            /// An event that must not occur.
            case never(String)
            /// The number of events.
            case count(String, Bounds)
            /// A reported error of a source: `session`, `photo` or the name of a movie; nil for any source. A nil code
            /// means that a recording finished without an error.
            case error(AVError.Code?, of: String?)
            /// A state at a time, throughout a window, or for a total duration in seconds.
            case state(Subject, String, lasting: Bounds?)
            case movie(MovieExpectation)
            case picture(PictureExpectation)
            case library(LibraryExpectation)
            /// The event log equals the golden log.
            case goldenLog
        }

        /// An event of an ordered list.
        struct Event: Sendable, Hashable {
            /// The first words of the event in the log.
            var text: String
            var window: TimeWindow
        }

        /// An object with states.
        package enum Subject: Sendable, Hashable {
            /// The session with a name or number; nil for all sessions.
            case session(String?)
            /// The movie output of a session with one camera, or all movie outputs of an app.
            case recording
            /// The movie output of one of several cameras, and the files that it records.
            case recordingOfCamera(String, files: [String])
            case device(String)
        }
    }

    /// A time or an interval, in microseconds.
    struct TimeWindow: Sendable, Hashable {
        /// The earliest accepted time.
        var from: Int64?
        /// The latest accepted time.
        var until: Int64?
        /// The accepted time, with a tolerance of one millisecond.
        var at: Int64?

        /// Returns whether a time is in the window.
        func contains(_ time: Int64) -> Bool {
            if let at, abs(time - at) > 1000 { return false }
            return time >= from ?? .min && time <= until ?? .max
        }

        /// A description of the window with a leading space; empty if the window has no limits.
        var summary: String {
            var summary = ""
            if let at { summary += " at \(seconds(at))" }
            if let from { summary += " from \(seconds(from))" }
            if let until { summary += " until \(seconds(until))" }
            return summary
        }
    }
}

/// Formats a time in microseconds, such as `1.3 s`.
func seconds(_ microseconds: Int64) -> String { "\(number(Double(microseconds) / 1e6)) s" }

extension AVError.Code {
    /// The codes by their names in scenario files: Apple's names in kebab case, such as `disk-full`.
    static let scenarioNames: [(name: String, value: AVError.Code)] =
        allCases.map { ($0.scenarioName, $0) }

    /// The name in scenario files.
    var scenarioName: String { "\(self)".hyphenated }
}
