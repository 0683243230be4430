import Foundation
import MediaTypes
import SimDevices

/// A snapshot of the resources of the process that a test must release: file descriptors, threads, and pixel buffers.
struct ProcessResources: Sendable {
    /// The targets of the open file descriptors, such as a path or `pipe:[4026]`, by descriptor number.
    private let descriptors: [String: String]
    /// The names of the threads by thread ID.
    private let threads: [String: String]
    private let buffers = PixelBufferUsage()

    /// Prefixes of the targets of file descriptors that system libraries open once and keep open, such as the event
    /// descriptors of Dispatch and `/dev/urandom`.
    private static let libraryTargetPrefixes = ["anon_inode:", "/dev/", "/proc/"]
    /// The names of threads that run until the process ends: the workers of Dispatch, and the scheduler of simulated
    /// worlds. The name of a worker is the end of the label of its root queue; the kernel stores at most 15 bytes.
    private static let permanentThreadNames: Set<String> = {
        let classes = ["maintenance", "background", "utility", "default", "user-initiated", "user-interactive"]
        let labels = classes.flatMap { ["com.apple.root.\($0)-qos", "com.apple.root.\($0)-qos.overcommit"] }
        let names = (labels + ["com.apple.libdispatch-manager"]).map { String($0.suffix(15)) }
        return Set(names + ["DispatchWorker", "obscura.world", "obscura.watch"])
    }()

    /// Creates a snapshot of the current resources.
    init() {
        func entries(_ folder: String, _ read: (String) throws -> String) -> [String: String] {
            // An entry that was removed after the folder was listed is skipped.
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return Dictionary(names.compactMap { name in (try? read("\(folder)/\(name)")).map { (name, $0) } }) { $1 }
        }
        descriptors = entries("/proc/self/fd") { try FileManager.default.destinationOfSymbolicLink(atPath: $0) }
        threads = entries("/proc/self/task") { folder in
            try String(contentsOfFile: "\(folder)/comm", encoding: .utf8).trimmingCharacters(in: .newlines)
        }
    }

    /// Returns descriptions of the resources in this snapshot that are not in an earlier one.
    ///
    /// - Parameters:
    ///   - earlier: The earlier snapshot.
    ///   - systems: The simulated systems of the test.
    ///   - isAlone: Whether no other test runs in the process. If others run, they also open files, start threads and
    ///     use buffers, so only files in the folders of the systems and buffers of their cameras are described.
    func additions(
        since earlier: ProcessResources, of systems: [LeakCheck.System], isAlone: Bool
    ) -> [String] {
        var additions: [String] = []
        for (number, target) in descriptors.sorted(by: { $0.key < $1.key }) where earlier.descriptors[number] != target
        {
            let isOfSystem = systems.contains { $0.folder.map { target.hasPrefix($0.path) } ?? false }
            let isOfLibrary = Self.libraryTargetPrefixes.contains { target.hasPrefix($0) }
            guard isOfSystem || isAlone && !isOfLibrary else { continue }
            additions.append("the file descriptor \(number) of \(target) is open")
        }
        if isAlone {
            for (number, name) in threads.sorted(by: { $0.key < $1.key })
            where earlier.threads[number] == nil && !Self.permanentThreadNames.contains(name) {
                additions.append("the thread \"\(name)\" (\(number)) has not ended")
            }
        }
        // The histories retain the last frames of each stream for the report of a failure.
        let histories = systems.compactMap(\.history)
        let retained = histories.flatMap(\.frames).compactMap { frame in
            if case .pixels(let pixels) = frame.payload { pixels } else { nil }
        }
        let owners = isAlone ? nil : Set(histories.map(ObjectIdentifier.init))
        return additions
            + buffers.increases(since: earlier.buffers, of: owners, except: retained).map { pool, count in
                (count == 1 ? "a pixel buffer" : "\(count) pixel buffers") + " of the pool \(pool) "
                    + (count == 1 ? "is" : "are") + " not released"
            }
    }
}
