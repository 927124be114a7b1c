-- The store, first version. Every table is STRICT. Times named _ms are milliseconds since 1970 by
-- the wall clock; _ns are nanoseconds; ids are 16-byte blobs; digests are 32-byte blobs.
--
-- Two kinds of table: what cannot be repeated (change, origin, launch, intent, setting) and what is
-- derived from it and from the reels (recording … chunk).

-- Single values: store id, host token, commit number, clock.
CREATE TABLE setting (
  name  TEXT PRIMARY KEY,
  value ANY NOT NULL
) STRICT, WITHOUT ROWID;

-- The vector: one row an origin whose changes are here. mine = 1 for incarnations of this store's
-- own log; the newest of them (largest ordinal) is written on.
CREATE TABLE origin (
  id         BLOB PRIMARY KEY,
  ordinal    INTEGER NOT NULL,
  mine       INTEGER NOT NULL,
  made_ms    INTEGER NOT NULL,
  reason     TEXT    NOT NULL,              -- created, copied, commitsLost, rebuilt …
  sequence   INTEGER NOT NULL DEFAULT 0,    -- of the last change here
  chain      BLOB    NOT NULL,              -- hash of the last change here
  stamp_ms       INTEGER NOT NULL DEFAULT 0,  -- hybrid time of the last change here
  stamp_counter  INTEGER NOT NULL DEFAULT 0
) STRICT;

-- The log. ordinal is local and never used again: the cursor that apps keep. bytes are canonical
-- and kept verbatim; NULL is a stub left by a purge.
CREATE TABLE change (
  ordinal    INTEGER PRIMARY KEY AUTOINCREMENT,
  origin     BLOB    NOT NULL,
  sequence   INTEGER NOT NULL,
  kind       TEXT    NOT NULL,
  recording  BLOB,
  chain      BLOB    NOT NULL,
  bytes      BLOB,
  UNIQUE (origin, sequence)
) STRICT;
CREATE INDEX change_by_recording ON change (recording);

-- Recordings as derived from their changes; replaced whole whenever one of them has a new change.
CREATE TABLE recording (
  id            BLOB PRIMARY KEY,
  title         TEXT    NOT NULL,
  state         TEXT    NOT NULL,           -- recording, interrupted, pendingResume, stopped
  reason        TEXT    NOT NULL,           -- why it came into that state
  state_ms      INTEGER NOT NULL,           -- when it did
  recovered     INTEGER NOT NULL,
  started_ms    INTEGER NOT NULL,
  external_id   TEXT,
  source_bytes  INTEGER,                    -- payload bytes of the file it is imported from
  origin        BLOB    NOT NULL,
  deleted       INTEGER NOT NULL,
  purged        INTEGER NOT NULL
) STRICT;
CREATE INDEX recording_by_start ON recording (started_ms);
CREATE INDEX recording_by_external_id ON recording (external_id) WHERE external_id IS NOT NULL;

-- The clocks when a recording began here (monotonic times compare within one boot only), and the
-- launch that captures it or did so last.
CREATE TABLE anchor (
  recording     BLOB PRIMARY KEY,
  launch        BLOB    NOT NULL,
  boot          BLOB    NOT NULL,
  monotonic_ns  INTEGER NOT NULL,
  wall_ms       INTEGER NOT NULL
) STRICT;

