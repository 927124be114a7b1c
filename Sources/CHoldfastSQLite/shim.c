// What the header declares and does not define.
#include "CHoldfastSQLite.h"

#include <string.h>

static int note_frames(void *frames, sqlite3 *db, const char *schema, int count) {
  (void)db;
  (void)schema;
  *(int32_t *)frames = count;
  return SQLITE_OK;
}

void holdfast_sqlite_watch_wal(sqlite3 *db, int32_t *frames) {
  // Automatic checkpoints are a WAL hook themselves: switching them off clears the hook, so this
  // comes first.
  sqlite3_wal_autocheckpoint(db, 0);
  sqlite3_wal_hook(db, note_frames, frames);
}

int holdfast_sqlite_exists(const char *name, const char *path) {
  sqlite3_vfs *vfs = sqlite3_vfs_find(name);
  int exists = 0;
  if (!vfs || vfs->xAccess(vfs, path, SQLITE_ACCESS_EXISTS, &exists) != SQLITE_OK) return -1;
  return exists != 0;
}

void holdfast_sqlite_remove(const char *name, const char *path) {
  sqlite3_vfs *vfs = sqlite3_vfs_find(name);
  if (!vfs) return;
  char *journal = sqlite3_mprintf("%s-journal", path);
  vfs->xDelete(vfs, path, 0);
  if (journal) vfs->xDelete(vfs, journal, 0);
  sqlite3_free(journal);
}
