import CSQLite
import Foundation
import XCTest

@testable import PhotoStore

final class SQLiteConnectionTests: PhotoLibraryTestCase {
    private struct Item: SQLiteRecord, Equatable {
        static let table = "item"
        static let columns: [SQLiteColumn<Item>] = [
            SQLiteColumn("id", \.id),
            SQLiteColumn("number", \.number),
            SQLiteColumn("ratio", \.ratio),
            SQLiteColumn("name", \.name),
            SQLiteColumn("isLarge", \.isLarge),
            SQLiteColumn("note", \.note),
        ]

        var id: Int64?
        var number: Int64 = 0
        var ratio: Double = 0
        var name = ""
        var isLarge = false
        var note: String?
    }

    private var path: String { folder.appendingPathComponent("items.sqlite").path }

    private func open(isReadOnly: Bool = false) throws -> SQLiteConnection {
        try SQLiteConnection(path: path, for: isReadOnly ? .reading : .writing, busyMilliseconds: 0)
    }

    /// Opens a database with the table of `Item`, in which names are unique.
    private func openItems() throws -> SQLiteConnection {
        let database = try open()
        try database.execute(
            """
            CREATE TABLE item (id INTEGER PRIMARY KEY AUTOINCREMENT, number INTEGER NOT NULL, ratio DOUBLE NOT NULL, \
            name TEXT NOT NULL UNIQUE, ISLARGE BOOLEAN NOT NULL, note TEXT)
            """)
        return database
    }

    private func assertFails(
        _ extendedCode: Int32, _ words: String..., line: UInt = #line, _ body: () throws -> Void
    ) {
        XCTAssertThrowsError(try body(), line: line) { error in
            XCTAssertEqual((error as? SQLiteError)?.extendedCode, extendedCode, "\(error)", line: line)
            for word in words { XCTAssertTrue("\(error)".contains(word), "\(error)", line: line) }
        }
    }

    func testRowsAreReadAsTheyWereInserted() throws {
        let database = try openItems()
        var items = [
            Item(number: .min, ratio: .pi, name: "zero \0 and \u{1F3A5}", isLarge: true, note: nil),
            Item(number: .max, ratio: -.leastNonzeroMagnitude, name: "", isLarge: false, note: ""),
        ]
        for index in items.indices { try items[index].insert(database) }
        XCTAssertEqual(items.map(\.id), [1, 2])
        XCTAssertEqual(try database.rows("SELECT * FROM item ORDER BY id"), items)
    }

    func testARowIsUpdatedAndDeletedByItsID() throws {
        let database = try openItems()
        var (one, other) = (Item(name: "one"), Item(name: "other"))
        try one.insert(database)
        try other.insert(database)
        one.note = "changed"
        try one.update(database)
        XCTAssertEqual(try database.rows("SELECT * FROM item ORDER BY id"), [one, other])
        try one.delete(database)
        XCTAssertEqual(try database.rows("SELECT * FROM item"), [other])
    }

    func testAValueOfAnotherTypeIsAnError() throws {
        let database = try open()
        assertFails(SQLITE_MISMATCH) { let _: [Int64] = try database.values("SELECT 'x'") }
        assertFails(SQLITE_MISMATCH) { let _: [Double] = try database.values("SELECT 'x'") }
        assertFails(SQLITE_MISMATCH) { let _: [String] = try database.values("SELECT NULL") }
        assertFails(SQLITE_MISMATCH) { let _: [String?] = try database.values("SELECT 1") }
        let numbers: [Double] = try database.values("SELECT 2")
        XCTAssertEqual(numbers, [2])
    }

    func testMissingColumnsTablesAndValuesAreErrors() throws {
        let database = try openItems()
        assertFails(SQLITE_ERROR, "ratio") { let _: [Item] = try database.rows("SELECT id, number FROM item") }
        assertFails(SQLITE_ERROR, "no such table: other", "DELETE FROM other") {
            try database.execute("DELETE FROM other")
        }
        assertFails(SQLITE_RANGE) { try database.execute("DELETE FROM item WHERE id = ?") }
        assertFails(SQLITE_RANGE) { try database.execute("DELETE FROM item WHERE id = ?", [1, 2]) }
    }

    func testAnErrorContainsTheExtendedCodeAndTheStatement() throws {
        let database = try openItems()
        var item = Item(name: "a")
        try item.insert(database)
        item.id = nil
        assertFails(SQLITE_CONSTRAINT | 8 << 8, "UNIQUE constraint failed: item.name", "INSERT INTO item") {
            try item.insert(database)
        }
    }

    func testATransactionIsRolledBackWhenItsBodyThrows() throws {
        let database = try openItems()
        struct Failure: Error {}
        XCTAssertThrowsError(
            try database.transaction {
                var item = Item(name: "a")
                try item.insert(database)
                throw Failure()
            }
        ) { XCTAssertTrue($0 is Failure, "\($0)") }
        XCTAssertEqual(try database.rows("SELECT * FROM item"), [Item]())
        var item = Item(name: "b")
        try database.transaction { try item.insert(database) }
        XCTAssertEqual(try open().rows("SELECT * FROM item"), [item])
    }

    func testATransactionExcludesOtherWriters() throws {
        let (database, other) = (try openItems(), try open())
        try database.transaction {
            assertFails(SQLITE_BUSY) { try other.transaction {} }
        }
        XCTAssertNoThrow(try other.transaction {})
    }

    func testCommitsAreFlushedAndForeignKeysAreEnforced() throws {
        let database = try open()
        let modes: [String] = try database.values("PRAGMA journal_mode")
        let synchronous: [Int] = try database.values("PRAGMA synchronous")
        let foreignKeys: [Bool] = try database.values("PRAGMA foreign_keys")
        XCTAssertEqual(modes, ["wal"])
        XCTAssertEqual(synchronous, [2], "not FULL")
        XCTAssertEqual(foreignKeys, [true])
    }

    func testAReadOnlyConnectionCannotWrite() throws {
        let database = try openItems()
        let reader = try open(isReadOnly: true)
        XCTAssertEqual(try reader.rows("SELECT * FROM item"), [Item]())
        assertFails(SQLITE_READONLY) { try reader.execute("DELETE FROM item") }
        withExtendedLifetime(database) {}
    }

    func testAFileThatCannotBeOpenedIsAnError() throws {
        assertFails(SQLITE_CANTOPEN, "unable to open") { _ = try open(isReadOnly: true) }
        try Data(String(repeating: "text\n", count: 1000).utf8).write(to: URL(fileURLWithPath: path))
        assertFails(SQLITE_NOTADB) { _ = try open() }
    }
}
