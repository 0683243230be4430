/// The claims of sessions to devices: only the session that has claimed a device may use it.
///
/// Invariant: a device has at most one claim.
struct DeviceClaims<Session> {
    private var claims: [ObjectIdentifier: Claim] = [:]

    fileprivate struct Claim {
        let id: ObjectIdentifier
        let session: Session
    }

    /// Claims devices for a session: all of them, or none if another session keeps its claim to one of them.
    ///
    /// - Parameters:
    ///   - devices: The devices; the session may have claimed some already.
    ///   - id: Identifies the session.
    ///   - preempting: Whether other sessions lose their claims to these devices.
    /// - Returns: The preempted sessions, each once, in the order of the devices.
    mutating func claim(
        _ devices: [ObjectIdentifier], for session: Session, id: ObjectIdentifier, preempting: Bool
    ) -> [Session] {
        let others = devices.compactMap { claims[$0] }.filter { $0.id != id }
        guard others.isEmpty || preempting else { return [] }
        for device in devices { claims[device] = Claim(id: id, session: session) }
        var preempted: [Claim] = []
        for other in others where !preempted.contains(where: { $0.id == other.id }) { preempted.append(other) }
        return preempted.map(\.session)
    }

    /// Ends the claims of a session except those to some devices.
    ///
    /// - Returns: The devices that became free.
    mutating func release(of session: ObjectIdentifier, except kept: Set<ObjectIdentifier> = []) -> [ObjectIdentifier] {
        let freed = claims.filter { $0.value.id == session && !kept.contains($0.key) }.map(\.key)
        for device in freed { claims[device] = nil }
        return freed
    }

    /// Whether a session other than `session` has claimed the device.
    func isClaimed(_ device: ObjectIdentifier, byOtherThan session: ObjectIdentifier) -> Bool {
        claims[device].map { $0.id != session } ?? false
    }
}

extension DeviceClaims: Sendable where Session: Sendable {}
extension DeviceClaims.Claim: Sendable where Session: Sendable {}
