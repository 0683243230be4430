package import CaptureHAL
package import KeyValueObserving

extension ObservedProperties {
    /// Creates an object without observers.
    ///
    /// - Parameters:
    ///   - system: The system of the observed object; the code of the observers belongs to it.
    ///   - misuse: Receives the observation of a property that cannot be observed.
    package convenience init(_ system: SystemReference, _ misuse: MisuseHandler) {
        self.init(perform: system.run) { misuse.report(.invalidArgument, $0) }
    }
}
