#pragma once
#include <sqlite3.h>

// Swift cannot import SQLITE_TRANSIENT, an integer that is cast to a function pointer. SQLite copies the text.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int position, const char *text, sqlite3_uint64 byteCount) {
    return sqlite3_bind_text64(statement, position, text, byteCount, SQLITE_TRANSIENT, SQLITE_UTF8);
}
