// The floor of deferred work: the store's statements for a claim and a completion, in plain C.

#include "CHoldfastBench.h"
#include "now.h"

#include <sqlite3.h>
#include <string.h>

#define TASK                                                                                  \
  "SELECT key, id, kind, recording, generation, made_ms, phase, wait, cause, turn, failures," \
  " interruptions, deaths, tries, progress, unit, cursor, checkpoint, pass, retry_set_ms,"    \
  " retry_due_ms, held_under, epoch, claim, finished_ms FROM task "
#define CHUNKS "SELECT coalesce(sum(chunks), 0) FROM take WHERE recording = :r"
#define PASSES "SELECT count(*) FROM pass WHERE recording = :r AND closed = 1"
#define SETTING "SELECT value FROM setting WHERE name = :m"
#define SET_SETTING                                   \
  "INSERT INTO setting (name, value) VALUES (:m, :n)" \
  " ON CONFLICT (name) DO UPDATE SET value = excluded.value"

// A parameter is named by what is bound to it: i key and e take key, t task, r recording, k kind,
// n turn, h hash, o origin, x text, b its bytes, c conditions, m name of a setting.
static const char *const claim[] = {
    "BEGIN IMMEDIATE",
    SETTING,
    "SELECT EXISTS (SELECT 1 FROM task WHERE phase = 'waiting' AND wait = 'retry'"
    " AND retry_due_ms <= :n) OR EXISTS (SELECT 1 FROM task WHERE phase = 'waiting'"
    " AND wait = 'retry' AND retry_set_ms > :n) OR EXISTS (SELECT 1 FROM task"
    " WHERE phase = 'waiting' AND wait = 'conditions' AND held_under < :c) OR EXISTS"
    " (SELECT 1 FROM task WHERE phase = 'waiting' AND wait = 'conditions' AND held_under > :c)",
    "SELECT kind FROM task WHERE phase = 'ready' AND kind > '' ORDER BY kind LIMIT 1",
    "SELECT kind FROM task WHERE phase = 'ready' AND kind > :k ORDER BY kind LIMIT 1",
    "SELECT id, state FROM recording"
    " WHERE state IN ('recording', 'interrupted', 'pendingResume') AND purged = 0",
    TASK "WHERE phase = 'ready' AND kind = :k ORDER BY turn LIMIT 2",
    "SELECT coalesce(sum(extent_chunks), 0), coalesce(sum(chunks), 0) FROM take"
    " WHERE recording = :r",
    "SELECT 1 FROM take t JOIN chunk c ON c.take_key = t.key JOIN reel r"
    " ON r.take_key = t.key AND r.number = c.reel"
    " WHERE t.recording = :r AND c.absent = 0 AND r.state <> 'freed' LIMIT 1",
    "SELECT id, title, state, reason, state_ms, recovered, deleted, started_ms, external_id,"
    " source_bytes, origin FROM recording WHERE id = :r AND purged = 0 AND origin <> x''",
    "SELECT t.key, t.id, t.recording, t.track, t.position, t.encoding, t.sample_rate, t.channels,"
    " t.frame_bytes, t.packet_frames, t.codec, t.start_ns, t.known, t.opened_ms, t.launch,"
    " t.closed_reason, t.closed_ms, t.lost_ns, t.extent_chunks, t.chunks, t.end_frame, t.frames,"
    " t.bytes FROM take t LEFT JOIN track k ON k.id = t.track WHERE t.recording = :r"
    " ORDER BY k.ordinal, t.position, t.id",
    "SELECT at_frame, frames, reason FROM jump WHERE take_key = :e ORDER BY at_frame",
    "SELECT id, name FROM track WHERE recording = :r ORDER BY ordinal",
    "SELECT kind, progress FROM task WHERE recording = :r AND phase <> 'cancelled'"
    " ORDER BY generation",
    SETTING,
    SET_SETTING,
    "UPDATE task SET phase = 'running', wait = '', cause = '', turn = :n, deaths = deaths + 1,"
    " epoch = 1, claim = claim + 1 WHERE key = :i",
    CHUNKS,
    PASSES,
    SETTING,
    SET_SETTING,
    "COMMIT",
    NULL,
};
static const char *const completion[] = {
    "BEGIN IMMEDIATE",
    TASK "WHERE key = :i AND epoch = 1 AND phase = 'running'",
    CHUNKS,
    PASSES,
    "SELECT id, sequence, chain, stamp_ms, stamp_counter FROM origin WHERE mine = 1"
    " ORDER BY ordinal DESC LIMIT 1",
    "INSERT INTO change (origin, sequence, kind, recording, chain, bytes)"
    " VALUES (:o, :n, 'result', :r, :h, :b)",
    "UPDATE origin SET sequence = :n, chain = :h, stamp_ms = :n, stamp_counter = 0"
    " WHERE mine = 1",
    "INSERT OR IGNORE INTO result (task, recording, hash, kind, content_type, text, quality,"
    " version, input_revision, made_ms, late)"
    " VALUES (:t, :r, :h, 'summary', 'text/plain', :x, 1, 1, 1, 1, 0)",
    "UPDATE task SET phase = 'done', wait = '', cause = '', deaths = 0, tries = 0,"
    " progress = 10000, unit = unit + 1, finished_ms = :n WHERE key = :i",
    "SELECT key FROM task WHERE recording = :r AND phase = 'waiting' AND wait = 'tasks'"
    " AND EXISTS (SELECT 1 FROM task_after a WHERE a.task_key = task.key AND a.kind = :k)",
    SETTING,
    SET_SETTING,
    "COMMIT",
    NULL,
};

