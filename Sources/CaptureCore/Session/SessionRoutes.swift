/// The connections from each port.
struct SessionRoutes<Connection: AnyObject> {
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

    /// Returns the connections from a port.
    func connections(from port: ObjectIdentifier) -> [Connection] {
        routes.first { $0.port == port }?.connections ?? []
    }

    /// Returns the connections from some ports, each once.
    func connections(from ports: [ObjectIdentifier]) -> [Connection] {
        var result: [Connection] = []
        for route in routes where ports.contains(route.port) {
            // Usually only one of the ports has connections: its list is returned without a copy.
            if result.isEmpty {
                result = route.connections
            } else {
                result += route.connections.filter { connection in !result.contains { $0 === connection } }
            }
        }
        return result
    }
}

extension SessionRoutes: Sendable where Connection: Sendable {}
