// What Swift cannot say itself: atomic words, variadic calls, and calls whose shape differs between
// Linux and Apple platforms. No decision is made here; every rule lives in HoldfastPlatform.
//
// Calls that can fail answer 0 or the error number, so that nothing between the call and its caller
// can overwrite `errno`. Calls that a signal may interrupt are made again.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Atomic words (atomics.c).

/// Reads the word; what its writer did before the store is visible afterwards.
uint64_t hf_load_acquire(const uint64_t *_Nonnull word);
/// Writes the word; everything done before is visible to whoever reads it with acquire.
void hf_store_release(uint64_t *_Nonnull word, uint64_t value);
/// Reads the word as part of the one order of all sequentially consistent operations.
uint64_t hf_load_ordered(const uint64_t *_Nonnull word);
/// Replaces the word and answers what was there, sequentially consistent.
uint64_t hf_exchange_ordered(uint64_t *_Nonnull word, uint64_t value);
/// Adds to the word (modulo 2^64) and answers what was there, sequentially consistent.
uint64_t hf_add_ordered(uint64_t *_Nonnull word, uint64_t value);

// Files (files.c, linux.c, apple.c).

/// What stands at a path or behind a descriptor.
typedef struct hf_file_status {
  /// 0 a file, 1 a directory, 2 anything else.
  uint32_t kind;
  /// Permission bits (07777).
  uint32_t mode;
  /// Bytes; of no meaning for anything but a file.
  uint64_t size;
  uint64_t device;
  uint64_t inode;
  int64_t modified_seconds;
  int64_t modified_nanoseconds;
} hf_file_status;

/// Opens with O_CLOEXEC added; the descriptor goes to `descriptor`.
int hf_open(const char *_Nonnull path, int flags, unsigned mode, int *_Nonnull descriptor);
/// stat: a symbolic link is followed.
int hf_status_at(const char *_Nonnull path, hf_file_status *_Nonnull status);
/// fstat.
int hf_status_of(int descriptor, hf_file_status *_Nonnull status);
/// flock without waiting: 0, EWOULDBLOCK when another holds it, or another error number.
int hf_try_lock(int descriptor, bool exclusive);
/// flock(LOCK_UN).
int hf_unlock(int descriptor);
/// Reads until the buffer is full or the file ends; `moved` is how many bytes there were.
int hf_read_fully(
    int descriptor, void *_Nullable bytes, uint64_t count, uint64_t offset,
    uint64_t *_Nonnull moved);
/// Writes everything, however many calls it takes. After an error any prefix may be there.
int hf_write_fully(
    int descriptor, const void *_Nullable bytes, uint64_t count, uint64_t offset);
/// A part of what one write brings.
typedef struct hf_part {
  const void *_Nullable bytes;
  uint64_t count;
} hf_part;
/// Writes all parts, one after the other, as ``hf_write_fully`` writes one.
int hf_write_parts(
    int descriptor, const hf_part *_Nullable parts, uint64_t count, uint64_t offset);
/// Closes. A signal is no reason to close again: the descriptor is gone either way.
void hf_close(int descriptor);
/// Cuts or extends.
int hf_truncate(int descriptor, uint64_t size);
int hf_make_directory(const char *_Nonnull path, unsigned mode);
int hf_rename(const char *_Nonnull from, const char *_Nonnull to);
int hf_link(const char *_Nonnull from, const char *_Nonnull to);
int hf_unlink(const char *_Nonnull path);
int hf_remove_directory(const char *_Nonnull path);
/// A directory being read.
typedef struct hf_directory hf_directory;
int hf_directory_open(const char *_Nonnull path, hf_directory *_Nullable *_Nonnull directory);
/// The next name goes to `name`, valid until the next call; NULL at the end.
int hf_directory_next(
    hf_directory *_Nonnull directory, const char *_Nullable *_Nonnull name);
void hf_directory_close(hf_directory *_Nonnull directory);
/// Bytes of the path's file system that an ordinary user may still write.
int hf_free_bytes(const char *_Nonnull path, uint64_t *_Nonnull bytes);
/// Forces bytes and size to the medium: fdatasync, or F_FULLFSYNC on Apple platforms.
int hf_sync_data(int descriptor);
/// Forces the names in an open directory to the medium.
int hf_sync_directory(int descriptor);
/// Reserves blocks for the bytes up to `size` and extends the file to it. EOPNOTSUPP when the file
/// system cannot.
int hf_reserve(int descriptor, uint64_t size);

// Threads (threads.c, linux.c, apple.c).

/// A mutex that finds out when its holder locks it again.
typedef struct hf_mutex hf_mutex;
/// NULL when memory is out.
hf_mutex *_Nullable hf_mutex_create(void);
void hf_mutex_destroy(hf_mutex *_Nonnull mutex);
int hf_mutex_lock(hf_mutex *_Nonnull mutex);
int hf_mutex_unlock(hf_mutex *_Nonnull mutex);

/// A condition variable whose times are measured by a clock that nobody sets.
typedef struct hf_condition hf_condition;
/// NULL when memory is out.
hf_condition *_Nullable hf_condition_create(void);
void hf_condition_destroy(hf_condition *_Nonnull condition);
void hf_condition_wait(hf_condition *_Nonnull condition, hf_mutex *_Nonnull mutex);
/// Sleeps for `nanoseconds` at most.
void hf_condition_wait_for(
    hf_condition *_Nonnull condition, hf_mutex *_Nonnull mutex, uint64_t nanoseconds);
void hf_condition_wake_one(hf_condition *_Nonnull condition);
void hf_condition_wake_all(hf_condition *_Nonnull condition);

/// Starts a detached thread that names itself (what does not fit, 15 bytes on Linux, is cut off)
/// and runs `body` on `context`.
int hf_thread_start(
    const char *_Nonnull name, void (*_Nonnull body)(void *_Nonnull), void *_Nonnull context);
/// The system's number of the calling thread.
uint64_t hf_thread_id(void);

// Clocks, randomness, the process (linux.c, apple.c).

/// Nanoseconds of the clock that stands still during suspension: the one to measure a wait by.
uint64_t hf_awake_nanoseconds(void);
/// Nanoseconds of the clock that counts through suspension: CLOCK_BOOTTIME, or
/// mach_continuous_time on Apple platforms.
int64_t hf_continuous_nanoseconds(void);
/// Milliseconds since 1970; negative when the device believes in an earlier year.
int64_t hf_wall_milliseconds(void);
/// Fills the buffer from the system's cryptographic generator.
int hf_random(void *_Nullable bytes, uint64_t count);
/// The UUID of this boot as text, into `size` bytes with a final NUL.
int hf_boot_name(char *_Nonnull text, uint64_t size);
/// getpid.
int32_t hf_process_id(void);
/// The name that the process was started by, without directories.
const char *_Nonnull hf_process_name(void);
/// Bytes of memory that the process occupies; 0 when the system does not tell.
uint64_t hf_memory_footprint(void);

// Signals (signals.c).

/// Sees to it that SIGXFSZ no longer ends the process, unless the program has its own handler.
int hf_survive_file_size_signal(void);
/// The read end of the process's one signal pipe, made on the first call.
int hf_signal_pipe(int *_Nonnull descriptor);
/// From now on deliveries of `signal` write its number as one byte into the signal pipe.
int hf_signal_begin(int signal);
/// Gives `signal` the disposition that it had before hf_signal_begin.
int hf_signal_end(int signal);
/// Writes one byte into the signal pipe by hand.
void hf_signal_pipe_write(uint8_t byte);
