import MediaTypes

/// The selection of the system for the running code.
extension CaptureSystem {
    @TaskLocal private static var local: CaptureSystem?

    /// The system of the running code.
    ///
    /// It is the system of the innermost enclosing `run`. Outside of `run`, in programs that link `CaptureSimulation`,
    /// it is the system of the simulated world that runs the code. Otherwise, it is the process's own system.
    public static var current: CaptureSystem {
        local ?? worldResolver.withLock({ $0 })?() ?? ProcessSystem.shared.system()
    }

    /// The system of the innermost enclosing `run`.
    package static var innermostRun: CaptureSystem? { local }

    /// The system of the running code; nil if it is the process's own system. That system is not created.
    package static var currentUnlessProcessSystem: CaptureSystem? {
        let system = local ?? worldResolver.withLock { $0 }?()
        return system.flatMap { $0.reference.isOfProcess ? nil : $0 }
    }

    /// The system of the running code; nil if it is the process's own system and does not exist yet.
    static var currentIfCreated: CaptureSystem? {
        local ?? worldResolver.withLock({ $0 })?() ?? ProcessSystem.shared.systemIfCreated
    }

    private static let worldResolver = Lock<(@Sendable () -> CaptureSystem?)?>(nil, order: .primitive)

    /// Sets the function that returns the system of the simulated world of the running code; nil outside of a world.
    package static func setWorldResolver(_ resolver: @escaping @Sendable () -> CaptureSystem?) {
        worldResolver.withLock { $0 = resolver }
    }

    /// Runs `body` with this system as the current one.
    public func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Self.$local.withValue(self, operation: body)
    }

    /// Runs `body` with this system as the current one. Tasks that `body` starts inherit it, except detached ones.
    public func run<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await Self.$local.withValue(self, operation: body, isolation: isolation)
    }

    /// Sets the process's own system, once, before its first use.
    ///
    /// - Throws: `DeviceError` with `.invalidState` if the process already has a system.
    public static func bootstrap(_ system: CaptureSystem) throws(DeviceError) {
        try ProcessSystem.shared.bootstrap(system)
    }

    /// Sets the factory that creates the process's own system on first use. A module that provides backends calls it.
    ///
    /// - Parameter factory: Receives the value of `OBSCURA_BACKEND`; empty if it is not set.
    public static func setDefaultFactory(
        _ factory: @escaping @Sendable (String) throws(DeviceError) -> CaptureSystem
    ) {
        ProcessSystem.shared.setFactory(factory)
    }
}
