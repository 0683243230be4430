package import KeyValueObserving

extension ObservedProperties {
    /// Creates an object without observers.
    ///
    /// - Parameters:
    ///   - system: The system of the observed object. It is the current system while observers are called.
    ///   - misuse: Receives reports of observations of properties that cannot be observed.
    package convenience init(_ system: SystemReference, _ misuse: MisuseHandler) {
        self.init(perform: system.run) { misuse.report(.invalidArgument, $0) }
    }
}
