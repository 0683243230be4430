import CaptureHAL
public import KeyValueObserving

extension AVCaptureDevice {
    /// The camera that the user chose last of those that are connected; nil where there is no camera. Can be observed.
    ///
    /// Where the user never chose it is the default camera. Setting nil changes nothing.
    /// - Note: Unlike Apple, the choice lasts as long as the process.
    public class var userPreferredCamera: AVCaptureDevice? {
        get { DeviceRegistry.current.userPreferredCamera }
        set {
            guard let newValue else { return }
            DeviceRegistry.current.prefer(newValue)
        }
    }

    /// The camera that suits best now: the user's choice unless it is suspended, else the default one. Can be observed.
    public class var systemPreferredCamera: AVCaptureDevice? { DeviceRegistry.current.systemPreferredCamera }

    /// Calls `changeHandler` when `systemPreferredCamera` or `userPreferredCamera` is another camera than before, until the
    /// observation is invalidated or released: `AVCaptureDevice.observe(\.systemPreferredCamera) { type, change in … }`.
    ///
    /// - Note: On Apple's systems, where a class is an object, this is
    ///   `AVCaptureDevice.self.addObserver(_:forKeyPath:options:context:)`, which Foundation on Linux cannot have.
    /// - Parameter changeHandler: Runs on the thread of the choice, or where devices come, go or are suspended on the clock;
    ///   inside the system of the observer.
    @preconcurrency
    public static func observe<Value>(
        _ keyPath: KeyPath<AVCaptureDevice.Type, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping @Sendable (AVCaptureDevice.Type, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        let system = WeakReference(CaptureSystem.current)
        let registry = DeviceRegistry.current
        registry.watchChoice()
        return registry.observedProperties.observe(
            { system.object.map(SystemClass.init) }, { $0.run { AVCaptureDevice.self[keyPath: keyPath] } }, options,
            { world, change in world.run { changeHandler(AVCaptureDevice.self, change) } })
    }
}

/// The class as one system sees it.
private struct SystemClass {
    let system: CaptureSystem

    func run<Result>(_ body: () -> Result) -> Result { system.run(body) }
}
