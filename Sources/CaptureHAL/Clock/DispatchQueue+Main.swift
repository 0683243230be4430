import Dispatch

extension DispatchQueue {
    private static let mainKey: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether this is the main queue.
    ///
    /// On Linux `DispatchQueue.main` is another object each time that it is asked for, so that `===` cannot tell.
    package var isMain: Bool { getSpecific(key: Self.mainKey) ?? false }
}
