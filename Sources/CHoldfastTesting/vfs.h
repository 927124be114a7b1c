// What the two halves of the VFS share: names (vfs.c) and open files (file.c).
#pragma once

#include "CHoldfastTesting.h"

#include <sqlite3.h>
#include <stdatomic.h>

struct holdfast_disk_vfs {
  /// What SQLite sees; `pAppData` points back here.
  sqlite3_vfs vfs;
  /// The VFS that does the work.
  sqlite3_vfs *real;
  holdfast_disk_calls calls;
  /// One for the registration, one for each open file.
  atomic_int users;
  char name[64];
};

/// An open file; the real one lies behind it in the same memory.
typedef struct {
  sqlite3_file base;
  sqlite3_file *real;
  holdfast_disk_vfs *disk;
  /// NULL for temporary files, which are passed through. Lives as long as the file (xOpen).
  const char *path;
  uint64_t number;
  int is_store;
  /// The next sync syncs the directory too, as the unix VFS does for new journals and WALs.
  int syncs_directory;
} disk_file;

/// The methods of an open file.
extern const sqlite3_io_methods disk_methods;

/// Lets go of one use; frees after the last.
void disk_release(holdfast_disk_vfs *disk);

static inline holdfast_disk_verdict disk_before(
    holdfast_disk_vfs *disk, const holdfast_disk_call *call) {
  return disk->calls.before(disk->calls.owner, call);
}

static inline uint64_t disk_after(
    holdfast_disk_vfs *disk, const holdfast_disk_call *call, uint64_t ticket) {
  return disk->calls.after(disk->calls.owner, call, ticket);
}
