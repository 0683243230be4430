package import CaptureHAL
package import KeyValueObserving

extension ObservedProperties {
    /// Creates an object without observers.
    ///
    /// - Parameter misuse: Receives the observation of a property that cannot be observed.
    package convenience init(_ misuse: MisuseHandler) {
        self.init { misuse.report(.invalidArgument, $0) }
    }
}
