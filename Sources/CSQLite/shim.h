#pragma once
#include <sqlite3.h>

// What Swift cannot import: SQLITE_TRANSIENT is a cast, sqlite3_db_config() is variadic.

// Binds text that SQLite copies. A null pointer is the empty text, not NULL.
static inline int tandem_sqlite3_bind_text(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(
        statement, index, bytes ? (const char *)bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

// Binds a blob that SQLite copies. A null pointer is the empty blob, not NULL.
static inline int tandem_sqlite3_bind_blob(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

// What the manual advises for files that others may have written (https://sqlite.org/security.html), and
// "name" in double quotes is never taken for a string.
static inline int tandem_sqlite3_harden(sqlite3 *database) {
    static const int off[] = {SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_DQS_DML, SQLITE_DBCONFIG_DQS_DDL};
    for (int i = 0; i < 3; i++) {
        int code = sqlite3_db_config(database, off[i], 0, (int *)0);
        if (code != SQLITE_OK) return code;
    }
    return sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}
