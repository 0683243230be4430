import Foundation

/// A thread of the process that the kernel has suspended in a futex: it waits for a lock, a condition or a semaphore.
struct BlockedThread: Equatable {
    /// The kernel's ID of the thread.
    let id: Int32
    /// The address of the futex.
    let address: UInt
    /// The thread that holds the lock; nil if the futex belongs to another object, such as a condition.
    let owner: Int32?

    /// Examines a thread; nil if it is not suspended in a futex, or if the kernel does not say.
    init?(_ id: Int32) {
        // The number of the system call and its arguments (proc(5)), or the word "running".
        guard let text = try? String(contentsOfFile: "/proc/self/task/\(id)/syscall", encoding: .utf8) else {
            return nil
        }
        let fields = text.split(separator: " ")
        guard fields.count > 2, Int(fields[0]) == Self.futexNumber,
            let address = UInt(fields[1].dropFirst(2), radix: 16), address % 4 == 0,
            let word = UnsafePointer<UInt32>(bitPattern: address)
        else { return nil }
        self.id = id
        self.address = address
        // A mutex of glibc is 2 while threads wait for it; its owner is in the third word. A futex with priority
        // inheritance, such as Swift's Mutex, contains its owner in the low 30 bits.
        let owner = word.pointee == 2 ? Int32(bitPattern: word[2]) : Int32(word.pointee & 0x3fff_ffff)
        self.owner = owner > 0 && owner != id && Self.exists(owner) ? owner : nil
    }

    /// The name of a thread in the kernel.
    static func name(_ id: Int32) -> String {
        let name = try? String(contentsOfFile: "/proc/self/task/\(id)/comm", encoding: .utf8)
        return name?.trimmingCharacters(in: .newlines) ?? "ended"
    }

    private static func exists(_ id: Int32) -> Bool {
        FileManager.default.fileExists(atPath: "/proc/self/task/\(id)")
    }

    /// The number of the system call futex(2).
    private static var futexNumber: Int {
        #if arch(x86_64)
        202
        #else
        98
        #endif
    }
}
