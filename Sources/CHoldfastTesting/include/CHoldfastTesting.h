// The SQLite VFS of the recording disk: SQLite's own "unix" one, with a call-back before and after
// everything that changes a database, a WAL or a journal. What Swift cannot write is here: structs
// of function pointers, and an object that SQLite allocates.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// What SQLite is about to do, or has done.
enum {
  HOLDFAST_DISK_OPEN,
  HOLDFAST_DISK_CREATE,
  HOLDFAST_DISK_READ,
  HOLDFAST_DISK_WRITE,
  HOLDFAST_DISK_TRUNCATE,
  HOLDFAST_DISK_SYNC,
  HOLDFAST_DISK_UNLINK,
  HOLDFAST_DISK_SYNC_DIRECTORY,
};

/// One operation.
typedef struct {
  /// One of the numbers above.
  int32_t kind;
  /// 1 for the database itself and its WAL, 0 for journals.
  int32_t is_store;
  /// Full path of the file; for a directory sync, of a file in the directory.
  const char *_Nonnull path;
  /// What `after` answered when the file was opened; 0 where it is not about an open file.
  uint64_t file;
  /// Where a read or write begins; the new size for a truncation.
  uint64_t offset;
  /// Bytes to be written; NULL otherwise.
  const void *_Nullable bytes;
  /// How many bytes are read or written.
  uint64_t count;
} holdfast_disk_call;

/// What becomes of it.
typedef struct {
  /// SQLITE_OK to go on; else the code that SQLite gets instead.
  int32_t code;
  /// With another code than SQLITE_OK: bytes of a write that are written all the same.
  uint64_t keep;
  /// Handed to `after`.
  uint64_t ticket;
} holdfast_disk_verdict;

/// Who is asked and told. All are called from the threads that use SQLite.
typedef struct {
  /// First argument of each.
  void *_Nonnull owner;
  /// Before an operation.
  holdfast_disk_verdict (*_Nonnull before)(
      void *_Nonnull owner, const holdfast_disk_call *_Nonnull call);
  /// After it succeeded. The answer to an open or create is the file's number.
  uint64_t (*_Nonnull after)(
      void *_Nonnull owner, const holdfast_disk_call *_Nonnull call, uint64_t ticket);
  /// Once, after the last of the other calls.
  void (*_Nonnull release)(void *_Nonnull owner);
} holdfast_disk_calls;

/// A registered VFS.
typedef struct holdfast_disk_vfs holdfast_disk_vfs;

/// Registers a VFS under `name`, or under a name of its own when that is NULL. NULL when there is
/// no memory or the name is taken; the owner is not released then.
holdfast_disk_vfs *_Nullable holdfast_disk_register(
    const char *_Nullable name, holdfast_disk_calls calls);

/// The name it is registered by.
const char *_Nonnull holdfast_disk_name(const holdfast_disk_vfs *_Nonnull vfs);

/// Takes the name away. Files that are open work on; the owner is released after the last of them.
void holdfast_disk_unregister(holdfast_disk_vfs *_Nonnull vfs);

/// The path as SQLite names it to the VFS: absolute, links followed. False when that fails or
/// `buffer` is too small.
int holdfast_disk_full_path(
    const char *_Nonnull path, char *_Nonnull buffer, int32_t size);
