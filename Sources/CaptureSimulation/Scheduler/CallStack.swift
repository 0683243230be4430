import CWorld
import Foundation
import Runtime

/// The call stack of a thread at one time, innermost call first.
package struct CallStack: CustomStringConvertible {
    private let addresses: [UInt]

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

    /// One line for each of the first 16 calls with a known source location: the function, the file and the line. Empty
    /// if there is no such call.
    package var description: String {
        guard let frames = backtrace?.symbolicated()?.frames else { return "" }
        let calls = frames.compactMap { frame -> String? in
            guard let symbol = frame.symbol, let source = symbol.sourceLocation, source.line > 0 else { return nil }
            return "  \(symbol.name) at \(source.path):\(source.line)"
        }
        return calls.prefix(16).joined(separator: "\n")
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
        guard let current = try? Backtrace.capture(limit: 1) else { return nil }
        let encoded = Encoded(architecture: current.architecture, backtrace: Data(bytes).base64EncodedString())
        return try? JSONDecoder().decode(Backtrace.self, from: JSONEncoder().encode(encoded))
    }
}
