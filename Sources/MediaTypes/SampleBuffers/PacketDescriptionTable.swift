/// Packet descriptions at an address that does not change.
final class PacketDescriptionTable {
    private let memory: UnsafeMutableBufferPointer<AudioStreamPacketDescription>

    /// - Parameter packets: At least one.
    init(_ packets: [AudioStreamPacketDescription]) {
        memory = .allocate(capacity: packets.count)
        _ = memory.initialize(from: packets)
    }

    deinit { memory.deallocate() }

    var address: UnsafePointer<AudioStreamPacketDescription>? { memory.baseAddress.map { UnsafePointer($0) } }
}

extension CMSampleBuffer {
    /// The table of `packets`, which is created by the first access; nil without packets.
    var packetTable: PacketDescriptionTable? {
        guard !packets.isEmpty else { return nil }
        return withState { state in
            let table = state.packetTable ?? PacketDescriptionTable(packets)
            state.packetTable = table
            return table
        }
    }
}
