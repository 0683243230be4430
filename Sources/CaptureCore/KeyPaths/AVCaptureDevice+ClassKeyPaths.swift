import CaptureHAL
import Foundation
public import KeyValueObserving
import MediaTypes

/// Key-value observing and coding of the class object with strings, such as `AVCaptureDevice.self.addObserver(…)`.
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

    /// Removes the last registration of an observer for a key path of the class; misuse if there is none.
    public class func removeObserver(_ observer: any KeyPathObserver, forKeyPath keyPath: String) {
        DeviceRegistry.current.observedProperties.remove(
            observer, keyPath, nil, receiver: "+[AVCaptureDevice", from: "AVCaptureDevice")
    }

    /// Removes the last registration of an observer for a key path of the class with a context; misuse if there is
    /// none.
    public class func removeObserver(
        _ observer: any KeyPathObserver, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?
    ) {
        DeviceRegistry.current.observedProperties.remove(
            observer, keyPath, .some(context), receiver: "+[AVCaptureDevice", from: "AVCaptureDevice")
    }

    /// Returns the value of a property of the class; see `value(forKeyPath:)`.
    public class func value(forKey key: String) -> Any? { value(forKeyPath: key) }

    /// Returns the value of a property of the class; nil if it has no value. An unknown key is misuse.
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
        let nested = try KeyPathTable.track(keys.dropFirst(), of: value)
        return (nested.value, dependencies + nested.dependencies)
    }
}
