public import MediaTypes
import Synchronization

/// The log of the package's own decisions: why a session stopped, which format a driver accepted, why a frame was
/// dropped.
///
/// The log is off by default. The environment variable `OBSCURA_LOG` selects categories and levels; `setFilter(_:)`
/// replaces its selection. Entries are written to standard error, one line each, unless `setHandler(_:)` sets another
/// destination, such as the client's own logger:
///
/// ```swift
/// CaptureLog.setFilter(try CaptureLog.Filter("session,v4l2:debug"))
/// CaptureLog.setHandler { entry in
///     Logger(subsystem: "obscura", category: entry.category.rawValue).notice("\(entry.message)")
/// }
/// ```
///
/// The log has no effect on time, on the order of events, or on other results of a simulated system.
/// - Important: Thread-safe.
public enum CaptureLog {
    /// The part of the package that writes an entry.
    public enum Category: String, Sendable, Hashable, CaseIterable {
        /// Sessions: configurations, start and stop, interruptions, runtime errors.
        case session
        /// Devices of all kinds: connection, opening, active formats.
        case device
        /// Cameras of the kernel: opening, formats and frame rates, controls, buffers.
        case v4l2
        /// Microphones of the kernel: parameters, overruns.
        case alsa
        /// Recordings: start, fragments, dropped frames, end.
        case recording
        /// Photo requests.
        case photo
        /// Frames that an output discards.
        case output
        /// Changes of the photo library.
        case library
    }

    /// The importance of an entry.
    public enum Level: Int, Sendable, Hashable, CaseIterable, Comparable {
        /// What repeats while media flow: each dropped frame, each fragment.
        case debug = 1
        /// A decision that is made once in a while.
        case info
        /// A failure, handled or not.
        case error

        public static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }

        /// The name in lines and filters.
        public var name: String {
            switch self {
            case .debug: "debug"
            case .info: "info"
            case .error: "error"
            }
        }
    }

    /// One message of the log.
    public struct Entry: Sendable, Hashable, CustomStringConvertible {
        /// The time on the clock of the system that writes the entry.
        public let time: CMTime
        /// Whether the time is virtual. Real time is `CLOCK_MONOTONIC`, the time of the kernel's log.
        public let isTimeVirtual: Bool
        public let category: Category
        public let level: Level
        /// One sentence, without a period.
        public let message: String

        /// The line that is written to standard error, without the name of the package.
        public var description: String {
            let microseconds = time.nanoseconds / 1000
            let fraction = String(microseconds % 1_000_000)
            let seconds =
                "\(microseconds / 1_000_000).\(String(repeating: "0", count: 6 - fraction.count))\(fraction)"
            return "[\(seconds)\(isTimeVirtual ? " virtual" : "")] \(category.rawValue) \(level.name): \(message)"
        }
    }

    private static let destination = Lock<(@Sendable (Entry) -> Void)?>(nil, order: .primitive)

    /// The filter as a bit mask: one bit for each category and level. It is atomic so that a call for a category that
    /// is off costs one load.
    private static let mask: Mask = {
        let (filter, errors) = Filter.parse(environmentValue)
        for error in errors { CaptureSystem.log("OBSCURA_LOG: \(error.message)") }
        return Mask(filter.mask)
    }()

    private final class Mask: Sendable {
        let bits: Atomic<UInt64>

        init(_ bits: UInt64) { self.bits = Atomic(bits) }
    }

    /// Selects what is logged, instead of `OBSCURA_LOG`.
    public static func setFilter(_ filter: Filter) { mask.bits.store(filter.mask, ordering: .relaxed) }

    /// What is logged.
    public static var filter: Filter { Filter(mask: mask.bits.load(ordering: .relaxed)) }

    /// Sets the destination of all entries; nil for standard error.
    ///
    /// - Parameter handler: Runs on the thread that writes the entry, which may hold locks of the package. It must not
    ///   block or call the package.
    public static func setHandler(_ handler: (@Sendable (Entry) -> Void)?) { destination.withLock { $0 = handler } }

    /// Returns whether entries of a category and level are written.
    @inline(__always)
    public static func isEnabled(_ category: Category, _ level: Level) -> Bool {
        mask.bits.load(ordering: .relaxed) & Filter.bit(category, level) != 0
    }

    /// Writes an entry.
    ///
    /// - Parameters:
    ///   - clock: The clock of the system that writes the entry.
    ///   - message: One sentence, without a period; evaluated only if the entry is written.
    public static func write(
        _ category: Category, _ level: Level, _ clock: any CaptureClock, _ message: @autoclosure () -> String
    ) {
        guard isEnabled(category, level) else { return }
        let entry = Entry(
            time: clock.now, isTimeVirtual: clock.isVirtual, category: category, level: level, message: message())
        if let handler = destination.withLock({ $0 }) { return handler(entry) }
        CaptureSystem.log(entry.description)
    }
}
