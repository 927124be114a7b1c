// Names: opening, creating, removing; registering and unregistering.
#include "vfs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static holdfast_disk_vfs *disk_of(sqlite3_vfs *vfs) { return (holdfast_disk_vfs *)vfs->pAppData; }

static sqlite3_vfs *real_of(sqlite3_vfs *vfs) { return disk_of(vfs)->real; }

/// Files of a store; the rest is temporary, and nothing of it outlives the process.
static int is_recorded(int flags) {
  int kinds = SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL |
              SQLITE_OPEN_SUPER_JOURNAL;
  return (flags & kinds) && !(flags & SQLITE_OPEN_DELETEONCLOSE);
}

static int disk_open(
    sqlite3_vfs *vfs, const char *path, sqlite3_file *base, int flags, int *granted) {
  holdfast_disk_vfs *disk = disk_of(vfs);
  disk_file *file = (disk_file *)base;
  memset(file, 0, sizeof *file);
  file->disk = disk;
  file->real = (sqlite3_file *)(file + 1);
  file->real->pMethods = NULL;
  if (path && is_recorded(flags)) file->path = path;
  file->is_store = (flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL)) != 0;

  holdfast_disk_call call = {.kind = HOLDFAST_DISK_OPEN, .is_store = file->is_store, .path = ""};
  holdfast_disk_verdict verdict = {.code = SQLITE_OK, .keep = 0, .ticket = 0};
  int creates = flags & SQLITE_OPEN_CREATE;
  if (file->path) {
    call.path = file->path;
    verdict = disk_before(disk, &call);
    if (verdict.code == SQLITE_OK && creates && access(path, F_OK) != 0) {
      call.kind = HOLDFAST_DISK_CREATE;
      verdict = disk_before(disk, &call);
    }
    if (verdict.code != SQLITE_OK) {
      // As the real one: SQLite asks for the system's number afterwards.
      errno = verdict.code == SQLITE_FULL ? ENOSPC : EIO;
      return SQLITE_CANTOPEN;
    }
  }
  int code = disk->real->xOpen(disk->real, path, file->real, flags, granted);
  if (code != SQLITE_OK) {
    if (file->real->pMethods) file->real->pMethods->xClose(file->real);
    return code;
  }
  if (file->path) file->number = disk_after(disk, &call, verdict.ticket);
  file->syncs_directory = creates && !(flags & SQLITE_OPEN_MAIN_DB);
  atomic_fetch_add(&disk->users, 1);
  file->base.pMethods = &disk_methods;
  return SQLITE_OK;
}

static int sync_directory_of(const char *path) {
  char directory[4096];
  const char *end = strrchr(path, '/');
  size_t count = end ? (size_t)(end - path) : 0;
  if (count >= sizeof directory) return -1;
  memcpy(directory, path, count);
  directory[count] = 0;
  int descriptor = open(count ? directory : end ? "/" : ".", O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return -1;
  int code = fsync(descriptor);
  close(descriptor);
  return code;
}

static int disk_delete(sqlite3_vfs *vfs, const char *path, int syncs_directory) {
  holdfast_disk_vfs *disk = disk_of(vfs);
  holdfast_disk_call call = {.kind = HOLDFAST_DISK_UNLINK, .path = path};
  holdfast_disk_verdict verdict = disk_before(disk, &call);
  if (verdict.code != SQLITE_OK) return verdict.code;
  // The directory is synced here and not by the real VFS, so that the two are told apart.
  int code = disk->real->xDelete(disk->real, path, 0);
  if (code != SQLITE_OK) return code;
  disk_after(disk, &call, verdict.ticket);
  if (!syncs_directory) return SQLITE_OK;
  call.kind = HOLDFAST_DISK_SYNC_DIRECTORY;
  verdict = disk_before(disk, &call);
  if (verdict.code != SQLITE_OK) return SQLITE_IOERR_DIR_FSYNC;
  if (sync_directory_of(path) != 0) return SQLITE_IOERR_DIR_FSYNC;
  disk_after(disk, &call, verdict.ticket);
  return SQLITE_OK;
}

static int disk_access(sqlite3_vfs *vfs, const char *path, int flags, int *answer) {
  return real_of(vfs)->xAccess(real_of(vfs), path, flags, answer);
}

static int disk_full_pathname(sqlite3_vfs *vfs, const char *path, int size, char *buffer) {
  return real_of(vfs)->xFullPathname(real_of(vfs), path, size, buffer);
}

static int disk_randomness(sqlite3_vfs *vfs, int count, char *bytes) {
  return real_of(vfs)->xRandomness(real_of(vfs), count, bytes);
}

static int disk_sleep(sqlite3_vfs *vfs, int microseconds) {
  return real_of(vfs)->xSleep(real_of(vfs), microseconds);
}

static int disk_current_time(sqlite3_vfs *vfs, double *time) {
  return real_of(vfs)->xCurrentTime(real_of(vfs), time);
}

static int disk_current_time_int64(sqlite3_vfs *vfs, sqlite3_int64 *time) {
  return real_of(vfs)->xCurrentTimeInt64(real_of(vfs), time);
}

static int disk_last_error(sqlite3_vfs *vfs, int size, char *buffer) {
  return real_of(vfs)->xGetLastError(real_of(vfs), size, buffer);
}

holdfast_disk_vfs *holdfast_disk_register(const char *name, holdfast_disk_calls calls) {
  sqlite3_vfs *real = sqlite3_vfs_find("unix");
  holdfast_disk_vfs *disk = calloc(1, sizeof *disk);
  if (!real || !disk || (name && strlen(name) >= sizeof disk->name)) goto failed;
  disk->real = real;
  disk->calls = calls;
  atomic_init(&disk->users, 1);
  if (name) {
    strcpy(disk->name, name);
  } else {
    sqlite3_snprintf((int)sizeof disk->name, disk->name, "holdfast-disk-%p", (void *)disk);
  }
  if (sqlite3_vfs_find(disk->name)) goto failed;
  disk->vfs = (sqlite3_vfs){
      .iVersion = 2,
      .szOsFile = (int)sizeof(disk_file) + real->szOsFile,
      .mxPathname = real->mxPathname,
      .zName = disk->name,
      .pAppData = disk,
      .xOpen = disk_open,
      .xDelete = disk_delete,
      .xAccess = disk_access,
      .xFullPathname = disk_full_pathname,
      .xRandomness = disk_randomness,
      .xSleep = disk_sleep,
      .xCurrentTime = disk_current_time,
      .xGetLastError = disk_last_error,
      .xCurrentTimeInt64 = disk_current_time_int64,
  };
  if (sqlite3_vfs_register(&disk->vfs, 0) != SQLITE_OK) goto failed;
  return disk;
failed:
  free(disk);
  return NULL;
}

const char *holdfast_disk_name(const holdfast_disk_vfs *disk) { return disk->name; }

void disk_release(holdfast_disk_vfs *disk) {
  if (atomic_fetch_sub(&disk->users, 1) != 1) return;
  disk->calls.release(disk->calls.owner);
  free(disk);
}

void holdfast_disk_unregister(holdfast_disk_vfs *disk) {
  sqlite3_vfs_unregister(&disk->vfs);
  disk_release(disk);
}

int holdfast_disk_full_path(const char *path, char *buffer, int32_t size) {
  sqlite3_vfs *real = sqlite3_vfs_find("unix");
  if (!real) return 0;
  // The code is SQLITE_OK, or one that says that a link was followed.
  return (real->xFullPathname(real, path, size, buffer) & 0xff) == SQLITE_OK;
}
