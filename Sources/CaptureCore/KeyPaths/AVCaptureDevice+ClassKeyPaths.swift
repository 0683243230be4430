import CaptureHAL
import Foundation
public import KeyValueObserving
import MediaTypes

/// Key-value observing and coding with strings of the class object, as `AVCaptureDevice.self.addObserver(…)`.
extension AVCaptureDevice {
    private static let classGetters: [String: @Sendable () -> Any?] = [
        "centerStageControlMode": { KeyPathTable.plainValue(AVCaptureDevice.centerStageControlMode) },
        "centerStageEnabled": { AVCaptureDevice.isCenterStageEnabled },
        "systemPreferredCamera": { KeyPathTable.plainValue(AVCaptureDevice.systemPreferredCamera as Any) },
        "userPreferredCamera": { KeyPathTable.plainValue(AVCaptureDevice.userPreferredCamera as Any) },
    ]

    /// Calls the observer's `observeValue` after each change of a property of the class, in the caller's system.
    ///
    /// - Parameters:
    ///   - keyPath: `systemPreferredCamera`, `userPreferredCamera`, `centerStageEnabled` or `centerStageControlMode`,
    ///     or a key path of a preferred camera.
    ///   - context: Passed to the observer.
    public class func addObserver(
        _ observer: any KeyPathObserver, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [],
        context: UnsafeMutableRawPointer?
    ) {
        let keys = keyPath.components(separatedBy: ".")
        let system = WeakReference(CaptureSystem.current)
        let registry = DeviceRegistry.current
        registry.observePreferredCamera()
        registry.observedProperties.add(
            KeyPathObservation(
                observer, keyPath, options, context, object: { AVCaptureDevice.self },
                track: { system.object?.run { try? track(keys) } ?? (nil, []) }),
            keyPath, receiver: "+[AVCaptureDevice"
        ) { () throws(KeyPathTable.UndefinedKey) in _ = try track(keys) }
    }

    /// Ends the last observation of a key path of the class by an observer; without any, that is misuse.
    public class func removeObserver(_ observer: any KeyPathObserver, forKeyPath keyPath: String) {
        DeviceRegistry.current.observedProperties.remove(
            observer, keyPath, nil, receiver: "+[AVCaptureDevice", from: "AVCaptureDevice")
    }

    /// Ends the last observation of a key path of the class by an observer with a context; without any, that is misuse.
    public class func removeObserver(
        _ observer: any KeyPathObserver, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?
    ) {
        DeviceRegistry.current.observedProperties.remove(
            observer, keyPath, .some(context), receiver: "+[AVCaptureDevice", from: "AVCaptureDevice")
    }

    /// Returns the value of a property of the class; see `value(forKeyPath:)`.
    public class func value(forKey key: String) -> Any? { value(forKeyPath: key) }

    /// Returns the value of a property of the class; nil for one without a value. An unknown key is misuse.
    public class func value(forKeyPath keyPath: String) -> Any? {
        do throws(KeyPathTable.UndefinedKey) { return try track(keyPath.components(separatedBy: ".")).value } catch {
            DeviceRegistry.current.observedProperties.reportMisuse(
                "+[\(error.owner) valueForUndefinedKey:] \(error.message)")
            return nil
        }
    }

    private class func track(
        _ keys: [String]
    ) throws(KeyPathTable.UndefinedKey) -> KeyPathObservation.TrackedValue {
        let key = keys.first ?? ""
        guard let getter = classGetters[key] ?? KeyPathTable.key(ofGetter: key).flatMap({ classGetters[$0] }) else {
            throw KeyPathTable.UndefinedKey(owner: "AVCaptureDevice", key: key)
        }
        let (value, dependencies) = DeviceRegistry.current.observedProperties.tracking { getter() }
        let rest = try KeyPathTable.track(keys.dropFirst(), of: value)
        return (rest.value, dependencies + rest.dependencies)
    }
}
