import CWorld
import Foundation
import Runtime

/// The call stack of a thread at one time, innermost call first.
package struct CallStack: CustomStringConvertible, Sendable {
    /// A function with a line of its source file.
    package struct Line: Sendable {
        package let function: String
        package let path: String
        package let number: Int
    }

    private let addresses: [UInt]

    /// Captures the call stack of the current thread.
    ///
    /// `Backtrace.capture` of the Swift runtime is not used: it follows frame pointers without checking them, which
    /// crashes on threads that glibc 2.41 starts.
    package init() {
        addresses = Array(unsafeUninitializedCapacity: 64) { buffer, count in
            guard let base = buffer.baseAddress else { return }
            count = Int(cworld_own_call_stack(base, Int32(buffer.count)))
        }
    }

    /// Captures the call stack of the current thread with the unwind tables of the code.
    ///
    /// It takes longer than `init()`, and also finds the callers of Dispatch's Swift functions, which do not keep a frame
    /// pointer.
    static func unwound() -> CallStack {
        CallStack(
            addresses: Array(unsafeUninitializedCapacity: 64) { buffer, count in
                guard let base = buffer.baseAddress else { return }
                count = Int(cworld_unwound_call_stack(base, Int32(buffer.count)))
            })
    }

    /// Captures the call stack of another thread. The thread is interrupted and then continues.
    init(ofThread id: Int32) {
        addresses = Array(unsafeUninitializedCapacity: 64) { buffer, count in
            guard let base = buffer.baseAddress else { return }
            count = Int(cworld_call_stack(id, base, Int32(buffer.count)))
        }
    }

    /// The name of the function at an address of code; nil if it is not known.
    package static func name(ofFunctionAt address: UInt) -> String? {
        CallStack(addresses: [address]).backtrace?.symbolicated()?.frames.first?.symbol?.name
    }

    private init(addresses: [UInt]) { self.addresses = addresses }

    /// The lines of the calls with a known source location, innermost call first.
    ///
    /// Requires debug information, which SwiftPM generates by default in both configurations. Reading it takes a few
    /// milliseconds. Optimized code can lack the frames of functions that were inlined or that end with the call.
    package func lines() -> [Line] {
        guard let frames = backtrace?.symbolicated()?.frames else { return [] }
        return frames.compactMap { frame in
            guard let symbol = frame.symbol, let source = symbol.sourceLocation, source.line > 0 else { return nil }
            return Line(function: symbol.name, path: source.path, number: source.line)
        }
    }

    /// One line for each of the first 16 calls with a known source location: the function, the file and the line. Empty
    /// if there is no such call.
    package var description: String {
        lines().prefix(16).map { "  \($0.function) at \($0.path):\($0.number)" }.joined(separator: "\n")
    }

    /// The addresses as a `Backtrace` of the runtime, which can only be created from addresses by decoding the Compact
    /// Backtrace Format.
    private var backtrace: Backtrace? {
        var bytes: [UInt8] = [2]  // 64-bit addresses
        for (index, address) in addresses.enumerated() {
            // An absolute address of 8 bytes: a program counter, or a return address.
            bytes.append(index == 0 ? 0x1f : 0x2f)
            withUnsafeBytes(of: UInt64(address).bigEndian) { bytes += $0 }
        }
        bytes.append(0)
        struct Encoded: Encodable {
            let architecture: String
            let backtrace: String
        }
        #if arch(arm64)
        let architecture = "arm64"
        #else
        let architecture = "x86_64"
        #endif
        let encoded = Encoded(architecture: architecture, backtrace: Data(bytes).base64EncodedString())
        return try? JSONDecoder().decode(Backtrace.self, from: JSONEncoder().encode(encoded))
    }
}
