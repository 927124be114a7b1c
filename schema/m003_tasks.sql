-- Deferred work. That a task exists (kind, generation, predecessors) and what its results are comes
-- from changes; where it stands here is this store's own. Nothing that exists is altered but by
-- adding.

-- The number of a launch among all that ever held the store for writing: the first half of a
-- claim's fence (T2). 0: a launch of a version before tasks, which held no claim.
ALTER TABLE launch ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;

CREATE TABLE task (
  key            INTEGER PRIMARY KEY,
  id             BLOB    NOT NULL UNIQUE,     -- 32 bytes: hash of kind, recording, generation (T9)
  kind           TEXT    NOT NULL,
  recording      BLOB    NOT NULL,
  generation     INTEGER NOT NULL,
  made_ms        INTEGER NOT NULL,
  phase          TEXT    NOT NULL,            -- waiting, ready, running, parked, done, failed …
  wait           TEXT    NOT NULL DEFAULT '', -- tasks, input, retry, conditions, trash
  cause          TEXT    NOT NULL DEFAULT '', -- why it stands where it stands, for people
  turn           INTEGER NOT NULL,            -- in which it ran last or came to be; no clock (T8)
  failures       INTEGER NOT NULL DEFAULT 0,
  interruptions  INTEGER NOT NULL DEFAULT 0,
  deaths         INTEGER NOT NULL DEFAULT 0,
  tries          INTEGER NOT NULL DEFAULT 0,  -- attempts in a row that came to nothing: for backoff
  progress       INTEGER NOT NULL DEFAULT 0,  -- 0 … 10,000
  unit           INTEGER NOT NULL DEFAULT 0,  -- units committed
  cursor         BLOB    NOT NULL DEFAULT x'',-- how far each track is done
  checkpoint     BLOB,                        -- the handler's own, of its last committed unit
  pass           BLOB,                        -- the pass that its segments go to
  retry_set_ms   INTEGER,                     -- when a wait began
  retry_due_ms   INTEGER,                     -- when it is over
  held_under     TEXT    NOT NULL DEFAULT '', -- the conditions under which it was last interrupted
  epoch          INTEGER NOT NULL DEFAULT 0,  -- of the launch that holds the claim, or held it last
  claim          INTEGER NOT NULL DEFAULT 0,  -- counts claims
  finished_ms    INTEGER
) STRICT;
CREATE INDEX task_by_recording ON task (recording);
CREATE INDEX task_ready ON task (kind, turn) WHERE phase IN ('ready', 'parked');
CREATE INDEX task_running ON task (epoch) WHERE phase = 'running';
CREATE INDEX task_waiting ON task (wait, retry_due_ms) WHERE phase = 'waiting';

-- Kinds of the same recording that must be done before.
CREATE TABLE task_after (
  task_key  INTEGER NOT NULL,
  kind      TEXT    NOT NULL,
  PRIMARY KEY (task_key, kind)
) STRICT, WITHOUT ROWID;

-- Results: a set that only grows (T9). late = 1: from a worker whose claim had been taken over.
CREATE TABLE result (
  key             INTEGER PRIMARY KEY,
  task            BLOB    NOT NULL,
  recording       BLOB    NOT NULL,
  hash            BLOB    NOT NULL,           -- of kind, content type and text
  kind            TEXT    NOT NULL,           -- summary …
  content_type    TEXT    NOT NULL,
  text            TEXT    NOT NULL,
  quality         INTEGER NOT NULL,
  version         INTEGER NOT NULL,           -- of the handler (T7)
  input_revision  INTEGER NOT NULL,           -- of what it was made from (T7)
  made_ms         INTEGER NOT NULL,
  late            INTEGER NOT NULL DEFAULT 0,
  UNIQUE (recording, task, hash, version, input_revision)
) STRICT;

-- Measured times of units, in milliseconds (T6).
CREATE TABLE unit_time (
  kind     TEXT    NOT NULL,
  compute  TEXT    NOT NULL,
  pace     TEXT    NOT NULL,
  ms       INTEGER NOT NULL,
  PRIMARY KEY (kind, compute, pace)
) STRICT, WITHOUT ROWID;

-- Recordings that are not over, found without reading all others.
CREATE INDEX recording_unfinished ON recording (state)
  WHERE state IN ('recording', 'interrupted', 'pendingResume');
