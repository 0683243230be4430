import Foundation
import MediaTypes
import SimDevices

/// What the process holds at one time that must be released: descriptors, threads, and buffers of pools.
struct ProcessResources: Sendable {
    /// The targets of the open file descriptors by number, such as a path or `pipe:[4026]`.
    private let descriptors: [String: String]
    /// The names of the threads by number.
    private let threads: [String: String]
    private let buffers = PixelBufferCensus()

    /// Prefixes of targets of descriptors that libraries of the system open once: Dispatch's events, random numbers.
    private static let targetsOfLibraries = ["anon_inode:", "/dev/", "/proc/"]
    /// The names of threads that stay: the workers of Dispatch, and the scheduler of simulated worlds. A worker has the
    /// end of the label of its root queue, as far as the kernel stores it.
    private static let namesOfLibraries: Set<String> = {
        let classes = ["maintenance", "background", "utility", "default", "user-initiated", "user-interactive"]
        let labels = classes.flatMap { ["com.apple.root.\($0)-qos", "com.apple.root.\($0)-qos.overcommit"] }
        let names = (labels + ["com.apple.libdispatch-manager"]).map { String($0.suffix(15)) }
        return Set(names + ["DispatchWorker", "obscura.world"])
    }()

    /// Reads what the process holds now.
    init() {
        func entries(_ folder: String, _ read: (String) throws -> String) -> [String: String] {
            // What has ended since the folder was listed is skipped.
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return Dictionary(names.compactMap { name in (try? read("\(folder)/\(name)")).map { (name, $0) } }) { $1 }
        }
        descriptors = entries("/proc/self/fd") { try FileManager.default.destinationOfSymbolicLink(atPath: $0) }
        threads = entries("/proc/self/task") { folder in
            try String(contentsOfFile: "\(folder)/comm", encoding: .utf8).trimmingCharacters(in: .newlines)
        }
    }

    /// Describes what is held now and was not earlier.
    ///
    /// - Parameters:
    ///   - earlier: The earlier resources.
    ///   - systems: The simulated systems.
    ///   - isAlone: Whether only one test runs in the process. Otherwise other tests open files, start threads and use
    ///     buffers, and only files in the folders of the systems and buffers of their cameras count.
    func additions(
        since earlier: ProcessResources, of systems: [LeakCheck.System], isAlone: Bool
    ) -> [String] {
        var additions: [String] = []
        for (number, target) in descriptors.sorted(by: { $0.key < $1.key }) where earlier.descriptors[number] != target
        {
            let isOfSystem = systems.contains { $0.folder.map { target.hasPrefix($0.path) } ?? false }
            let isOfLibrary = Self.targetsOfLibraries.contains { target.hasPrefix($0) }
            guard isOfSystem || isAlone && !isOfLibrary else { continue }
            additions.append("the file descriptor \(number) of \(target) is open")
        }
        if isAlone {
            for (number, name) in threads.sorted(by: { $0.key < $1.key })
            where earlier.threads[number] == nil && !Self.namesOfLibraries.contains(name) {
                additions.append("the thread \"\(name)\" (\(number)) has not ended")
            }
        }
        // The report of a failure has the last frames.
        let histories = systems.compactMap(\.history)
        let retained = histories.flatMap(\.frames).compactMap { frame in
            if case .pixels(let pixels) = frame.payload { pixels } else { nil }
        }
        let owners = isAlone ? nil : Set(histories.map(ObjectIdentifier.init))
        return additions
            + buffers.additions(since: earlier.buffers, of: owners, except: retained).map { pool, count in
                (count == 1 ? "a pixel buffer" : "\(count) pixel buffers") + " of the pool \(pool) "
                    + (count == 1 ? "is" : "are") + " not released"
            }
    }
}
