// The Apple side of the calls that differ. Not compiled by our CI, which has no Apple machine.
#ifdef __APPLE__
#include "CHoldfastPlatform.h"
#include "differences.h"

#include <errno.h>
#include <fcntl.h>
#include <mach/mach.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/param.h>
#include <sys/stat.h>
#include <sys/sysctl.h>
#include <time.h>
#include <unistd.h>

// statfs, because statvfs counts blocks in 32 bits there.
int hf_free_bytes(const char *path, uint64_t *bytes) {
  struct statfs found;
  while (statfs(path, &found) != 0) {
    if (errno != EINTR) return errno;
  }
  *bytes = (uint64_t)found.f_bavail * (uint64_t)found.f_bsize;
  return 0;
}

// fsync(2) of macOS: fsync leaves the bytes in the drive's buffer, F_FULLFSYNC does not. A file
// system that does not know it (a network share) gets fsync; a failure is never masked so.
int hf_sync_data(int descriptor) {
  while (fcntl(descriptor, F_FULLFSYNC) != 0) {
    if (errno == EINTR) continue;
    if (errno != ENOTSUP && errno != EOPNOTSUPP && errno != EINVAL && errno != ENOTTY) return errno;
    while (fsync(descriptor) != 0) {
      if (errno != EINTR) return errno;
    }
    return 0;
  }
  return 0;
}

int hf_sync_directory(int descriptor) { return hf_sync_data(descriptor); }

int hf_reserve(int descriptor, uint64_t size) {
  struct stat found;
  if (fstat(descriptor, &found) != 0) return errno;
  if ((uint64_t)found.st_size >= size) return 0;
  fstore_t wish = {
      .fst_flags = F_ALLOCATEALL,
      .fst_posmode = F_PEOFPOSMODE,
      .fst_length = (off_t)(size - (uint64_t)found.st_size),
  };
  while (fcntl(descriptor, F_PREALLOCATE, &wish) != 0) {
    if (errno == ENOTSUP) return EOPNOTSUPP;
    if (errno != EINTR) return errno;
  }
  return hf_truncate(descriptor, size);
}

int hf_condition_init(pthread_cond_t *condition) { return pthread_cond_init(condition, NULL); }

// CLOCK_UPTIME_RAW is mach_absolute_time in nanoseconds (clock_gettime(3) of macOS).
uint64_t hf_awake_nanoseconds(void) { return clock_gettime_nsec_np(CLOCK_UPTIME_RAW); }

void hf_condition_sleep(pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t nanoseconds) {
  const uint64_t most = (uint64_t)INT32_MAX * 1000000000;
  const uint64_t wait = nanoseconds < most ? nanoseconds : most;
  const struct timespec length = {
      .tv_sec = (time_t)(wait / 1000000000), .tv_nsec = (long)(wait % 1000000000)};
  pthread_cond_timedwait_relative_np(condition, mutex, &length);
}

void hf_name_thread(const char *name) { pthread_setname_np(name); }

uint64_t hf_thread_id(void) {
  uint64_t number = 0;
  pthread_threadid_np(NULL, &number);
  return number;
}

// CLOCK_MONOTONIC_RAW is mach_continuous_time in nanoseconds (clock_gettime(3) of macOS).
int64_t hf_continuous_nanoseconds(void) {
  return (int64_t)clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW);
}

int hf_random(void *bytes, uint64_t count) {
  arc4random_buf(bytes, (size_t)count);
  return 0;
}

int hf_boot_name(char *text, uint64_t size) {
  size_t length = (size_t)size;
  return sysctlbyname("kern.bootsessionuuid", text, &length, NULL, 0) == 0 ? 0 : errno;
}

const char *hf_process_name(void) { return getprogname(); }

uint64_t hf_memory_footprint(void) {
  task_vm_info_data_t info;
  mach_msg_type_number_t count = TASK_VM_INFO_COUNT;
  kern_return_t answer =
      task_info(mach_task_self(), TASK_VM_INFO, (task_info_t)&info, &count);
  return answer == KERN_SUCCESS ? info.phys_footprint : 0;
}
#endif
