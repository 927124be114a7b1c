// File calls that have the same shape on Linux and Apple platforms.
#include "CHoldfastPlatform.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

int hf_open(const char *path, int flags, unsigned mode, int *descriptor) {
  int opened;
  do {
    opened = open(path, flags | O_CLOEXEC, (mode_t)mode);
  } while (opened < 0 && errno == EINTR);
  *descriptor = opened;
  return opened < 0 ? errno : 0;
}

static void fill(hf_file_status *status, const struct stat *from) {
#ifdef __APPLE__
  const struct timespec modified = from->st_mtimespec;
#else
  const struct timespec modified = from->st_mtim;
#endif
  status->kind = S_ISREG(from->st_mode) ? 0 : S_ISDIR(from->st_mode) ? 1 : 2;
  status->mode = from->st_mode & 07777;
  status->size = (uint64_t)from->st_size;
  status->device = (uint64_t)from->st_dev;
  status->inode = (uint64_t)from->st_ino;
  status->modified_seconds = modified.tv_sec;
  status->modified_nanoseconds = modified.tv_nsec;
}

int hf_status_at(const char *path, hf_file_status *status) {
  struct stat found;
  if (stat(path, &found) != 0) return errno;
  fill(status, &found);
  return 0;
}

int hf_status_of(int descriptor, hf_file_status *status) {
  struct stat found;
  if (fstat(descriptor, &found) != 0) return errno;
  fill(status, &found);
  return 0;
}

static int lock(int descriptor, int operation) {
  while (flock(descriptor, operation) != 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

int hf_try_lock(int descriptor, bool exclusive) {
  return lock(descriptor, (exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB);
}

int hf_unlock(int descriptor) { return lock(descriptor, LOCK_UN); }

int hf_truncate(int descriptor, uint64_t size) {
  while (ftruncate(descriptor, (off_t)size) != 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

// No system moves more than this in one call (Linux 0x7ffff000, macOS INT_MAX).
static const uint64_t most_at_once = 1u << 30;

static size_t piece(uint64_t left) { return (size_t)(left < most_at_once ? left : most_at_once); }

int hf_read_fully(int descriptor, void *bytes, uint64_t count, uint64_t offset, uint64_t *moved) {
  *moved = 0;
  while (*moved < count) {
    ssize_t given = pread(
        descriptor, (char *)bytes + *moved, piece(count - *moved), (off_t)(offset + *moved));
    if (given == 0) return 0;
    if (given < 0 && errno != EINTR) return errno;
    if (given > 0) *moved += (uint64_t)given;
  }
  return 0;
}

int hf_write_fully(int descriptor, const void *bytes, uint64_t count, uint64_t offset) {
  uint64_t moved = 0;
  while (moved < count) {
    ssize_t taken = pwrite(
        descriptor, (const char *)bytes + moved, piece(count - moved), (off_t)(offset + moved));
    // POSIX gives no meaning to zero here; going on could last for ever.
    if (taken == 0) return EIO;
    if (taken < 0 && errno != EINTR) return errno;
    if (taken > 0) moved += (uint64_t)taken;
  }
  return 0;
}

// POSIX allows 16 at least (_XOPEN_IOV_MAX); Linux and Apple's systems take 1,024.
enum { parts_at_once = 128 };

int hf_write_parts(int descriptor, const hf_part *parts, uint64_t count, uint64_t offset) {
  uint64_t first = 0;    // the first part that is not written whole
  uint64_t written = 0;  // bytes of it that are
  for (;;) {
    struct iovec vector[parts_at_once];
    int used = 0;
    size_t room = (size_t)most_at_once;
    for (uint64_t at = first; at < count && used < parts_at_once && room > 0; at += 1) {
      uint64_t skipped = at == first ? written : 0;
      uint64_t left = parts[at].count - skipped;
      if (left == 0) continue;
      size_t length = left < room ? (size_t)left : room;
      vector[used].iov_base = (char *)parts[at].bytes + skipped;
      vector[used].iov_len = length;
      used += 1;
      room -= length;
    }
    if (used == 0) return 0;
    ssize_t taken = pwritev(descriptor, vector, used, (off_t)offset);
    if (taken == 0) return EIO;
    if (taken < 0 && errno != EINTR) return errno;
    if (taken < 0) continue;
    offset += (uint64_t)taken;
    written += (uint64_t)taken;
    while (first < count && written >= parts[first].count) {
      written -= parts[first].count;
      first += 1;
    }
  }
}

void hf_close(int descriptor) { close(descriptor); }

static int answer(int result) { return result == 0 ? 0 : errno; }

int hf_make_directory(const char *path, unsigned mode) {
  return answer(mkdir(path, (mode_t)mode));
}

int hf_rename(const char *from, const char *to) { return answer(rename(from, to)); }

int hf_link(const char *from, const char *to) { return answer(link(from, to)); }

int hf_unlink(const char *path) { return answer(unlink(path)); }

int hf_remove_directory(const char *path) { return answer(rmdir(path)); }

int hf_directory_open(const char *path, hf_directory **directory) {
  int descriptor = -1;
  *directory = NULL;
  int code = hf_open(path, O_RDONLY | O_DIRECTORY, 0, &descriptor);
  if (code != 0) return code;
  *directory = (hf_directory *)fdopendir(descriptor);
  if (*directory != NULL) return 0;
  code = errno;
  close(descriptor);
  return code;
}

int hf_directory_next(hf_directory *directory, const char **name) {
  errno = 0;
  struct dirent *entry = readdir((DIR *)directory);
  *name = entry == NULL ? NULL : entry->d_name;
  return entry == NULL ? errno : 0;
}

void hf_directory_close(hf_directory *directory) { closedir((DIR *)directory); }
