import Glibc

/// The system calls of the backend.
///
/// `LinuxKernel` and, in tests, a fake kernel implement it. Implementations repeat interrupted calls (EINTR).
/// - Important: Thread-safe.
package protocol KernelCalls: AnyObject, Sendable {
    /// Opens a file with the options `O_NONBLOCK` and `O_CLOEXEC`.
    func open(_ path: String, _ access: FileAccess) throws(KernelError) -> Int32
    /// Closes a descriptor.
    func close(_ descriptor: Int32)
    /// Sends a request to a device driver.
    ///
    /// - Parameters:
    ///   - name: The name of the request in errors.
    ///   - argument: The structure of the request.
    func ioctl(
        _ descriptor: Int32, _ request: UInt, _ name: StaticString, _ argument: UnsafeMutableRawPointer
    ) throws(KernelError)
    /// Maps a part of a device's memory as shared, readable and writable memory.
    func map(_ descriptor: Int32, length: Int, offset: Int) throws(KernelError) -> UnsafeMutableRawBufferPointer
    /// Unmaps memory that `map` returned.
    func unmap(_ memory: UnsafeMutableRawBufferPointer)
    /// Waits until one of the descriptors is ready. There is no timeout; a caller ends the wait with an event.
    func wait(_ descriptors: inout [PolledDescriptor]) throws(KernelError)
    /// Reads the available bytes; fails with EAGAIN if there are none.
    func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(KernelError) -> Int

    /// Creates a descriptor that another thread can make readable.
    func makeEvent() throws(KernelError) -> Int32
    /// Makes an event readable.
    func signal(_ event: Int32)
    /// Makes an event unreadable again.
    func reset(_ event: Int32)

    /// Returns a descriptor that becomes readable when an entry of a directory is created or removed, or its
    /// permissions change.
    func watch(directory: String) throws(KernelError) -> Int32

    /// The names in a directory, sorted; empty if it cannot be read.
    func entries(of directory: String) -> [String]
    /// The text of a small file, such as those in sysfs, without the last newline; nil if it cannot be read.
    func text(of file: String) -> String?
    /// The target of a link, with all links resolved; nil if there is none.
    func resolve(_ path: String) -> String?

    /// The kernel's monotonic clock, the clock of the drivers' timestamps.
    var monotonicNanoseconds: Int64 { get }
}

/// The access mode of an opened file.
package enum FileAccess: Sendable, Hashable {
    case read, readWrite
}

/// A descriptor to wait for, with the events that occurred: `struct pollfd` of `poll()`.
package struct PolledDescriptor: Sendable {
    /// The events of a descriptor.
    package struct Events: OptionSet, Sendable, Hashable {
        package let rawValue: Int16
        package init(rawValue: Int16) { self.rawValue = rawValue }

        /// Data can be read, or a filled buffer dequeued.
        package static let readable = Events(rawValue: Int16(POLLIN))
        /// An exceptional condition is pending, such as a V4L2 event.
        package static let exceptional = Events(rawValue: Int16(POLLPRI))
        /// The device is in an error state or disconnected; reported even if not requested.
        package static let failed = Events(rawValue: Int16(POLLERR | POLLHUP | POLLNVAL))
    }

    /// The only stored property, so that an array of descriptors is an array of `pollfd`.
    private var polled: pollfd

    /// Creates a descriptor to wait for.
    package init(_ descriptor: Int32, _ requested: Events) {
        polled = pollfd(fd: descriptor, events: requested.rawValue, revents: 0)
    }

    package var descriptor: Int32 { polled.fd }
    /// The events to wait for.
    package var requested: Events {
        get { Events(rawValue: polled.events) }
        set { polled.events = newValue.rawValue }
    }
    /// The events that occurred. It contains the whole set `failed` if one of the conditions of `failed` occurred.
    package var occurred: Events {
        get {
            let events = Events(rawValue: polled.revents)
            return events.isDisjoint(with: .failed) ? events : events.union(.failed)
        }
        set { polled.revents = newValue.rawValue }
    }
}
