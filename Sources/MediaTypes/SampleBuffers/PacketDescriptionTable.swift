/// Packet descriptions at a stable address.
final class PacketDescriptionTable {
    private let memory: UnsafeMutableBufferPointer<AudioStreamPacketDescription>

    /// Creates a table with a copy of packet descriptions, at least one.
    init(_ packets: [AudioStreamPacketDescription]) {
        memory = .allocate(capacity: packets.count)
        _ = memory.initialize(from: packets)
    }

    deinit { memory.deallocate() }

    var address: UnsafePointer<AudioStreamPacketDescription>? { memory.baseAddress.map { UnsafePointer($0) } }
}

extension CMSampleBuffer {
    /// The table of `packets`, which is created on first use; nil if there are none.
    var packetTable: PacketDescriptionTable? {
        guard !packets.isEmpty else { return nil }
        return withState { state in
            let table = state.packetTable ?? PacketDescriptionTable(packets)
            state.packetTable = table
            return table
        }
    }
}
