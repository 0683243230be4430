import CLinuxDevices
import Glibc
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
            // All watches are read before a change is processed, since a change can close another watch.
            var changes: [NodeChange] = []
            do throws(KernelError) {
                try kernel.wait(&waited)
                if waited.contains(where: { !$0.occurred.isDisjoint(with: .failed) }) {
                    throw KernelError("poll of inotify", EIO)
                }
                for (watch, waited) in zip(watches, waited.dropFirst()) where waited.occurred.contains(.readable) {
                    changes += try Self.readChanges(watch, kernel, buffer)
                }
            } catch {
                if !isStopped.withLock({ $0 }) { handler(.ended(error)) }
                return
            }
            for change in changes {
                if isStopped.withLock({ $0 }) { return }
                updateWatches(for: change, kernel, directories, &watches)
                handler(change)
            }
        }
    }

    /// Reads the pending changes of a directory.
    private static func readChanges(
        _ watch: Watch, _ kernel: any KernelCalls, _ buffer: UnsafeMutableRawBufferPointer
    ) throws(KernelError) -> [NodeChange] {
        do throws(KernelError) {
            let count = try kernel.read(watch.descriptor, into: buffer)
            return changes(in: UnsafeRawBufferPointer(rebasing: buffer.prefix(count)), watch.directory)
        } catch {
            guard [EAGAIN, EINTR].contains(error.number) else { throw error }
            return []
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
        case .lost:
            for directory in directories where !watches.contains(where: { $0.directory == directory }) {
                // A directory that does not exist is watched when it is created.
                guard let descriptor = try? kernel.watch(directory: directory) else { continue }
                watches.append(Watch(directory: directory, descriptor: descriptor))
            }
        case .ended: break
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
            if mask & UInt32(IN_Q_OVERFLOW) != 0 { changes.append(.lost) }
            guard !name.isEmpty else { continue }
            let isRemoved = mask & UInt32(IN_DELETE | IN_MOVED_FROM) != 0
            changes.append(isRemoved ? .vanished("\(directory)/\(name)") : .appeared("\(directory)/\(name)"))
        }
        return changes
    }
}
