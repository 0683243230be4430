import CLinuxDevices
import CaptureHAL
import Foundation
import MediaTypes

@testable import LinuxDevices

/// A fake kernel with cameras that tests control. It behaves like videobuf2 and the control framework.
///
/// `KernelRules` runs the same checks on it and, in the lab, on vivid.
final class FakeKernel: KernelCalls, @unchecked Sendable {
    // SAFETY: while several threads use the kernel, all variables are accessed while holding `condition`.
    let condition = NSCondition()
    let clock: any CaptureClock
    private var nextDescriptor: Int32 = 100
    private var descriptors: [Int32: Descriptor] = [:]
    private var cameras: [String: FakeV4L2Device] = [:]
    private var files: [String: String] = [:]
    private var missingDirectories: Set<String> = []
    private var links: [String: String] = [:]
    private var memories: [UnsafeMutableRawPointer: FakeV4L2Device.Memory] = [:]
    private var failures: [Failure] = []
    private(set) var callCount = 0
    /// The number of calls of `read` with a closed descriptor. A real kernel may have given its number to another file.
    private(set) var closedReadCount = 0
    private var countsByName: [String: Int] = [:]
    private var losesChanges = false
    /// Called without the lock when an event is signaled.
    var onSignal: (() -> Void)?

    enum Descriptor {
        case camera(FakeV4L2Device)
        case event(isSet: Bool)
        case watch(directory: String, pending: [UInt8])
    }

    private struct Failure {
        /// The name of the call; nil for any call.
        var call: String?
        /// The number of the call that fails, counted from 1 since the kernel was created.
        var ordinal: Int
        /// The error code (errno).
        var number: Int32
        /// Whether all later calls fail too.
        var isLasting: Bool
    }

    init(clock: any CaptureClock) { self.clock = clock }

    // MARK: Control by tests

