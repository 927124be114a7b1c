// The system's SQLite (3.37 or newer) for Swift: the header, and what Swift cannot call by itself,
// namely variadic functions and destructor constants that are casts. On Apple platforms <sqlite3.h>
// is the SDK's; nothing here differs.
#pragma once

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

#if SQLITE_VERSION_NUMBER < 3037000
#error "SQLite 3.37 or newer is needed: STRICT tables, sqlite3_changes64"
#endif

/// Sets an on/off option of a connection (SQLITE_DBCONFIG_...).
static inline int holdfast_sqlite_configure(sqlite3 *_Nonnull db, int option, int on) {
  return sqlite3_db_config(db, option, on, (int *)0);
}

/// Binds text of `count` UTF-8 bytes, NUL bytes included; SQLite takes its own copy.
/// A null pointer with a count of zero binds the empty text, not NULL.
static inline int holdfast_sqlite_bind_text(
    sqlite3_stmt *_Nonnull statement, int index, const void *_Nullable bytes, uint64_t count) {
  return sqlite3_bind_text64(
      statement, index, bytes ? (const char *)bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Binds `count` bytes; SQLite takes its own copy. A null pointer with a count of zero binds the
/// empty blob, not NULL.
static inline int holdfast_sqlite_bind_blob(
    sqlite3_stmt *_Nonnull statement, int index, const void *_Nullable bytes, uint64_t count) {
  return sqlite3_bind_blob64(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

/// Calls no checkpoint after a commit, and notes the number of frames in the WAL at `frames`.
void holdfast_sqlite_watch_wal(sqlite3 *_Nonnull db, int32_t *_Nonnull frames);

/// 1 when a file with at least one byte stands at `path`, 0 when none does, -1 when that cannot be
/// told. Asks the VFS of that name; NULL means the default one.
int holdfast_sqlite_exists(const char *_Nullable vfs, const char *_Nonnull path);

/// Removes a database and its journal through the VFS of that name; NULL means the default one.
void holdfast_sqlite_remove(const char *_Nullable vfs, const char *_Nonnull path);
