import CLinuxDevices
import MediaTypes

/// Hears of device files by inotify, for machines without udev, as containers are.
final class DirectoryWatcher: NodeWatcher {
    private struct Watch: Sendable {
        let directory: String
        let descriptor: Int32
    }

    let source = "inotify"
    private let watches: [Watch]
    private let kernel: any KernelCalls
    private let wake: KernelEvent
    private let isStopped = Lock(false)
    private let thread: KernelThread

    /// - Parameter directories: Those that do not exist are left out; one of them must.
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
                Self.run(kernel, wake, watches, isStopped, handler)
            }
        } catch {
            for watch in watches { kernel.close(watch.descriptor) }
            throw error
        }
        self.kernel = kernel
        self.wake = wake
        self.watches = watches
    }

    deinit {
        stop()
        for watch in watches { kernel.close(watch.descriptor) }
    }

    func stop() {
        isStopped.withLock { $0 = true }
        wake.signal()
        thread.join()
    }

    private static func run(
        _ kernel: any KernelCalls, _ wake: KernelEvent, _ watches: [Watch], _ isStopped: Lock<Bool>,
        _ handler: (NodeChange) -> Void
    ) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 * 1024, alignment: 8)
        defer { buffer.deallocate() }
        while !isStopped.withLock({ $0 }) {
            var waited = [WaitedDescriptor(wake.descriptor, .readable)]
            waited += watches.map { WaitedDescriptor($0.descriptor, .readable) }
            guard (try? kernel.wait(&waited)) != nil else { return }
            for (index, watch) in watches.enumerated() where waited[index + 1].came.contains(.readable) {
                // Nothing to read is no failure; what could not be read now is there at the next turn.
                guard let count = try? kernel.read(watch.descriptor, into: buffer) else { continue }
                for change in changes(in: UnsafeRawBufferPointer(rebasing: buffer.prefix(count)), watch.directory) {
                    if isStopped.withLock({ $0 }) { return }
                    handler(change)
                }
            }
            if waited.contains(where: { $0.came == .failed }) { return }
        }
    }

    /// Reads the records of inotify(7): watch, mask, cookie and length of the name in 32 bits each, then the name.
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
            let isGone = mask & UInt32(IN_DELETE | IN_MOVED_FROM) != 0
            changes.append(isGone ? .vanished("\(directory)/\(name)") : .appeared("\(directory)/\(name)"))
        }
        return changes
    }
}
