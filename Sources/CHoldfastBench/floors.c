// The floors of the benchmarks: the same work in plain C, with nothing between it and the system.

#include "CHoldfastBench.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

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

static sqlite3_stmt *prepared(sqlite3 *db, const char *sql) {
  sqlite3_stmt *statement = NULL;
  sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
  return statement;
}

// Runs a statement that answers no rows; 0 when it was done.
static int done(sqlite3_stmt *statement) {
  int code = sqlite3_step(statement);
  sqlite3_reset(statement);
  return code == SQLITE_DONE ? 0 : -1;
}

// The statements of a claim and of a completion, each prepared once.
struct work {
  sqlite3_stmt *begin, *commit, *next, *claim, *change, *result, *complete;
};

static int claim_one(struct work *work, int64_t turn, const char *kind, int64_t *key,
                     uint8_t task[32], uint8_t recording[16]) {
  if (done(work->begin) != 0) return -1;
  sqlite3_bind_text(work->next, 1, kind, -1, SQLITE_STATIC);
  if (sqlite3_step(work->next) != SQLITE_ROW) return -1;
  *key = sqlite3_column_int64(work->next, 0);
  memcpy(task, sqlite3_column_blob(work->next, 1), 32);
  memcpy(recording, sqlite3_column_blob(work->next, 2), 16);
  sqlite3_reset(work->next);
  sqlite3_bind_int64(work->claim, 1, *key);
  sqlite3_bind_int64(work->claim, 2, turn);
  return done(work->claim) != 0 || done(work->commit) != 0 ? -1 : 0;
}

static int complete_one(struct work *work, int64_t turn, const char *text, int64_t key,
                        const uint8_t task[32], const uint8_t recording[16]) {
  uint8_t hash[32] = {0};
  memcpy(hash, &turn, sizeof turn);
  if (done(work->begin) != 0) return -1;
  sqlite3_bind_blob(work->change, 1, hash + 8, 16, SQLITE_STATIC);
  sqlite3_bind_int64(work->change, 2, turn);
  sqlite3_bind_blob(work->change, 3, recording, 16, SQLITE_STATIC);
  sqlite3_bind_blob(work->change, 4, hash, 32, SQLITE_STATIC);
  sqlite3_bind_blob(work->change, 5, text, (int)strlen(text), SQLITE_STATIC);
  if (done(work->change) != 0) return -1;
  sqlite3_bind_blob(work->result, 1, task, 32, SQLITE_STATIC);
  sqlite3_bind_blob(work->result, 2, recording, 16, SQLITE_STATIC);
  sqlite3_bind_blob(work->result, 3, hash, 32, SQLITE_STATIC);
  sqlite3_bind_text(work->result, 4, text, -1, SQLITE_STATIC);
  if (done(work->result) != 0) return -1;
  sqlite3_bind_int64(work->complete, 1, key);
  return done(work->complete) != 0 || done(work->commit) != 0 ? -1 : 0;
}

int64_t hf_floor_work(const char *path, int64_t count, const char *kind, const char *text) {
  sqlite3 *db = open_database(path, "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;");
  if (db == NULL) return -1;
  struct work work = {
      .begin = prepared(db, "BEGIN IMMEDIATE"),
      .commit = prepared(db, "COMMIT"),
      .next = prepared(db,
                       "SELECT key, id, recording FROM task WHERE phase = 'ready'"
                       " AND kind = ?1 ORDER BY turn LIMIT 1"),
      .claim = prepared(db,
                        "UPDATE task SET phase = 'running', wait = '', cause = '', epoch = 1,"
                        " claim = claim + 1, turn = ?2, deaths = deaths + 1 WHERE key = ?1"),
      .change = prepared(db,
                         "INSERT INTO change (origin, sequence, kind, recording, chain, bytes)"
                         " VALUES (?1, ?2, 'result', ?3, ?4, ?5)"),
      .result = prepared(db,
                         "INSERT INTO result (task, recording, hash, kind, content_type, text,"
                         " quality, version, input_revision, made_ms)"
                         " VALUES (?1, ?2, ?3, 'summary', 'text/plain', ?4, 1, 1, 1, 1)"),
      .complete = prepared(db,
                           "UPDATE task SET phase = 'done', wait = '', cause = '', deaths = 0,"
                           " tries = 0, progress = 10000, finished_ms = 1 WHERE key = ?1"
                           " AND epoch = 1 AND phase = 'running'"),
  };
  // Turns come after those that were given, as they do in the store.
  const int64_t first = (int64_t)1 << 40;
  // So many fill the log, which is then written over, as it is in a process that goes on.
  const int64_t warm = 120;
  int64_t start = 0, total = -1;
  for (int64_t i = -warm; i < count; i++) {
    if (i == 0) start = now_ns();
    int64_t key = 0;
    uint8_t task[32], recording[16];
    if (claim_one(&work, first + i, kind, &key, task, recording) != 0) goto out;
    if (complete_one(&work, first + i, text, key, task, recording) != 0) goto out;
  }
  total = now_ns() - start;
out:
  for (size_t i = 0; i < sizeof work / sizeof(sqlite3_stmt *); i++) {
    sqlite3_finalize(((sqlite3_stmt **)&work)[i]);
  }
  sqlite3_close(db);
  return total;
}