-- Attributes of the app: canonical bytes of the value.
CREATE TABLE attribute (
  recording  BLOB NOT NULL,
  name       TEXT NOT NULL,
  value      BLOB NOT NULL,
  PRIMARY KEY (recording, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE track (
  id         BLOB PRIMARY KEY,
  recording  BLOB    NOT NULL,
  ordinal    INTEGER NOT NULL,
  name       TEXT    NOT NULL
) STRICT;
CREATE INDEX track_by_recording ON track (recording);

-- Takes: key is local and short, for chunk rows. launch is the launch that records it here, NULL
-- when it was recorded elsewhere. The counters speak of the chunk rows of this store.
CREATE TABLE take (
  key            INTEGER PRIMARY KEY,
  id             BLOB    NOT NULL UNIQUE,
  recording      BLOB    NOT NULL,
  track          BLOB    NOT NULL,
  position       INTEGER NOT NULL,          -- index of the take within its track
  encoding       TEXT    NOT NULL,
  sample_rate    REAL    NOT NULL,
  channels       INTEGER NOT NULL,
  frame_bytes    INTEGER NOT NULL,
  packet_frames  INTEGER NOT NULL,
  codec          BLOB    NOT NULL,
  start_ns       INTEGER NOT NULL,          -- in recording time
  known          TEXT    NOT NULL,
  opened_ms      INTEGER NOT NULL,
  launch         BLOB,
  chunk_frames   INTEGER NOT NULL DEFAULT 0,  -- frames of a full chunk, for the bound of a loss
  closed_reason  TEXT,
  closed_ms      INTEGER,
  lost_ns        INTEGER NOT NULL DEFAULT 0,
  extent_chunks  INTEGER NOT NULL DEFAULT 0,
  chunks         INTEGER NOT NULL DEFAULT 0,
  end_frame      INTEGER NOT NULL DEFAULT 0,
  frames         INTEGER NOT NULL DEFAULT 0,
  bytes          INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX take_by_recording ON take (recording);
CREATE INDEX take_open ON take (launch) WHERE closed_reason IS NULL;

-- Files of takes. state: present, freed (its audio was let go on purpose), foreign.
CREATE TABLE reel (
  take_key  INTEGER NOT NULL,
  number    INTEGER NOT NULL,
  state     TEXT    NOT NULL,
  PRIMARY KEY (take_key, number)
) STRICT, WITHOUT ROWID;

-- The local index of chunks: can be made again from the reels. absent: 0 is present as far as we
-- know, 1 damaged, 2 missing (J5).
CREATE TABLE chunk (
  take_key     INTEGER NOT NULL,
  sequence     INTEGER NOT NULL,
  reel         INTEGER NOT NULL,
  position     INTEGER NOT NULL,            -- byte offset of the frame in the reel
  bytes        INTEGER NOT NULL,            -- of the payload
  first_frame  INTEGER NOT NULL,            -- within the take
  frames       INTEGER NOT NULL,
  sha256       BLOB    NOT NULL,
  absent       INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (take_key, sequence)
) STRICT, WITHOUT ROWID;

-- Places inside a take where frames are missing.
CREATE TABLE jump (
  take_key  INTEGER NOT NULL,
  at_frame  INTEGER NOT NULL,
  frames    INTEGER NOT NULL,
  reason    TEXT    NOT NULL,
  PRIMARY KEY (take_key, at_frame)
) STRICT, WITHOUT ROWID;

-- Process lifetimes that held the store open for writing.
CREATE TABLE launch (
  id            BLOB PRIMARY KEY,
  boot          BLOB    NOT NULL,
  program       TEXT    NOT NULL,
  process       INTEGER NOT NULL,
  started_ms    INTEGER NOT NULL,
  started_ns    INTEGER NOT NULL,
  ended_ms      INTEGER,
  ending        TEXT,                       -- NULL while it lives
  evidence      TEXT    NOT NULL DEFAULT '',
  acknowledged  INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX launch_by_start ON launch (started_ms);

-- What recovery found of each recording of a dead launch, until somebody acknowledged it.
CREATE TABLE recovery (
  recording     BLOB    NOT NULL,
  launch        BLOB    NOT NULL,
  found_ms      INTEGER NOT NULL,
  indexed       INTEGER NOT NULL,           -- chunks that had a row
  salvaged      INTEGER NOT NULL,           -- chunks found in the reels beyond the rows
  damaged       INTEGER NOT NULL,           -- damaged ranges met on the way
  lost_ns       INTEGER NOT NULL,           -- at most
  acknowledged  INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (recording, launch)
) STRICT, WITHOUT ROWID;

-- Losses and oddities that a person should know of, until acknowledged.
CREATE TABLE attention (
  key           INTEGER PRIMARY KEY,
  at_ms         INTEGER NOT NULL,
  code          TEXT    NOT NULL,
  message       TEXT    NOT NULL,
  recording     BLOB,
  acknowledged  INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Removals: an intent is committed, the files are unlinked, then it is done (J4).
CREATE TABLE intent (
  key        INTEGER PRIMARY KEY,
  kind       TEXT    NOT NULL,              -- purge
  recording  BLOB    NOT NULL,
  take       BLOB    NOT NULL,
  made_ms    INTEGER NOT NULL,
  done_ms    INTEGER
) STRICT;
CREATE INDEX intent_open ON intent (key) WHERE done_ms IS NULL;

-- Files that a recorder of the app writes itself (rotating): named here before the recorder opens
-- them, taken into reels when they are finished or when the launch has died.
CREATE TABLE incoming (
  key           INTEGER PRIMARY KEY,
  recording     BLOB    NOT NULL,
  track         TEXT    NOT NULL,           -- the track's name
  name          TEXT    NOT NULL,           -- within the store's directory
  launch        BLOB    NOT NULL,
  boot          BLOB    NOT NULL,           -- when it was named, both clocks
  monotonic_ns  INTEGER NOT NULL,
  wall_ms       INTEGER NOT NULL,
  taken_ms      INTEGER,                    -- when its audio was durably in reels: the file may go
  gone_ms       INTEGER                     -- when it was unlinked, or found to be none
) STRICT;
CREATE INDEX incoming_open ON incoming (key) WHERE gone_ms IS NULL;
