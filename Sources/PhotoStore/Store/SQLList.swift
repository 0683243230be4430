import Foundation

/// A list of values as one parameter, which SQLite's function `json_each` reads. SQLite limits the number of parameters.
struct SQLList: SQLiteValue {
    private let json: String

    init(_ elements: [some Encodable]) throws {
        json = String(decoding: try JSONEncoder().encode(elements), as: UTF8.self)
    }

    func bind(to statement: OpaquePointer, at position: Int32) -> Int32 { json.bind(to: statement, at: position) }

    init?(_ statement: OpaquePointer, at position: Int32) {
        guard let json = String(statement, at: position) else { return nil }
        self.json = json
    }
}
