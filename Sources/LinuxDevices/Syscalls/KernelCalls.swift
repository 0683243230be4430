/// The system calls that the backend makes, and nothing else of the kernel.
///
/// Behind it stands the kernel, or a fake one in tests. Interrupted calls (EINTR) are repeated here, not by callers.
/// - Important: Thread-safe.
package protocol KernelCalls: AnyObject, Sendable {
    /// Opens a file, without blocking and closed on exec.
    func open(_ path: String, _ access: FileAccess) throws(KernelError) -> Int32
    func close(_ descriptor: Int32)
    /// - Parameters:
    ///   - name: Names the request in errors.
    ///   - argument: The structure of the request.
    func ioctl(
        _ descriptor: Int32, _ request: UInt, _ name: StaticString, _ argument: UnsafeMutableRawPointer
    ) throws(KernelError)
    /// Maps a part of a device's memory, readable and writable, shared.
    func map(_ descriptor: Int32, length: Int, offset: Int) throws(KernelError) -> UnsafeMutableRawBufferPointer
    func unmap(_ memory: UnsafeMutableRawBufferPointer)
    /// Waits until one of the descriptors is ready; no time limit, callers wake it by an event.
    func wait(_ descriptors: inout [WaitedDescriptor]) throws(KernelError)
    /// Makes a descriptor by which a thread waits for a device that other threads wait for, too.
    ///
    /// When the device is ready the kernel wakes one of them, the first by the order in which their descriptors were
    /// made; one that does not wait just then is passed over (EPOLLEXCLUSIVE, epoll_ctl(2)).
    /// - Parameter events: Wake all who wait for them.
    func share(_ device: Int32, events: [Int32]) throws(KernelError) -> Int32
    /// Takes the device out of a descriptor that `share` made; once it has returned, nobody asks the driver any more.
    func unshare(_ device: Int32, from descriptor: Int32)
    /// Puts the device into such a descriptor again, behind all others that share it.
    func shareAgain(_ device: Int32, in descriptor: Int32) throws(KernelError)
    /// Waits until an event of a descriptor that `share` made is readable, or its device is.
    func waitShared(_ descriptor: Int32) throws(KernelError) -> SharedEvents
    /// Lets requests wait in the driver for what is not there yet, as a filled buffer, or fail with EAGAIN.
    ///
    /// One that waits goes on waiting. VIDIOC_STREAMOFF ends it (EINVAL) where the driver's queue is the kernel's own,
    /// videobuf2.
    func setBlocking(_ descriptor: Int32, _ blocks: Bool) throws(KernelError)

    /// Reads what is there; fails with EAGAIN where nothing is.
    func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(KernelError) -> Int

    /// Makes a descriptor that another thread can make readable.
    func makeEvent() throws(KernelError) -> Int32
    /// Makes an event readable.
    func signal(_ event: Int32)
    /// Makes an event unreadable again.
    func reset(_ event: Int32)

    /// Watches a directory for entries made, removed and changed in their rights; readable when there are some.
    func watch(directory: String) throws(KernelError) -> Int32

    /// The names in a directory, sorted; empty where it cannot be read.
    func entries(of directory: String) -> [String]
    /// The text of a small file, as those in sysfs, without the last newline; nil where it cannot be read.
    func text(of file: String) -> String?
    /// The path that a link leads to, with all links resolved; nil where there is none.
    func resolve(_ path: String) -> String?

    /// The kernel's monotonic clock, in which drivers stamp their buffers.
    var monotonicNanoseconds: Int64 { get }
}

/// How a file is opened.
package enum FileAccess: Sendable, Hashable {
    case read, readWrite
}

/// What came to one who waits for a device together with others.
package struct SharedEvents: Sendable, Hashable {
    /// Whether an event was there.
    package var isWoken: Bool
    /// What came from the device: data, or an error.
    package var device: WaitedDescriptor.Events

    package init(isWoken: Bool, device: WaitedDescriptor.Events) {
        self.isWoken = isWoken
        self.device = device
    }
}

/// A descriptor that is waited for, and what came.
package struct WaitedDescriptor: Sendable, Hashable {
    package struct Events: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Data can be read, a filled buffer taken.
        package static let readable = Events(rawValue: 1)
        /// Something exceptional is there, as a V4L2 event.
        package static let exceptional = Events(rawValue: 2)
        /// The device is in an error or gone; told without being asked for.
        package static let failed = Events(rawValue: 4)
    }

    package let descriptor: Int32
    package var wanted: Events
    package var came: Events = []

    package init(_ descriptor: Int32, _ wanted: Events) {
        self.descriptor = descriptor
        self.wanted = wanted
    }
}
