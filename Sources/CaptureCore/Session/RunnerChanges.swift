/// Decides which devices of a session continue, stop and start when the configuration or the devices change.
///
/// `Key` identifies a device of an input, `Plan` describes the streams that it delivers.
struct RunnerChanges<Key: Equatable, Plan> {
    /// A device that the configuration needs.
    struct RequiredDevice {
        let key: Key
        let plan: Plan
        let isConnected: Bool
    }

    /// The decision about a running device.
    enum Decision {
        /// The streams continue, with another frame duration at most.
        case keep(Plan)
        case stop
    }

    /// One decision for each running device, in their order.
    let decisions: [Decision]
    /// The devices that must run.
    let devicesToRun: [RequiredDevice]

    /// Decides about the running devices.
    ///
    /// - Parameters:
    ///   - required: The devices that the configuration needs. A disconnected one does not prevent the others from
    ///     running; if it runs, its stream reports the disconnection.
    ///   - running: The devices that run, with the plans of their streams.
    ///   - isCompatible: Whether running streams can continue with another plan.
    init(
        required: [RequiredDevice], running: [(key: Key, plan: Plan)],
        isCompatible: (_ running: Plan, _ required: Plan) -> Bool
    ) {
        let available = required.filter { item in item.isConnected || running.contains { $0.key == item.key } }
        // If all devices are disconnected, opening one reports the error.
        let devicesToRun = available.isEmpty ? required : available
        decisions = running.map { item in
            guard let plan = devicesToRun.first(where: { $0.key == item.key })?.plan, isCompatible(item.plan, plan)
            else { return .stop }
            return .keep(plan)
        }
        self.devicesToRun = devicesToRun
    }

    /// Returns the devices that must start while the devices with the keys `running` continue.
    func starts(excluding running: [Key]) -> [RequiredDevice] {
        devicesToRun.filter { !running.contains($0.key) }
    }
}
