#pragma once
#include <stdint.h>

// The floors: what the same work costs in plain C, nothing between it and the system.

/// Appends `count` pieces of `size` bytes to a file with a data sync after each; `prewritten` says
/// whether the file was filled with zeros and synced beforehand. `delay_ns` is added to each sync.
/// Fills `latency` with the nanoseconds of each. Returns the nanoseconds of all, or -1.
int64_t hf_floor_append(const char *path, const uint8_t *bytes, int64_t size, int64_t count,
                        int32_t prewritten, int64_t delay_ns, int64_t *latency);

/// Inserts `count` blobs of `size` bytes, a transaction each, into an SQLite database of default
/// durable settings (WAL, synchronous=FULL). Fills `latency`. Returns nanoseconds, or -1.
int64_t hf_floor_blobs(const char *path, const uint8_t *bytes, int64_t size, int64_t count,
                       int64_t *latency);

/// Inserts `count` rows of about 200 bytes, `batch` a transaction, through one prepared statement;
/// `synchronous` is SQLite's level (1 NORMAL, 2 FULL). Returns nanoseconds, or -1.
int64_t hf_floor_rows(const char *path, int64_t count, int64_t batch, int32_t synchronous);

/// Writes `count` bytes in pieces of 1 MiB with a data sync each 8 MiB. Returns nanoseconds, or -1.
int64_t hf_floor_bulk(const char *path, const uint8_t *mebibyte, int64_t count);

/// Opens a store's database, whose write-ahead log must be read first, and reads one row. Returns
/// nanoseconds, or -1.
int64_t hf_floor_open(const char *path);

/// Claims and completes `count` tasks of a kind in a copy of a store's database, each claim and
/// each completion a durable transaction (WAL, synchronous=FULL), with the tables and indexes of
/// the store. `same` runs the statements that the store itself runs for it, with a result of the
/// given text and a change of the same size; without it the fewest that move a task from ready to
/// done. Some tasks before them are not counted in. Returns nanoseconds, or -1.
int64_t hf_floor_work(const char *path, int64_t count, const char *kind, const char *text,
                      int32_t same);
