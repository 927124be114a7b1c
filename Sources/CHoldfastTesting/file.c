// Open files: what changes them is asked for before and told after; the rest is passed on.
#include "vfs.h"

static sqlite3_file *real_of(sqlite3_file *file) { return ((disk_file *)file)->real; }

static holdfast_disk_call call_of(
    disk_file *file, int32_t kind, uint64_t offset, const void *bytes, uint64_t count) {
  return (holdfast_disk_call){
      .kind = kind, .is_store = file->is_store, .path = file->path, .file = file->number,
      .offset = offset, .bytes = bytes, .count = count};
}

static int disk_close(sqlite3_file *base) {
  disk_file *file = (disk_file *)base;
  int code = file->real->pMethods ? file->real->pMethods->xClose(file->real) : SQLITE_OK;
  disk_release(file->disk);
  return code;
}

static int disk_read(sqlite3_file *base, void *bytes, int count, sqlite3_int64 offset) {
  disk_file *file = (disk_file *)base;
  if (file->path) {
    holdfast_disk_call call =
        call_of(file, HOLDFAST_DISK_READ, (uint64_t)offset, NULL, (uint64_t)count);
    holdfast_disk_verdict verdict = disk_before(file->disk, &call);
    if (verdict.code != SQLITE_OK) return verdict.code;
  }
  return file->real->pMethods->xRead(file->real, bytes, count, offset);
}

static int disk_write(sqlite3_file *base, const void *bytes, int count, sqlite3_int64 offset) {
  disk_file *file = (disk_file *)base;
  const sqlite3_io_methods *methods = file->real->pMethods;
  if (!file->path) return methods->xWrite(file->real, bytes, count, offset);
  holdfast_disk_call call =
      call_of(file, HOLDFAST_DISK_WRITE, (uint64_t)offset, bytes, (uint64_t)count);
  holdfast_disk_verdict verdict = disk_before(file->disk, &call);
  if (verdict.code != SQLITE_OK) {
    if (verdict.keep < call.count) call.count = verdict.keep;
    if (call.count == 0) return verdict.code;
  }
  int code = methods->xWrite(file->real, bytes, (int)call.count, offset);
  if (code == SQLITE_OK) disk_after(file->disk, &call, verdict.ticket);
  return verdict.code != SQLITE_OK ? verdict.code : code;
}

static int disk_truncate(sqlite3_file *base, sqlite3_int64 size) {
  disk_file *file = (disk_file *)base;
  const sqlite3_io_methods *methods = file->real->pMethods;
  if (!file->path) return methods->xTruncate(file->real, size);
  holdfast_disk_call call = call_of(file, HOLDFAST_DISK_TRUNCATE, (uint64_t)size, NULL, 0);
  holdfast_disk_verdict verdict = disk_before(file->disk, &call);
  if (verdict.code != SQLITE_OK) return verdict.code;
  int code = methods->xTruncate(file->real, size);
  if (code == SQLITE_OK) disk_after(file->disk, &call, verdict.ticket);
  return code;
}

static int disk_sync(sqlite3_file *base, int flags) {
  disk_file *file = (disk_file *)base;
  const sqlite3_io_methods *methods = file->real->pMethods;
  if (!file->path) return methods->xSync(file->real, flags);
  holdfast_disk_call call = call_of(file, HOLDFAST_DISK_SYNC, 0, NULL, 0);
  holdfast_disk_verdict verdict = disk_before(file->disk, &call);
  if (verdict.code != SQLITE_OK) return verdict.code;
  holdfast_disk_call directory = call_of(file, HOLDFAST_DISK_SYNC_DIRECTORY, 0, NULL, 0);
  directory.file = 0;
  holdfast_disk_verdict second = {.code = SQLITE_ERROR, .keep = 0, .ticket = 0};
  if (file->syncs_directory) second = disk_before(file->disk, &directory);
  int code = methods->xSync(file->real, flags);
  if (code != SQLITE_OK) return code;
  disk_after(file->disk, &call, verdict.ticket);
  // The unix VFS tries once, and does not say when it failed.
  if (second.code == SQLITE_OK) disk_after(file->disk, &directory, second.ticket);
  file->syncs_directory = 0;
  return SQLITE_OK;
}

static int disk_file_size(sqlite3_file *base, sqlite3_int64 *size) {
  return real_of(base)->pMethods->xFileSize(real_of(base), size);
}

static int disk_lock(sqlite3_file *base, int level) {
  return real_of(base)->pMethods->xLock(real_of(base), level);
}

static int disk_unlock(sqlite3_file *base, int level) {
  return real_of(base)->pMethods->xUnlock(real_of(base), level);
}

static int disk_check_reserved_lock(sqlite3_file *base, int *answer) {
  return real_of(base)->pMethods->xCheckReservedLock(real_of(base), answer);
}

static int disk_file_control(sqlite3_file *base, int operation, void *argument) {
  // Both could enlarge the file behind our back, and are hints only.
  if (operation == SQLITE_FCNTL_SIZE_HINT || operation == SQLITE_FCNTL_CHUNK_SIZE) {
    return SQLITE_OK;
  }
  return real_of(base)->pMethods->xFileControl(real_of(base), operation, argument);
}

static int disk_sector_size(sqlite3_file *base) {
  return real_of(base)->pMethods->xSectorSize(real_of(base));
}

static int disk_characteristics(sqlite3_file *base) {
  // Batch atomic writes go through xFileControl, where they would not be seen.
  int found = real_of(base)->pMethods->xDeviceCharacteristics(real_of(base));
  return found & ~SQLITE_IOCAP_BATCH_ATOMIC;
}

static int disk_shm_map(
    sqlite3_file *base, int page, int size, int extend, void volatile **address) {
  return real_of(base)->pMethods->xShmMap(real_of(base), page, size, extend, address);
}

static int disk_shm_lock(sqlite3_file *base, int offset, int count, int flags) {
  return real_of(base)->pMethods->xShmLock(real_of(base), offset, count, flags);
}

static void disk_shm_barrier(sqlite3_file *base) {
  real_of(base)->pMethods->xShmBarrier(real_of(base));
}

static int disk_shm_unmap(sqlite3_file *base, int removes) {
  return real_of(base)->pMethods->xShmUnmap(real_of(base), removes);
}

static int disk_fetch(sqlite3_file *base, sqlite3_int64 offset, int count, void **address) {
  return real_of(base)->pMethods->xFetch(real_of(base), offset, count, address);
}

static int disk_unfetch(sqlite3_file *base, sqlite3_int64 offset, void *address) {
  return real_of(base)->pMethods->xUnfetch(real_of(base), offset, address);
}

const sqlite3_io_methods disk_methods = {
    .iVersion = 3,
    .xClose = disk_close,
    .xRead = disk_read,
    .xWrite = disk_write,
    .xTruncate = disk_truncate,
    .xSync = disk_sync,
    .xFileSize = disk_file_size,
    .xLock = disk_lock,
    .xUnlock = disk_unlock,
    .xCheckReservedLock = disk_check_reserved_lock,
    .xFileControl = disk_file_control,
    .xSectorSize = disk_sector_size,
    .xDeviceCharacteristics = disk_characteristics,
    .xShmMap = disk_shm_map,
    .xShmLock = disk_shm_lock,
    .xShmBarrier = disk_shm_barrier,
    .xShmUnmap = disk_shm_unmap,
    .xFetch = disk_fetch,
    .xUnfetch = disk_unfetch,
};
