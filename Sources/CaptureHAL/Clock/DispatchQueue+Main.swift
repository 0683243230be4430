import Dispatch

extension DispatchQueue {
    private static let mainKey: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether this is the main queue.
    ///
    /// On Linux each access to `DispatchQueue.main` returns another object, so `===` cannot identify the main queue.
    package var isMain: Bool { getSpecific(key: Self.mainKey) ?? false }
}
