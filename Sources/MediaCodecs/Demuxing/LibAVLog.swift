import CLibAV
import Foundation

/// Suppresses the log of FFmpeg's libraries and captures error messages.
///
/// The libraries have one log callback per process. Messages of the calling thread can be captured; all others are
/// discarded.
package enum LibAVLog {
    /// Installs the log callback; later calls do nothing.
    package static func silence() { _ = installation }

    /// Runs `body` and returns the first message of level error or worse that the libraries logged on this thread.
    package static func capturing<Value>(_ body: () -> Value) -> (Value, message: String?) {
        silence()
        let box = MessageBox()
        let outer = pthread_getspecific(key)
        pthread_setspecific(key, Unmanaged.passUnretained(box).toOpaque())
        defer { pthread_setspecific(key, outer) }
        return withExtendedLifetime(box) { (body(), box.message) }
    }

    /// Returns FFmpeg's description of a result code.
    package static func text(for result: Int32) -> String {
        var characters = [CChar](repeating: 0, count: 128)
        av_strerror(result, &characters, characters.count)
        return characters.withUnsafeBufferPointer { buffer in
            String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    private final class MessageBox {
        var message: String?
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let result = pthread_key_create(&key, nil)
        precondition(result == 0, "pthread_key_create failed with \(result)")
        return key
    }()

    private static let installation: Void = {
        _ = key
        clibav_set_error_log { text in
            guard let text, let pointer = pthread_getspecific(LibAVLog.key) else { return }
            let box = Unmanaged<MessageBox>.fromOpaque(pointer).takeUnretainedValue()
            guard box.message == nil else { return }
            box.message = String(cString: text).trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }()
}
