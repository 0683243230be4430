import CLinuxDevices
import MediaTypes

/// A watcher of device files that uses inotify, for machines without udev such as containers.
final class DirectoryWatcher: NodeWatcher {
    private struct Watch: Sendable {
        let directory: String
        let descriptor: Int32
    }

    let source = "inotify"
    private let wake: KernelEvent
    private let isStopped = Lock(false)
    private let thread: KernelThread

    /// Starts watching.
    ///
    /// - Parameter directories: At least one must exist. If the parent of a directory is also in the list, the
    ///   directory is watched as soon as it is created: `/dev/snd` exists only while there is a sound card.
    init(
        _ kernel: any KernelCalls, directories: [String], _ handler: @escaping @Sendable (NodeChange) -> Void
    ) throws(KernelError) {
        let wake = try KernelEvent(kernel)
        var watches: [Watch] = []
        var failure: KernelError?
        for directory in directories {
            do {
                watches.append(Watch(directory: directory, descriptor: try kernel.watch(directory: directory)))
            } catch {
                failure = error
            }
        }
        if watches.isEmpty, let failure { throw failure }
        do {
            thread = try KernelThread(name: "device watch") { [isStopped, watches] in
                Self.run(kernel, wake, directories, watches, isStopped, handler)
            }
        } catch {
            for watch in watches { kernel.close(watch.descriptor) }
            throw error
        }
        self.wake = wake
    }

    deinit { stop() }

    func stop() {
        isStopped.withLock { $0 = true }
        wake.signal()
        thread.join()
    }

    /// Reads changes until the watcher is stopped, and closes the watches.
    private static func run(
        _ kernel: any KernelCalls, _ wake: KernelEvent, _ directories: [String], _ initialWatches: [Watch],
        _ isStopped: Lock<Bool>, _ handler: (NodeChange) -> Void
    ) {
        var watches = initialWatches
        defer { for watch in watches { kernel.close(watch.descriptor) } }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 * 1024, alignment: 8)
        defer { buffer.deallocate() }
        while !isStopped.withLock({ $0 }) {
            var waited = [PolledDescriptor(wake.descriptor, .readable)]
            waited += watches.map { PolledDescriptor($0.descriptor, .readable) }
            guard (try? kernel.wait(&waited)) != nil else { return }
            if waited.contains(where: { $0.occurred == .failed }) { return }
            // All watches are read before a change is processed, since a change can close another watch.
            var changes: [NodeChange] = []
            for (watch, waited) in zip(watches, waited.dropFirst()) where waited.occurred.contains(.readable) {
                // If reading fails, the next iteration tries again.
                guard let count = try? kernel.read(watch.descriptor, into: buffer) else { continue }
                changes += Self.changes(
                    in: UnsafeRawBufferPointer(rebasing: buffer.prefix(count)), watch.directory)
            }
            for change in changes {
                if isStopped.withLock({ $0 }) { return }
                updateWatches(for: change, kernel, directories, &watches)
                handler(change)
            }
        }
    }

    /// Starts watching a created directory, before the change is reported, and stops watching a removed one.
    private static func updateWatches(
        for change: NodeChange, _ kernel: any KernelCalls, _ directories: [String], _ watches: inout [Watch]
    ) {
        switch change {
        case .appeared(let path):
            guard directories.contains(path), !watches.contains(where: { $0.directory == path }),
                // If the directory has been removed in the meantime, its next creation is reported again.
                let descriptor = try? kernel.watch(directory: path)
            else { return }
            watches.append(Watch(directory: path, descriptor: descriptor))
        case .vanished(let path):
            for watch in watches where watch.directory == path { kernel.close(watch.descriptor) }
            watches.removeAll { $0.directory == path }
        }
    }

    /// Parses the records of inotify(7): watch, mask, cookie and length of the name with 32 bits each, then the name.
    static func changes(in bytes: UnsafeRawBufferPointer, _ directory: String) -> [NodeChange] {
        var changes: [NodeChange] = []
        var offset = 0
        let header = MemoryLayout<inotify_event>.size
        while offset + header <= bytes.count {
            let mask = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
            let length = Int(bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
            guard length <= bytes.count - offset - header else { break }
            let start = offset + header
            let name = String(decoding: bytes[start..<start + length].prefix { $0 != 0 }, as: UTF8.self)
            offset = start + length
            guard !name.isEmpty else { continue }
            let isRemoved = mask & UInt32(IN_DELETE | IN_MOVED_FROM) != 0
            changes.append(isRemoved ? .vanished("\(directory)/\(name)") : .appeared("\(directory)/\(name)"))
        }
        return changes
    }
}
