// The Linux side of the calls that differ.
#ifdef __linux__
#include "CHoldfastPlatform.h"
#include "differences.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

int hf_free_bytes(const char *path, uint64_t *bytes) {
  struct statvfs found;
  while (statvfs(path, &found) != 0) {
    if (errno != EINTR) return errno;
  }
  *bytes = (uint64_t)found.f_bavail * (uint64_t)found.f_frsize;
  return 0;
}

int hf_sync_data(int descriptor) {
  while (fdatasync(descriptor) != 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

int hf_sync_directory(int descriptor) {
  while (fsync(descriptor) != 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

// fallocate, not posix_fallocate: glibc answers a file system that cannot with an emulation of its
// own, one byte a block.
int hf_reserve(int descriptor, uint64_t size) {
  while (fallocate(descriptor, 0, 0, (off_t)size) != 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

int hf_condition_init(pthread_cond_t *condition) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  int code = pthread_cond_init(condition, &attributes);
  pthread_condattr_destroy(&attributes);
  return code;
}

uint64_t hf_awake_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void hf_condition_sleep(pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t nanoseconds) {
  const uint64_t now = hf_awake_nanoseconds();
  const uint64_t most = INT64_MAX;
  const uint64_t end = nanoseconds < most - now ? now + nanoseconds : most;
  const struct timespec deadline = {
      .tv_sec = (time_t)(end / 1000000000), .tv_nsec = (long)(end % 1000000000)};
  pthread_cond_timedwait(condition, mutex, &deadline);
}

void hf_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

uint64_t hf_thread_id(void) { return (uint64_t)gettid(); }

int64_t hf_continuous_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int hf_random(void *bytes, uint64_t count) {
  uint8_t *next = bytes;
  while (count > 0) {
    ssize_t given = getrandom(next, count, 0);
    if (given < 0 && errno != EINTR) return errno;
    if (given > 0) {
      next += given;
      count -= (uint64_t)given;
    }
  }
  return 0;
}

int hf_boot_name(char *text, uint64_t size) {
  FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
  if (file == NULL) return errno;
  int code = fgets(text, (int)size, file) == NULL ? EIO : 0;
  fclose(file);
  return code;
}

const char *hf_process_name(void) { return program_invocation_short_name; }

// The second number of /proc/self/statm: resident pages (proc(5)).
uint64_t hf_memory_footprint(void) {
  unsigned long long total = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "re");
  if (file == NULL) return 0;
  if (fscanf(file, "%llu %llu", &total, &resident) != 2) resident = 0;
  fclose(file);
  return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}
#endif