    func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
        condition.lock()
        defer {
            condition.broadcast()
            condition.unlock()
        }
        return try body()
    }

    /// Connects a camera.
    func plug(_ camera: FakeV4L2Device, at path: String) {
        locked {
            camera.kernel = self
            cameras[path] = camera
            notifyWatches(path, IN_CREATE)
        }
    }

    /// Disconnects a camera; all its file descriptors fail from now on.
    func unplug(_ path: String) {
        locked {
            cameras.removeValue(forKey: path)?.isGone = true
            notifyWatches(path, IN_DELETE)
        }
    }

    func removeDirectory(_ path: String) {
        locked {
            missingDirectories.insert(path)
            notifyWatches(path, IN_DELETE)
            for (descriptor, entry) in descriptors {
                if case .watch(path, let pending) = entry {
                    let record = Self.watchRecord("", IN_IGNORED)
                    descriptors[descriptor] = .watch(directory: path, pending: pending + record)
                }
            }
        }
    }

    func makeDirectory(_ path: String) {
        locked {
            missingDirectories.remove(path)
            notifyWatches(path, IN_CREATE)
        }
    }

    /// Changes the permissions of a device file. Opening it fails with `error`, or succeeds if it is nil.
    func changePermissions(of path: String, _ error: Int32?) {
        locked {
            cameras[path]?.openError = error
            notifyWatches(path, IN_ATTRIB)
        }
    }

    /// Connects and disconnects devices so that the queue of each watch overflows: no change is reported by name.
    func loseChanges(_ change: () -> Void) {
        locked { losesChanges = true }
        change()
        locked {
            losesChanges = false
            for (descriptor, entry) in descriptors {
                if case .watch(let directory, let pending) = entry {
                    let record = Self.watchRecord("", IN_Q_OVERFLOW)
                    descriptors[descriptor] = .watch(directory: directory, pending: pending + record)
                }
            }
        }
    }

    func setFile(_ path: String, _ text: String) { locked { files[path] = text } }
    func setLink(_ path: String, _ target: String) { locked { links[path] = target } }

    /// Fails the `ordinal`-th call from now.
    ///
    /// - Parameters:
    ///   - call: The name of the counted calls; nil for all calls.
    ///   - always: Whether all later calls fail too.
    func fail(_ call: String? = nil, ordinal: Int = 1, with number: Int32, always: Bool = false) {
        locked {
            let countSoFar = call.map { countsByName[$0] ?? 0 } ?? callCount
            failures.append(Failure(call: call, ordinal: countSoFar + ordinal, number: number, isLasting: always))
        }
    }

    /// The number of calls with a name so far.
    func callCount(of name: String) -> Int { locked { lockedCallCount(of: name) } }

    /// The number of calls with a name so far; call with the lock held.
    func lockedCallCount(of name: String) -> Int { countsByName[name] ?? 0 }

    func endFailures() { locked { failures = [] } }

    /// The numbers of file descriptors and mappings in use.
    var leaks: (descriptors: Int, mappings: Int) { locked { (descriptors.count, memories.count) } }

    /// Whether a folder is watched; call with the lock held.
    func isWatched(_ directory: String) -> Bool {
        descriptors.values.contains { if case .watch(directory, _) = $0 { true } else { false } }
    }

    /// The number of descriptors in use, including events and watches; call with the lock held.
    var descriptorCount: Int { descriptors.count }

    /// The number of file descriptors of cameras; call with the lock held.
    var openCameraCount: Int {
        descriptors.values.count { if case .camera = $0 { true } else { false } }
    }

    /// Waits in real time until the condition is true.
    ///
    /// - Returns: Whether it is true; false after a timeout of 20 s.
    func waitUntil(_ predicate: () -> Bool) -> Bool {
        let limit = Date(timeIntervalSinceNow: 20)
        condition.lock()
        defer { condition.unlock() }
        while !predicate() {
            if !condition.wait(until: limit) { return false }
        }
        return true
    }

    // MARK: KernelCalls

    func open(_ path: String, _ access: FileAccess) throws(KernelError) -> Int32 {
        try call("open") { () throws(KernelError) in
            guard let camera = cameras[path] else { throw KernelError("open \(path)", ENOENT) }
            if let error = camera.openError { throw KernelError("open \(path)", error) }
            return add(.camera(camera))
        }
    }

    func close(_ descriptor: Int32) {
        locked {
            if case .camera(let camera)? = descriptors.removeValue(forKey: descriptor) { camera.close(descriptor) }
        }
    }

    func ioctl(
        _ descriptor: Int32, _ request: UInt, _ name: StaticString, _ argument: UnsafeMutableRawPointer
    ) throws(KernelError) {
        try call("\(name)") { () throws(KernelError) in
            guard case .camera(let camera)? = descriptors[descriptor] else { throw KernelError("\(name)", EBADF) }
            let number = camera.handleRequest(request, argument, descriptor)
            if number != 0 { throw KernelError("\(name)", number) }
        }
    }

    func map(
        _ descriptor: Int32, length: Int, offset: Int
    ) throws(KernelError) -> UnsafeMutableRawBufferPointer {
        try call("mmap") { () throws(KernelError) in
            guard case .camera(let camera)? = descriptors[descriptor] else { throw KernelError("mmap", EBADF) }
            guard let memory = camera.memory(atOffset: offset), memory.bytes.count == length else {
                throw KernelError("mmap", EINVAL)
            }
            memories[memory.base] = memory
            return memory.bytes
        }
    }

    func unmap(_ memory: UnsafeMutableRawBufferPointer) {
        locked {
            guard let base = memory.baseAddress else { return }
            memories[base] = nil
        }
    }

    func wait(_ polled: inout [PolledDescriptor]) throws(KernelError) {
        try call("poll") {}
        condition.lock()
        defer { condition.unlock() }
        while true {
            var isReady = false
            for index in polled.indices {
                polled[index].occurred = pollEvents(polled[index])
                isReady = isReady || !polled[index].occurred.isEmpty
            }
            if isReady { return }
            condition.wait()
        }
    }

    func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(KernelError) -> Int {
        try call("read") { () throws(KernelError) in
            guard case .watch(let directory, let pending)? = descriptors[descriptor] else {
                if descriptors[descriptor] == nil { closedReadCount += 1 }
                throw KernelError("read", EBADF)
            }
            guard !pending.isEmpty else { throw KernelError("read", EAGAIN) }
            buffer.copyBytes(from: pending)
            descriptors[descriptor] = .watch(directory: directory, pending: [])
            return pending.count
        }
    }

    func makeEvent() throws(KernelError) -> Int32 {
        try call("eventfd") { add(.event(isSet: false)) }
    }

    func signal(_ event: Int32) {
        locked { onSignal }?()
        locked { if descriptors[event] != nil { descriptors[event] = .event(isSet: true) } }
    }

    func reset(_ event: Int32) {
        locked { if descriptors[event] != nil { descriptors[event] = .event(isSet: false) } }
    }

    func watch(directory: String) throws(KernelError) -> Int32 {
        try call("inotify_add_watch") { () throws(KernelError) in
            if missingDirectories.contains(directory) { throw KernelError("inotify_add_watch \(directory)", ENOENT) }
            return add(.watch(directory: directory, pending: []))
        }
    }

    func entries(of directory: String) -> [String] {
        locked {
            (Array(cameras.keys) + Array(files.keys)).compactMap { path in
                guard path.hasPrefix(directory + "/") else { return nil }
                let name = path.dropFirst(directory.count + 1)
                return name.contains("/") ? nil : String(name)
            }.sorted()
        }
    }

    func text(of file: String) -> String? { locked { files[file] } }
    func resolve(_ path: String) -> String? { locked { links[path] } }
    var monotonicNanoseconds: Int64 { clock.now.nanoseconds }

    // MARK: Private

    private func call<Result>(
        _ name: String, _ body: () throws(KernelError) -> Result
    ) throws(KernelError) -> Result {
        condition.lock()
        defer {
            condition.broadcast()
            condition.unlock()
        }
        callCount += 1
        countsByName[name, default: 0] += 1
        let ordinal = countsByName[name] ?? 0
        for (index, failure) in failures.enumerated() where failure.call == nil || failure.call == name {
            let count = failure.call == nil ? callCount : ordinal
            guard count == failure.ordinal || failure.isLasting && count >= failure.ordinal else { continue }
            if !failure.isLasting { failures.remove(at: index) }
            throw KernelError(name, failure.number)
        }
        return try body()
    }

    private func add(_ descriptor: Descriptor) -> Int32 {
        nextDescriptor += 1
        descriptors[nextDescriptor] = descriptor
        return nextDescriptor
    }

    private func pollEvents(_ polled: PolledDescriptor) -> PolledDescriptor.Events {
        switch descriptors[polled.descriptor] {
        case .event(let isSet): return isSet ? polled.requested.intersection(.readable) : []
        case .watch(_, let pending): return pending.isEmpty ? [] : polled.requested.intersection(.readable)
        case .camera(let camera): return camera.pollEvents(polled)
        case nil: return .failed
        }
    }

    /// Returns the requested events of a descriptor that have occurred; call with the lock held.
    func pollEventsLocked(_ polled: PolledDescriptor) -> PolledDescriptor.Events { pollEvents(polled) }

    /// Appends an event with a mask to each watch of the file's folder.
    private func notifyWatches(_ path: String, _ mask: Int32) {
        guard !losesChanges, let slash = path.lastIndex(of: "/") else { return }
        let record = Self.watchRecord(path[path.index(after: slash)...], mask)
        for (descriptor, entry) in descriptors {
            if case .watch(let directory, let pending) = entry, directory == path[..<slash] {
                descriptors[descriptor] = .watch(directory: directory, pending: pending + record)
            }
        }
    }

    /// Returns an event in the format of inotify(7).
    ///
    /// - Parameter name: The name of a file in the watched folder; empty for an event of the folder itself.
    private static func watchRecord(_ name: Substring, _ mask: Int32) -> [UInt8] {
        let name = Array(name.utf8)
        // As in the kernel, a name is zero-terminated and padded to a multiple of 16 bytes.
        let length = name.isEmpty ? 0 : (name.count / 16 + 1) * 16
        var record: [UInt8] = []
        // `struct inotify_event`: wd (the value is not used), mask, cookie and len.
        for field in [UInt32(1), UInt32(mask), 0, UInt32(length)] { withUnsafeBytes(of: field) { record += $0 } }
        return record + name + [UInt8](repeating: 0, count: length - name.count)
    }
}
