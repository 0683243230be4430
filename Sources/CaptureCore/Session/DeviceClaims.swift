/// Which session may use each device: one at a time.
///
/// Invariant: a device has at most one claim.
struct DeviceClaims<Session> {
    private var claims: [ObjectIdentifier: Claim] = [:]

    fileprivate struct Claim {
        let id: ObjectIdentifier
        let session: Session
    }

    /// Claims devices for a session: all of them, or none if another session has one and keeps it.
    ///
    /// - Parameters:
    ///   - devices: The devices; the session may have claimed some already.
    ///   - id: Identifies the session.
    ///   - byForce: Whether other sessions lose their claims to these devices.
    /// - Returns: The sessions that lost a device, each once, in the order of the devices.
    mutating func claim(
        _ devices: [ObjectIdentifier], for session: Session, id: ObjectIdentifier, byForce: Bool
    ) -> [Session] {
        let others = devices.compactMap { claims[$0] }.filter { $0.id != id }
        guard others.isEmpty || byForce else { return [] }
        for device in devices { claims[device] = Claim(id: id, session: session) }
        var losers: [Claim] = []
        for other in others where !losers.contains(where: { $0.id == other.id }) { losers.append(other) }
        return losers.map(\.session)
    }

    /// Ends the claims of a session except those to some devices.
    ///
    /// - Returns: The devices that became free.
    mutating func release(of session: ObjectIdentifier, except kept: Set<ObjectIdentifier> = []) -> [ObjectIdentifier] {
        let freed = claims.filter { $0.value.id == session && !kept.contains($0.key) }.map(\.key)
        for device in freed { claims[device] = nil }
        return freed
    }

    /// Whether a session other than `session` has the device.
    func isClaimed(_ device: ObjectIdentifier, byOtherThan session: ObjectIdentifier) -> Bool {
        claims[device].map { $0.id != session } ?? false
    }
}

extension DeviceClaims: Sendable where Session: Sendable {}
extension DeviceClaims.Claim: Sendable where Session: Sendable {}
