/// The connections that carry the media of each port.
struct SessionRoutes<Connection> {
    /// A session has few ports: a linear search is faster than hashing.
    private var routes: [(port: ObjectIdentifier, connections: [Connection])] = []

    init() {}

    /// Lists the connections of each port, in the order of `connections`.
    init(_ connections: [Connection], ports: (Connection) -> [ObjectIdentifier]) {
        for connection in connections {
            for port in ports(connection) {
                if let index = routes.firstIndex(where: { $0.port == port }) {
                    routes[index].connections.append(connection)
                } else {
                    routes.append((port, [connection]))
                }
            }
        }
    }

    /// The connections that carry the media of a port.
    func connections(from port: ObjectIdentifier) -> [Connection] {
        routes.first { $0.port == port }?.connections ?? []
    }
}

extension SessionRoutes: Sendable where Connection: Sendable {}
