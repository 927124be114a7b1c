// The floors of the benchmarks: the same work in plain C, with nothing between it and the system.

#include "CHoldfastBench.h"
#include "now.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int sync_data(int fd) {
#ifdef __APPLE__
  return fcntl(fd, F_FULLFSYNC);
#else
  return fdatasync(fd);
#endif
}

static int write_all(int fd, const uint8_t *bytes, int64_t size, int64_t offset) {
  while (size > 0) {
    ssize_t n = pwrite(fd, bytes, (size_t)size, offset);
    if (n <= 0) return -1;
    bytes += n, size -= n, offset += n;
  }
  return 0;
}

static void wait_ns(int64_t ns) {
  if (ns <= 0) return;
  struct timespec t = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
  nanosleep(&t, NULL);
}

int64_t hf_floor_append(const char *path, const uint8_t *bytes, int64_t size, int64_t count,
                        int32_t prewritten, int64_t delay_ns, int64_t *latency) {
  int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (fd < 0) return -1;
  if (prewritten) {
    uint8_t *zeros = calloc(1, (size_t)size);
    for (int64_t i = 0; i < count; i++) write_all(fd, zeros, size, i * size);
    free(zeros);
  }
  fsync(fd);
  int64_t start = now_ns(), total = -1;
  for (int64_t i = 0; i < count; i++) {
    int64_t begin = now_ns();
    if (write_all(fd, bytes, size, i * size) != 0 || sync_data(fd) != 0) goto done;
    wait_ns(delay_ns);
    latency[i] = now_ns() - begin;
  }
  total = now_ns() - start;
done:
  close(fd);
  unlink(path);
  return total;
}

static sqlite3 *open_database(const char *path, const char *setup) {
  sqlite3 *db = NULL;
  if (sqlite3_open(path, &db) != SQLITE_OK) return NULL;
  if (sqlite3_exec(db, setup, NULL, NULL, NULL) != SQLITE_OK) {
    sqlite3_close(db);
    return NULL;
  }
  return db;
}

int64_t hf_floor_blobs(const char *path, const uint8_t *bytes, int64_t size, int64_t count,
                       int64_t *latency) {
  sqlite3 *db = open_database(path,
                              "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
                              "CREATE TABLE chunk (id INTEGER PRIMARY KEY, payload BLOB);");
  if (db == NULL) return -1;
  sqlite3_stmt *insert = NULL;
  sqlite3_prepare_v2(db, "INSERT INTO chunk (payload) VALUES (?1)", -1, &insert, NULL);
  int64_t start = now_ns();
  for (int64_t i = 0; i < count; i++) {
    int64_t begin = now_ns();
    sqlite3_bind_blob64(insert, 1, bytes, (sqlite3_uint64)size, SQLITE_STATIC);
    sqlite3_step(insert);
    sqlite3_reset(insert);
    latency[i] = now_ns() - begin;
  }
  int64_t total = now_ns() - start;
  sqlite3_finalize(insert);
  sqlite3_close(db);
  return total;
}

int64_t hf_floor_rows(const char *path, int64_t count, int64_t batch, int32_t synchronous) {
  char setup[512];
  snprintf(setup, sizeof setup,
           "PRAGMA journal_mode=WAL; PRAGMA synchronous=%d; PRAGMA wal_autocheckpoint=0;"
           "CREATE TABLE segment (id INTEGER PRIMARY KEY, recording BLOB NOT NULL, start INTEGER,"
           "finish INTEGER, text TEXT NOT NULL, speaker TEXT) STRICT;",
           synchronous);
  sqlite3 *db = open_database(path, setup);
  if (db == NULL) return -1;
  sqlite3_stmt *insert = NULL;
  sqlite3_prepare_v2(db,
                     "INSERT INTO segment (recording, start, finish, text, speaker)"
                     " VALUES (?1, ?2, ?3, ?4, ?5)",
                     -1, &insert, NULL);
  uint8_t recording[16] = {1, 2, 3};
  char text[161];
  memset(text, 'w', 160);
  text[160] = 0;
  int64_t start = now_ns();
  for (int64_t i = 0; i < count; i += batch) {
    sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    for (int64_t j = i; j < i + batch && j < count; j++) {
      sqlite3_bind_blob(insert, 1, recording, 16, SQLITE_TRANSIENT);
      sqlite3_bind_int64(insert, 2, j * 1000);
      sqlite3_bind_int64(insert, 3, j * 1000 + 900);
      sqlite3_bind_text(insert, 4, text, 160, SQLITE_TRANSIENT);
      sqlite3_bind_text(insert, 5, "speaker", 7, SQLITE_TRANSIENT);
      sqlite3_step(insert);
      sqlite3_reset(insert);
    }
    sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
  }
  int64_t total = now_ns() - start;
  sqlite3_finalize(insert);
  sqlite3_close(db);
  return total;
}

int64_t hf_floor_bulk(const char *path, const uint8_t *mebibyte, int64_t count) {
  const int64_t piece = 1 << 20;
  int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (fd < 0) return -1;
  int64_t start = now_ns(), total = -1;
  for (int64_t done = 0; done < count; done += piece) {
    int64_t size = count - done < piece ? count - done : piece;
    if (write_all(fd, mebibyte, size, done) != 0) goto out;
    if ((done / piece) % 8 == 7 && sync_data(fd) != 0) goto out;
  }
  if (sync_data(fd) != 0) goto out;
  total = now_ns() - start;
out:
  close(fd);
  unlink(path);
  return total;
}

int64_t hf_floor_open(const char *path) {
  int64_t start = now_ns(), total = -1;
  sqlite3 *db = open_database(path, "PRAGMA wal_autocheckpoint=0;");
  if (db == NULL) return -1;
  sqlite3_stmt *last = NULL;
  if (sqlite3_prepare_v2(db, "SELECT id FROM take ORDER BY key DESC LIMIT 1", -1, &last, NULL) ==
          SQLITE_OK &&
      sqlite3_step(last) == SQLITE_ROW) {
    total = now_ns() - start;
  }
  sqlite3_finalize(last);
  sqlite3_close(db);
  return total;
}
