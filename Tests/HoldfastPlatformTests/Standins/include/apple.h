// What apple.c uses and Linux does not have, over the C library of Linux.
#pragma once
#include <pthread.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

#define st_mtimespec st_mtim

#define F_FULLFSYNC 51
#define F_PREALLOCATE 42
#define F_ALLOCATEALL 4
#define F_PEOFPOSMODE 3
typedef struct fstore {
  unsigned int fst_flags;
  int fst_posmode;
  off_t fst_offset;
  off_t fst_length;
  off_t fst_bytesalloc;
} fstore_t;

struct statfs {
  uint32_t f_bsize;
  uint64_t f_bavail;
};
int statfs(const char *path, struct statfs *buffer);

#define CLOCK_UPTIME_RAW 8
uint64_t clock_gettime_nsec_np(clockid_t clock);
int pthread_cond_timedwait_relative_np(
    pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *length);
int pthread_setname_np(const char *name);
int pthread_threadid_np(void *thread, uint64_t *number);
void arc4random_buf(void *buffer, size_t count);
const char *getprogname(void);
