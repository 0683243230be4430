import Glibc

/// The error of a failed system call.
package struct KernelError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The call and its object, such as `VIDIOC_QBUF` or `open /dev/video0`.
    package let call: String
    /// The value of `errno`.
    package let number: Int32

    /// Creates an error.
    package init(_ call: String, _ number: Int32) {
        self.call = call
        self.number = number
    }

    package var description: String { "\(call) failed: \(Self.text(number))" }

    /// The description with the error number, for the log.
    var logText: String { "\(self) (errno \(number))" }

    /// Returns the text of `strerror` for an error number.
    static func text(_ number: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        guard strerror_r(number, &buffer, buffer.count) == 0 else { return "error \(number)" }
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return bytes.isEmpty ? "error \(number)" : String(decoding: bytes, as: UTF8.self)
    }
}
