import CSQLite
import Glibc

/// An error that SQLite reports.
struct SQLiteError: Error, CustomStringConvertible {
    /// SQLite's extended result code, for instance `SQLITE_IOERR_FSYNC`.
    let extendedCode: Int32
    /// SQLite's message. It can contain names of tables and columns.
    let message: String
    /// The statement that failed, without its values; nil if the connection could not be opened.
    let sql: String?
    /// The error of the operating system that caused it; 0 if there is none.
    var systemError: Int32 = 0

    /// The primary result code, for instance `SQLITE_IOERR`.
    var code: Int32 { extendedCode & 0xFF }

    /// Whether the database cannot be changed because of its permissions, its volume, or the free space.
    var preventsWriting: Bool {
        switch code {
        case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_READONLY, SQLITE_FULL: true
        case SQLITE_IOERR: [ENOSPC, EFBIG, EROFS, EACCES].contains(systemError)
        default: false
        }
    }

    var description: String { "SQLite error \(extendedCode): \(message)" + (sql.map { ", in: \($0)" } ?? "") }
}

extension SQLiteError {
    /// Creates the error for the last call on a connection, which failed.
    init(connection: OpaquePointer?, sql: String?) {
        self.init(
            extendedCode: sqlite3_extended_errcode(connection), message: String(cString: sqlite3_errmsg(connection)),
            sql: sql, systemError: sqlite3_system_errno(connection))
    }
}
