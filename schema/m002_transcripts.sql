-- Transcripts (X1, X2). What is replicated stands in the changes alone; of the tables here only
-- volatile_speech cannot be made again from them. Positions are sample frames within a take;
-- _ns are nanoseconds of recording time.

-- The state of a recording is derived from its other changes: a transcript of 900 units, and the
-- results of its work, must not be read again whenever a take is closed.
CREATE INDEX change_of_recording ON change (recording)
  WHERE kind NOT IN ('overlay', 'pass', 'passClosed', 'result', 'segments', 'task');
CREATE INDEX change_of_transcript ON change (recording, kind)
  WHERE kind IN ('overlay', 'pass', 'passClosed', 'segments');

-- Passes: one run of an engine over audio each.
CREATE TABLE pass (
  id            BLOB PRIMARY KEY,           -- 32 bytes
  recording     BLOB    NOT NULL,
  kind          TEXT    NOT NULL,           -- of the task that makes it: transcribe …
  engine        TEXT    NOT NULL,
  version       INTEGER NOT NULL,
  quality       INTEGER NOT NULL,
  live          INTEGER NOT NULL,           -- made while the recording ran
  task          BLOB,
  language      TEXT,
  made_ms       INTEGER NOT NULL,           -- hybrid time of its change, for the order of a list
  made_counter  INTEGER NOT NULL,
  closed        INTEGER NOT NULL,
  words         INTEGER NOT NULL,
  segments      INTEGER NOT NULL
) STRICT;
CREATE INDEX pass_by_recording ON pass (recording);

-- Where the units of a pass stand in the log. Of a unit that came twice only the delivery that
-- counts has rows; a long one has several parts.
CREATE TABLE unit (
  pass      BLOB    NOT NULL,
  number    INTEGER NOT NULL,
  part      INTEGER NOT NULL,
  change    INTEGER NOT NULL,               -- ordinal of the change
  start_ns  INTEGER NOT NULL,               -- the range that it covers
  end_ns    INTEGER NOT NULL,
  PRIMARY KEY (pass, number, part)
) STRICT, WITHOUT ROWID;

-- Segments that an engine may still change: of this replica, replaced whole, never a change.
CREATE TABLE volatile_speech (
  pass       BLOB PRIMARY KEY,
  recording  BLOB NOT NULL,
  segments   BLOB NOT NULL                  -- canonical bytes
) STRICT;

-- One row a recording with passes: which of them is current, and why it may be.
CREATE TABLE transcript (
  recording   BLOB    PRIMARY KEY,
  slot        INTEGER NOT NULL UNIQUE,      -- the upper bits of the keys of its speech
  started_ms  INTEGER NOT NULL,             -- what the slot was made from
  choice      BLOB,                         -- the pass that the user chose
  current     BLOB,                         -- the pass that is shown
  given       INTEGER NOT NULL DEFAULT 0    -- keys given of its slot
) STRICT;

-- What is searched: the segments of current passes as they are shown, with names and edits. The
-- larger the key, the later the recording began; within one the earlier segment has the larger.
CREATE TABLE speech (
  key          INTEGER PRIMARY KEY,
  take         BLOB    NOT NULL,
  track        BLOB    NOT NULL,
  first_frame  INTEGER NOT NULL,
  end_frame    INTEGER NOT NULL,
  speaker      TEXT,
  text         TEXT    NOT NULL
) STRICT;

-- The index of its words.
CREATE VIRTUAL TABLE speech_words USING fts5 (
  text, content = 'speech', content_rowid = 'key', tokenize = 'unicode61 remove_diacritics 2'
);
