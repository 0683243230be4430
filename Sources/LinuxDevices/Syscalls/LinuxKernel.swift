import CLinuxDevices
import Glibc

/// The system calls of the Linux kernel.
package final class LinuxKernel: KernelCalls {
    /// Creates an interface to the kernel.
    package init() {}

    package func open(_ path: String, _ access: FileAccess) throws(KernelError) -> Int32 {
        let flags = (access == .read ? O_RDONLY : O_RDWR) | O_NONBLOCK | O_CLOEXEC
        return try retryingInterrupts("open \(path)") { Glibc.open(path, flags) }
    }

    package func close(_ descriptor: Int32) {
        // Linux frees the descriptor even if the call fails. The call must therefore not be repeated.
        _ = Glibc.close(descriptor)
    }

    package func ioctl(
        _ descriptor: Int32, _ request: UInt, _ name: StaticString, _ argument: UnsafeMutableRawPointer
    ) throws(KernelError) {
        while true {
            let result = clinuxdevices_ioctl(descriptor, request, argument)
            if result >= 0 { return }
            // Some requests fail in normal operation, so the error is created without slow string interpolation.
            if result != -EINTR { throw KernelError(name.description, -result) }
        }
    }

    package func map(
        _ descriptor: Int32, length: Int, offset: Int
    ) throws(KernelError) -> UnsafeMutableRawBufferPointer {
        let memory = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, offset)
        guard let memory, memory != MAP_FAILED else { throw KernelError("mmap", errno) }
        return UnsafeMutableRawBufferPointer(start: memory, count: length)
    }

    /// Unmaps memory; errors are ignored, as for a descriptor in `close`.
    package func unmap(_ memory: UnsafeMutableRawBufferPointer) {
        munmap(memory.baseAddress, memory.count)
    }

    package func wait(_ descriptors: inout [PolledDescriptor]) throws(KernelError) {
        let failure = descriptors.withUnsafeMutableBufferPointer { descriptors in
            descriptors.withMemoryRebound(to: pollfd.self) { polled -> Int32? in
                while poll(polled.baseAddress, nfds_t(polled.count), -1) < 0 {
                    if errno != EINTR { return errno }
                }
                return nil
            }
        }
        if let failure { throw KernelError("poll", failure) }
    }

    package func read(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
    ) throws(KernelError) -> Int {
        try retryingInterrupts("read") { Glibc.read(descriptor, buffer.baseAddress, buffer.count) }
    }

    package func makeEvent() throws(KernelError) -> Int32 {
        try retryingInterrupts("eventfd") { eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC)) }
    }

    package func signal(_ event: Int32) {
        var one: UInt64 = 1
        // The call fails only if the counter is at its maximum; the event is then already readable.
        _ = Glibc.write(event, &one, MemoryLayout.size(ofValue: one))
    }

    package func reset(_ event: Int32) {
        var count: UInt64 = 0
        // The call fails only if the counter is 0; the event is then already unreadable.
        _ = Glibc.read(event, &count, MemoryLayout.size(ofValue: count))
    }

    package func watch(directory: String) throws(KernelError) -> Int32 {
        let descriptor = try retryingInterrupts("inotify_init1") { inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)) }
        let mask = UInt32(IN_CREATE | IN_DELETE | IN_ATTRIB | IN_MOVED_TO | IN_MOVED_FROM)
        do throws(KernelError) {
            _ = try retryingInterrupts("inotify_add_watch \(directory)") {
                inotify_add_watch(descriptor, directory, mask)
            }
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    package func entries(of directory: String) -> [String] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    package func text(of file: String) -> String? {
        let descriptor = Glibc.open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { return nil }
        var text = bytes.prefix(count)
        if text.last == UInt8(ascii: "\n") { text.removeLast() }
        return String(decoding: text, as: UTF8.self)
    }

    package func resolve(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    package var monotonicNanoseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Calls a system function until it is not interrupted by a signal (EINTR), and returns its result.
    private func retryingInterrupts<Number: BinaryInteger>(
        _ call: @autoclosure () -> String, _ body: () -> Number
    ) throws(KernelError) -> Number {
        while true {
            let result = body()
            if result >= 0 { return result }
            let number = errno
            if number != EINTR { throw KernelError(call(), number) }
        }
    }
}