static const char *const fewest_claim[] = {
    "BEGIN IMMEDIATE",
    TASK "WHERE phase = 'ready' AND kind = :k ORDER BY turn LIMIT 1",
    "UPDATE task SET phase = 'running', turn = :n, deaths = deaths + 1, epoch = 1,"
    " claim = claim + 1 WHERE key = :i",
    "COMMIT",
    NULL,
};
static const char *const fewest_completion[] = {
    "BEGIN IMMEDIATE",
    "INSERT INTO change (origin, sequence, kind, recording, chain, bytes)"
    " VALUES (:o, :n, 'result', :r, :h, :b)",
    "INSERT INTO result (task, recording, hash, kind, content_type, text, quality, version,"
    " input_revision, made_ms) VALUES (:t, :r, :h, 'summary', 'text/plain', :x, 1, 1, 1, 1)",
    "UPDATE task SET phase = 'done', deaths = 0, tries = 0, progress = 10000, finished_ms = :n"
    " WHERE key = :i AND epoch = 1 AND phase = 'running'",
    "COMMIT",
    NULL,
};

enum { most_statements = 32 };

// What the statements are run with.
struct values {
  int64_t key, take_key, turn;
  const char *kind, *text;
  uint8_t task[32], recording[16], hash[32];
};

static int bind(sqlite3_stmt *statement, const struct values *with) {
  for (int at = 1; at <= sqlite3_bind_parameter_count(statement); at++) {
    int code = SQLITE_ERROR;
    switch (sqlite3_bind_parameter_name(statement, at)[1]) {
      case 'i': code = sqlite3_bind_int64(statement, at, with->key); break;
      case 'e': code = sqlite3_bind_int64(statement, at, with->take_key); break;
      case 'n': code = sqlite3_bind_int64(statement, at, with->turn); break;
      case 'k': code = sqlite3_bind_text(statement, at, with->kind, -1, SQLITE_STATIC); break;
      case 'x': code = sqlite3_bind_text(statement, at, with->text, -1, SQLITE_STATIC); break;
      case 'b':
        code = sqlite3_bind_blob(
            statement, at, with->text, (int)strlen(with->text), SQLITE_STATIC);
        break;
      case 'c': code = sqlite3_bind_text(statement, at, "", 0, SQLITE_STATIC); break;
      case 'm': code = sqlite3_bind_text(statement, at, "floor", -1, SQLITE_STATIC); break;
      case 't': code = sqlite3_bind_blob(statement, at, with->task, 32, SQLITE_STATIC); break;
      case 'h': code = sqlite3_bind_blob(statement, at, with->hash, 32, SQLITE_STATIC); break;
      case 'r': code = sqlite3_bind_blob(statement, at, with->recording, 16, SQLITE_STATIC); break;
      case 'o': code = sqlite3_bind_blob(statement, at, with->hash + 8, 16, SQLITE_STATIC); break;
    }
    if (code != SQLITE_OK) return -1;
  }
  return 0;
}

// Keeps what later statements need of a row: of the task that was found, and of its take.
static void keep(sqlite3_stmt *statement, const char *sql, struct values *with) {
  if (strncmp(sql, TASK, strlen(TASK)) == 0) {
    with->key = sqlite3_column_int64(statement, 0);
    memcpy(with->task, sqlite3_column_blob(statement, 1), 32);
    memcpy(with->recording, sqlite3_column_blob(statement, 3), 16);
  } else if (strncmp(sql, "SELECT t.key", 12) == 0) {
    with->take_key = sqlite3_column_int64(statement, 0);
  }
}

static int run(sqlite3_stmt *const *statements, const char *const *list, struct values *with) {
  for (int at = 0; list[at] != NULL; at++) {
    if (bind(statements[at], with) != 0) return -1;
    int rows = 0, code;
    while ((code = sqlite3_step(statements[at])) == SQLITE_ROW) {
      if (rows++ == 0) keep(statements[at], list[at], with);
    }
    sqlite3_reset(statements[at]);
    if (code != SQLITE_DONE) return -1;
  }
  return 0;
}

static int prepare(sqlite3 *db, const char *const *list, sqlite3_stmt **statements) {
  for (int at = 0; list[at] != NULL; at++) {
    if (at == most_statements) return -1;
    if (sqlite3_prepare_v2(db, list[at], -1, &statements[at], NULL) != SQLITE_OK) return -1;
  }
  return 0;
}

int64_t hf_floor_work(const char *path, int64_t count, const char *kind, const char *text,
                      int32_t same) {
  sqlite3 *db = NULL;
  sqlite3_stmt *first[most_statements] = {NULL}, *second[most_statements] = {NULL};
  const char *const *claiming = same ? claim : fewest_claim;
  const char *const *completing = same ? completion : fewest_completion;
  // Turns come after those that were given, as they do in the store.
  struct values with = {.kind = kind, .text = text, .turn = (int64_t)1 << 40};
  // So many fill the log, which is then written over, as it is in a process that goes on.
  const int64_t warm = 120;
  int64_t start = 0, total = -1;
  if (sqlite3_open(path, &db) != SQLITE_OK) goto out;
  if (sqlite3_exec(db, "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;", NULL, NULL, NULL) !=
          SQLITE_OK ||
      prepare(db, claiming, first) != 0 || prepare(db, completing, second) != 0) {
    goto out;
  }
  for (int64_t i = -warm; i < count; i++) {
    if (i == 0) start = now_ns();
    with.turn += 1;
    memcpy(with.hash, &with.turn, sizeof with.turn);
    memcpy(with.hash + 8, &with.turn, sizeof with.turn);
    if (run(first, claiming, &with) != 0 || run(second, completing, &with) != 0) goto out;
  }
  total = now_ns() - start;
out:
  for (int at = 0; at < most_statements; at++) {
    sqlite3_finalize(first[at]);
    sqlite3_finalize(second[at]);
  }
  sqlite3_close(db);
  return total;
}
