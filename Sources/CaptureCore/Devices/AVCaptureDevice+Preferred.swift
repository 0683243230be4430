import CaptureHAL
public import KeyValueObserving
import MediaTypes

extension AVCaptureDevice {
    /// The connected camera that the user selected last; nil if no camera is connected. Can be observed.
    ///
    /// Before the first selection, it is the default camera. Setting nil has no effect.
    /// - Note: Unlike Apple, the selection is lost when the process ends.
    public class var userPreferredCamera: AVCaptureDevice? {
        get { DeviceRegistry.current.userPreferredCamera }
        set {
            guard let newValue else { return }
            let system = CaptureSystem.current
            if let message = system.reference.rejectionReason(
                joining: "\(newValue)", of: newValue.environment.system, to: "the calling code")
            {
                return system.misuse.report(
                    .invalidArgument, "+[AVCaptureDevice setUserPreferredCamera:] \(message)")
            }
            DeviceRegistry.of(system).setUserPreferredCamera(newValue)
        }
    }

    /// The user's selection unless it is suspended, else the default camera. Can be observed.
    public class var systemPreferredCamera: AVCaptureDevice? { DeviceRegistry.current.systemPreferredCamera }

    /// Calls `changeHandler` when `systemPreferredCamera` or `userPreferredCamera` changes, until the observation is
    /// invalidated or released: `AVCaptureDevice.observe(\.systemPreferredCamera) { type, change in … }`.
    ///
    /// - Note: On Apple's systems, where a class is an object, this is
    ///   `AVCaptureDevice.self.addObserver(_:forKeyPath:options:context:)`, which is impossible on Linux.
    /// - Parameter changeHandler: Runs on the thread that sets `userPreferredCamera`; after a connection, disconnection
    ///   or suspension, on the clock. It runs in the `CaptureSystem` in which this method was called.
    @preconcurrency
    public static func observe<Value>(
        _ keyPath: KeyPath<AVCaptureDevice.Type, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping @Sendable (AVCaptureDevice.Type, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        let system = WeakReference(CaptureSystem.current)
        let registry = DeviceRegistry.current
        registry.observePreferredCamera()
        return registry.observedProperties.observe(
            { system.object.map(DeviceClassInSystem.init) }, { $0.run { AVCaptureDevice.self[keyPath: keyPath] } },
            options, "+[AVCaptureDevice", keyPath,
            { context, change in context.run { changeHandler(AVCaptureDevice.self, change) } })
    }
}

/// The class `AVCaptureDevice` in the context of one system.
private struct DeviceClassInSystem {
    let system: CaptureSystem

    func run<Result>(_ body: () -> Result) -> Result { system.run(body) }
}
