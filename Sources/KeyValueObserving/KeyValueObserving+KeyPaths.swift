import Foundation

/// Key-value observing and coding with strings, as in Objective-C.
extension KeyValueObserving {
    /// Calls the observer's `observeValue` after each change of a property, until the observer is removed.
    ///
    /// Neither the object nor the observer is retained. An unknown key and a key path that never reports changes are
    /// misuse.
    /// - Parameters:
    ///   - keyPath: The key of an observable property as in Objective-C, such as `adjustingFocus`, or the name of its
    ///     getter, `isAdjustingFocus`. With several keys, such as `device.focusMode`, changes of each are reported.
    ///   - options: As for `observe(_:options:changeHandler:)`.
    ///   - context: Passed to the observer.
    public func addObserver(
        _ observer: any KeyPathObserver, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [],
        context: UnsafeMutableRawPointer?
    ) {
        let keys = keyPath.components(separatedBy: ".")
        observedProperties.add(
            KeyPathObservation(
                observer, keyPath, options, context, object: { [weak self] in self },
                track: { [weak self] in (try? KeyPathTable.track(keys, of: self)) ?? (nil, []) }),
            keyPath, receiver: "-[\(type(of: self))"
        ) { () throws(KeyPathTable.UndefinedKey) in _ = try KeyPathTable.track(keys, of: self) }
    }

    /// Removes the last registration of an observer for a key path; misuse if there is none.
    public func removeObserver(_ observer: any KeyPathObserver, forKeyPath keyPath: String) {
        observedProperties.remove(observer, keyPath, nil, receiver: "-[\(type(of: self))", from: "\(self)")
    }

    /// Removes the last registration of an observer for a key path with a context; misuse if there is none.
    public func removeObserver(
        _ observer: any KeyPathObserver, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?
    ) {
        observedProperties.remove(
            observer, keyPath, .some(context), receiver: "-[\(type(of: self))", from: "\(self)")
    }

    /// Returns the value of a property; see `value(forKeyPath:)`.
    public func value(forKey key: String) -> Any? { value(forKeyPath: key) }

    /// Returns the value of an observable property; nil if it has no value. An unknown key is misuse.
    ///
    /// - Parameter keyPath: As in `addObserver(_:forKeyPath:options:context:)`.
    /// - Returns: The value; for an enumeration, the raw value.
    public func value(forKeyPath keyPath: String) -> Any? {
        do throws(KeyPathTable.UndefinedKey) {
            return try KeyPathTable.track(keyPath.components(separatedBy: "."), of: self).value
        } catch {
            observedProperties.reportMisuse("-[\(error.owner) valueForUndefinedKey:] \(error.message)")
            return nil
        }
    }
}

extension ObservedProperties {
    /// Starts an observation and retains it.
    ///
    /// - Parameters:
    ///   - receiver: The class of the object for messages, with the prefix `-[` for an object or `+[` for a class.
    ///   - check: Throws if there is no property for one of the keys.
    package func add(
        _ observation: KeyPathObservation, _ keyPath: String, receiver: String,
        check: () throws(KeyPathTable.UndefinedKey) -> Void
    ) {
        do throws(KeyPathTable.UndefinedKey) { try check() } catch {
            return reportMisuse("-[\(error.owner) valueForUndefinedKey:] \(error.message)")
        }
        guard observation.start() else {
            return reportMisuse(
                "\(receiver) addObserver:forKeyPath:options:context:] The key path \(keyPath) cannot be observed, because "
                    + "changes of the property are not reported")
        }
        let obsolete = keyPathObservations.withLock { $0 }.filter(\.isObsolete)
        keyPathObservations.withLock { $0.append(observation) }
        for old in obsolete { removeObservation(old) }
    }

    /// Ends an observation.
    ///
    /// - Parameters:
    ///   - context: Nil for any context.
    ///   - receiver: As for `add`.
    ///   - object: The description of the observed object for messages.
    package func remove(
        _ observer: any KeyPathObserver, _ keyPath: String, _ context: UnsafeMutableRawPointer??, receiver: String,
        from object: String
    ) {
        let observations = keyPathObservations.withLock { $0 }
        if let observation = observations.last(where: { $0.matches(observer, keyPath, context) }) {
            return removeObservation(observation)
        }
        let method = context == nil ? "removeObserver:forKeyPath:" : "removeObserver:forKeyPath:context:"
        reportMisuse(
            "\(receiver) \(method)] Cannot remove an observer <\(type(of: observer))> for the key path \"\(keyPath)\" from "
                + "\(object) because it is not registered as an observer.")
    }

    /// Removes and thereby ends an observation.
    private func removeObservation(_ observation: KeyPathObservation) {
        keyPathObservations.withLock { $0.removeAll { $0 === observation } }
    }
}
