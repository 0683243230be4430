package import CaptureHAL
import MediaTypes

extension CaptureLog {
    /// Returns the entries in virtual or real time that `body` writes; then the log is off.
    ///
    /// - Parameter filter: As in `OBSCURA_LOG`.
    package static func entries(
        _ filter: String, inVirtualTime isVirtual: Bool = true, _ body: () throws -> Void
    ) throws -> [Entry] {
        let collected = Lock<[Entry]>([], order: .primitive)
        setHandler { entry in if entry.isTimeVirtual == isVirtual { collected.withLock { $0.append(entry) } } }
        setFilter(try Filter(filter))
        defer {
            setFilter(.off)
            setHandler(nil)
        }
        try body()
        return collected.withLock { $0 }
    }
}
